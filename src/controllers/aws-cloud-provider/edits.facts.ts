import { type AnyAnnotation, editsByKey } from '../../contract/annotation-catalogue';
import {
  advised,
  type Edit,
  type EditCase,
  type EditedValue,
  type EditFact,
  editFrom,
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
  IN_ANY_ORDER,
  ofBarePort,
  ofClass,
  ofNewService,
  ofServices,
  onlyMore,
  protocolsOf,
  takenOut,
  where,
} from '../../contract/edit-cases';
import { annotationsLimit, limitedByRanges, nothingLimits, THE_SAME_RANGES } from '../../contract/edits-that-open';
import { isSet, type Json, mapIn, mapsIn } from '../../contract/json';
import { type FieldEdits, SERVICE_CONTROLLER_EDITS } from '../../rules/service-edits.facts';
import { AWS_CLOUD } from './annotations';
import { textOf } from './reading';

const BALANCER = 'pkg/providers/v1/aws_loadbalancer.go';
const ENSURE = 'pkg/providers/v1/aws.go';
const VALIDATIONS = 'pkg/providers/v1/aws_validations.go';

const ATTRIBUTES = kept('the attributes of the balancer are changed in place', BALANCER);
/** `ensureLoadBalancerv2` makes listeners before it deletes others, and AWS takes one on each port: DuplicateListener. */
const SECOND_LISTENER =
  'AWS refuses a second listener on the port of the first, so later edits wait behind it; the balancer stays';
const LISTENER = 'the listener is deleted before the new one is made';
const CHECK = kept('the health check is changed in place', BALANCER);
const ANOTHER = 'make another Service with the new value, move clients and DNS to it, then delete this one';
const AT_CREATION = advised(stays('read at creation only: a live balancer keeps its addresses'), ANOTHER);

/** `ensureLoadBalancerv2` has no branch for a balancer whose scheme is another one. */
function isNetwork(service: Json): boolean {
  const type: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[
    'service.beta.kubernetes.io/aws-load-balancer-type'
  ];
  return type === 'nlb';
}

const ofNetwork = (fact: EditFact) => ofServices('it is a Network balancer', fact, isNetwork);
const hasText = (service: Json, entry: AnyAnnotation) => (textOf(service, entry) ?? '') !== '';
const ofOwnGroups = ofServices(
  'a Classic balancer has security groups of your own',
  ignored('the rules of those groups decide who connects'),
  (service) => !isNetwork(service) && hasText(service, AWS_CLOUD.securityGroups),
);
const ofClassic = (fact: EditFact, also: (edited: EditedValue) => boolean = () => true): EditCase => {
  const { holds, ...more } = ofServices('it is a Classic balancer', fact, (service) => !isNetwork(service));
  return { ...more, holds: (edited) => holds(edited) && also(edited) };
};

const NEW_GROUPS = {
  ...interrupted('Network: the target groups are replaced, and targets must pass their health checks first', BALANCER),
  unless: [ofClassic(kept('the health check is changed in place'))],
};

