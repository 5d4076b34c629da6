import { Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AnnotatedController,
  KubernetesVersion,
  LoadBalancerOwner,
  LoadBalancerRequest,
  MetalLb,
  MetalLbVersion,
  NodePool,
} from '../src';
import { ANNOTATION_RULES } from '../src/rules/annotation-rules';
import { definitionOf, unwrapped } from '../src/rules/controller-definition';
import { service } from './support/cases';
import { checkByRules, checkedText } from './support/checks';

const edge = NodePool.labeled({ pool: 'edge', arch: 'arm64' });
const request = new LoadBalancerRequest({ ports: [{ port: 443 }], backendNodes: edge });
const label = 'cdk8s-load-balancers/metallb-advertisement';
const nodeSelectors = [{ matchLabels: { arch: 'arm64', pool: 'edge' } }];

function host(namespace?: string) {
  const chart = new Chart(Testing.app(), 'shop', { namespace });
  return { chart, scope: new Construct(chart, 'echo') };
}

describe('the advertisement of a node pool', () => {
  test.each([
    {
      title: 'layer 2 selects the Service by label',
      controller: MetalLb.layer2({ addressPool: 'edge', interfaces: ['eth1'] }),
      kind: 'L2Advertisement',
      spec: (name: string) => ({ interfaces: ['eth1'], serviceSelectors: [{ matchLabels: { [label]: name } }] }),
    },
    {
      title: 'BGP selects the Service by label',
      controller: MetalLb.bgp({ addressPool: 'edge', peers: ['tor'], communities: ['64512:1'], localPref: 7 }),
      kind: 'BGPAdvertisement',
      spec: (name: string) => ({
        peers: ['tor'],
        communities: ['64512:1'],
        localPref: 7,
        serviceSelectors: [{ matchLabels: { [label]: name } }],
      }),
    },
    {
      title: 'an older MetalLB selects the whole address pool',
      controller: MetalLb.layer2({ addressPool: 'edge', serviceSelectors: false }),
      kind: 'L2Advertisement',
      spec: () => ({}),
    },
    {
      title: 'a version without serviceSelectors selects the whole address pool',
      controller: MetalLb.bgp({ addressPool: 'edge', version: MetalLbVersion.V0_15_3 }),
      kind: 'BGPAdvertisement',
      spec: () => ({}),
    },
    {
      title: 'a version with serviceSelectors may be told to do without',
      controller: MetalLb.bgp({ addressPool: 'edge', version: MetalLbVersion.V0_16_0, serviceSelectors: false }),
      kind: 'BGPAdvertisement',
      spec: () => ({}),
    },
  ])('$title', ({ controller, kind, spec }) => {
    const { chart, scope } = host('shop');
    controller.bind(scope, request);
    const [object] = Testing.synth(chart);
    const { name } = object.metadata;
    expect(name).toMatch(/^shop-echo-[0-9a-f]{8}$/);
    expect(object).toEqual({
      apiVersion: 'metallb.io/v1beta1',
      kind,
      metadata: { name, namespace: 'metallb-system' },
      spec: { ipAddressPools: ['edge'], nodeSelectors, ...spec(name) },
    });
  });

  test('lives in the namespace of MetalLB', () => {
    const { chart, scope } = host('shop');
    MetalLb.bgp({ addressPool: 'edge', namespace: 'net' }).bind(scope, request);
    expect(Testing.synth(chart)[0].metadata.namespace).toBe('net');
  });

  test('is made once, however often the host binds', () => {
    const { chart, scope } = host();
    const controller = MetalLb.bgp({ addressPool: 'edge' });
    expect(controller.bind(scope, request)).toEqual(controller.bind(scope, request));
    expect(Testing.synth(chart)).toHaveLength(1);
  });

  test('is named after the Service, so Services of two namespaces do not meet', () => {
    const names = ['shop', 'stage'].map((namespace) => {
      const { scope } = host(namespace);
      return MetalLb.bgp({ addressPool: 'edge' }).bind(scope, request).labels?.[label];
    });
    expect(new Set(names).size).toBe(2);
  });
});

test('MetalLB takes the class that it was installed with, whatever is wrapped around the controller', () => {
  const classed = MetalLb.layer2({ loadBalancerClass: 'example.com/metallb' });
  const controllers = [AnnotatedController.of(classed, {}, { a: 'b' })];
  const owner = LoadBalancerOwner.of(service({ loadBalancerClass: 'example.com/metallb' }), controllers);
  expect(owner.name).toBe('metallb');
});

test('a controller that was given another key cannot be shared', () => {
  expect(() => MetalLb.bgp({ allowSharedIp: 'a' }).shared('b')).toThrow("option allowSharedIp is already 'a'");
});

test.each<[string, string, MetalLbVersion | undefined, string[]]>([
  ['metallb.universe.tf', 'the newest known version', undefined, ['annotation-deprecated']],
  ['metallb.universe.tf', '0.14.9', MetalLbVersion.V0_14_9, ['annotation-deprecated']],
  ['metallb.universe.tf', '0.14.8', MetalLbVersion.V0_14_8, []],
])('what is said of annotations under %s/ to %s', (prefix, _, version, expected) => {
  const controller = MetalLb.layer2({ version });
  const kind = definitionOf(controller);
  const said = checkByRules(
    service({}, { [`${prefix}/address-pool`]: 'private' }),
    ANNOTATION_RULES,
    { kind, controller, kubernetes: KubernetesVersion.V1_36 },
    'metallb',
  );
  expect([...said.errors, ...said.warnings].map(({ ruleId }) => ruleId)).toEqual(expected);
});

