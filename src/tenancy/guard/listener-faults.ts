import { type CelFault, type CelVariable, celText, celTexts } from './cel';
import { isForeignHost } from './host-grants';
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
  readonly portsWayOut: string;
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
  const { gateways, protocols, tlsTermination, judgesHosts, portsWayOut } = limits;
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
    {
      when: `object.spec.listeners.exists(l, ${isOutside})`,
      says: `(size(variables.spans) == 0 ? ${celText(`the namespace has no ports: ${portsWayOut}; refused are `)} : 'listeners must have ports of ' + variables.granted + ', not ') + object.spec.listeners.filter(l, ${isOutside}).map(l, l.name + '=' + string(l.port)).join(', ')`,
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
