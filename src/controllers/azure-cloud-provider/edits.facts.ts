import { editsByKey } from '../../contract/annotation-catalogue';
import {
  type EditedValue,
  type EditFact,
  ignored,
  interrupted,
  kept,
  orphans,
  refused,
  replaced,
  stays,
  unknown,
} from '../../contract/edit';
import {
  absentIs,
  askedAlready,
  becomes,
  hasAlready,
  IN_ANY_ORDER,
  ofNewService,
  ofServices,
  onlyMore,
  protocolsOf,
  putIn,
  takenOut,
  where,
} from '../../contract/edit-cases';
import { annotationsLimit, entriesOf, isLimited, limitedByRanges, nothingLimits } from '../../contract/edits-that-open';
import { isSet, type Json, mapIn } from '../../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { type FieldEdits, SERVICE_CONTROLLER_EDITS } from '../../rules/service-edits.facts';
import { annotationsOf } from '../../rules/service-json';
import { AZURE } from './annotations';

const BALANCER = 'pkg/provider/azure_loadbalancer.go';
const PRIVATE_LINK = 'pkg/provider/azure_privatelinkservice.go';
const PROBE = 'pkg/provider/azure_loadbalancer_healthprobe.go';
const ACCESS = 'pkg/provider/loadbalancer/accesscontrol.go';

const FRONTEND = replaced('the frontend is made anew: clients have to go to the other address', BALANCER);
/** The address of a family that a Service asks for, whichever way. pkg/provider/azure_utils.go, getServiceLoadBalancerIP */
function askedFor(family: 'ipv4' | 'ipv6') {
  return (service: Json): unknown => {
    const annotations = mapIn(mapIn(service, 'metadata'), 'annotations');
    const field: unknown = mapIn(service, 'spec').loadBalancerIP;
    const isOfFamily = isSet(field) && String(field).includes(':') === (family === 'ipv6');
    return annotations[`service.beta.kubernetes.io/azure-load-balancer-${family}`] ?? (isOfFamily ? field : undefined);
  };
}

/** Whether the public IP is one that the Service names, which the controller does not delete. */
function namesPublicIp(service: Json): boolean {
  const annotations = annotationsOf(service);
  const isNamed = [AZURE.pipName, AZURE.pipNameIpv6].some((entry) => isSet(annotations[entry.fact.key]));
  return isNamed || [askedFor('ipv4'), askedFor('ipv6')].some((asked) => isSet(asked(service)));
}

/** The controller reads no other spelling. pkg/provider/azure_utils.go, requiresInternalLoadBalancer */
function isInternal(service: Json): boolean {
  return isOn(service, 'azure-load-balancer-internal');
}

function isOn(service: Json, name: string): boolean {
  return mapIn(mapIn(service, 'metadata'), 'annotations')[`service.beta.kubernetes.io/${name}`] === 'true';
}

/** Both sides have no public IP, which settings of one do nothing to. */
const OF_PUBLIC_IP = ofServices('it is internal', ignored('an internal balancer has no public IP'), isInternal);

/** @param asked the address of one family that a Service asks for */
function frontendOf(asked: (service: Json) => unknown): EditFact {
  const isInternalAndFree = ({ objects: { before, after } }: EditedValue) =>
    isInternal(before) && isInternal(after) && !isSet(asked(after));
  const stay = stays('the frontend keeps the address');
  return {
    ...FRONTEND,
    unless: [
      askedAlready('the frontend has the address already', asked),
      hasAlready('the frontend has the address already', asked),
      { ...where('an internal balancer asks for none any more', stay, isInternalAndFree), ofService: true },
    ],
  };
}

const FRONTEND_OF_PUBLIC_IP = { ...FRONTEND, unless: [OF_PUBLIC_IP] };
const PREFIX = {
  ...replaced(
    'the public IP that the controller made is named by the prefix: another one is made, and the old one released',
    'pkg/provider/azure_standard.go',
  ),
  unless: [OF_PUBLIC_IP],
};
const RULE = kept('the rules are changed in place', BALANCER);
const REWRITTEN = unknown(
  'the rules are rewritten under the same address; whether open connections survive is not known',
  BALANCER,
);
const NSG = interrupted(
  'the network security group is changed in place: clients that are no longer admitted lose access',
  ACCESS,
);

/** Every list that keeps clients out does so beside the others. pkg/provider/loadbalancer/accesscontrol.go, IsAllowFromInternet */
function limitedByLists(service: Json): boolean {
  return (
    entriesOf(service, 'service.beta.kubernetes.io/azure-allowed-service-tags').length > 0 ||
    [SOURCE_RANGES_ANNOTATION, 'service.beta.kubernetes.io/azure-allowed-ip-ranges'].some((key) => {
      return isLimited(entriesOf(service, key));
    })
  );
}

