import { editsByKey } from '../../contract/annotation-catalogue';
import {
  advised,
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
import { absentIs, hasAlready, ofClass, ofServices, takenOut, where } from '../../contract/edit-cases';
import { annotationsLimit, limitedByRanges, nothingLimits, THE_SAME_RANGES } from '../../contract/edits-that-open';
import { type Json, list, mapIn } from '../../contract/json';
import type { FieldEdits } from '../../rules/service-edits.facts';
import { classOf, finalizersOf, portsOf } from '../../rules/service-json';
import { GKE, GKE_CLASS, GKE_LEGACY_SOURCE, GKE_STATUS, gkeFile } from './annotations';
import { among, DISCRETE_PORTS, has, isInternal } from './reading';

const RULES = 'pkg/l4/resources/forwarding_rules.go';

const BACKENDS = 'pkg/l4/backends/backends.go';

const FIREWALL = interrupted(
  'the firewall is changed in place: clients that are no longer listed lose access',
  'pkg/firewalls/firewalls_l4.go',
);

const NEW_RULE = 'the forwarding rule is deleted and made anew';
const OTHER_ADDRESS = {
  ...replaced(`${NEW_RULE} with the other address, unless it has that address already`, RULES),
  unless: [takenOut({ ...kept('the address stays'), staysAsMade: true })],
};
const BY_CLASS = [
  ofClass(
    advised(
      ignored('with a class it is not asked, and the balancer stays of the kind of its class'),
      'make another Service with the other class, where another kind is meant',
    ),
  ),
];
const OTHER_SUBNET = replaced(`${NEW_RULE} with an address of the other subnet`, RULES);
const UNDER_THE_SAME = `${NEW_RULE}, under the same address, which is reserved for the while`;
const BY_PROJECT = unknown(
  'the backend service is updated in place, or refused in projects that Google did not enable it for; whether connections stay is not known',
  BACKENDS,
);

/** Whether no rule of the balancer is of IPv6, in clusters whose first family is IPv4. */
const ofIpv4Alone = ({ spec = {} }: Json): boolean =>
  (spec.ipFamilyPolicy ?? 'SingleStack') === 'SingleStack' && !list(spec.ipFamilies).includes('IPv6');

const NOT_HERE = ignored('not read for passthrough balancers');

const OTHER_KIND = {
  ...replaced(
    'without a class the balancer is taken down and one of the other kind is made, with another address',
    'pkg/l4/controllers/l4controller.go',
  ),
  unless: BY_CLASS,
};

/** What GKE writes itself. */
const WRITTEN_BY_GKE: EditFact = unknown('written by GKE; what becomes of an edit by others was not read');

const EDITS = editsByKey(GKE, {
  loadBalancerType: OTHER_KIND,
  oldLoadBalancerType: OTHER_KIND,
  l4Rbs: advised(
    ignored('read at creation only; taken off again from a Service that has a target pool'),
    'make another Service with it, where its kind of balancer is meant',
  ),
  allowGlobalAccess: {
    ...interrupted(
      `the older controller, the newer one before v1.32.0, and a rule of IPv6: ${NEW_RULE}, under the same address; else it is patched`,
    ),
    source: gkeFile('pkg/l4/forwardingrules/patchable.go'),
    unless: [
      ofServices(
        'the newer controller makes a balancer of IPv4',
        kept('the forwarding rule is patched in place'),
        (service) => among([GKE_CLASS.internal], service) && ofIpv4Alone(service),
      ),
    ],
  },
  loadBalancerSubnet: {
    ...OTHER_SUBNET,
    unless: [
      ofServices(
        'the balancer is external and of IPv4',
        ignored('external balancers read it for IPv6 only'),
        (service) => !isInternal(service) && ofIpv4Alone(service),
      ),
    ],
  },
  internalLoadBalancerSubnet: {
    ...OTHER_SUBNET,
    source: gkeFile(RULES),
    unless: [
      ofServices(
        `the class is ${GKE_CLASS.internal}, with the newer annotation`,
        ignored(`${GKE.loadBalancerSubnet.key()} wins over it`),
        (service) => among([GKE_CLASS.internal], service) && has(service, GKE.loadBalancerSubnet),
      ),
    ],
  },
  loadBalancerIpAddresses: OTHER_ADDRESS,
  networkTier: {
    ...replaced(
      'the forwarding rule and the address are taken down, and others of the other tier are made',
      'pkg/l4/address/hold.go',
    ),
    unless: [
      absentIs('Premium'),
      takenOut(
        advised(
          refused(
            'the newer controller leaves the tier, and refuses the rule: later edits wait; the older one was not read',
          ),
          'write Premium where that tier is meant',
        ),
      ),
    ],
  },
  weightedLoadBalancing: BY_PROJECT,
  strongSessionAffinity: BY_PROJECT,
  l4LbConfig: {
    ...kept('the logging of the backend service is changed in place, where GKE manages it', BACKENDS),
    unless: [
      takenOut(
        advised(
          stays('the backend service goes on logging as before, with a warning'),
          'switch logging off in the L4LBConfig first, where that is meant',
        ),
      ),
    ],
  },
  customForwardingRule: kept(
    'the rules are yours, and stay; the addresses in the status change, and names that follow it',
    'pkg/l4/controllers/standalonenegcontroller.go',
  ),
  ipCollectionV6: replaced(
    'the IPv6 forwarding rule is deleted and made anew, with an address of the other collection',
    'pkg/l4/resources/forwarding_rules_ipv6.go',
  ),
  loadBalancerBackendShare: unknown('alpha; what a change does was not read'),
  resourceLabels: ignored('read by no version that was read'),
  sourceRanges: { ...FIREWALL, unless: [THE_SAME_RANGES, nothingLimits(limitedByRanges)] },
  neg: NOT_HERE,
  negStatus: WRITTEN_BY_GKE,
  backendConfig: NOT_HERE,
  appProtocols: NOT_HERE,
  transparentHealthChecker: NOT_HERE,
  backendService: WRITTEN_BY_GKE,
  targetPool: WRITTEN_BY_GKE,
});

/** What an edit of an annotation does to a live balancer. */
export const GKE_ANNOTATION_EDITS = new Map([
  ...EDITS,
  ...GKE_STATUS.map(({ fact }) => [fact.key, editFrom(WRITTEN_BY_GKE, fact.source)] as const),
]);

/** The older controller takes down what the Service asks for after the write; the newer one goes by its own finalizer. */
const OF_ANOTHER_SCHEME: EditFact = {
  ...unknown(
    'the type changes in the same write, so the older controller deletes a balancer of the other scheme: at most the forwarding rule goes, the rest stays behind; the newer one goes by its finalizer',
  ),
  source: { ...GKE_LEGACY_SOURCE, file: 'providers/gce/gce_loadbalancer.go' },
  unless: [
    where(
      'the scheme stays',
      kept('it is found'),
      ({ objects: { before, after } }) => isInternal(before) === isInternal(after),
    ),
    where('it has a class', kept('the class decides'), ({ objects }) => classOf(objects.before) !== undefined),
    where('the newer controller has it', kept('it goes by its finalizer'), ({ objects }) =>
      finalizersOf(objects.before).some((finalizer) => NEWER_FINALIZER.test(finalizer)),
    ),
  ],
};
const NEWER_FINALIZER = /^gke\.networking\.io\/l4-(ilb|netlb)-v[23]$/;

/** What becomes of the balancer if the annotation changes in the write that takes the type away. */
export const GKE_FOUND_BY = editsByKey(
  { loadBalancerType: GKE.loadBalancerType, oldLoadBalancerType: GKE.oldLoadBalancerType },
  { loadBalancerType: OF_ANOTHER_SCHEME, oldLoadBalancerType: OF_ANOTHER_SCHEME },
);

/** What an edit of a field does, where it is not what all controllers do. */
export const GKE_FIELD_EDITS: FieldEdits = {
  'spec.ports[]': {
    ...interrupted(UNDER_THE_SAME, RULES),
    unless: [
      ofServices(
        'the balancer is internal and has more than five ports',
        kept('the rule takes all ports already'),
        (service) => isInternal(service) && portsOf(service).length > DISCRETE_PORTS,
      ),
    ],
  },
  'spec.ports[].appProtocol': ignored('not read', 'pkg/l4/controllers/ports.go'),
  'spec.sessionAffinity': {
    ...interrupted(
      'external ones of the older controller: the target pool and the rule are made anew; else the backend service is changed',
    ),
    source: { ...GKE_LEGACY_SOURCE, file: 'providers/gce/gce_loadbalancer_external.go' },
  },
  'spec.sessionAffinityConfig': {
    ...ignored('not read; kube-proxy alone follows it', 'pkg/l4/resources/l4netlb.go'),
    unless: [
      ofServices(
        'strong session affinity is on',
        kept('the idle timeout of the backend service is changed in place'),
        (service) => has(service, GKE.strongSessionAffinity),
      ),
    ],
  },
  'spec.ipFamilyPolicy': unknown(
    'newer controllers add or delete the rule of the second family beside the first; target pools are of IPv4 alone',
    'pkg/l4/resources/l4netlb.go',
  ),
  'metadata.finalizers': orphans(
    'its finalizers mark which controller owns the Service: an edit can leave the balancer to none',
    'pkg/utils/common/finalizer.go',
  ),
  'spec.loadBalancerIP': {
    ...OTHER_ADDRESS,
    unless: [
      ...OTHER_ADDRESS.unless,
      hasAlready('the forwarding rule has the address already', (service) => mapIn(service, 'spec').loadBalancerIP),
    ],
  },
  'spec.ports[].port': interrupted(UNDER_THE_SAME, RULES),
  'spec.ports[].protocol': interrupted(UNDER_THE_SAME, RULES),
  'spec.loadBalancerSourceRanges': {
    ...FIREWALL,
    unless: [THE_SAME_RANGES, annotationsLimit(limitedByRanges), nothingLimits(limitedByRanges)],
  },
};
