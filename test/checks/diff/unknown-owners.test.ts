import { Folder } from './repository';

const METADATA = '{ name: web, namespace: edge }';
const service = (metadata = METADATA, more = '') => `apiVersion: v1
kind: Service
metadata: ${metadata}
spec: { type: LoadBalancer, ${more}selector: { app: web }, ports: [{ port: 80 }] }
`;
const CILIUM_CLASS = service(METADATA, 'loadBalancerClass: io.cilium/l2-announcer, ');

const workload = (name: string, image: string, env = '[]', kind = 'DaemonSet') => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: kube-system }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: '${image}', env: ${env} }] }
`;
const config = (name: string, data: string, kind = 'ConfigMap') => `apiVersion: v1
kind: ${kind}
metadata: { name: ${name}, namespace: kube-system }
data: ${data}
`;
const object = (apiVersion: string, kind: string, spec: string) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata: { name: lan, namespace: kube-system }
spec: ${spec}
`;
const pool = (stop: string) =>
  object('cilium.io/v2', 'CiliumLoadBalancerIPPool', `{ blocks: [{ start: 192.0.2.9, stop: ${stop} }] }`);
const addresses = (range: string) => object('metallb.io/v1beta1', 'IPAddressPool', `{ addresses: [${range}] }`);
const release = (chart: string, values: string) =>
  object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', `{ chart: { spec: { chart: ${chart} } }, values: ${values} }`);
const on = (value: string) => `[{ name: svc_enable, value: '${value}' }]`;

const OPEN = "kubernetes: '1.36'\n";
const NONE = 'controllers: []\n';

/** What the two sides have beside the Service, and the field that is named; nothing if the balancer is kept. */
type Case = readonly [
  title: string,
  before: string,
  after: string,
  field: string | undefined,
  service?: string,
  context?: string,
];

const CASES: readonly Case[] = [
  [
    'a pool of Cilium is cut',
    pool('192.0.2.50'),
    pool('192.0.2.39'),
    'CiliumLoadBalancerIPPool kube-system/lan, spec.blocks',
  ],
  [
    'the same, of its class',
    pool('192.0.2.50'),
    pool('192.0.2.39'),
    'CiliumLoadBalancerIPPool kube-system/lan, spec.blocks',
    CILIUM_CLASS,
  ],
  [
    'the same, with no known controller',
    pool('192.0.2.50'),
    pool('192.0.2.39'),
    'CiliumLoadBalancerIPPool kube-system/lan, spec.blocks',
    service(),
    NONE,
  ],
  ['a pool of Cilium goes', pool('192.0.2.50'), '', 'CiliumLoadBalancerIPPool kube-system/lan', CILIUM_CLASS],
  ['a pool of Cilium comes', '', pool('192.0.2.50'), 'CiliumLoadBalancerIPPool kube-system/lan', CILIUM_CLASS],
  [
    'an announcement changes',
    object('cilium.io/v2alpha1', 'CiliumL2AnnouncementPolicy', '{ externalIPs: true }'),
    object('cilium.io/v2alpha1', 'CiliumL2AnnouncementPolicy', '{ externalIPs: false }'),
    'CiliumL2AnnouncementPolicy kube-system/lan, spec.externalIPs',
  ],
  [
    'a pool of PureLB changes',
    object('purelb.io/v2', 'ServiceGroup', '{ local: { pool: a } }'),
    object('purelb.io/v2', 'ServiceGroup', '{ local: { pool: b } }'),
    'ServiceGroup kube-system/lan, spec.local.pool',
  ],
  [
    'a pool of MetalLB moves beside one of Cilium',
    `${addresses('172.28.2.0/24')}---\n${pool('192.0.2.50')}`,
    `${addresses('172.28.3.0/24')}---\n${pool('192.0.2.50')}`,
    'IPAddressPool kube-system/lan, spec.addresses',
  ],
  [
    'its announcements are switched off',
    config('cilium-config', '{ enable-l2-announcements: "true" }'),
    config('cilium-config', '{ enable-l2-announcements: "false" }'),
    'ConfigMap kube-system/cilium-config, data.enable-l2-announcements',
  ],
  [
    'another Octavia provider',
    config('cloud-config', '{ cloud.conf: lb-provider=amphora }'),
    config('cloud-config', '{ cloud.conf: lb-provider=ovn }'),
    "ConfigMap kube-system/cloud-config, data['cloud.conf']",
  ],
  [
    'the same in a Secret',
    config('cloud-config', '{ cloud.conf: YQ== }', 'Secret'),
    config('cloud-config', '{ cloud.conf: Yg== }', 'Secret'),
    "Secret kube-system/cloud-config, data['cloud.conf']",
  ],
  [
    'kube-vip no longer serves Services',
    workload('kube-vip', 'ghcr.io/kube-vip/kube-vip:v1', on('true')),
    workload('kube-vip', 'ghcr.io/kube-vip/kube-vip:v1', on('false')),
    'DaemonSet kube-system/kube-vip, variable svc_enable',
  ],
  [
    'another image of Cilium',
    workload('cilium', 'quay.io/cilium/cilium:v1.17.1'),
    workload('cilium', 'quay.io/cilium/cilium:v1.18.0'),
    'DaemonSet kube-system/cilium, image',
  ],
  [
    'another image of a controller that is not listed',
    workload('ccm', 'example.com/acme-cloud-controller-manager:1', '[]', 'Deployment'),
    workload('ccm', 'example.com/acme-cloud-controller-manager:2', '[]', 'Deployment'),
    'Deployment kube-system/ccm, image',
  ],
  ['a controller comes', '', workload('kube-vip', 'ghcr.io/kube-vip/kube-vip:v1'), 'controllers'],
  ['a controller goes', workload('kube-vip', 'ghcr.io/kube-vip/kube-vip:v1'), '', 'controllers'],
  [
    'its chart has other values',
    release('cilium', '{ l2announcements: { enabled: true } }'),
    release('cilium', '{ l2announcements: { enabled: false } }'),
    'HelmRelease kube-system/lan, spec.values.l2announcements',
  ],
  ['the pool stays', pool('192.0.2.50'), pool('192.0.2.50'), undefined],
  [
    'the status of the pool changes',
    pool('192.0.2.50'),
    `${pool('192.0.2.50')}status: { conditions: [] }\n`,
    undefined,
  ],
  ['an app changes', workload('web', 'nginx:1'), workload('web', 'nginx:2'), undefined],
  [
    'an app in the system namespace changes',
    workload('coredns', 'coredns/coredns:1'),
    workload('coredns', 'coredns/coredns:2'),
    undefined,
  ],
  ['the settings of an app change', config('settings', '{ a: b }'), config('settings', '{ a: c }'), undefined],
  ['another chart has other values', release('grafana', '{ a: b }'), release('grafana', '{ a: c }'), undefined],
  [
    'a pool of MetalLB, of a class of Cilium',
    addresses('172.28.2.0/24'),
    addresses('172.28.3.0/24'),
    undefined,
    CILIUM_CLASS,
  ],
  [
    'a pool of Cilium, with an annotation of kube-vip',
    pool('192.0.2.50'),
    pool('192.0.2.39'),
    'CiliumLoadBalancerIPPool kube-system/lan, spec.blocks',
    service('{ name: web, namespace: edge, annotations: { kube-vip.io/loadbalancerIPs: 192.0.2.9 } }'),
  ],
  [
    'a pool of Cilium, of a known owner',
    pool('192.0.2.50'),
    pool('192.0.2.39'),
    undefined,
    service(METADATA, 'loadBalancerClass: service.k8s.aws/nlb, '),
  ],
];

