import {
  absentIs,
  type Edit,
  type EditCase,
  type EditFact,
  editFrom,
  IN_ANY_ORDER,
  interrupted,
  kept,
  NO_RANGE_IS_LEFT,
  ofChange,
  onlyMore,
  orphaned,
  takenOut,
  where,
} from '../contract/edit';
import { mapIn } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { ControllerDefinition } from './controller-definition';
import { SERVICE_FIELD_EDITS } from './field-edits.facts';

/** Where these facts were read. */
const KUBERNETES: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

/** The fields of a Service that a balancer is made of. */
export type ServiceField = keyof typeof SERVICE_FIELD_EDITS;

/** What one controller does where it is not what all do. */
export type FieldEdits = Readonly<Partial<Record<ServiceField, EditFact>>>;

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
