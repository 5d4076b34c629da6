import { isMap, type Json, list } from '../../contract/json';
import { groupOf } from '../../rules/objects';
import { GATEWAY_API } from '../tenancy.facts';
import type { SharedGatewayReference } from './shared-listener-policy.options';

const HTTP_KINDS = ['HTTPRoute', 'GRPCRoute'];

/** What is known of the shared Gateways. */
interface SharedRoutes {
  readonly gateways: readonly SharedGatewayReference[];
  /** Whether routes of HTTP may attach to them. */
  readonly httpRoutes: boolean;
}

/** What the policy for routes will refuse of a finished route of HTTP; files of tenants have no others. */
export function routeRefusals({ gateways, httpRoutes }: SharedRoutes) {
  return (object: Json, namespace: string): string[] => {
    if (groupOf(object) !== GATEWAY_API.group || !HTTP_KINDS.includes(object.kind)) {
      return [];
    }
    const parents = list<Json>(object.spec?.parentRefs).filter(isMap);
    const isGateway = ({ kind = 'Gateway', namespace: its = namespace, name }: Json) =>
      kind === 'Gateway' && gateways.some((one) => one.namespace === its && one.name === name);
    const sets = parents.filter(({ kind }) => kind === 'ListenerSet');
    if (!parents.some(isGateway) && sets.length === 0) {
      return [];
    }
    const strange = targetsOf(object).filter((target) => isStrange(target, namespace));
    const faults: [is: boolean, says: string][] = [
      [
        !httpRoutes && parents.some(isGateway),
        'spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace',
      ],
      [
        sets.some(({ namespace: its }) => (its ?? namespace) !== namespace),
        'spec.parentRefs may not name a ListenerSet of another namespace: name one of this namespace',
      ],
      [
        strange.length > 0,
        `backendRefs must be Services of this namespace: ${strange.map(({ kind = 'Service', name }) => `${kind} ${name}`).join(', ')}`,
      ],
    ];
    return faults.filter(([is]) => is).map(([, says]) => says);
  };
}

/** Everything that a route leads to, copies of requests among it. */
function targetsOf({ spec }: Json): Json[] {
  const rules = list<Json>(spec?.rules).filter(isMap);
  const backends = rules.flatMap(({ backendRefs }) => list<Json>(backendRefs).filter(isMap));
  const filters = [...rules, ...backends].flatMap((one) => list<Json>(one.filters).filter(isMap));
  const targets = filters.flatMap(({ requestMirror, externalAuth }) => [
    requestMirror?.backendRef,
    externalAuth?.backendRef,
  ]);
  return [...backends, ...targets].filter(isMap);
}

function isStrange({ group = '', kind = 'Service', namespace: its }: Json, namespace: string): boolean {
  return group !== '' || kind !== 'Service' || (its ?? namespace) !== namespace;
}
