import type { ApiObject } from 'cdk8s';
import { type Json, mapsIn } from '../contract/json';
import { lookAt } from '../rules/judge-object';
import { perMoment } from '../rules/per-moment';
import { LISTENER_SET_KIND, ROUTE_KINDS, TCP_ROUTE_KIND } from './gateway.facts';
import { listenersIn } from './gateway-json';
import type { GatewayListener } from './gateway-listener';
import { GATEWAY_API, type GatewayAppRule, type GatewayVerdict, gatewayApi, isJudged } from './gateway-rule';
import { gatewaysInApp, listAt, type ObjectInApp, titleOf } from './gateways-in-app';
import { portConflicts } from './port-conflicts';
import { fittingKinds, listenerSetFault, routeFault } from './route-admission';

// What is wrong between objects of the Gateway API in one app, whoever wrote the others.

type Verdicts = Map<ApiObject, GatewayVerdict[]>;

/** Two that cannot both have what they want: told where the later one is judged, or else the earlier one. */
function tell(
  verdicts: Verdicts,
  earlier: ApiObject,
  later: ApiObject,
  say: (other: ApiObject) => GatewayVerdict,
): void {
  const [judged, other] = isJudged(later) ? [later, earlier] : [earlier, later];
  listAt(verdicts, judged).push(say(other));
}

/** The place of an object for messages that are told at another one. */
function at(object: ApiObject): string {
  return `${titleOf(object)} (${object.node.path})`;
}

const CONFLICTS = perMoment((root): Verdicts => {
  const verdicts: Verdicts = new Map();
  for (const one of gatewaysInApp(root).all) {
    for (const { earlier, later } of portConflicts(one)) {
      tell(verdicts, earlier.object, later.object, (other) => {
        const [own, its] = other === earlier.object ? [later, earlier] : [earlier, later];
        const where = earlier.object === later.object ? '' : ` of ${at(other)}`;
        return {
          what: `listener '${own.listener.name}' has ${own.listener.protocol} port ${own.listener.port} of ${one.title}, which listener '${its.listener.name}'${where} has with protocol ${its.listener.protocol}`,
          remedy: 'give one of them another port',
        };
      });
    }
  }
  return verdicts;
});

/** The listeners of its parents that a route names. */
function namedListeners(parent: ObjectInApp, { sectionName }: Json): GatewayListener[] {
  return listenersIn(parent.json).filter(({ name }) => !sectionName || name === sectionName);
}

/** Why a listener of a parent does not take a route, or nothing. */
function faultBetween(
  listener: GatewayListener,
  parent: ObjectInApp,
  { object: route }: ObjectInApp,
): string | undefined {
  const { protocol, tlsMode } = listener;
  const fits = fittingKinds(protocol.value, tlsMode).includes(route.kind);
  const wanted = Object.keys(ROUTE_KINDS).find((one) => ROUTE_KINDS[one].includes(route.kind));
  return routeFault(listener, parent.object.metadata.namespace, {
    kind: route.kind,
    namespace: route.metadata.namespace,
    protocol: fits ? protocol.value : String(wanted),
  });
}

function attachmentFaults(route: ObjectInApp, parentRef: Json): GatewayVerdict[] {
  const parent = gatewaysInApp(route.object).parentOf(route, parentRef);
  if (!parent) {
    return [];
  }
  const named = namedListeners(parent, parentRef);
  if (named.length === 0) {
    const present = listenersIn(parent.json).map(({ name }) => name);
    return [
      {
        what: `${at(parent.object)} has no listener '${parentRef.sectionName}', but ${present.join(', ') || 'none at all'}`,
        remedy: 'write the name of one of its listeners as sectionName',
      },
    ];
  }
  const faults = named.map((listener) => [listener.name, faultBetween(listener, parent, route)] as const);
  return faults.some(([, fault]) => fault === undefined)
    ? []
    : [
        {
          what: `no listener of ${at(parent.object)} takes the ${route.object.kind}: ${faults.map(([name, fault]) => `'${name}' ${fault}`).join(', ')}`,
          remedy: 'attach it to a listener that fits its kind, and whose allowedRoutes admit its namespace',
        },
      ];
}

const TCP_ROUTES_AT_ONE = perMoment((root): Verdicts => {
  const app = gatewaysInApp(root);
  const verdicts: Verdicts = new Map();
  const first = new Map<ApiObject, Map<string, ApiObject>>();
  for (const route of app.routes.filter(({ object }) => object.kind === TCP_ROUTE_KIND)) {
    for (const parentRef of mapsIn(route.json.spec, 'parentRefs')) {
      const parent = app.parentOf(route, parentRef);
      for (const listener of parent ? namedListeners(parent, parentRef) : []) {
        if (parent && faultBetween(listener, parent, route) === undefined) {
          const taken = first.get(parent.object) ?? new Map<string, ApiObject>();
          first.set(parent.object, taken);
          const earlier = taken.get(listener.name) ?? route.object;
          taken.set(listener.name, earlier);
          if (earlier !== route.object) {
            tell(verdicts, earlier, route.object, (other) => ({
              what: `${at(other)} attaches to listener '${listener.name}' of ${titleOf(parent.object)} as well, and the older route gets every connection`,
              remedy: 'attach one of them to another listener, or write the backends of both into one route',
            }));
          }
        }
      }
    }
  }
  return verdicts;
});

/** What is wrong between listeners that want to be at one Gateway. */
export const LISTENERS_IN_APP: readonly GatewayAppRule[] = [
  {
    id: 'gateway-port-conflict',
    who: GATEWAY_API,
    says: 'a port of a Gateway belongs to one listener for TCP or UDP, of the Gateway or of one ListenerSet, and to no other protocol beside it: some implementations do not report it',
    source: gatewayApi('listenerset_types.go'),
    judge: (object) => CONFLICTS(object).get(object) ?? [],
  },
  {
    id: 'listener-set-admitted',
    who: GATEWAY_API,
    says: 'a Gateway admits the ListenerSets that join it: unless it says so, it admits none',
    source: gatewayApi('gateway_types.go'),
    judge: (object) => {
      const gateway = object.kind === LISTENER_SET_KIND ? gatewaysInApp(object).gatewayOf(object) : undefined;
      const fault = gateway && listenerSetFault(gateway.json, object.metadata.namespace);
      return gateway && fault
        ? [{ what: `${at(gateway.object)} ${fault}`, remedy: 'say allowedListeners of the Gateway' }]
        : [];
    },
  },
];

/** What is wrong between routes, and between them and the listeners that they attach to. */
export const ROUTES_IN_APP: readonly GatewayAppRule[] = [
  {
    id: 'gateway-route-taken',
    who: GATEWAY_API,
    says: 'a route attaches to a listener that is there, and takes its kind and its namespace',
    source: gatewayApi('shared_types.go'),
    judge: (object) => {
      const route = { object, json: lookAt(object) };
      return mapsIn(route.json.spec, 'parentRefs').flatMap((parentRef) => attachmentFaults(route, parentRef));
    },
  },
  {
    id: 'gateway-tcp-route-alone',
    who: GATEWAY_API,
    says: 'a listener for TCP has one TCPRoute: nothing in a connection could choose between two, and the older one gets them all',
    source: gatewayApi('gateway_types.go'),
    judge: (object) => TCP_ROUTES_AT_ONE(object).get(object) ?? [],
  },
];
