import { TaintEffect } from '../../src';
import type { Json } from '../../src/contract/json';
import { isUnknown } from '../../src/traffic/fraction';
import { readNodes, readPods, readService, type TrafficNode } from '../../src/traffic/input';
import { placementOf, placementsOf } from '../../src/traffic/placement';
import { sharesOf } from '../../src/traffic/shares';
import { casesIn, table } from '../support/yaml-cases';
import { input, nodes, pods } from './inputs';

const ZONE = 'topology.kubernetes.io/zone';

function node(name: string, labels: Record<string, unknown> = {}, more: object = {}): object {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status, ...more };
}

function pod(name: string, more: { metadata?: object; spec?: object; status?: object } = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { app: 'edge' }, ...more.metadata },
    spec: { nodeName: 'n1', ...more.spec },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...more.status },
  };
}

const SERVICE = { namespace: 'shop', selector: { app: 'edge' } };

describe('of nodes', () => {
  test('name, zone, taints and exclusion are read, from a list as from one object', () => {
    const listed = {
      kind: 'List',
      items: [
        node('a1', { [ZONE]: 'a' }),
        node('b1', { [ZONE]: 'b' }, { spec: { taints: [{ key: 'x', effect: TaintEffect.NO_SCHEDULE }] } }),
      ],
    };
    const excluded = node('c1', { [ZONE]: 'c', 'node.kubernetes.io/exclude-from-external-load-balancers': '' });
    expect(readNodes([listed, excluded])).toMatchObject([
      { name: 'a1', zone: 'a', taints: [], ready: true, excluded: false },
      { name: 'b1', zone: 'b', taints: [{ key: 'x', effect: TaintEffect.NO_SCHEDULE }], excluded: false },
      { name: 'c1', zone: 'c', excluded: true },
    ]);
  });

  test.each<[string, boolean]>(casesIn(__dirname, 'reading.yaml')['the value of the excluding label excludes'])(
    'the value %j of the excluding label excludes: %s',
    (value, excluded) => {
      const label = { 'node.kubernetes.io/exclude-from-external-load-balancers': value };
      expect(readNodes([node('n1', label)])).toMatchObject([{ excluded }]);
    },
  );

  test('one without a name is a fault', () => {
    expect(readNodes([{ kind: 'Node' }])).toEqual({ unknown: 'needs the name of each node; one has no metadata.name' });
  });
});

describe('of pods', () => {
  test('those of the Service are read that are on a node and have not ended', () => {
    const objects = [
      pod('one'),
      pod('leaving', { metadata: { deletionTimestamp: '2026-11-23T00:00:00Z' } }),
      pod('not-ready', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }),
      pod('ended', { status: { phase: 'Succeeded' } }),
      pod('waiting', { spec: { nodeName: undefined } }),
      pod('other', { metadata: { labels: { app: 'other' } } }),
      pod('elsewhere', { metadata: { namespace: 'other' } }),
    ];
    expect(readPods([{ kind: 'List', items: objects }], SERVICE)).toEqual([
      { name: 'one', node: 'n1', ready: true, terminating: false },
      { name: 'leaving', node: 'n1', ready: true, terminating: true },
      { name: 'not-ready', node: 'n1', ready: false, terminating: false },
    ]);
  });

  test('none can be read for a Service without a selector', () => {
    expect(readPods([pod('one')], { namespace: 'shop', selector: {} })).toEqual({
      unknown: 'needs the selector of the Service; without one its endpoints are made by others',
    });
  });
});

