import {
  deleted,
  type Edit,
  type EditCase,
  type EditFact,
  editFrom,
  interrupted,
  kept,
  orphaned,
  refused,
  replaced,
  unknown,
} from '../contract/edit';
import { absentIs, IN_ANY_ORDER, ofChange, onlyMore, takenOut, where } from '../contract/edit-cases';
import { NO_RANGE_IS_LEFT } from '../contract/edits-that-open';
import { mapIn } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { ControllerDefinition } from './controller-definition';

/** Where these facts were read. */
const KUBERNETES: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

const STRATEGY = 'pkg/registry/core/service/strategy.go';
const STORAGE = 'pkg/registry/core/service/storage/storage.go';
const NAMES = 'staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go';
const API = 'staging/src/k8s.io/api/core/v1/types.go';

/** The fields of a Service that a balancer is made of. */
export type ServiceField =
  | 'metadata.name'
  | 'metadata.namespace'
  | 'metadata.finalizers'
  | 'spec.type'
  | 'spec.loadBalancerClass'
  | 'spec.clusterIP'
  | 'spec.externalIPs'
  | 'spec.ports[]'
  | 'spec.ports[].name'
  | 'spec.ports[].port'
  | 'spec.ports[].nodePort'
  | 'spec.ports[].targetPort'
  | 'spec.ports[].protocol'
  | 'spec.ports[].appProtocol'
  | 'spec.selector'
  | 'spec.externalTrafficPolicy'
  | 'spec.internalTrafficPolicy'
  | 'spec.healthCheckNodePort'
  | 'spec.loadBalancerIP'
  | 'spec.loadBalancerSourceRanges'
  | 'spec.sessionAffinity'
  | 'spec.sessionAffinityConfig'
  | 'spec.ipFamilies'
  | 'spec.ipFamilyPolicy'
  | 'spec.allocateLoadBalancerNodePorts'
  | 'spec.publishNotReadyAddresses'
  | 'spec.trafficDistribution';

/** What one controller does where it is not what all do. */
export type FieldEdits = Readonly<Partial<Record<ServiceField, EditFact>>>;

/** What an edit of a field does, whoever makes the balancer. */
export const SERVICE_FIELD_EDITS: Readonly<Record<ServiceField, EditFact>> = {
  'metadata.name': replaced(
    'another object with a balancer and an address of its own; the old balancer goes when the old Service is deleted or pruned',
    NAMES,
  ),
  'metadata.namespace': replaced(
    'another object with a balancer and an address of its own; the old balancer goes when the old Service is deleted or pruned',
    NAMES,
  ),
  'metadata.finalizers': orphaned(
    "without the controller's finalizer a deletion does not wait for the balancer, which can stay behind",
    'staging/src/k8s.io/cloud-provider/controllers/service/controller.go',
  ),
  'spec.type': deleted(
    'away from LoadBalancer the API server drops class and status at once, and the balancer is taken down',
    STRATEGY,
  ),
  'spec.loadBalancerClass': refused(
    'cannot be changed, added or removed while the type is LoadBalancer; another class needs another Service',
  ),
  'spec.clusterIP': refused('cannot be changed once it is set'),
  'spec.externalIPs': kept('traffic to these addresses does not come through the balancer', API),
  'spec.ports[]': unknown('one more port: whether clients of the others notice depends on the controller', API),
  'spec.ports[].name': unknown(
    'applied, the port keeps its node port; where the whole Service is written anew it gets another one',
    STORAGE,
  ),
  'spec.ports[].port': interrupted(
    'clients of the old number are refused; the node port stays where the name of the port does',
    STORAGE,
  ),
  'spec.ports[].nodePort': unknown(
    'kube-proxy leaves the old node port at once; when targets follow depends on the controller',
    STORAGE,
  ),
  'spec.ports[].targetPort': interrupted(
    'kube-proxy sends new connections to the new port of the pods; pods that do not listen there refuse them',
    API,
  ),
  'spec.ports[].protocol': unknown('whether the listener is changed or made anew depends on the controller', API),
  'spec.ports[].appProtocol': unknown('whether the balancer reads it depends on the controller', API),
  'spec.selector': interrupted('the traffic goes to the new pods, and nowhere while none of them is ready', API),
  'spec.externalTrafficPolicy': interrupted(
    'with Local, nodes without a ready pod drop connections until the balancer has noticed',
    API,
  ),
  'spec.internalTrafficPolicy': kept('concerns clients inside the cluster alone', API),
  'spec.healthCheckNodePort': refused('immutable while the traffic policy is Local'),
  'spec.loadBalancerIP': unknown('deprecated; what it means depends on the controller', API),
  'spec.loadBalancerSourceRanges': interrupted(
    'clients that are no longer listed lose access; what the balancer itself does depends on the controller',
    API,
  ),
  'spec.sessionAffinity': unknown(
    'clients can get to other pods than before; what the balancer does depends on the controller',
    API,
  ),
  'spec.sessionAffinityConfig': unknown(
    'clients can get to other pods after another time; what the balancer does depends on the controller',
    API,
  ),
  'spec.ipFamilies': refused('the first family cannot be changed; a second one can be added or removed'),
  'spec.ipFamilyPolicy': unknown('whether the balancer gets or loses the second family depends on the controller', API),
  'spec.allocateLoadBalancerNodePorts': kept('node ports that exist stay until they are taken out one by one', API),
  'spec.publishNotReadyAddresses': kept(
    'pods that are not ready get traffic, or no longer get it',
    'staging/src/k8s.io/endpointslice/reconciler.go',
  ),
  'spec.trafficDistribution': kept('which of the ready pods kube-proxy prefers changes', 'pkg/proxy/topology.go'),
};

