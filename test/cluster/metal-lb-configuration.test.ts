import { Chart, Testing } from 'cdk8s';
import { NodePool } from '../../src';
import {
  MetalLbAddressPool,
  MetalLbBgpAdvertisement,
  MetalLbLayer2Advertisement,
} from '../../src/installations/metal-lb/objects';
import type { Body, Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { customResourceDefinitions, install } from './harness/custom-resources';

// What is configured in MetalLB, against the definitions of its kinds in the API server.

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  const definitions = customResourceDefinitions().filter(({ spec }) => spec.group === 'metallb.io');
  // there is no conversion webhook here; every object is written in the version that is stored
  const stored = definitions.map((definition) => ({
    ...definition,
    spec: { ...definition.spec, conversion: undefined },
  }));
  await install(plane.api, stored);
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metallb-system' } });
});

afterAll(() => plane?.stop());

function written(): Ref[] {
  const chart = new Chart(Testing.app(), 'network');
  const rack = NodePool.labeled({ rack: '1' });
  const pool = new MetalLbAddressPool(chart, 'Pool', {
    addresses: ['192.0.2.0/24', '2001:db8::/120'],
    autoAssign: false,
    avoidBuggyIps: true,
    serviceAllocation: {
      priority: 1,
      namespaces: ['a'],
      namespaceSelectors: [{ team: 'a' }],
      serviceSelectors: [{ app: 'x' }],
    },
  });
  new MetalLbLayer2Advertisement(chart, 'Arp', {
    pools: [pool],
    nodePools: [rack],
    interfaces: ['eth0'],
    serviceSelectors: [{ app: 'x' }],
  });
  new MetalLbBgpAdvertisement(chart, 'Routes', {
    pools: [pool],
    localPref: 100,
    communities: ['no-export'],
    peers: ['tor'],
    nodePools: [rack],
  });
  return Testing.synth(chart);
}

test.each(written().map((object) => [object.kind, object] as const))('%s', async (_, object) => {
  await plane.api.create(object);
  const { spec } = (await plane.api.get(object)) as Body;
  expect(spec).toMatchObject(object.spec);
});
