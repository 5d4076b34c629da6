import { editsByKey } from '../../contract/annotation-catalogue';
import {
  advised,
  type EditFact,
  editFrom,
  ignored,
  interrupted,
  kept,
  orphans,
  replaced,
  unknown,
} from '../../contract/edit';
import { hasAlready, ofClass, takenOut, where } from '../../contract/edit-cases';
import { annotationsLimit, limitedByRanges, nothingLimits, THE_SAME_RANGES } from '../../contract/edits-that-open';
import { mapIn } from '../../contract/json';
import type { FieldEdits } from '../../rules/service-edits.facts';
import { classOf, finalizersOf } from '../../rules/service-json';
import { GKE, GKE_LEGACY_SOURCE, GKE_STATUS } from './annotations';
import { isInternal } from './reading';

const RULES = 'pkg/l4/resources/forwarding_rules.go';

const FIREWALL = 'pkg/firewalls/firewalls_l4.go';

const NEW_RULE = 'the forwarding rule is deleted and made anew';
const OTHER_ADDRESS = {
  ...replaced(`${NEW_RULE} with the other address; taking it out keeps the address`, RULES),
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
    ...kept('newer controllers patch the forwarding rule in place; of the older one it was not read'),
    source: {
      repository: 'kubernetes/ingress-gce',
      version: 'acbcf5d6 (2026-08-21)',
      file: 'pkg/l4/forwardingrules/patchable.go',
    },
  },
  loadBalancerSubnet: OTHER_SUBNET,
  internalLoadBalancerSubnet: {
    ...OTHER_SUBNET,
    source: { repository: 'kubernetes/ingress-gce', version: 'acbcf5d6 (2026-08-21)', file: RULES },
  },
  loadBalancerIpAddresses: OTHER_ADDRESS,
  networkTier: replaced(
    'the forwarding rule and the address are taken down, and others of the other tier are made',
    'pkg/l4/address/hold.go',
  ),
  weightedLoadBalancing: unknown('whether the backend service is changed in place was not read'),
  strongSessionAffinity: unknown('whether the backend service is changed in place was not read'),
  l4LbConfig: unknown(
    'taking it out gives a warning; what a change does was not read',
    'pkg/l4/controllers/l4controller.go',
  ),
  customForwardingRule: unknown('the rules are yours; what a change does was not read'),
  ipCollectionV6: replaced(
    'the IPv6 forwarding rule is deleted and made anew, with an address of the other collection',
    'pkg/l4/resources/forwarding_rules_ipv6.go',
  ),
  loadBalancerBackendShare: unknown('alpha; what a change does was not read'),
  resourceLabels: unknown('what a change does to labels that exist was not read'),
  sourceRanges: {
    ...unknown('whether open connections of clients that are no longer listed survive was not read'),
    unless: [THE_SAME_RANGES, nothingLimits(limitedByRanges)],
  },
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
    'the type changes in the same write, so the older controller deletes a balancer of the other scheme, and the backend service and the finalizer stay behind; the newer one goes by its finalizer',
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
  'spec.ports[]': interrupted(
    `${NEW_RULE} with one more port, under the same address, which is reserved for the while`,
    RULES,
  ),
  'spec.ports[].appProtocol': ignored('not read', RULES),
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it', RULES),
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
  'spec.ports[].port': interrupted(`${NEW_RULE}, under the same address, which is reserved for the while`, RULES),
  'spec.ports[].protocol': interrupted(`${NEW_RULE}, under the same address, which is reserved for the while`, RULES),
  'spec.loadBalancerSourceRanges': {
    ...interrupted('the firewall is changed in place: clients that are no longer listed lose access', FIREWALL),
    unless: [THE_SAME_RANGES, annotationsLimit(limitedByRanges), nothingLimits(limitedByRanges)],
  },
};