/** There is no balancer yet. */
const unbalanced = (fact: EditFact): EditCase =>
  ofChange('it is not of type LoadBalancer yet', fact, ({ objects: { before } }) => {
    return mapIn(before, 'spec').type !== 'LoadBalancer';
  });

/** Where an edit changes nothing that the API server or a controller acts upon, or there is no balancer yet, whoever makes it. */
const SAME: Readonly<Partial<Record<ServiceField, readonly EditCase[]>>> = {
  'metadata.finalizers': [IN_ANY_ORDER, onlyMore('a deletion waits for those that are added as well')],
  'spec.type': [unbalanced(kept('a balancer is made, or was never there'))],
  'spec.loadBalancerClass': [unbalanced(kept('the class is set with the type'))],
  'spec.ports[].protocol': [absentIs('TCP')],
  'spec.ports[].targetPort': [
    where(
      'the number of the port is only written out or left out',
      kept('it is the default'),
      ({ before, after, around }) => {
        const [old, now] = [around.before, around.after].map(({ port }) => port);
        return old !== undefined && (before ?? old) === (after ?? now);
      },
    ),
  ],
  'spec.selector': [
    takenOut(
      interrupted(
        'its endpoints are no longer updated: the traffic goes to the pods that are there now, until they are gone',
      ),
    ),
  ],
  'spec.externalTrafficPolicy': [absentIs('Cluster')],
  'spec.internalTrafficPolicy': [absentIs('Cluster')],
  'spec.loadBalancerSourceRanges': [NO_RANGE_IS_LEFT, IN_ANY_ORDER, onlyMore('those that are listed already stay')],
  'spec.sessionAffinity': [absentIs('None')],
  'spec.ipFamilyPolicy': [
    where(
      'RequireDualStack becomes PreferDualStack',
      kept('both families stay'),
      ({ before, after }) => before === 'RequireDualStack' && after === 'PreferDualStack',
    ),
  ],
  'spec.allocateLoadBalancerNodePorts': [absentIs(true)],
  'spec.publishNotReadyAddresses': [absentIs(false)],
};

/** All fields. */
export const SERVICE_FIELDS = Object.keys(SERVICE_FIELD_EDITS) as readonly ServiceField[];

/**
 * What an edit of a field does to a live balancer.
 *
 * @param field the field
 * @param kind who makes the balancer, where that is known
 */
export function fieldEdit(field: ServiceField, kind?: ControllerDefinition): Edit {
  const own = kind?.fieldEdits?.[field];
  const edit = own && kind ? editFrom(own, kind.facts.source) : editFrom(SERVICE_FIELD_EDITS[field], KUBERNETES);
  const unless = [...(edit.unless ?? []), ...(SAME[field] ?? [])];
  return unless.length === 0 ? edit : { ...edit, unless };
}

/**
 * What the service controller of Kubernetes, which cloud providers run, makes of some fields. It compares no target ports
 * and no finalizers, and deletes what it remembers.
 */
export const SERVICE_CONTROLLER_EDITS = {
  'metadata.finalizers': {
    ...orphaned(
      'not put back before the next edit; the balancer stays where the Service is deleted while the controller is down',
    ),
    source: { repository: 'kubernetes/cloud-provider', version: 'v0.36.3', file: 'controllers/service/controller.go' },
  },
} as const satisfies FieldEdits;
