import { isForeignHost } from './grants';
import type { SharedGatewayReference } from './options';
import { type CelFault, type CelVariable, celFinalizers, celText, celTexts } from './policy';

export interface ListenerLimits {
  readonly gateways: readonly SharedGatewayReference[];
  readonly protocols: readonly string[];
  readonly tlsTermination: boolean;
  readonly judgesHosts: boolean;
  readonly sharedTlsPorts: readonly number[];
  readonly portsRemedy: string;
}

/** A weight that every controller takes. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/gateway/routeutils/backend.go */
const MOST_WEIGHT = 999;

/** As many target groups as one action of a balancer can have. docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_ForwardActionConfig.html */
const MOST_BACKENDS = 5;

const IS_HEAVY = `b.?weight.orValue(1) > ${MOST_WEIGHT}`;

/** Characters of metadata together: every watcher of the objects of all tenants gets them. */
const METADATA_CHARACTERS = 4096;

const METADATA_FAULT: CelFault = {
  when: `${metadataSize('object')} > ${METADATA_CHARACTERS}`,
  says: `'labels, annotations, finalizers and owners may have at most ${METADATA_CHARACTERS} characters together, not ' + string(${metadataSize('object')})`,
};

/** Characters of what listeners hold beside names, ports and host names, which nothing else bounds. */
const LISTENER_CHARACTERS = 16_384;

/** True for a finalizer `f` that a request adds. */
const IS_ADDED = `oldObject == null || !(f in ${celFinalizers('oldObject')})`;
const ADDS_FINALIZERS = `${celFinalizers('object')}.exists(f, ${IS_ADDED})`;

/** What is only being deleted is served on: a tenant could keep its port open when it is withdrawn. */
const FINALIZER_FAULT: CelFault = {
  when: ADDS_FINALIZERS,
  says: `'finalizers keep a port open that is withdrawn, remove them: ' + ${celFinalizers('object')}.filter(f, ${IS_ADDED}).join(', ')`,
};

const BY_CONTROLLER =
  "authorizer.group(request.resource.group).resource(request.resource.resource).check('update').allowed()";

/** Requests that change what is checked; other metadata of what was there before is not. */
export const ATTACHMENT_CHANGED = {
  name: 'changed',
  expression: `oldObject == null || object.spec != oldObject.spec || (${ADDS_FINALIZERS} && !${BY_CONTROLLER}) || (${metadataSize('object')} > ${METADATA_CHARACTERS} && ${metadataSize('object')} > ${metadataSize('oldObject')})`,
} as const;

function metadataSize(of: string): string {
  const maps = ['annotations', 'labels'].map((map) => sizeOfMap(`${of}.metadata.?${map}`, `${of}.metadata.${map}`));
  const finalizers = `${celFinalizers(of)}.map(f, size(f))`;
  const owners = `${of}.metadata.?ownerReferences.orValue([]).map(o, size(o.apiVersion) + size(o.kind) + size(o.name) + size(o.uid))`;
  return `([0] + ${[...maps, finalizers, owners].join(' + ')}).sum()`;
}

function sizeOfMap(optional: string, map: string): string {
  return `${optional}.orValue({}).map(k, size(k) + size(${map}[k]))`;
}

const LISTENER_SIZES = `object.spec.listeners.map(l, ([0] + ${[
  sizeOfMap('l.?tls.?options', 'l.tls.options'),
  sizeOfMap('l.?allowedRoutes.?namespaces.?selector.?matchLabels', 'l.allowedRoutes.namespaces.selector.matchLabels'),
  "l.?allowedRoutes.?namespaces.?selector.?matchExpressions.orValue([]).map(e, size(e.key) + size(e.?values.orValue([]).join(',')))",
  "l.?allowedRoutes.?kinds.orValue([]).map(k, size(k.kind) + size(k.?group.orValue('')))",
  "l.?tls.?certificateRefs.orValue([]).map(c, size(c.name) + size(c.?namespace.orValue('')))",
].join(' + ')}).sum())`;

const LISTENER_FAULT: CelFault = {
  when: `variables.listenerSizes.sum() > ${LISTENER_CHARACTERS}`,
  says: `'tls.options, certificates and allowedRoutes of listeners may have at most ${LISTENER_CHARACTERS} characters together, not ' + string(variables.listenerSizes.sum())`,
};

export const LISTENER_VARIABLES: readonly CelVariable[] = [{ name: 'listenerSizes', expression: LISTENER_SIZES }];

const RANGES = '^[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*$';