const NSG_LIST = {
  ...NSG,
  unless: [
    nothingLimits((service) => limitedByLists(service) || limitedByRanges(service)),
    IN_ANY_ORDER,
    onlyMore('those that are admitted already stay'),
  ],
};
const STAYS = kept('the Service stays on its balancer');
const PROBED = kept('the probes are changed in place', PROBE);
const LINK = unknown(
  'the private link service is updated under its name; what its connections notice is not known',
  PRIVATE_LINK,
);

/** What an edit does to a live balancer. */
export const AZURE_ANNOTATION_EDITS = editsByKey(AZURE, {
  loadBalancerInternal: {
    ...replaced('the Service moves to another balancer and another address', BALANCER),
    unless: [absentIs(false)],
  },
  internalSubnet: {
    ...replaced('the frontend is made anew with an address of the other subnet', BALANCER),
    unless: [
      ofServices('it is public', ignored('read for an internal balancer only'), (service) => !isInternal(service)),
    ],
  },
  mode: {
    ...interrupted(
      'Basic: the Service moves to another balancer, taken off the old one first; __auto__ and taking it out keep it; Standard ignores it',
      BALANCER,
    ),
    unless: [takenOut(STAYS), becomes('__auto__', STAYS)],
  },
  configurations: {
    ...interrupted(
      'the Service is taken off its balancer before it is put on another one; taking the annotation out keeps it where it is',
      BALANCER,
    ),
    unless: [takenOut(STAYS)],
  },
  tcpIdleTimeout: RULE,
  disableTcpReset: RULE,
  enableHighAvailabilityPorts: REWRITTEN,
  disableFloatingIp: REWRITTEN,
  loadBalancerIpv4: frontendOf(askedFor('ipv4')),
  loadBalancerIpv6: frontendOf(askedFor('ipv6')),
  loadBalancerResourceGroup: {
    ...replaced('the public IP is looked for in the other group, and the frontend made anew', BALANCER),
    unless: [OF_PUBLIC_IP],
  },
  dnsLabelName: {
    ...interrupted(
      'the label is changed on the public IP: clients of the old name no longer find it, the address stays',
      BALANCER,
    ),
    unless: [OF_PUBLIC_IP, putIn(kept('the label is set on the public IP; the address stays'))],
  },
  pipName: FRONTEND_OF_PUBLIC_IP,
  pipNameIpv6: FRONTEND_OF_PUBLIC_IP,
  pipPrefixId: PREFIX,
  pipPrefixIdIpv6: PREFIX,
  pipTags: kept('the tags are changed in place; those that vanish from the list stay', BALANCER),
  pipIpTags: {
    ...replaced(
      'a public IP that the controller made for this Service alone is deleted and made anew, unless tags may be changed in place',
      BALANCER,
    ),
    unless: [OF_PUBLIC_IP],
  },
  additionalPublicIps: unknown('kube-proxy and the network security group are told; what clients notice was not read'),
  disableNsgRule: interrupted(
    'the rules of the network security group are taken away: clients get in only where you have opened it',
    BALANCER,
  ),
  allowedServiceTags: NSG_LIST,
  allowedIpRanges: NSG_LIST,
  denyAllExceptLoadBalancerSourceRanges: NSG,
  loadBalancerSourceRanges: NSG_LIST,
  sharedSecurityRule: unknown(
    'not read since v1.36.0; what an edit does before that was not read',
    'pkg/consts/consts.go',
  ),
  healthProbeProtocol: PROBED,
  healthProbeRequestPath: PROBED,
  healthProbeInterval: PROBED,
  healthProbeNumOfProbe: PROBED,
  portNoLbRule: interrupted('the rule of the port is taken away: its clients are cut off', BALANCER),
  portNoProbeRule: kept('the probe of the port is taken away in place: nodes that fail get traffic too', PROBE),
  portHealthProbeProtocol: PROBED,
  portHealthProbePort: PROBED,
  portHealthProbeRequestPath: PROBED,
  portHealthProbeInterval: PROBED,
  portHealthProbeNumOfProbe: PROBED,
  plsCreate: {
    ...kept('a private link service is made', PRIVATE_LINK),
    unless: [
      where(
        'it is true no more',
        stays('the private link service stays until the Service is deleted'),
        ({ before, after }) => before === true && after !== true,
      ),
      ofNewService(
        'the Service is public with floating IP',
        refused(
          'a private link service needs an internal balancer or floating IP switched off: it is an error, and later edits wait',
        ),
        (service) => !isInternal(service) && !isOn(service, 'azure-disable-load-balancer-floating-ip'),
      ),
    ],
  },
  plsName: {
    ...refused(
      'the name of a live private link service cannot be changed, and later edits wait behind it',
      PRIVATE_LINK,
    ),
    unless: [
      takenOut(stays('the private link service keeps its name')),
      where('only capitals change', kept('names are compared without regard to capitals'), ({ before, after }) => {
        return String(before).toLowerCase() === String(after).toLowerCase();
      }),
      {
        ...where(
          'no private link service was asked for',
          kept('the private link service that is made gets the name'),
          ({ objects }) => {
            return !isOn(objects.before, 'azure-pls-create');
          },
        ),
        ofService: true as const,
      },
    ],
  },
  plsResourceGroup: unknown('whether the service of the old group is found again was not read'),
  plsIpConfigurationSubnet: LINK,
  plsIpConfigurationIpAddressCount: LINK,
  plsIpConfigurationIpAddress: LINK,
  plsFqdns: LINK,
  plsProxyProtocol: interrupted(
    'set in place; pods that do not expect it refuse connections from then on',
    PRIVATE_LINK,
  ),
  plsVisibility: LINK,
  plsAutoApproval: LINK,
});