test.each([
  ['v0.16.2', '0.16.2'],
  ['0.15.0-rc1', '0.15.0'],
  ['1.0.0', '1.0.0'],
])('version %s is %s', (text, version) => expect(MetalLbVersion.of(text).version).toBe(version));

test.each([
  ['0.16', "metallb: '0.16' is not a version; write it like 0.16.2"],
  ['main', "metallb: 'main' is not a version"],
  ['0.12.1', "metallb: version '0.12.1' is older than 0.13.0"],
])('version %s is refused', (text, message) => expect(() => MetalLbVersion.of(text)).toThrow(message));

test.each<[MetalLbVersion | undefined, string, string, string[]]>([
  [undefined, 'metallb.io', 'metallb.io/loadBalancerIPs', ['metallb-addresses-duplicate']],
  [MetalLbVersion.V0_14_9, 'metallb.universe.tf', 'metallb.io/loadBalancerIPs', ['metallb-addresses-duplicate']],
  [MetalLbVersion.V0_14_8, 'metallb.io', 'metallb.universe.tf/loadBalancerIPs', []],
])(
  'an address in a field counts in %p, beside an annotation under %s; better is %s',
  (version, prefix, better, ids) => {
    const asked = service({ loadBalancerIP: '10.0.0.7' }, { [`${prefix}/loadBalancerIPs`]: '10.0.0.7' });
    const { findings } = checkedText(JSON.stringify(asked), { controllers: [MetalLb.layer2({ version })] });
    expect(findings.map(({ ruleId }) => ruleId).filter((id) => id === 'metallb-addresses-duplicate')).toEqual(ids);
    const [{ remedy }] = findings.filter(({ ruleId }) => ruleId === 'load-balancer-ip-deprecated');
    expect(remedy).toBe(`write ${better}, an IP address; several separated by ','`);
  },
);

test('rules know the mode behind annotations', () => {
  const controller = AnnotatedController.of(MetalLb.layer2(), { a: 'b' });
  const kind = definitionOf(controller);
  const local = service({ externalTrafficPolicy: 'Local' });
  const { warnings } = checkByRules(
    local,
    kind?.rules ?? [],
    { kind, controller: unwrapped(controller), kubernetes: KubernetesVersion.V1_36 },
    'metallb',
  );
  expect(warnings.map(({ ruleId }) => ruleId)).toEqual(['metallb-layer2-local-policy']);
});

describe('metal lb advertisements', () => {
  const edge = [{ matchLabels: { 'node.example.com/role': 'edge' } }];
  const advertisement = (spec: unknown, kind = 'L2Advertisement', apiVersion = 'metallb.io/v1beta1') => ({
    apiVersion,
    kind,
    metadata: { name: 'x' },
    spec,
  });
  const serviceSelectors = [{ matchLabels: { app: 'echo' } }];
  const said = (...objects: object[]) =>
    MetalLb._kind.definition.restrictsNodes?.(
      service({}, { 'metallb.io/address-pool': 'edge' }, { labels: { app: 'echo' } }),
      objects,
    );

  test.each<[string, object[], string | undefined]>([
    [
      'one of several selectors, on one of several kinds of nodes',
      [
        advertisement({
          serviceSelectors: [
            { matchLabels: { app: 'web' } },
            { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
          ],
          nodeSelectors: [...edge, { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
        }),
      ],
      'L2Advertisement x: node.example.com/role=edge or zone In (a,b)',
    ],
    [
      'values that are no texts',
      [
        advertisement({
          serviceSelectors,
          nodeSelectors: [{ matchLabels: { zone: { a: 1 } }, matchExpressions: [{ key: {}, values: [null, ['b']] }] }],
        }),
      ],
      'L2Advertisement x: zone={"a":1},{} nothing (null,["b"])',
    ],
    [
      'every advertisement that adds nodes',
      [advertisement({ serviceSelectors, nodeSelectors: edge }), advertisement({})],
      'L2Advertisement x: node.example.com/role=edge; L2Advertisement x: any node',
    ],
    [
      'one of the address pool without service selectors',
      [advertisement({ ipAddressPools: ['edge'], nodeSelectors: edge })],
      'L2Advertisement x: node.example.com/role=edge',
    ],
    [
      'none of another address pool',
      [advertisement({ serviceSelectors, ipAddressPools: ['core'], nodeSelectors: edge })],
      undefined,
    ],
    ['none for other Services', [advertisement({ serviceSelectors: [{ matchLabels: { app: 'web' } }] })], undefined],
    [
      'no other kind',
      [
        advertisement({ serviceSelectors }, 'IPAddressPool'),
        advertisement({ serviceSelectors }, 'L2Advertisement', 'example.com/v1'),
      ],
      undefined,
    ],
    [
      'no garbage',
      [
        advertisement(7),
        advertisement({ serviceSelectors: 'x', ipAddressPools: ['y'] }),
        'x' as never,
        null as never,
        advertisement({ serviceSelectors: [7] }),
      ].slice(1),
      undefined,
    ],
  ])('what is said of nodes: %s', (_, objects, expected) => expect(said(...objects)).toBe(expected));
});
