import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/contract/json';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { casesIn } from '../support/yaml-cases';

// Effects of edits of pools and announcements of Cilium.

const folder = folderWith();

const CASES = casesIn(__dirname, 'side-objects.yaml');

test.each<[string, kind: string, before: string, after: string, layer2: string, bgp: string]>(
  CASES['pools and announcements'],
)('%s: %s of Cilium', (_, kind, before, after, ...outcomes) => {
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

test.each<[string, before: Manifests, after: Partial<Manifests>, outcomes: readonly string[]]>(
  CASES['labels and selectors'],
)('labels and selectors of Cilium: %s', (_, before, after, outcomes) => {
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
