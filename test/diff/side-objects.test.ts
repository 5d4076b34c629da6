import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/contract/json';
import { run } from '../support/command';
import { folderWith } from '../support/files';

// Effects of edits of pools and announcements of Cilium.

const folder = folderWith();

const SELECTS = 'serviceSelector: { matchLabels: { color: blue } }';
const POOL = 'blocks: [ { cidr: 10.0.10.0/24 } ]';
const L2 = `loadBalancerIPs: true, interfaces: [ eth0, eth1 ], ${SELECTS}`;
const BGP =
  'advertisements: [ { advertisementType: Service, service: { addresses: [ LoadBalancerIP ] }, selector: { matchLabels: { color: blue } } } ]';
const OTHER = 'serviceSelector: { matchLabels: { color: red } }';

test.each<[string, kind: string, before: string, after: string, layer2: string, bgp: string]>([
  ['a block is cut, and one address leaves it', 'pool', POOL, 'blocks: [ { cidr: 10.0.10.0/25 } ]', 'replaced', 'kept'],
  ['a block grows', 'pool', POOL, 'blocks: [ { cidr: 10.0.0.0/16 } ]', 'kept', 'kept'],
  ['it is disabled', 'pool', POOL, `disabled: true, ${POOL}`, 'kept', 'kept'],
  ['it is for other Services', 'pool', POOL, `${OTHER}, ${POOL}`, 'replaced', 'replaced'],
  ['it is for these Services alone', 'pool', POOL, `${SELECTS}, ${POOL}`, 'kept', 'kept'],
  [
    'it was for other Services',
    'pool',
    `${OTHER}, ${POOL}`,
    `${OTHER}, blocks: [ { cidr: 10.1.0.0/24 } ]`,
    'kept',
    'kept',
  ],
  ['it goes', 'pool', POOL, '', 'replaced', 'replaced'],
  [
    'it no longer announces addresses of load balancers',
    'policy',
    L2,
    L2.replace('true', 'false'),
    'interrupted',
    'kept',
  ],
  ['it announces on fewer interfaces', 'policy', L2, L2.replace(', eth1', ''), 'interrupted', 'kept'],
  ['it selects other Services', 'policy', L2, L2.replace('blue', 'red'), 'interrupted', 'kept'],
  ['it goes', 'policy', L2, '', 'interrupted', 'kept'],
  ['it selects other Services', 'advertisement', BGP, BGP.replace('blue', 'red'), 'kept', 'interrupted'],
  ['it goes', 'advertisement', BGP, '', 'kept', 'interrupted'],
])('%s: %s of Cilium', (_, kind, before, after, ...outcomes) => {
  const [name, version] = {
    pool: ['CiliumLoadBalancerIPPool', 'v2'],
    policy: ['CiliumL2AnnouncementPolicy', 'v2alpha1'],
    advertisement: ['CiliumBGPAdvertisement', 'v2'],
  }[kind] as [string, string];
  const serviceOf = ([title, type, ip]: readonly string[]) =>
    `{ apiVersion: v1, kind: Service, metadata: { name: ${title}, namespace: shop, labels: { color: blue } }, spec: { type: LoadBalancer, loadBalancerClass: io.cilium/${type}, selector: { a: b }, ports: [ { port: 80 } ] }, status: { loadBalancer: { ingress: [ { ip: ${ip} } ] } } }`;
  const services = [
    ['a', 'l2-announcer', '10.0.10.200'],
    ['b', 'bgp-control-plane', '10.0.10.1'],
  ].map(serviceOf);
  const [old, now] = [before, after].map((spec, i) => {
    const object = `{ apiVersion: cilium.io/${version}, kind: ${name}, metadata: { name: lan }, spec: { ${spec} } }`;
    const file = join(folder, `${i}.yaml`);
    writeFileSync(file, [...services, ...(spec === '' ? [] : [object])].join('\n---\n'));
    return file;
  });
  const { out } = run('diff', '--prune', '--controllers', 'cilium', '--format', 'json', old, now);
  const { changes } = JSON.parse(out) as { changes: Json[] };
  const found = changes.map(({ title, outcome }) => [title, outcome]).sort();
  expect(found.map(([, outcome]) => outcome)).toEqual(outcomes);
});

const [RED, FREE] = [
  'CiliumLoadBalancerIPPool: blocks: [ { cidr: 10.0.0.0/24 } ], serviceSelector: { matchLabels: { pool: red } }',
  'CiliumLoadBalancerIPPool: blocks: [ { cidr: 10.1.0.0/24 } ]',
];
const POLICY = 'CiliumL2AnnouncementPolicy: loadBalancerIPs: true, serviceSelector: { matchLabels: { l2: announced } }';

