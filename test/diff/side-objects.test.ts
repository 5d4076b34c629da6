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