/** What an edit does to a live balancer. */
export const AWS_CLOUD_ANNOTATION_EDITS = editsByKey(AWS_CLOUD, {
  type: {
    ...orphans('another controller is to own the Service, and its balancer stays behind in the cloud', VALIDATIONS),
    unless: [
      ofClass(ignored('Services with a class are not its own')),
      where(
        'a balancer of its other kind is asked for',
        orphans(
          'before v1.36 the live balancer stays behind in the cloud beside one of the other kind; from v1.36 on the change is refused, and deleting the Service leaves the balancer behind',
        ),
        ({ after }) => after !== 'external' && after !== 'nlb-ip',
      ),
    ],
  },
  internal: {
    ...interrupted(
      'a live balancer keeps its scheme; a Classic one is moved to subnets of the other kind, Network ones stay',
      BALANCER,
    ),
    unless: [
      absentIs(false),
      ofServices(
        'the Service names its subnets',
        advised(stays('a live balancer keeps its scheme, and the subnets that are named'), ANOTHER),
        (service) => !isNetwork(service) && hasText(service, AWS_CLOUD.subnets),
      ),
      ofServices(
        'it is a Network balancer',
        advised(stays('a live Network balancer keeps its scheme: one that was made public stays public'), ANOTHER),
        isNetwork,
      ),
    ],
  },
  proxyProtocol: {
    ...interrupted('Classic: set in place; pods that do not expect it refuse connections from then on', BALANCER),
    unless: [ofNetwork(ignored('a Network balancer does not read it'))],
  },
  accessLogEnabled: ATTRIBUTES,
  accessLogEmitInterval: ATTRIBUTES,
  accessLogS3BucketName: ATTRIBUTES,
  accessLogS3BucketPrefix: ATTRIBUTES,
  connectionDrainingEnabled: ATTRIBUTES,
  connectionDrainingTimeout: ATTRIBUTES,
  connectionIdleTimeout: ATTRIBUTES,
  crossZoneLoadBalancingEnabled: ATTRIBUTES,
  extraSecurityGroups: {
    ...refused(
      'Network: from v1.35.0 on an error, and later edits wait behind it, before not read; the balancer stays',
      VALIDATIONS,
    ),
    unless: [
      ofClassic(kept('the groups are set in place; more clients may connect'), ({ before }) => !isSet(before)),
      ofClassic(interrupted('the groups are set in place: clients that only a former one admits lose access')),
    ],
  },
  securityGroups: {
    ...unknown('what a Network balancer makes of it depends on the version and on how it was made'),
    unless: [ofClassic(interrupted('the groups are set in place: clients that the new ones do not admit lose access'))],
  },
  sslCert: {
    ...refused(`Network: ${SECOND_LISTENER}`, BALANCER),
    unless: [
      {
        ...where('a Network balancer gets another certificate', kept('the listener is changed in place'), (edited) => {
          const { before, after, objects } = edited;
          return isSet(before) && isSet(after) && isNetwork(objects.before) && isNetwork(objects.after);
        }),
        ofService: true,
      },
      ofClassic(interrupted(LISTENER)),
    ],
  },
  sslPorts: {
    ...refused(`Network: ${SECOND_LISTENER}`, BALANCER),
    unless: [
      IN_ANY_ORDER,
      ofServices(
        'the Service has no certificate',
        ignored('read beside a certificate only'),
        (service) => !hasText(service, AWS_CLOUD.sslCert),
      ),
      ofClassic(interrupted('the listener is deleted and made anew, of TLS or of TCP; clients must follow')),
    ],
  },
  sslNegotiationPolicy: {
    ...kept('the policy is set in place', BALANCER),
    unless: [takenOut(stays('the listeners keep their policy'))],
  },
  backendProtocol: {
    ...interrupted(`Classic: ${LISTENER}; Network: the target groups are replaced`, BALANCER),
    unless: [
      ofServices(
        'a Network balancer has no certificate',
        ignored('read beside a certificate only'),
        (service) => isNetwork(service) && !hasText(service, AWS_CLOUD.sslCert),
      ),
    ],
  },
  additionalResourceTags: {
    ...kept('tags are added in place, and never taken away', BALANCER),
    unless: [
      ofNetwork(stays('a live Network balancer keeps its tags; listeners that are made later get the new ones')),
    ],
  },
  healthCheckProtocol: NEW_GROUPS,
  healthCheckPort: CHECK,
  healthCheckPath: CHECK,
  healthCheckInterval: NEW_GROUPS,
  healthCheckTimeout: {
    ...kept('the health check is changed in place', BALANCER),
    unless: [ofNetwork(ignored('a Network balancer does not read it'))],
  },
  healthCheckHealthyThreshold: CHECK,
  healthCheckUnhealthyThreshold: {
    ...kept('the health check is changed in place', BALANCER),
    unless: [ofNetwork(stays('a live target group gets it only where its healthy threshold changes too'))],
  },
  targetGroupAttributes: {
    ...interrupted('set in place; pods that do not expect a PROXY header refuse connections once it is on', BALANCER),
    unless: [
      takenOut(
        advised(
          stays('the target groups keep their attributes, PROXY protocol too'),
          'write proxy_protocol_v2.enabled=false to switch it off',
        ),
      ),
    ],
  },
  eipAllocations: AT_CREATION,
  privateIpv4Addresses: AT_CREATION,
  sourceRanges: {
    ...interrupted(
      'the rules of the security groups are changed in place: clients that are no longer listed lose access',
      ENSURE,
    ),
    unless: [
      ofOwnGroups,
      THE_SAME_RANGES,
      nothingLimits(limitedByRanges),
      IN_ANY_ORDER,
      onlyMore('those that are listed already stay'),
    ],
  },
  subnets: {
    ...interrupted(
      'Classic: subnets are detached and attached in place, and clients of detached ones are cut off',
      BALANCER,
    ),
    unless: [IN_ANY_ORDER, ofNetwork(advised(stays('a live Network balancer keeps its subnets'), ANOTHER))],
  },
  targetNodeLabels: interrupted(
    'targets are swapped in place; connections through nodes that no longer match end as they are drained',
    BALANCER,
  ),
});

