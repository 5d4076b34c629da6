import type { Body } from '../../real/api';
import {
  type Attack,
  attackerOf,
  ENVOY,
  everyWay,
  GATEWAY,
  MERGE,
  otherOf,
  pathOf,
  type Scenario,
  servicesOf,
  strongOf,
  tenantOf,
} from './scenarios';

const listeners = (...more: Body[]) => ({ parentRef: { group: GATEWAY, kind: 'Gateway' }, listeners: more });

export function listenerSet(scenario: Scenario, name: string | undefined, own: Body[], more: Body = {}): Body {
  const spec = listeners(...own);
  return {
    apiVersion: `${GATEWAY}/v1`,
    kind: 'ListenerSet',
    metadata: { name, ...more },
    spec: { ...spec, parentRef: { ...spec.parentRef, name: scenario, namespace: `infra-${scenario}` } },
  };
}

export const tcp = (port: number, more: Body = {}) => ({ name: `p${port}`, port, protocol: 'TCP', ...more });
const tls = (hostname: string | undefined, more: Body = {}) => ({
  name: 'tls',
  port: 443,
  protocol: 'TLS',
  hostname,
  tls: { mode: 'Passthrough' },
  ...more,
});

export function openListeners(): Attack[] {
  const scenario = 'open';
  const who = tenantOf(scenario);
  const domain = `${attackerOf(scenario)}.open.example.com`;
  const foreign = `${otherOf(scenario)}.open.example.com`;
  const sets = pathOf(`${GATEWAY}/v1`, 'listenersets', attackerOf(scenario));
  const create = (what: string, own: Body[], more: Body = {}, harmless?: string): Attack => ({
    what: `${who} creates ${what}`,
    scenario,
    who,
    harmless,
    act: (api) => api.call('POST', `${sets}?dryRun=All`, listenerSet(scenario, 'new', own, more)),
  });
  const hosts: [string, string | undefined][] = [
    ['the name of another', `api.${foreign}`],
    ['the star of another', `*.${foreign}`],
    ['the parent of all', '*.open.example.com'],
    ['its domain itself', domain],
    ['the name of another with a dot at the end', `api.${foreign}.`],
    ['the name of another in capitals', `API.${foreign}`],
    ['two stars', `*.*.${domain}`],
    ['a star in the middle', `a.*.${domain}`],
    ['a star as a part', `a*.${domain}`],
    ['an empty name', ''],
    ['no name', undefined],
    ['a star alone', '*'],
    ['a name that ends like its own', `evil${domain}`],
    ['a name with an underscore', `a_b.${domain}`],
    ['a name in Cyrillic letters', `\u0430.${domain}`],
    ['a name with a zero byte', `api.${foreign}\u0000.${domain}`],
    ['a name with a blank', `api.${foreign} .${domain}`],
    ['a name with a line end', `api.${foreign}\n.${domain}`],
    ['an address', '10.1.2.3'],
  ];
  return [
    ...hosts.map(([what, hostname]) => create(`TLS with ${what}`, [tls(hostname)])),
    create('TLS that ends on its own port', [
      { ...tls(`a.${domain}`), port: 5432, tls: { mode: 'Terminate', certificateRefs: [{ name: 'x' }] } },
    ]),
    create('TLS by a certificate of another', [
      { ...tls(`a.${domain}`), tls: { certificateRefs: [{ name: 'x', namespace: otherOf(scenario) }] } },
    ]),
    create('HTTP on its own port', [tcp(5432, { protocol: 'HTTP' })]),
    create('HTTPS on its own port', [tcp(5432, { protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'x' }] } })]),
    create('UDP on its own port', [tcp(5432, { protocol: 'UDP' })]),
    create('a protocol in small letters', [tcp(5432, { protocol: 'tcp' })]),
    create('the port of another', [tcp(5433)]),
    create('the port of the Gateway', [tcp(65_535)]),
    create('a port of its proxies', [tcp(19_001)]),
    create('the port where 443 is bound', [tcp(10_443)]),
    create('a port for run time of another', [tcp(31_010)]),
    create(
      '65 listeners',
      Array.from({ length: 65 }, (_, i) => tcp(31_000, { name: `p${i}` })),
    ),
    create('1 MiB of labels to select routes by', [
      tcp(5432, {
        allowedRoutes: {
          namespaces: {
            from: 'Selector',
            selector: {
              matchLabels: Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`k${i}`, 'x'.repeat(60)])),
            },
          },
        },
      }),
    ]),
    create(
      'an owner that is another',
      [tcp(5432)],
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'published', uid: '0', controller: true }] },
      'its own, on its own port: the hook tells by the uid',
    ),
    create(
      'listeners for routes of all namespaces',
      [tcp(5432, { allowedRoutes: { namespaces: { from: 'All' } } })],
      {},
      'routes of others are refused',
    ),
    ...['v1alpha1', 'v1alpha2', 'v1beta1'].map(
      (version): Attack => ({
        what: `${who} creates listeners of ${version}`,
        scenario,
        who,
        act: (api) =>
          api.call('POST', `${pathOf(`${GATEWAY}/${version}`, 'listenersets', attackerOf(scenario))}?dryRun=All`, {
            ...listenerSet(scenario, 'new', [tcp(5433)]),
            apiVersion: `${GATEWAY}/${version}`,
          }),
      }),
    ),
    ...everyWay(scenario, who, 'its listeners take the port of another', `${sets}/${scenario}`, (now) => ({
      ...now,
      spec: { ...now.spec, listeners: [...now.spec.listeners, tcp(5433)] },
    })),
    ...everyWay(scenario, who, 'its listeners move to another Gateway', `${sets}/${scenario}`, (now) => ({
      ...now,
      spec: { ...now.spec, parentRef: { ...now.spec.parentRef, name: 'other-gateway' } },
    })),
  ];
}

