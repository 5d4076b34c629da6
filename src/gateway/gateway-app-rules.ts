import { isMap, isSet, type Json, listIn, mapsIn, shown, unquoted } from '../contract/json';
import type { Finding } from '../contract/rule';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { portsOf } from '../rules/service-json';
import { CORE_PROTOCOLS, GATEWAY_GROUP, LISTENER_SET_KIND, ROUTE_KINDS, TCP_ROUTE_KIND } from './gateway.facts';
import { listenersIn } from './gateway-json';
import { GATEWAY_API, gatewayApi, refused } from './gateway-rule';
import { gatewayOf, joinedGateways, listAt, parentOf, portConflicts } from './gateways-in-app';
import type { GatewayListener } from './options';
import { fittingKinds, hostnameFault, listenerSetFault, namespaceLabelsOf, routeFault } from './route-admission';

// What is wrong between the objects of the Gateway API of one app or folder.

type Reports = ReadonlyMap<IndexedObject, Finding[]>;

/** Two that cannot both have what they want: reported at the later one where rules validate it, or else at the earlier one. */
function report(
  reports: Map<IndexedObject, Finding[]>,
  earlier: IndexedObject,
  later: IndexedObject,
  finding: (other: IndexedObject) => Finding,
): void {
  const [judged, other] = later.isJudged ? [later, earlier] : [earlier, later];
  listAt(reports, judged).push(finding(other));
}

function at(object: IndexedObject): string {
  return `${kindAndTitleOf(object)} (${object.path})`;
}

function conflictsIn(index: ObjectIndex): Reports {
  const reports = new Map<IndexedObject, Finding[]>();
  for (const one of joinedGateways(index)) {
    for (const { earlier, later } of portConflicts(one)) {
      report(reports, earlier.object, later.object, (other) => {
        const [own, its] = other === earlier.object ? [later, earlier] : [earlier, later];
        const where = earlier.object === later.object ? '' : ` of ${at(other)}`;
        return {
          what: `listener ${shown(own.listener.name)} has ${own.listener.protocol} port ${own.listener.port} of ${one.title}, which listener ${shown(its.listener.name)}${where} has with protocol ${its.listener.protocol}`,
          remedy: 'give one of them another port',
        };
      });
    }
  }
  return reports;
}

/** The listeners of its parents that a route names, by their name, their port, or both. */
function namedListeners(parent: IndexedObject, { sectionName, port }: Json): GatewayListener[] {
  return listenersIn(parent.json).filter(
    (listener) => (!sectionName || listener.name === sectionName) && (!isSet(port) || listener.port === port),
  );
}

function nameIn({ sectionName, port }: Json): string {
  const withPort = isSet(port) ? ` with port ${port}` : '';
  return sectionName ? `listener ${shown(sectionName)}${withPort}` : `listener${withPort}`;
}

/** Why a listener of a parent does not take a route, or nothing. */
function faultBetween(listener: GatewayListener, parent: IndexedObject, route: IndexedObject): string | undefined {
  const { protocol, tlsMode } = listener;
  // which routes a protocol of an implementation takes, that alone knows
  const isOther = !CORE_PROTOCOLS.includes(protocol.value);
  const fits = isOther || fittingKinds(protocol.value, tlsMode).includes(route.kind);
  const wanted = Object.keys(ROUTE_KINDS).find((one) => ROUTE_KINDS[one].includes(route.kind));
  const fault = routeFault(listener, parent.namespace, {
    kind: route.kind,
    namespace: route.namespace,
    labels: namespaceLabelsOf(route),
    protocol: fits ? protocol.value : String(wanted),
  });
  return fault ?? hostnameFault(listener, listIn(route.json.spec, 'hostnames'));
}

function attachmentFaults(route: IndexedObject, parentRef: Json, place: string): Finding[] {
  const parent = parentOf(route, parentRef);
  if (!parent) {
    return [];
  }
  const named = namedListeners(parent, parentRef);
  if (named.length === 0) {
    const present = listenersIn(parent.json).map(({ name }) => unquoted(name));
    return [
      {
        what: `${at(parent)} has no ${nameIn(parentRef)}, but ${present.join(', ') || 'none at all'}`,
        remedy: 'write the name of one of its listeners as sectionName',
        at: `${place}/${parentRef.sectionName ? 'sectionName' : 'port'}`,
      },
    ];
  }
  const faults = named.map((listener) => [listener.name, faultBetween(listener, parent, route)] as const);
  return faults.some(([, fault]) => fault === undefined)
    ? []
    : [
        {
          what: `no listener of ${at(parent)} takes the ${route.kind}: ${faults.map(([name, fault]) => `'${name}' ${fault}`).join(', ')}`,
          remedy:
            'attach it to a listener that fits its kind, and whose allowedRoutes admit its namespace, and that serves its host names',
          at: place,
        },
      ];
}

/** Whether a listener takes a route; true if its parents are not among the objects, or if the object is not a route. */
export function isTaken(route: IndexedObject, parentRefs: readonly unknown[] = listIn(route.json.spec, 'parentRefs')) {
  const takes = (one: unknown) => !isMap(one) || attachmentFaults(route, one, '').length === 0;
  return parentRefs.length === 0 || parentRefs.some(takes);
}