const NO_SCTP = refused(
  'SCTP needs an internal Standard balancer: elsewhere it is an error, and later edits wait behind it; the balancer stays',
  BALANCER,
);

const FORWARDED = (fact: EditFact) =>
  ofNewService('no port is SCTP, or it is internal', fact, (service) => {
    return !protocolsOf(service).includes('SCTP') || isInternal(service);
  });

/** The public IP is looked for in the group that the annotation names after the write, and in that of the cluster. */
export const AZURE_FOUND_BY = editsByKey(
  { loadBalancerResourceGroup: AZURE.loadBalancerResourceGroup },
  {
    loadBalancerResourceGroup: {
      ...orphans(
        'the public IP stays in the cloud: the type changes in the same write, so the controller looks for it in another resource group',
        BALANCER,
      ),
      unless: [
        putIn(kept('public IPs in the resource group of the cluster are found as well')),
        where('it is internal', ignored('an internal balancer has no public IP'), ({ objects }) =>
          isInternal(objects.before),
        ),
        where('the Service names a public IP', ignored('the public IP is yours'), ({ objects }) =>
          namesPublicIp(objects.before),
        ),
      ],
    },
  },
);

/** What an edit of a field does, where it is not what all controllers do. */
export const AZURE_FIELD_EDITS: FieldEdits = {
  ...SERVICE_CONTROLLER_EDITS,
  'spec.ports[]': {
    ...NO_SCTP,
    unless: [FORWARDED(kept('a rule is added; those of the other ports stay'))],
  },
  'spec.ports[].appProtocol': PROBED,
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it', BALANCER),
  'spec.loadBalancerIP': frontendOf((service) => {
    const asked = (['ipv4', 'ipv6'] as const).map((family) => askedFor(family)(service)).filter(isSet);
    return asked.length > 0 ? asked.join() : undefined;
  }),
  'spec.sessionAffinity': kept('the distribution of the rules is changed in place', BALANCER),
  'spec.ports[].port': interrupted(
    'the rule of the old number is taken away and another one made, under the same address',
    BALANCER,
  ),
  'spec.ports[].protocol': {
    ...NO_SCTP,
    unless: [FORWARDED(interrupted('the rule is replaced by one of the other protocol, under the same address'))],
  },
  'spec.ports[].nodePort': interrupted(
    'the probes move to the new port, and the rules too where floating IP is disabled; nodes can fail until they have followed kube-proxy',
    BALANCER,
  ),
  'spec.ipFamilyPolicy': {
    ...interrupted(
      'the frontend of the second family is taken away: its clients are cut off; the first one stays',
      BALANCER,
    ),
    unless: ['PreferDualStack', 'RequireDualStack'].map((policy) =>
      becomes(policy, kept('a frontend of the second family is added where there is none; the first one stays')),
    ),
  },
  'spec.loadBalancerSourceRanges': { ...NSG, unless: [annotationsLimit(limitedByLists)] },
};

/** What the controller did not make itself it does not delete. */
export const AZURE_SAME_ADDRESS: EditFact = replaced(
  'the other one can have an address that others have made once its ports are free; one that the controller made goes',
  'pkg/provider/azure_loadbalancer.go',
);
