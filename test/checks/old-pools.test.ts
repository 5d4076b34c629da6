import { MetalLb, MetalLbVersion } from '../../src';
import { saidBy } from '../support/checked';

// Pools of older releases of MetalLB, which newer ones do not read.

const NOT_READ = 'pool-not-read';

const ADDRESS_POOL = `apiVersion: metallb.io/v1beta1
kind: AddressPool
metadata: {name: edge, namespace: metallb-system}
spec: {protocol: bgp, addresses: [192.0.2.0/28]}`;

const config = (lines: string, key = 'config') => `apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: metallb-system}
data:
  ${key}: |
${lines.replace(/^/gm, '    ')}`;

const POOLS = `address-pools:
- name: default
  protocol: layer2
  addresses:
  - 192.0.2.0/28`;

const program = (image: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: metallb-system}
spec: {template: {spec: {containers: [{name: controller, image: "${image}"}]}}}`;

const NEW_POOL = `
---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: default, namespace: metallb-system}
spec: {addresses: [192.0.2.0/28]}
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: default, namespace: metallb-system}`;

test('an AddressPool gives no addresses', () => {
  expect(saidBy(NOT_READ, ADDRESS_POOL)).toEqual([
    "warning 2: MetalLB ignores AddressPools since 0.14.0, and has no such kind since 0.14.3: Services get no address from pool 'edge'; write an IPAddressPool with these addresses, and its BGPAdvertisement",
  ]);
});

test('pools in a ConfigMap give no addresses', () => {
  expect(saidBy(NOT_READ, config(POOLS))).toEqual([
    'warning 5: MetalLB reads no ConfigMap since 0.13.0: Services get no address from the pools in it; write IPAddressPools with these addresses, and an advertisement of each',
  ]);
});

const known = (version: string) => ({ controllers: [MetalLb.layer2({ version: MetalLbVersion.of(version) })] });

test.each<[string, string, Parameters<typeof saidBy>[2], number]>([
  ['AddressPools of 0.13', ADDRESS_POOL + program('quay.io/metallb/controller:v0.13.12'), {}, 0],
  ['AddressPools of 0.14', ADDRESS_POOL + program('quay.io/metallb/controller:v0.14.5'), {}, 1],
  ['AddressPools of 0.13 by the context', ADDRESS_POOL, known('0.13.7'), 0],
  ['AddressPools of 0.14 by the context', ADDRESS_POOL, known('0.14.2'), 1],
  ['AddressPools of the first version of their API', ADDRESS_POOL.replace('v1beta1', 'v1alpha1'), {}, 1],
  ['AddressPools of another group', ADDRESS_POOL.replace('metallb.io', 'acme.example'), {}, 0],
  ['a ConfigMap of 0.12', config(POOLS) + program('metallb/controller:v0.12.1'), {}, 0],
  ['a ConfigMap of 0.13', config(POOLS) + program('metallb/controller:v0.13.2'), {}, 1],
  ['a ConfigMap beside the pools that were made of it', config(POOLS) + NEW_POOL, {}, 0],
  ['a ConfigMap of pools for something else', config('address-pools:\n- name: default'), {}, 0],
  ['a ConfigMap of Cilium', config(POOLS, 'config.yaml'), {}, 0],
  ['a ConfigMap without data', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}', {}, 0],
])('%s', (_, content, context, count) => {
  expect(saidBy(NOT_READ, content, context)).toHaveLength(count);
});
