import { isMap, isSet, type Json, list, listIn, mapIn, mapsIn, shown, unquoted } from '../contract/json';
import type { Found } from '../contract/rule';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { rulesOf } from '../rules/rule-set';
import { portsOf } from '../rules/service-json';
import {
  CORE_PROTOCOLS,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  REFERENCE_GRANT_KIND,
  ROUTE_KINDS,
  TCP_ROUTE_KIND,
} from './gateway.facts';
import { listenersIn } from './gateway-json';
import { GATEWAY_API_SOURCE } from './gateway-rule';
import { gatewayOf, joinedGateways, listAt, parentOf, portConflicts } from './gateways-in-app';
import type { GatewayListener } from './options';
import { fittingKinds, hostnameFault, listenerSetFault, namespaceLabelsOf, routeFault } from './route-admission';
import { LISTENERS_IN_APP_ROWS, REFERENCE_ROWS, ROUTES_IN_APP_ROWS } from './rules.facts';

// Faults between the Gateway API objects of one app or folder.

type Reports = ReadonlyMap<IndexedObject, Found[]>;

/** Two that cannot both have what they want: reported at the later one where rules validate it, or else at the earlier one. */
function report(
  reports: Map<IndexedObject, Found[]>,
  earlier: IndexedObject,
  later: IndexedObject,
  finding: (other: IndexedObject) => Found,
): void {
  const [checked, other] = later.isChecked ? [later, earlier] : [earlier, later];
  listAt(reports, checked).push(finding(other));
}

function at(object: IndexedObject): string {
  return `${kindAndTitleOf(object)} (${object.path})`;
}

function conflictsIn(index: ObjectIndex): Reports {
  const reports = new Map<IndexedObject, Found[]>();
  for (const one of joinedGateways(index)) {
    for (const { earlier, later } of portConflicts(one)) {
      report(reports, earlier.object, later.object, (other) => {
        const [own, its] = other === earlier.object ? [later, earlier] : [earlier, later];
        const where = earlier.object === later.object ? '' : ` of ${at(other)}`;
        return {
          own: shown(own.listener.name),
          protocol: own.listener.protocol,
          port: own.listener.port,
          title: one.title,
          taken: shown(its.listener.name),
          where,
          other: its.listener.protocol,
          at: `/spec/listeners/${listIn(own.object.json.spec, 'listeners').findIndex((one) => isMap(one) && one.name === own.listener.name)}/port`,
        };
      });
    }
  }
  return reports;
}

function namedListeners(parent: IndexedObject, { sectionName, port }: Json): GatewayListener[] {
  return listenersIn(parent.json).filter(
    (listener) => (!sectionName || listener.name === sectionName) && (!isSet(port) || listener.port === port),
  );
}

function nameIn({ sectionName, port }: Json): string {
  const withPort = isSet(port) ? ` with port ${port}` : '';
  return sectionName ? `listener ${shown(sectionName)}${withPort}` : `listener${withPort}`;
}

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

function attachmentFaults(route: IndexedObject, parentRef: Json, place: string): Found[] {
  const parent = parentOf(route, parentRef);
  if (!parent) {
    return [];
  }
  const named = namedListeners(parent, parentRef);
  if (named.length === 0) {
    const present = listenersIn(parent.json).map(({ name }) => unquoted(name));
    return [
      {
        case: 'missing',
        parent: at(parent),
        named: nameIn(parentRef),
        present: present.join(', ') || 'none at all',
        at: `${place}/${parentRef.sectionName ? 'sectionName' : 'port'}`,
      },
    ];
  }
  const faults = named.map((listener) => [listener.name, faultBetween(listener, parent, route)] as const);
  const shownFaults = faults.map(([name, fault]) => `'${name}' ${fault}`).join(', ');
  return faults.some(([, fault]) => fault === undefined)
    ? []
    : [{ case: 'refused', parent: at(parent), kind: route.kind, faults: shownFaults, at: place }];
}

/** True if a listener takes a route; true if its parents are not among the objects, or if the object is not a route. */
export function isRouteAttached(
  route: IndexedObject,
  parentRefs: readonly unknown[] = listIn(route.json.spec, 'parentRefs'),
) {
  const takes = (one: unknown) => !isMap(one) || attachmentFaults(route, one, '').length === 0;
  return parentRefs.length === 0 || parentRefs.some(takes);
}

function tcpRoutesAtOne(index: ObjectIndex): Reports {
  const reports = new Map<IndexedObject, Found[]>();
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
              route: at(other),
              listener: shown(listener.name),
              parent: kindAndTitleOf(parent),
              at: '/spec/parentRefs',
            }));
          }
        }
      }
    }
  }
  return reports;
}

const BETWEEN = { source: GATEWAY_API_SOURCE, read: (_: Json, { among }: ObjectContext) => among };

export const LISTENERS_IN_APP: readonly Rule<ObjectContext>[] = rulesOf({
  ...BETWEEN,
  rows: LISTENERS_IN_APP_ROWS,
  finds: {
    'gateway-port-conflict': (object) => object?.index.once(conflictsIn, conflictsIn).get(object),
    'listener-set-not-admitted': (object) => {
      const gateway = object?.kind === LISTENER_SET_KIND ? gatewayOf(object) : undefined;
      const set = object && { namespace: object.namespace, labels: namespaceLabelsOf(object) };
      const fault = gateway && set && listenerSetFault(gateway.json, set);
      return gateway && fault && { gateway: at(gateway), fault, at: '/spec/parentRef' };
    },
  },
});

function backendPortFaults(route: IndexedObject): Found[] {
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
              backend: kindAndTitleOf({ kind, namespace, name }),
              port,
              ports: ports.join(', '),
              at: `/spec/rules/${i}/backendRefs/${k}/port`,
            },
          ];
    }),
  );
}

export const ROUTES_IN_APP: readonly Rule<ObjectContext>[] = rulesOf({
  ...BETWEEN,
  rows: ROUTES_IN_APP_ROWS,
  finds: {
    'gateway-route-not-attached': (route) =>
      route &&
      listIn(route.json.spec, 'parentRefs').flatMap((parentRef, i) =>
        isMap(parentRef) ? attachmentFaults(route, parentRef, `/spec/parentRefs/${i}`) : [],
      ),
    'gateway-tcp-route-conflict': (route) => route?.index.once(tcpRoutesAtOne, tcpRoutesAtOne).get(route),
    'gateway-backend-port-unknown': (route) => route && backendPortFaults(route),
  },
});

// References of routes and listeners to other namespaces, which a ReferenceGrant there must allow.

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

/** References of an object without a grant, to objects that exist or not. */
function ungranted(from: IndexedObject, isHere: boolean): Found[] {
  const { index, kind, namespace: own } = from;
  if (own === undefined) {
    return [];
  }
  return [...backendsOf(from, own), ...certificatesOf(from, own)]
    .filter((to) => index.named(to.group, to.kind, to).length > 0 === isHere && !isGranted(from, to))
    .map((to) => ({
      object: `${to.title} ${kindAndTitleOf(to)}`,
      from: kind,
      own,
      fate: to.fate,
      namespace: to.namespace,
      to: to.kind,
      at: to.at,
      ...(to.kind === 'Service' && { effect: 'no-targets' as const }),
    }));
}

export const REFERENCE_RULES: readonly Rule<ObjectContext>[] = rulesOf({
  ...BETWEEN,
  rows: REFERENCE_ROWS,
  finds: {
    'gateway-reference-not-granted': (object) => object && ungranted(object, true),
    'gateway-reference-unknown': (object) => object && ungranted(object, false),
  },
});
