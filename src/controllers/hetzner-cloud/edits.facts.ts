import { editsByKey } from '../../contract/annotation-catalogue';
import { advised, ignored, interrupted, kept, refused, stays, unknown } from '../../contract/edit';
import { absentIs, becomes, ofBarePort, takenOut, where } from '../../contract/edit-cases';
import { isLimited } from '../../contract/edits-that-open';
import { type FieldEdits, SERVICE_CONTROLLER_EDITS } from '../../rules/service-edits.facts';
import { annotationsOf } from '../../rules/service-json';
import { HCLOUD } from './annotations';

const OPS = 'internal/hcops/load_balancer.go';
const BALANCERS = 'hcloud/load_balancers.go';

const PORTS_IN_PLACE = 'the ports of the balancer are updated in place';
const CHECK_IN_PLACE = 'the health check is updated in place';
const RESERVED = ignored('not read');
const AT_CREATION = advised(
  { ...ignored('read at creation only: the balancer stays where it is', OPS), staysAsMade: true },
  'make another Service with the new value, move clients and DNS to it, then delete this one',
);

/** What is taken out is not asked of the balancer, which goes on with it, unless the environment of the controller sets a default. */
const STAYS = (what: string) => takenOut(stays(`${what}, unless the controller has a default of its own`));

const PORTS = {
  ...kept(PORTS_IN_PLACE, OPS),
  unless: [takenOut(stays('the ports keep what they have'))],
};
const CHECK = {
  ...kept(CHECK_IN_PLACE, OPS),
  unless: [STAYS('the health check keeps what it has')],
};
const CERTIFICATE = ignored('a managed certificate that exists is not changed', OPS);
const RDNS = {
  ...kept('the name is changed in place', OPS),
  unless: [takenOut(stays('the address keeps its name'))],
};

const STATUS = (what: string) => kept(`${what}; the balancer stays, names that follow the status do not`, BALANCERS);