function tcpRoutesAtOne(index: ObjectIndex): Reports {
  const reports = new Map<IndexedObject, Finding[]>();
  const first = new Map<IndexedObject, Map<string, IndexedObject>>();
  for (const route of index.of(GATEWAY_GROUP, TCP_ROUTE_KIND)) {
    for (const parentRef of mapsIn(route.json.spec, 'parentRefs')) {
      const parent = parentOf(route, parentRef);
      for (const listener of parent ? namedListeners(parent, parentRef) : []) {
        if (parent && faultBetween(listener, parent, route) === undefined) {
          const taken = first.get(parent) ?? new Map<string, IndexedObject>();
          first.set(parent, taken);
          const earlier = taken.get(listener.name) ?? route;
          taken.set(listener.name, earlier);
          if (earlier !== route) {
            report(reports, earlier, route, (other) => ({
              what: `${at(other)} attaches to listener ${shown(listener.name)} of ${kindAndTitleOf(parent)} as well, and the older route gets every connection`,
              remedy: 'attach one of them to another listener, or write the backends of both into one route',
              at: '/spec/parentRefs',
            }));
          }
        }
      }
    }
  }
  return reports;
}

/** A rule between an object and others of its app or folder. */
function between(
  id: string,
  says: string,
  file: string,
  judge: (object: IndexedObject) => readonly Finding[],
  more: Pick<Rule, 'effect' | 'decidedBy'> = {},
): Rule<ObjectContext> {
  return refused({
    ...more,
    id,
    who: GATEWAY_API,
    says,
    source: gatewayApi(file),
    needs: ['among'],
    judge: (_, { among }) => among && judge(among),
  });
}

export const LISTENERS_IN_APP: readonly Rule<ObjectContext>[] = [
  between(
    'gateway-port-conflict',
    'two listeners of a Gateway and its ListenerSets compete for one port',
    'listenerset_types.go',
    (object) => object.index.once(conflictsIn, conflictsIn).get(object) ?? [],
  ),
  between(
    'listener-set-admitted',
    'Gateway does not admit the ListenerSet: without allowedListeners it admits none',
    'gateway_types.go',
    (object) => {
      const gateway = object.kind === LISTENER_SET_KIND ? gatewayOf(object) : undefined;
      const fault =
        gateway && listenerSetFault(gateway.json, { namespace: object.namespace, labels: namespaceLabelsOf(object) });
      return gateway && fault
        ? [{ what: `${at(gateway)} ${fault}`, remedy: 'set allowedListeners of the Gateway', at: '/spec/parentRef' }]
        : [];
    },
    { effect: 'no-targets', decidedBy: ['labels', 'allowedListeners', 'parentRef'] },
  ),
];

/** A backend of a route whose Service is here, and has other ports. */
function backendPortFaults(route: IndexedObject): Finding[] {
  return listIn(route.json.spec, 'rules').flatMap((rule, i) =>
    listIn(rule, 'backendRefs').flatMap((backend, k) => {
      const { group = '', kind = 'Service', name, namespace = route.namespace, port } = isMap(backend) ? backend : {};
      const service = route.index.nearest(route, group, kind, { namespace, name });
      const ports = group === '' && kind === 'Service' && service ? portsOf(service.json).map((one) => one.port) : [];
      const isOpen = service?.json.spec?.type === 'ExternalName' || ![port, ...ports].every(Number.isInteger);
      return ports.length === 0 || isOpen || ports.includes(port)
        ? []
        : [
            {
              what: `backend ${kindAndTitleOf({ kind, namespace, name })} has no port ${port}, but ${ports.join(', ')}: no connection is sent to it`,
              remedy: 'write the port of the Service, not that of its pods',
              at: `/spec/rules/${i}/backendRefs/${k}/port`,
            },
          ];
    }),
  );
}

/** What is wrong between routes, and between them and the listeners that they attach to. */
export const ROUTES_IN_APP: readonly Rule<ObjectContext>[] = [
  between(
    'gateway-route-taken',
    'no listener of the Gateway takes the route: its name, kind, namespace or host names do not match',
    'shared_types.go',
    (route) =>
      listIn(route.json.spec, 'parentRefs').flatMap((parentRef, i) =>
        isMap(parentRef) ? attachmentFaults(route, parentRef, `/spec/parentRefs/${i}`) : [],
      ),
    { effect: 'no-targets', decidedBy: ['labels', 'parentRefs', 'hostnames', 'listeners'] },
  ),
  between(
    'gateway-tcp-route-alone',
    'two TCPRoutes attach to one TCP listener: the older one gets every connection',
    'gateway_types.go',
    (route) => route.index.once(tcpRoutesAtOne, tcpRoutesAtOne).get(route) ?? [],
  ),
  between(
    'gateway-backend-port',
    'port of a backend is not a port of its Service',
    'object_reference_types.go',
    backendPortFaults,
    { effect: 'no-targets', decidedBy: ['spec.ports', 'spec.rules'] },
  ),
];