test.each(CASES)('%s', (_, before, after, field, web = service(), context = OPEN) => {
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/web.yaml': web,
    'new/web.yaml': web,
    ...(before && { 'old/beside.yaml': before }),
    ...(after && { 'new/beside.yaml': after }),
  });
  const { changes } = folder.json('old', 'new');
  const change = changes.find(({ title }) => title === 'edge/web');
  const causes = (change?.causes ?? []).filter(({ outcome }) => outcome !== 'kept');
  expect([change?.outcome, ...causes.map((one) => one.field)]).toEqual(
    field === undefined ? ['kept'] : ['unknown', field],
  );
  for (const cause of causes) {
    expect((cause.after ?? cause.before)?.file).toMatch(/beside\.yaml$/);
    expect(cause.needs?.length).toBe(1);
  }
  expect(folder.diff(['old', 'new', '--strict']).code).toBe(field === undefined ? 0 : 1);
});

const OCTAVIA = '{ name: web, namespace: edge, annotations: { loadbalancer.openstack.org/keep-floatingip: "true" } }';
const at = (address: string, metadata = METADATA) => service(metadata, `loadBalancerIP: ${address}, `);

test.each<[string, string, string, string]>([
  [
    'an owner that is a guess',
    OCTAVIA,
    OPEN,
    'unknown: depends on the controller: the frontend is made anew: clients have to go to the other address, unless it is openstack-cloud-controller-manager',
  ],
  [
    'an owner of a vendor that is named',
    METADATA,
    'controllers: [openstack-cloud-controller-manager]\n',
    'kept: not applied to the balancer: read if a floating IP is attached or an internal load balancer is made: a live one keeps its address',
  ],
  [
    'two controllers without a class',
    METADATA,
    'controllers: [hcloud-cloud-controller-manager, metallb]\n',
    'unknown: depends on the controller: the address is given up first, and none is assigned where the wanted one is not free; taking it out keeps the address',
  ],
])('an edit says nothing of controllers that do not run: %s', (_, metadata, context, said) => {
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/web.yaml': at('192.0.2.9', metadata),
    'new/web.yaml': at('192.0.2.10', metadata),
  });
  const [{ causes }] = folder.json('old', 'new').changes;
  expect(causes.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([said]);
});