export function portVariables(granted: readonly CelVariable[]): CelVariable[] {
  return [
    ...granted,
    {
      name: 'spans',
      expression: `variables.granted.matches(${celText(RANGES)}) ? variables.granted.split(',').map(s, s.split('-').map(p, int(p))) : []`,
    },
  ];
}

function outside(sharedTlsPorts: readonly number[]): string {
  const own = '!variables.spans.exists(s, l.port >= s[0] && l.port <= s[size(s) - 1])';
  return sharedTlsPorts.length === 0
    ? own
    : `${own} && !(l.protocol == 'TLS' && l.port in [${sharedTlsPorts.join(', ')}])`;
}

export function listenerSetFaults(limits: ListenerLimits): CelFault[] {
  const { gateways, protocols, tlsTermination, judgesHosts, portsRemedy } = limits;
  const isOutside = outside(limits.sharedTlsPorts);
  const names = gateways.map(({ namespace, name }) => `${namespace}/${name}`);
  const isOther = `!(l.protocol in ${celTexts(protocols)})`;
  const ends = "l.protocol == 'TLS' && l.?tls.?mode.orValue('Terminate') != 'Passthrough'";
  const foreign = `l.protocol == 'TLS' && (!has(l.hostname) || ${isForeignHost('l.hostname')})`;
  return [
    {
      when: `object.spec.parentRef.?kind.orValue('Gateway') != 'Gateway' || !(object.spec.parentRef.?namespace.orValue(request.namespace) + '/' + object.spec.parentRef.name in ${celTexts(names)})`,
      says: celText(`spec.parentRef must name Gateway ${names.join(' or ')}`),
    },
    METADATA_FAULT,
    FINALIZER_FAULT,
    LISTENER_FAULT,
    {
      when: `object.spec.listeners.exists(l, ${isOutside})`,
      says: `(size(variables.spans) == 0 ? ${celText(`the namespace has no ports: ${portsRemedy}; refused are `)} : 'listeners must have ports of ' + variables.granted + ', not ') + object.spec.listeners.filter(l, ${isOutside}).map(l, l.name + '=' + string(l.port)).join(', ')`,
    },
    {
      when: `object.spec.listeners.exists(l, ${isOther})`,
      says: `'listeners must have the protocol ${protocols.join(' or ')}: ' + object.spec.listeners.filter(l, ${isOther}).map(l, l.name + '=' + l.protocol).join(', ')`,
    },
    ...(tlsTermination
      ? []
      : [
          {
            when: `object.spec.listeners.exists(l, ${ends})`,
            says: `'listeners may not end TLS, set tls.mode to Passthrough: ' + object.spec.listeners.filter(l, ${ends}).map(l, l.name).join(', ')`,
          },
        ]),
    ...(judgesHosts
      ? [
          {
            when: `object.spec.listeners.exists(l, ${foreign})`,
            says: `'listeners of TLS must have a hostname of ' + ${ownHosts()} + ': ' + object.spec.listeners.filter(l, ${foreign}).map(l, l.name + '=' + l.?hostname.orValue('(none)')).join(', ')`,
          },
        ]
      : []),
  ];
}

interface RouteLimits extends Pick<ListenerLimits, 'gateways' | 'judgesHosts'> {
  readonly httpRoutes: boolean;
}

/** Routes of connections, which one tenant alone has at a port. */
export const CONNECTION_ROUTES = ['tcproutes', 'tlsroutes', 'udproutes'] as const;

export const HTTP_ROUTES = ['httproutes', 'grpcroutes'] as const;

/** Routes of HTTP elsewhere are no matter of the shared Gateways. */
export function concernsShared(gateways: readonly SharedGatewayReference[]): {
  readonly name: string;
  readonly expression: string;
} {
  const isOurs = `(${isShared(gateways)}) || p.?kind.orValue('Gateway') == 'ListenerSet'`;
  return {
    name: 'at-shared-gateways',
    expression: `${IS_CONNECTION} || object.spec.?parentRefs.orValue([]).exists(p, ${isOurs})`,
  };
}

const IS_CONNECTION = `request.resource.resource in ${celTexts(CONNECTION_ROUTES)}`;

function isShared(gateways: readonly SharedGatewayReference[]): string {
  const names = gateways.map(({ namespace, name }) => `${namespace}/${name}`);
  return `p.?kind.orValue('Gateway') == 'Gateway' && p.?namespace.orValue(request.namespace) + '/' + p.name in ${celTexts(names)}`;
}

