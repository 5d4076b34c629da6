import { type Json, list, mapIn, mapsIn, shown } from '../contract/json';
import type { Finding } from '../contract/rule';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { GATEWAY_GROUP, GATEWAY_KIND, LISTENER_SET_KIND, REFERENCE_GRANT_KIND } from './gateway.facts';
import { GATEWAY_API, gatewayApi } from './gateway-rule';
import { parentOf } from './gateways-in-app';

// What routes and listeners refer to in other namespaces, which a ReferenceGrant there must allow.

interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly title: string;
  readonly fate: string;
  readonly at: string;
}

type To = Pick<Reference, 'title' | 'fate' | 'at'> & { readonly kind: string };

function referencesIn(refs: unknown, own: string, to: To): Reference[] {
  return list<Json>(refs).flatMap((ref, i) => {
    const { group = '', kind = to.kind, namespace, name } = ref ?? {};
    return typeof namespace === 'string' && namespace !== '' && namespace !== own
      ? [{ ...to, group, kind, namespace, name, at: `${to.at}/${i}/namespace` }]
      : [];
  });
}

/**
 * The class of VPC Lattice, whose controller asks for no grant.
 * aws/aws-application-networking-k8s v2.1.3, pkg/gateway/model_build_targetgroup.go
 */
const WITHOUT_GRANTS = 'amazon-vpc-lattice';

/** True for a route that a Gateway leads to a backend if a grant allows it; routes of a mesh attach to Services. */
function needsGrants(route: IndexedObject): boolean {
  return mapsIn(route.json.spec, 'parentRefs').some(
    (ref) =>
      [GATEWAY_KIND, LISTENER_SET_KIND].includes(ref.kind ?? GATEWAY_KIND) &&
      parentOf(route, ref)?.json.spec?.gatewayClassName !== WITHOUT_GRANTS,
  );
}

/** The backends of a route; another route needs no grant. k8sgateway e649e3b, projects/gateway2/query/httproute.go */
function backendsOf(route: IndexedObject, own: string): Reference[] {
  const fate = 'no connection is sent to it';
  return needsGrants(route)
    ? list<Json>(mapIn(route.json, 'spec').rules).flatMap((rule, i) =>
        referencesIn(rule?.backendRefs, own, {
          kind: 'Service',
          title: 'backend',
          fate,
          at: `/spec/rules/${i}/backendRefs`,
        }).filter(({ group }) => group !== GATEWAY_GROUP),
      )
    : [];
}

function certificatesOf({ json }: IndexedObject, own: string): Reference[] {
  return list<Json>(mapIn(json, 'spec').listeners).flatMap((listener, i) =>
    referencesIn(mapIn(listener, 'tls').certificateRefs, own, {
      kind: 'Secret',
      title: `certificate of listener ${shown(listener?.name)}`,
      fate: 'the listener does not get it',
      at: `/spec/listeners/${i}/tls/certificateRefs`,
    }),
  );
}

/** The grants of a namespace; one without a namespace may be applied to any. */
function grantsIn(index: ObjectIndex, namespace: string): readonly IndexedObject[] {
  return index
    .of(GATEWAY_GROUP, REFERENCE_GRANT_KIND)
    .filter((grant) => grant.namespace === undefined || grant.namespace === namespace);
}

function isGranted(from: IndexedObject, to: Reference): boolean {
  return grantsIn(from.index, to.namespace).some(
    ({ json: { spec } }) =>
      mapsIn(spec, 'from').some(
        ({ group, kind, namespace }) => group === from.group && kind === from.kind && namespace === from.namespace,
      ) &&
      mapsIn(spec, 'to').some(
        ({ group = '', kind, name }) => group === to.group && kind === to.kind && (!name || name === to.name),
      ),
  );
}

/** What an object refers to without a grant: what is among the objects, or what is not. */
function ungranted(from: IndexedObject, isHere: boolean): Finding[] {
  const { index, kind, namespace: own } = from;
  if (own === undefined) {
    return [];
  }
  return [...backendsOf(from, own), ...certificatesOf(from, own)]
    .filter((to) => index.named(to.group, to.kind, to).length > 0 === isHere && !isGranted(from, to))
    .map((to) => ({
      what: `${to.title} ${kindAndTitleOf(to)} is in another namespace, and no ReferenceGrant ${isHere ? 'there' : 'here'} lets ${kind}s of namespace '${own}' refer to it: ${isHere ? '' : 'without one '}${to.fate}`,
      remedy: `write a ReferenceGrant in namespace ${to.namespace} from ${kind} in namespace ${own} to ${to.kind}, or ${isHere ? `name a ${to.kind} of namespace ${own}` : 'acknowledge it where the grant is applied from elsewhere'}`,
      at: to.at,
      ...(to.kind === 'Service' && { effect: 'no-targets' as const }),
    }));
}

/** What a reference to another namespace needs. Where the object is elsewhere, so may be its grant. */
export const REFERENCE_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'gateway-reference-granted',
    who: GATEWAY_API,
    severity: 'error',
    decidedBy: ['from', 'to', 'spec.rules'],
    says: 'a backend or certificate of another namespace is not allowed by a ReferenceGrant there',
    source: gatewayApi('referencegrant_types.go'),
    needs: ['among'],
    judge: (_, { among }) => among && ungranted(among, true),
  },
  {
    id: 'gateway-reference-elsewhere',
    who: GATEWAY_API,
    severity: 'warning',
    says: 'a backend or certificate of another namespace is not among the objects, nor is a ReferenceGrant for it',
    source: gatewayApi('referencegrant_types.go'),
    needs: ['among'],
    judge: (_, { among }) => among && ungranted(among, false),
  },
];
