import type { Body } from '../harness/api';
import { attackerOf, otherOf, type Scenario, tenantOf } from './scenarios';
import { type Attack, everyWay, GATEWAY, pathOf } from './ways';

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