describe('of a Service', () => {
  const service = (spec: object, more: object = {}) => ({ kind: 'Service', metadata: { name: 'edge' }, spec, ...more });

  test('defaults are those of the API server', () => {
    expect(readService(service({ ports: [{ port: 80 }] }))).toEqual(
      casesIn(__dirname, 'reading.yaml')['defaults are those of the API server'],
    );
  });

  test('what it says is read', () => {
    const spec = {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Local',
      trafficDistribution: 'PreferSameZone',
      sessionAffinity: 'ClientIP',
      publishNotReadyAddresses: true,
      ports: [{ port: 80 }, { port: 443 }],
      loadBalancerSourceRanges: ['10.0.0.0/8'],
    };
    expect(readService(service(spec))).toMatchObject(casesIn(__dirname, 'reading.yaml')['what it says is read']);
  });

  test('the older place of source ranges is read, and hints by cores are said not to be', () => {
    const annotations = {
      'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, 192.168.0.0/16',
      'service.kubernetes.io/topology-mode': 'Auto',
    };
    expect(readService(service({}, { metadata: { name: 'edge', namespace: 'shop', annotations } }))).toMatchObject({
      service: { name: 'shop/edge', sourceRanges: 2 },
      assumptions: [
        'service.kubernetes.io/topology-mode is assumed to have no effect: its hints depend on the cores of each zone',
      ],
    });
  });

  test.each([
    [{ ip: '192.0.2.1' }, 'vip'],
    [{ ip: '192.0.2.1', ipMode: 'Proxy' }, 'proxy'],
    [{ hostname: 'edge.example.com' }, 'host name'],
    [{}, undefined],
  ])('the status %j is reached by %s', (first, address) => {
    const found = readService(service({}, { status: { loadBalancer: { ingress: [first] } } }));
    expect(isUnknown(found) || found.address).toBe(address);
  });

  test.each([
    ['type', 'ExternalName', '(ClusterIP, NodePort, LoadBalancer)'],
    ['externalTrafficPolicy', 'local', '(Cluster, Local)'],
    ['internalTrafficPolicy', 3, '(Cluster, Local)'],
    ['trafficDistribution', 'Near', '(PreferClose, PreferSameZone, PreferSameNode)'],
  ])('%s %j has no known packets', (field, value, known) => {
    expect(readService(service({ [field]: value }))).toEqual({
      unknown: `needs a spec.${field} that packets are known for ${known}; it is ${JSON.stringify(value)}`,
    });
  });
});

test.each([
  ['no nodes', { nodes: [] }, 'needs the nodes of the cluster; the list is empty'],
  ['two nodes of one name', { nodes: nodes('n1 n2 n1') }, 'needs one entry for node n1; the list has two'],
  ['a node without a zone', { nodes: nodes('a1 n1') }, 'needs the zone of node n1; other nodes have one'],
  ['no pods', { pods: [] }, 'needs pods; the Service has none'],
  ['a pod on no node', { pods: pods('n1 n9') }, 'needs node n9 in the list of nodes; pod pod-1 runs on it'],
  ['two pods of one name', { pods: [...pods('n1'), ...pods('n2')] }, 'needs one entry for pod pod-0; the list has two'],
  ['no controller', { balancer: undefined }, 'needs the controller that serves Service shop/edge'],
])('%s: what is needed is said', (_, more, unknown) => expect(sharesOf(input(more))).toEqual({ unknown }));

describe('expected on nodes', () => {
  const EDGE = { labels: { pool: 'edge' }, taints: [{ key: 'edge', effect: TaintEffect.NO_SCHEDULE }] };
  const CLUSTER: readonly TrafficNode[] = [...nodes('a1 a2 b1'), ...nodes('a3 b2', EDGE)];
  const workload = (spec: object, replicas: unknown = 3, kind = 'Deployment') => ({
    kind,
    metadata: { name: 'edge' },
    spec: { replicas, template: { spec } },
  });

  test.each<[string, object, string, string]>(table('traffic/reading.yaml', 'expected on nodes'))(
    '%s',
    (_, object, on, said) => {
      const placement = placementOf(object, CLUSTER);
      expect(isUnknown(placement) || placement.pods.map(({ node: name }) => name).join(' ')).toBe(on);
      expect(isUnknown(placement) || placement.assumptions.join('; ')).toContain(said);
    },
  );

  test.each<[string, Json, string]>(table('traffic/reading.yaml', 'what is needed is said'))(
    '%s: what is needed is said',
    (_, object, unknown) => expect(placementOf(object, CLUSTER)).toEqual({ unknown }),
  );

  test('the pods of several workloads are together behind one Service', () => {
    const canary = { ...workload({}, 1), metadata: { name: 'canary' } };
    expect(placementsOf([workload({}, 2), canary], CLUSTER)).toMatchObject({
      pods: [{ name: 'edge-0' }, { name: 'edge-1' }, { name: 'canary-0' }],
    });
    expect(placementsOf([], CLUSTER)).toEqual({ unknown: 'needs a workload whose pods the Service selects' });
    expect(placementsOf([canary, workload({}, 0)], CLUSTER)).toHaveProperty('unknown');
  });
});