/** Routes, by whoever may all, and by the tenant where they are open to it. */
export function routes(scenario: 'envoy' | 'open'): Attack[] {
  const domain = `${scenario}.example.com`;
  const [own, foreign] = [attackerOf(scenario), otherOf(scenario)].map((namespace) => `${namespace}.${domain}`);
  const kinds: [string, string, string[]][] = [
    ['tlsroutes', 'TLSRoute', ['v1', 'v1alpha2', 'v1alpha3']],
    ...(scenario === 'open'
      ? ([
          ['tcproutes', 'TCPRoute', ['v1', 'v1alpha2']],
          ['udproutes', 'UDPRoute', ['v1', 'v1alpha2']],
        ] as [string, string, string[]][])
      : []),
    ['httproutes', 'HTTPRoute', ['v1', 'v1beta1']],
    ['grpcroutes', 'GRPCRoute', ['v1']],
  ];
  const mine = { group: GATEWAY, kind: 'ListenerSet', name: scenario };
  const theirs = { ...mine, namespace: otherOf(scenario) };
  const shared = { group: GATEWAY, kind: 'Gateway', name: scenario, namespace: `infra-${scenario}` };
  const db = { name: 'db', port: 5432 };
  return kinds.flatMap(([plural, kind, versions]) =>
    versions.flatMap((version) => {
      const isTls = kind === 'TLSRoute';
      const isOfConnections = isTls || kind === 'TCPRoute' || kind === 'UDPRoute';
      const hasHosts = isTls || kind.startsWith('HTTP') || kind.startsWith('GRPC');
      const who = isTls || (scenario === 'open' && kind === 'TCPRoute') ? tenantOf(scenario) : strongOf(scenario);
      const path = `${pathOf(`${GATEWAY}/${version}`, plural, attackerOf(scenario))}?dryRun=All`;
      const route = (what: string, spec: Body, harmless?: string): Attack => ({
        what: `${who} creates a ${kind} of ${version} ${what}`,
        scenario,
        who,
        harmless,
        act: (api) =>
          api.call('POST', path, {
            apiVersion: `${GATEWAY}/${version}`,
            kind,
            metadata: { name: 'new' },
            spec: {
              parentRefs: [mine],
              ...(hasHosts ? { hostnames: [`new.${own}`] } : {}),
              rules: [{ backendRefs: [db] }],
              ...spec,
            },
          }),
      });
      return [
        route('at the Gateway', { parentRefs: [shared] }),
        route('at the listeners of another', { parentRefs: [theirs] }),
        route('at its own and at those of another', { parentRefs: [mine, theirs] }),
        route('at the Gateway, without its kind', { parentRefs: [{ name: scenario, namespace: `infra-${scenario}` }] }),
        ...(isOfConnections
          ? [
              route('at one listener twice, with its namespace and without', {
                parentRefs: [mine, { ...mine, namespace: attackerOf(scenario) }],
              }),
              route('at one listener twice, by its name and by its port', {
                parentRefs: [
                  { ...mine, sectionName: isTls ? 'tls-443' : 'tcp-5432' },
                  { ...mine, namespace: attackerOf(scenario), port: isTls ? 443 : 5432 },
                ],
              }),
            ]
          : []),
        route('to a Service of another', { rules: [{ backendRefs: [{ ...db, namespace: otherOf(scenario) }] }] }),
        route('to a Service of the system', {
          rules: [{ backendRefs: [{ name: 'kubernetes', port: 443, namespace: 'default' }] }],
        }),
        route('to no Service', { rules: [{ backendRefs: [{ ...db, group: ENVOY, kind: 'Backend' }] }] }),
        route('to its own with a weight that overflows', { rules: [{ backendRefs: [{ ...db, weight: 1_000_000 }] }] }),
        ...(hasHosts
          ? [
              route('for the name of another', { hostnames: [`api.${foreign}`] }),
              route('for its own and the name of another', { hostnames: [`new.${own}`, `api.${foreign}`] }),
              route('for the parent of all', { hostnames: [`*.${domain}`] }),
            ]
          : []),
        ...(isTls
          ? [
              route('for every name', { hostnames: undefined }),
              route('for a name that a route of its has', { hostnames: [`api.${own}`] }),
              route('for two names of which a route of its has one', { hostnames: [`new.${own}`, `api.${own}`] }),
              route('for its name in capitals', { hostnames: [`API.${own}`] }),
              route('for the star over a name that a route of its has', { hostnames: [`*.${own}`] }),
            ]
          : []),
      ];
    }),
  );
}