/** What an edit does to a live balancer. */
export const HCLOUD_ANNOTATION_EDITS = editsByKey(HCLOUD, {
  name: {
    ...kept('the balancer is found by the UID of the Service and renamed in place', OPS),
    unless: [takenOut(stays('the balancer keeps its name'))],
  },
  location: AT_CREATION,
  networkZone: AT_CREATION,
  type: {
    ...unknown('the type is changed in place under the same address; whether connections survive is not known', OPS),
    unless: [STAYS('the balancer keeps its type')],
  },
  algorithmType: {
    ...kept('changed in place', OPS),
    unless: [STAYS('the balancer keeps its algorithm')],
  },
  disablePublicNetwork: {
    ...interrupted('the public interface is switched off in place: clients of the public addresses are cut off', OPS),
    unless: [
      takenOut(
        advised(
          stays('the public interface stays as it is, off or on, unless the controller has a default of its own'),
          'write false to switch it on, or true to keep it off whatever the controller has as a default',
        ),
      ),
      becomes(
        false,
        advised(
          kept('opens it to the internet: the public interface is switched on in place'),
          'leave it at true, unless the balancer is meant for clients of the internet',
        ),
      ),
    ],
  },
  disablePrivateIngress: STATUS('the private address leaves or enters the status'),
  usePrivateIp: interrupted(
    'every target is taken off and added again by its other address; without HCLOUD_NETWORK private ones are an error',
    OPS,
  ),
  privateIpv4: {
    ...interrupted(
      'the balancer is detached from its network and attached again; its private targets are gone until they are added anew',
      OPS,
    ),
    unless: [takenOut(stays('the balancer keeps its private address'))],
  },
  privateSubnetIpRange: stays('read when the balancer is attached to the network only', OPS),
  ipv4Rdns: RDNS,
  ipv6Rdns: RDNS,
  ipv6Disabled: STATUS('the IPv6 address leaves or enters the status'),
  hostname: STATUS('the status changes between host name and addresses'),
  protocol: {
    ...interrupted(`${PORTS_IN_PLACE}; clients must speak the other protocol`, OPS),
    unless: [absentIs('tcp')],
  },
  nodeSelector: {
    ...interrupted(
      'targets are added and taken off in place; connections through nodes that no longer match break',
      BALANCERS,
    ),
    unless: [takenOut(kept('every node becomes a target'))],
  },
  usesProxyProtocol: {
    ...interrupted('updated in place; pods that do not expect it refuse connections from then on', OPS),
    unless: [
      takenOut(
        advised(
          stays('the ports keep what they have, PROXY protocol too, unless the controller has a default of its own'),
          'write false to switch it off, and let the pods expect it until then',
        ),
      ),
    ],
  },
  httpCookieName: PORTS,
  httpCookieLifetime: PORTS,
  httpTimeoutIdle: PORTS,
  certificateType: kept(PORTS_IN_PLACE, OPS),
  httpCertificates: PORTS,
  httpManagedCertificateName: {
    ...refused(
      'a second certificate is made for the Service, and the controller cannot tell the two apart: later edits wait',
      'internal/hcops/certificates.go',
    ),
    unless: [
      where(
        'the certificate is not a managed one',
        ignored('read for managed certificates only'),
        ({ objects: { after } }) => HCLOUD.certificateType.on(annotationsOf(after)) !== 'managed',
      ),
    ],
  },
  httpManagedCertificateDomains: CERTIFICATE,
  httpRedirectHttp: PORTS,
  httpStickySessions: PORTS,
  healthCheckProtocol: kept(CHECK_IN_PLACE, OPS),
  healthCheckPort: kept(CHECK_IN_PLACE, OPS),
  healthCheckInterval: CHECK,
  healthCheckTimeout: CHECK,
  healthCheckRetries: CHECK,
  healthCheckHttpDomain: CHECK,
  healthCheckHttpPath: CHECK,
  healthCheckHttpValidateCertificate: CHECK,
  httpStatusCodes: CHECK,
  httpManagedCertificateAcmeStaging: CERTIFICATE,
  ipv4: RESERVED,
  ipv6: RESERVED,
  id: RESERVED,
});

/** What an edit of a field does, where it is not what all controllers do. */
export const HCLOUD_FIELD_EDITS: FieldEdits = {
  ...SERVICE_CONTROLLER_EDITS,
  'spec.ports[]': {
    ...advised(
      ignored(
        'only TCP is served: a port of another protocol is left out, with an event; before v1.22.0 it was made one of TCP',
        OPS,
      ),
      'give clients of it another way in, or leave it out',
    ),
    unless: [
      ofBarePort(unknown('there is nothing to send to; whether later edits wait behind it was not read')),
      where('it is TCP', kept('a port is added to the balancer; the others stay'), ({ around: { after } }) => {
        return (after.protocol ?? 'TCP') === 'TCP';
      }),
    ],
  },
  'spec.ports[].appProtocol': ignored('not read', OPS),
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it', OPS),
  'spec.ports[].port': interrupted(
    'the new port is added before the old one is taken away, under the same address',
    OPS,
  ),
  'spec.ports[].nodePort': interrupted(
    'the port of the balancer is updated in place; connections fail until it has followed kube-proxy',
    OPS,
  ),
  'spec.ports[].protocol': interrupted(
    'only TCP is served: the port is taken away, with an event; before v1.22.0 it stayed one of TCP',
    OPS,
  ),
  'spec.externalTrafficPolicy': interrupted(
    'not read: the targets stay, and nodes without a pod drop connections until their health check fails',
    OPS,
  ),
  'spec.loadBalancerIP': ignored('not read', OPS),
  'spec.loadBalancerSourceRanges': {
    ...ignored('the balancer does not read it, and kube-proxy does not apply it to node ports', OPS),
    unless: [where('no range is left', kept('no client was kept out before'), ({ after }) => !isLimited(after))],
  },
  'spec.sessionAffinity': ignored('the balancer does not read it; kube-proxy alone follows it', OPS),
};