const NOT_SERVED = refused(
  'Classic: only TCP, Network: TCP or UDP for all ports; else an error, and later edits wait behind it; the balancer stays',
  ENSURE,
);

function isServed(service: Json): boolean {
  const [protocol, ...others] = protocolsOf(service);
  return others.length === 0 && (protocol === 'TCP' || (protocol === 'UDP' && isNetwork(service)));
}

const SERVED = (fact: EditFact) => ofNewService('all ports have one protocol that it balances', fact, isServed);

/** The API in which the controller looks for the balancer of a Service. */
function lookupOf(service: Json): 'none' | 'network' | 'classic' {
  const type: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[AWS_CLOUD.type.fact.key];
  return type === 'external' || type === 'nlb-ip' ? 'none' : isNetwork(service) ? 'network' : 'classic';
}

/** `GetLoadBalancer` reads the annotation as it is after the write, and the service controller takes its finalizer off if it finds none. */
export const AWS_CLOUD_FOUND_BY = editsByKey(
  { type: AWS_CLOUD.type },
  {
    type: {
      ...orphans(
        'the balancer stays in the cloud: the type changes in the same write, so the controller looks for a balancer of another kind, finds none, and removes its finalizer',
        ENSURE,
      ),
      unless: [
        where(
          'the kind stays',
          kept('it is found'),
          ({ objects: { before, after } }) => lookupOf(before) === lookupOf(after),
        ),
      ],
    },
  },
);

const MISSED = editFrom(
  orphans(
    `the status names a balancer of another kind than ${AWS_CLOUD.type.fact.key}: the controller does not find it, and it stays in the cloud`,
    ENSURE,
  ),
  AWS_CLOUD.type.fact.source,
);

/** A change of kind that was refused leaves the status as it was. pkg/providers/v1/aws_validations.go, validateServiceAnnotations */
export function missedByAwsCloud(live: Json): Edit | undefined {
  const hosts = mapsIn(mapIn(mapIn(live, 'status'), 'loadBalancer'), 'ingress').map(({ hostname }) => String(hostname));
  const lookup = lookupOf(live);
  const other = { network: CLASSIC_NAME, classic: NETWORK_NAME, none: NETWORK_NAME }[lookup];
  return hosts.some((host) => other.test(host)) ? MISSED : undefined;
}
const CLASSIC_NAME = /\.elb\.amazonaws\.com(\.cn)?$/;
const NETWORK_NAME = /\.elb\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;

/** What an edit of a field does, where it is not what all controllers do. */
export const AWS_CLOUD_FIELD_EDITS: FieldEdits = {
  ...SERVICE_CONTROLLER_EDITS,
  'spec.ports[]': {
    ...NOT_SERVED,
    unless: [
      ofBarePort(
        advised(ignored('a port without a node port is left out of the balancer'), 'give it a node port'),
        isServed,
      ),
      SERVED(kept('a listener is added; those of the other ports stay')),
    ],
  },
  'spec.ports[].appProtocol': ignored('not read', BALANCER),
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it', BALANCER),
  'spec.ports[].port': interrupted(
    'Classic: the old listener is deleted before the new one is made; Network: after; the DNS name stays',
    BALANCER,
  ),
  'spec.ports[].nodePort': interrupted(
    'Classic: the listener is deleted and made anew; Network: another target group, whose targets must pass their health checks',
    BALANCER,
  ),
  'spec.ports[].protocol': {
    ...NOT_SERVED,
    unless: [SERVED(refused(SECOND_LISTENER))],
  },
  'spec.externalTrafficPolicy': interrupted(
    'Network: target groups are replaced where the protocol or the interval of the check changes; Classic: changed in place',
    BALANCER,
  ),
  'spec.loadBalancerIP': refused('an error, and later edits wait behind it; the balancer stays', ENSURE),
  'spec.sessionAffinity': refused('ClientIP is an error, and later edits wait behind it; the balancer stays', ENSURE),
  'spec.loadBalancerSourceRanges': {
    ...interrupted(
      'the rules of the security groups are changed in place: clients that are no longer listed lose access',
      ENSURE,
    ),
    unless: [ofOwnGroups, THE_SAME_RANGES, annotationsLimit(limitedByRanges), nothingLimits(limitedByRanges)],
  },
};

/** An address is of one balancer at a time, and each balancer has a DNS name of its own. */
export const AWS_CLOUD_SAME_ADDRESS: EditFact = replaced(
  'the other one can be made once the addresses are free, and has another DNS name',
);