/** What HAProxy reads of Services, and Services that it may not lose. */
export function haproxy(): Attack[] {
  const scenario = 'haproxy';
  const [tenant, strong] = [tenantOf(scenario), strongOf(scenario)];
  const db = `${servicesOf(scenario)}/db`;
  const keys = [
    'haproxy.org/server-ssl',
    'haproxy.com/server-ssl',
    'ingress.kubernetes.io/x',
    'cookie-persistence-no-dynamic',
    'backend-config-snippet',
    'haproxy.org/backend-config-snippet',
    'pod-maxconn',
    'haproxy.org/',
    'HAProxy.org/server-ssl',
  ];
  const byNumber = 'the controller takes a port by its number, and leads to the pods of that Service';
  const more: [what: string, change: (now: Body) => Body, harmless?: string][] = [
    [
      'its port is another',
      (now) => ({ ...now, spec: { ...now.spec, ports: [{ ...now.spec.ports[0], port: 5499 }] } }),
    ],
    ['it leads elsewhere', (now) => ({ ...now, spec: { type: 'ExternalName', externalName: 'example.com' } })],
    [
      'its port is one of UDP',
      (now) => ({ ...now, spec: { ...now.spec, ports: [{ ...now.spec.ports[0], protocol: 'UDP' }] } }),
      byNumber,
    ],
    [
      'its port is one of SCTP beside one of TCP of another number',
      (now) => ({
        ...now,
        spec: {
          ...now.spec,
          ports: [
            { ...now.spec.ports[0], protocol: 'SCTP' },
            { name: 'other', port: 5499 },
          ],
        },
      }),
      byNumber,
    ],
    [
      'it has 257 ports',
      (now) => ({
        ...now,
        spec: {
          ...now.spec,
          ports: [...now.spec.ports, ...Array.from({ length: 256 }, (_, i) => ({ name: `p${i}`, port: 6000 + i }))],
        },
      }),
    ],
  ];
  return [
    ...keys.map(
      (key): Attack => ({
        what: `${tenant} annotates its Service with ${key}`,
        scenario,
        who: tenant,
        harmless: ['HAProxy.org/server-ssl', 'ingress.kubernetes.io/x'].includes(key)
          ? 'no annotation that the controller reads'
          : undefined,
        act: (api) => api.call('PATCH', `${db}?dryRun=All`, { metadata: { annotations: { [key]: 'x' } } }, MERGE),
      }),
    ),
    ...[tenant, strong].flatMap((who) =>
      more.flatMap(([what, change, harmless]) => everyWay(scenario, who, what, db, change, { harmless }).slice(0, 4)),
    ),
    ...[tenant, strong].flatMap((who): Attack[] => [
      {
        what: `${who} deletes a Service that the platform published`,
        scenario,
        who,
        act: (api) => api.call('DELETE', `${db}?dryRun=All`),
      },
      {
        what: `${who} deletes all its Services`,
        scenario,
        who,
        act: (api) => api.call('DELETE', `${servicesOf(scenario)}?dryRun=All`),
      },
    ]),
    {
      what: `${tenant} deletes a published Service to which it gave a finalizer of the publisher`,
      scenario,
      who: tenant,
      harmless: 'it stays until it is withdrawn: no one may take the finalizer away',
      act: async (api) => {
        await api.call(
          'PATCH',
          `${servicesOf(scenario)}/db`,
          { metadata: { finalizers: ['metacontroller.io/decoratorcontroller-mine'] } },
          MERGE,
        );
        return api.call('DELETE', `${servicesOf(scenario)}/db`);
      },
    },
    ...[tenant, strong].flatMap((who): Attack[] =>
      ['', '/status'].map((below) => ({
        what: `${who} takes that finalizer away${below && ' by the status'}`,
        scenario,
        who,
        act: (api) =>
          api.call('PATCH', `${servicesOf(scenario)}/db${below}?dryRun=All`, { metadata: { finalizers: null } }, MERGE),
      })),
    ),
  ];
}
