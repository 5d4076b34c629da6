import { type CelFault, type CelVariable, celText, celTexts } from './admission';
import { isForeignHost } from './grants';
import type { SharedGatewayReference } from './shared-listener-policy.options';

/** What listeners of tenants may say. */
export interface ListenerLimits {
  readonly gateways: readonly SharedGatewayReference[];
  readonly protocols: readonly string[];
  readonly tlsTermination: boolean;
  readonly judgesHosts: boolean;
  /** Ports of TLS that all have. */
  readonly sharedTlsPorts: readonly number[];
  /** What a tenant without ports can do. */
  readonly portsRemedy: string;
}

/** A weight that every controller takes. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/gateway/routeutils/backend.go */
const MOST_WEIGHT = 999;

/** As many target groups as one action of a balancer can have. docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_ForwardActionConfig.html */
const MOST_BACKENDS = 5;

const IS_HEAVY = `b.?weight.orValue(1) > ${MOST_WEIGHT}`;

/** Characters of labels and annotations together: whoever watches the objects of all tenants is sent them. */
const METADATA_CHARACTERS = 4096;

const METADATA_FAULT: CelFault = {
  when: `${metadataSize('object')} > ${METADATA_CHARACTERS}`,
  says: `'labels and annotations may have at most ${METADATA_CHARACTERS} characters together, not ' + string(${metadataSize('object')})`,
};

/** Requests that change what is judged; other metadata of what was there before is not. */
export const ATTACHMENT_CHANGED = {
  name: 'changed',
  expression: `oldObject == null || object.spec != oldObject.spec || (${metadataSize('object')} > ${METADATA_CHARACTERS} && ${metadataSize('object')} > ${metadataSize('oldObject')})`,
} as const;

/** The characters of labels and annotations. */
function metadataSize(of: string): string {
  const sizes = ['annotations', 'labels'].map(
    (map) => `${of}.metadata.?${map}.orValue({}).map(k, size(k) + size(${of}.metadata.${map}[k]))`,
  );
  return `([0] + ${sizes.join(' + ')}).sum()`;
}

const RANGES = '^[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*$';

/** Ports as numbers; none where there is no text that can be read. */
export function portVariables(granted: string): CelVariable[] {
  return [
    { name: 'granted', expression: granted },
    {
      name: 'spans',
      expression: `variables.granted.matches(${celText(RANGES)}) ? variables.granted.split(',').map(s, s.split('-').map(p, int(p))) : []`,
    },
  ];
}

/** True for a listener whose port is not the namespace's. */
function outside(sharedTlsPorts: readonly number[]): string {
  const own = '!variables.spans.exists(s, l.port >= s[0] && l.port <= s[size(s) - 1])';
  return sharedTlsPorts.length === 0
    ? own
    : `${own} && !(l.protocol == 'TLS' && l.port in [${sharedTlsPorts.join(', ')}])`;
}

/** Everything that can be wrong with a ListenerSet of a tenant. */
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

/** Everything that can be wrong with a route of a tenant that balances connections. */
export function routeFaults({ gateways, judgesHosts }: Pick<ListenerLimits, 'gateways' | 'judgesHosts'>): CelFault[] {
  const names = gateways.map(({ namespace, name }) => `${namespace}/${name}`);
  const isShared = `p.?kind.orValue('Gateway') == 'Gateway' && p.?namespace.orValue(request.namespace) + '/' + p.name in ${celTexts(names)}`;
  const isOfAnother =
    "p.?kind.orValue('Gateway') == 'ListenerSet' && p.?namespace.orValue(request.namespace) != request.namespace";
  const isStrange =
    "b.?group.orValue('') != '' || b.?kind.orValue('Service') != 'Service' || b.?namespace.orValue(request.namespace) != request.namespace";
  return [
    {
      when: `variables.parents.exists(p, ${isShared})`,
      says: celText('spec.parentRefs may not name a shared Gateway: name a ListenerSet of this namespace'),
    },
    {
      when: `variables.parents.exists(p, ${isOfAnother})`,
      says: celText('spec.parentRefs may not name a ListenerSet of another namespace: name one of this namespace'),
    },
    {
      when: `variables.rules.exists(r, r.?backendRefs.orValue([]).exists(b, ${isStrange}))`,
      says: `'backendRefs must be Services of this namespace: ' + variables.rules.map(r, r.?backendRefs.orValue([]).filter(b, ${isStrange}).map(b, b.?kind.orValue('Service') + ' ' + b.name).join(', ')).filter(s, s != '').join(', ')`,
    },
    METADATA_FAULT,
    {
      when: `variables.rules.exists(r, r.?backendRefs.orValue([]).exists(b, ${IS_HEAVY}))`,
      says: `'weights of backendRefs may be at most ${MOST_WEIGHT}: ' + variables.rules.map(r, r.?backendRefs.orValue([]).filter(b, ${IS_HEAVY}).map(b, b.name + '=' + string(b.weight)).join(', ')).filter(s, s != '').join(', ')`,
    },
    {
      when: `variables.rules.map(r, size(r.?backendRefs.orValue([]))).sum() > ${MOST_BACKENDS}`,
      says: `'a route may have at most ${MOST_BACKENDS} backendRefs, not ' + string(variables.rules.map(r, size(r.?backendRefs.orValue([]))).sum())`,
    },
    ...(judgesHosts
      ? [
          {
            when: `variables.hostnames.exists(n, ${isForeignHost('n')})`,
            says: `'hostnames must be of ' + ${ownHosts()} + ': ' + variables.hostnames.filter(n, ${isForeignHost('n')}).join(', ')`,
          },
          {
            when: "request.resource.resource == 'tlsroutes' && size(variables.hostnames) == 0",
            says: `'hostnames are missing: name some of ' + ${ownHosts()}`,
          },
        ]
      : []),
  ];
}

/** What expressions about routes call by a short name. */
export const ROUTE_VARIABLES: readonly CelVariable[] = [
  { name: 'parents', expression: 'object.spec.?parentRefs.orValue([])' },
  { name: 'rules', expression: 'object.spec.?rules.orValue([])' },
  { name: 'hostnames', expression: 'object.spec.?hostnames.orValue([])' },
];

function ownHosts(): string {
  return "(size(variables.hosts) == 0 ? '(the namespace has no host names)' : variables.hosts.join(' or '))";
}