function isStrange(backend: string): string {
  return `${backend}.?group.orValue('') != '' || ${backend}.?kind.orValue('Service') != 'Service' || ${backend}.?namespace.orValue(request.namespace) != request.namespace`;
}

/**
 * True for a route that is at one listener twice. What the definition of routes compares is text: with the namespace of the route and
 * without it, one ListenerSet counts as two.
 */
const TWICE_AT_ONE =
  "variables.parents.exists(p, p.?kind.orValue('Gateway') == 'ListenerSet' && size(variables.parents.filter(q, q.?kind.orValue('Gateway') == 'ListenerSet' && q.name == p.name && (!has(q.sectionName) || !has(p.sectionName) || q.sectionName == p.sectionName))) > 1)";

export function routeFaults({ gateways, judgesHosts, httpRoutes }: RouteLimits): CelFault[] {
  const isOfAnother =
    "p.?kind.orValue('Gateway') == 'ListenerSet' && p.?namespace.orValue(request.namespace) != request.namespace";
  const strange = isStrange('b');
  const atShared = `variables.parents.exists(p, ${isShared(gateways)})`;
  const filters = ['requestMirror', 'externalAuth']
    .map((filter) => `(has(f.${filter}) && has(f.${filter}.backendRef) && (${isStrange(`f.${filter}.backendRef`)}))`)
    .join(' || ');
  const leadAway = `x.?filters.orValue([]).exists(f, ${filters})`;
  return [
    {
      when: httpRoutes ? `${IS_CONNECTION} && ${atShared}` : atShared,
      says: celText('spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace'),
    },
    {
      when: `variables.parents.exists(p, ${isOfAnother})`,
      says: celText('spec.parentRefs may not name a ListenerSet of another namespace: name one of this namespace'),
    },
    {
      when: `${IS_CONNECTION} && ${TWICE_AT_ONE}`,
      says: celText('spec.parentRefs may name a ListenerSet once, or each of its listeners once by sectionName'),
    },
    {
      when: `variables.rules.exists(r, r.?backendRefs.orValue([]).exists(b, ${strange}))`,
      says: `'backendRefs must be Services of this namespace: ' + variables.rules.map(r, r.?backendRefs.orValue([]).filter(b, ${strange}).map(b, b.?kind.orValue('Service') + ' ' + b.name).join(', ')).filter(s, s != '').join(', ')`,
    },
    {
      when: `variables.rules.exists(x, ${leadAway} || x.?backendRefs.orValue([]).exists(x, ${leadAway}))`,
      says: celText(
        'filters may lead to Services of this namespace alone: requestMirror and externalAuth name another',
      ),
    },
    METADATA_FAULT,
    FINALIZER_FAULT,
    {
      when: `variables.rules.exists(r, r.?backendRefs.orValue([]).exists(b, ${IS_HEAVY}))`,
      says: `'weights of backendRefs may be at most ${MOST_WEIGHT}: ' + variables.rules.map(r, r.?backendRefs.orValue([]).filter(b, ${IS_HEAVY}).map(b, b.name + '=' + string(b.weight)).join(', ')).filter(s, s != '').join(', ')`,
    },
    {
      when: `${IS_CONNECTION} && variables.rules.map(r, size(r.?backendRefs.orValue([]))).sum() > ${MOST_BACKENDS}`,
      says: `'a route may have at most ${MOST_BACKENDS} backendRefs, not ' + string(variables.rules.map(r, size(r.?backendRefs.orValue([]))).sum())`,
    },
    ...(judgesHosts
      ? [
          {
            when: `variables.hostnames.exists(n, ${isForeignHost('n')})`,
            says: `'hostnames must be of ' + ${ownHosts()} + ': ' + variables.hostnames.filter(n, ${isForeignHost('n')}).join(', ')`,
          },
          {
            when: `size(variables.hostnames) == 0 && (request.resource.resource == 'tlsroutes' || (!(${IS_CONNECTION}) && ${atShared}))`,
            says: `'hostnames are missing: name some of ' + ${ownHosts()}`,
          },
        ]
      : []),
  ];
}

export const ROUTE_VARIABLES: readonly CelVariable[] = [
  { name: 'parents', expression: 'object.spec.?parentRefs.orValue([])' },
  { name: 'rules', expression: 'object.spec.?rules.orValue([])' },
  { name: 'hostnames', expression: 'object.spec.?hostnames.orValue([])' },
];

function ownHosts(): string {
  return "(size(variables.hosts) == 0 ? '(the namespace has no host names)' : variables.hosts.join(' or '))";
}