interface Manifests {
  readonly labels: string;
  readonly objects: readonly string[];
  readonly ip?: string;
  readonly type?: string;
}

function manifestsOf({ labels, objects, ip, type = 'l2-announcer' }: Manifests): string {
  const status = ip ? `, status: { loadBalancer: { ingress: [ { ip: ${ip} } ] } }` : '';
  const service = `{ apiVersion: v1, kind: Service, metadata: { name: a, namespace: shop, labels: { ${labels} } }, spec: { type: LoadBalancer, loadBalancerClass: io.cilium/${type}, selector: { a: b }, ports: [ { port: 80 } ] }${status} }`;
  const others = objects.map((text, i) => {
    const [, kind, spec] = /^(\w+): (.*)$/.exec(text) ?? [];
    return `{ apiVersion: cilium.io/v2alpha1, kind: ${kind}, metadata: { name: o${i} }, spec: { ${spec} } }`;
  });
  return [service, ...others].join('\n---\n');
}

test.each<[string, before: Manifests, after: Partial<Manifests>, outcomes: readonly string[]]>([
  [
    'the only pool no longer selects it by its labels',
    { labels: 'pool: red', objects: [RED] },
    { labels: '' },
    ['replaced metadata.labels'],
  ],
  [
    'another pool selects it',
    { labels: 'pool: red', objects: [RED, FREE], ip: '10.0.0.9' },
    { labels: '' },
    ['replaced metadata.labels'],
  ],
  [
    'its address is of the pool that still selects it',
    { labels: 'pool: red', objects: [RED, FREE], ip: '10.1.0.9' },
    { labels: '' },
    [],
  ],
  [
    'which pool its address is of is not known',
    { labels: 'pool: red', objects: [RED, FREE] },
    { labels: '' },
    ['unknown metadata.labels'],
  ],
  ['another label goes', { labels: 'pool: red, tier: a', objects: [RED] }, { labels: 'pool: red' }, []],
  ['a label comes', { labels: '', objects: [RED, FREE] }, { labels: 'pool: red' }, []],
  ['addresses of nodes come from no pool', { labels: 'pool: red', objects: [RED], type: 'node' }, { labels: '' }, []],
  [
    'no policy announces it any more',
    { labels: 'l2: announced', objects: [FREE, POLICY] },
    { labels: '' },
    ['interrupted metadata.labels'],
  ],
  [
    'another policy announces it',
    { labels: 'l2: announced', objects: [FREE, POLICY, 'CiliumL2AnnouncementPolicy: loadBalancerIPs: true'] },
    { labels: '' },
    [],
  ],
  [
    'no pool selects it, and no policy announces it',
    { labels: 'pool: red, l2: announced', objects: [RED, POLICY] },
    { labels: '' },
    ['interrupted metadata.labels', 'replaced metadata.labels'],
  ],
  [
    'the selector of the only pool is for other Services',
    { labels: 'pool: red', objects: [RED] },
    { objects: [RED.replace('red', 'blue')] },
    ['replaced CiliumLoadBalancerIPPool o0, spec.serviceSelector.matchLabels'],
  ],
  [
    'the selector and the labels change together',
    { labels: 'pool: red', objects: [RED] },
    { labels: 'pool: blue', objects: [RED.replace('red', 'blue')] },
    [],
  ],
  [
    'the selector of one pool of two is for other Services',
    { labels: 'pool: red', objects: [RED, FREE] },
    { objects: [RED.replace('red', 'blue'), FREE] },
    ['unknown CiliumLoadBalancerIPPool o0, spec.serviceSelector.matchLabels'],
  ],
])('labels and selectors of Cilium: %s', (_, before, after, outcomes) => {
  const [old, now] = [before, { ...before, ...after }].map((side, i) => {
    const file = join(folder, `labels-${i}.yaml`);
    writeFileSync(file, manifestsOf(side));
    return file;
  });
  const { out } = run('diff', '--prune', '--controllers', 'cilium', '--format', 'json', old, now);
  const { changes } = JSON.parse(out) as { changes: { causes: { outcome: string; field: string }[] }[] };
  const effects = changes.flatMap((one) => one.causes).filter(({ outcome }) => outcome !== 'kept');
  expect(effects.map(({ outcome, field }) => `${outcome} ${field}`).sort()).toEqual(outcomes);
});
