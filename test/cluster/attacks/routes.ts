import type { Body } from '../harness/api';
import { attackerOf, otherOf, strongOf, tenantOf } from './scenarios';
import { type Attack, ENVOY, GATEWAY, pathOf } from './ways';

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
