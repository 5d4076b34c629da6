import { AwsCloudProvider, AwsLoadBalancerController, AzureCloudProvider, Gke, HetznerCloud, MetalLb } from '../../src';
import type { Outcome } from '../../src/contract/edit';
import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import { type Effect, effectAt } from '../../src/diff/effect';
import { fieldEffects } from '../../src/diff/fields';
import { pairBalancers } from '../../src/diff/pairs';
import { type SideOptions, sideOf } from './sides';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const LBC = AwsLoadBalancerController.nlb();
const AZURE = AzureCloudProvider.standard();
const METALLB = MetalLb.layer2();
const GKE = Gke.passthrough();
const HETZNER = HetznerCloud.loadBalancer();

interface Written {
  readonly spec?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ports?: string;
}

function yamlOf({ spec = '', annotations = {}, ports = '[{port: 443}]' }: Written, service: string): string {
  const lines = Object.entries(annotations).map(
    ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  annotations:${lines.length === 0 ? ' {}' : `\n${lines.join('\n')}`}
spec:
  type: LoadBalancer
${service}  selector: {app: echo}
  ports: ${ports}
${spec
  .split('\n')
  .map((line) => (line === '' ? '' : `  ${line}\n`))
  .join('')}`;
}

interface Edit extends Pick<SideOptions, 'isLive'> {
  readonly owner: ILoadBalancerController;
  readonly from?: Written;
  readonly to?: Written;
}

function causesOf({ owner, from = {}, to = {}, isLive }: Edit): Effect[] {
  const service = owner === LBC ? '  loadBalancerClass: service.k8s.aws/nlb\n' : '';
  const [before, after] = [from, to].map((written) => sideOf(yamlOf(written, service), { installed: [owner] }));
  const [pair] = pairBalancers({ ...before, isLive }, after);
  return fieldEffects(pair, { before: { ...before, isLive }, after, options: {} });
}

const IP_TARGETS = { annotations: { [`${AWS}nlb-target-type`]: 'ip' } };

const NLB = { [`${AWS}type`]: 'nlb' };
const INTERNAL = { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' };

const [CLASSIC, NETWORK] = [AwsCloudProvider.classic(), AwsCloudProvider.nlb()];
const CERTIFICATE = (name: string) => ({
  [`${AWS}ssl-cert`]: `arn:aws:acm:eu-west-1:123456789012:certificate/${name}`,
});
const LOCAL = 'externalTrafficPolicy: Local\nhealthCheckNodePort: 30000';
const DNS_LABEL = 'service.beta.kubernetes.io/azure-dns-label-name';
const SHARED = { 'metallb.io/allow-shared-ip': 'edge' };
const RANGES = { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' };

const NEWER = (spec = '') => `loadBalancerClass: networking.gke.io/l4-regional-external\n${spec}`;
const NUMBERED = (...all: number[]) => `[${all.map((port, i) => `{name: p${i}, port: ${port}}`).join(', ')}]`;
const SIX = (...more: number[]) => ({ ports: NUMBERED(1, 9, 3, 4, 5, 6, ...more) });
const IP = (last: number) => `loadBalancerIP: 192.0.2.${last}`;
const NAMED = (spec: string) => ({ annotations: { 'networking.gke.io/load-balancer-ip-addresses': 'a' }, spec });
const AT_HETZNER = (all: Readonly<Record<string, string>>) => ({
  annotations: Object.fromEntries(Object.entries(all).map(([key, to]) => [`load-balancer.hetzner.cloud/${key}`, to])),
});
const MANAGED = { 'certificate-type': 'managed', 'http-managed-certificate-domains': 'a.example.com' };
const NAMED_CERTIFICATE = (name: string) => AT_HETZNER({ ...MANAGED, 'http-managed-certificate-name': name });
const TO_LOCAL = { spec: 'externalTrafficPolicy: Local' };
const FROM = (ranges: string) => ({ spec: `loadBalancerSourceRanges: [${ranges}]` });
const SHARING = (ports: string) => ({ annotations: SHARED, ports });
const CLIENT_IP = 'sessionAffinity: ClientIP';

const BETA = 'service.beta.kubernetes.io/';
const [GROUP, MORE_IPS] = [`${BETA}azure-load-balancer-resource-group`, `${BETA}azure-additional-public-ips`];
const WITH = (key: string, value: string): Written => ({ annotations: { [key]: value } });
const SPEC = (spec: string): Written => ({ spec });
const PORT = (more: string): Written => ({ ports: `[{port: 443, ${more}}]` });
const DUAL = 'ipFamilyPolicy: PreferDualStack';

const READ = (
  [
    ['node ports', GKE, { ports: '[{port: 1, nodePort: 30000}]' }, { ports: '[{port: 1, nodePort: 30001}]' }, 'kept'],
    ['affinity of the older one', GKE, {}, { spec: CLIENT_IP }, 'interrupted'],
    ['affinity of the newer one', GKE, { spec: NEWER() }, { spec: NEWER(CLIENT_IP) }, 'unknown'],
    ['another address beside a named one', GKE, NAMED(IP(1)), NAMED(IP(2)), 'unknown'],
    ['a named address that leaves another one', GKE, NAMED(IP(1)), { spec: IP(1) }, 'replaced'],
    ['a named address that leaves none', GKE, NAMED(''), {}, 'kept'],
    ['a port within the range', GKE, SIX(), SIX(7), 'kept'],
    ['a port beyond the range', GKE, SIX(), SIX(10), 'interrupted'],
    ['a port of few', GKE, { ports: NUMBERED(1, 9) }, { ports: NUMBERED(1, 9, 3) }, 'interrupted'],
    ['one more port of an address of its own', METALLB, { ports: NUMBERED(1) }, { ports: NUMBERED(1, 9) }, 'kept'],
    ['one more port of a shared address', METALLB, SHARING(NUMBERED(1)), SHARING(NUMBERED(1, 9)), 'unknown'],
    ['a key of sharing that goes', METALLB, SHARING(NUMBERED(1)), { ports: NUMBERED(1) }, 'replaced'],
    ['fewer ranges', LBC, FROM('10.0.0.0/8, 192.168.0.0/16'), FROM('10.0.0.0/8'), 'interrupted'],
    ['wider ranges', LBC, FROM('10.1.0.0/16'), FROM('192.168.0.0/16, 10.0.0.0/8'), 'kept'],
    ['the order of ranges', LBC, FROM('10.0.0.0/8, 192.168.0.0/16'), FROM('192.168.0.0/16, " 10.0.0.0/8"'), undefined],
    ['policy Local', METALLB, {}, TO_LOCAL, 'interrupted'],
    ['policy Local', LBC, {}, TO_LOCAL, 'interrupted'],
    ['policy Local, where pods are the targets', LBC, IP_TARGETS, { ...IP_TARGETS, ...TO_LOCAL }, 'kept'],
    ['policy Cluster, where pods are the targets', LBC, { ...IP_TARGETS, ...TO_LOCAL }, IP_TARGETS, 'kept'],
    ['policy Cluster', HETZNER, TO_LOCAL, {}, 'kept'],
    ['policy Local', HETZNER, {}, TO_LOCAL, 'interrupted'],
    ['families', HETZNER, {}, { spec: 'ipFamilyPolicy: PreferDualStack' }, 'kept'],
    ['the first managed certificate, with a name', HETZNER, {}, NAMED_CERTIFICATE('a'), 'kept'],
    ['another name of it', HETZNER, NAMED_CERTIFICATE('a'), NAMED_CERTIFICATE('b'), 'refused'],
    ['a private address', HETZNER, {}, AT_HETZNER({ 'private-ipv4': '10.0.0.4' }), 'interrupted'],
  ] as const
).map(([what, owner, from, to, outcome]) => [`${owner.name}: ${what}`, { owner, from, to }, outcome] as const);

test.each(READ)('%s', (_, edit, outcome) => {
  const outcomes = causesOf(edit).map((one) => one.outcome);
  expect(outcomes.sort().at(-1)).toBe(outcome);
});

const AT_AWS = (all: Readonly<Record<string, string>>, protocol = 'TCP') => ({
  annotations: Object.fromEntries(Object.entries(all).map(([key, to]) => [`${AWS}${key}`, to])),
  ports: `[{name: https, port: 443, protocol: ${protocol}}, {name: http, port: 80, protocol: ${protocol}}]`,
});
const TLS = (ports: string) => AT_AWS({ 'ssl-cert': 'arn:aws:acm:eu-west-1:1:certificate/a', 'ssl-ports': ports });
const TLS_OF_NLB = (ports: string) => {
  const { annotations, ...rest } = TLS(ports);
  return { ...rest, annotations: { ...annotations, ...NLB } };
};
const PODS = (attributes: string, protocol?: string) =>
  AT_AWS({ 'nlb-target-type': 'ip', 'target-group-attributes': attributes }, protocol);
const QUIC = (ports: string) => AT_AWS({ 'nlb-target-type': 'ip', 'quic-enabled-ports': ports }, 'UDP');
const [HEADER, PRESERVED] = ['proxy_protocol_v2.enabled', 'preserve_client_ip.enabled'];
const BACKEND = (value: string, more = {}) => AT_AWS({ 'manage-backend-security-group-rules': value, ...more });
const OWN_GROUPS = { 'security-groups': 'sg-1' };
const IPS = 'metallb.io/loadBalancerIPs';
const AT_AZURE = (key: string, value: string) => WITH(`${BETA}azure-${key}`, value);

const SPELLINGS = (
  [
    ['ports with TLS, by name', LBC, TLS('443'), TLS('https'), 'kept'],
    ['all ports with TLS', LBC, TLS('80,443'), AT_AWS({ 'ssl-cert': 'arn:aws:acm:eu-west-1:1:certificate/a' }), 'kept'],
    ['other ports with TLS', LBC, TLS('443'), TLS('http'), 'interrupted'],
    ['ports with TLS that are not there', LBC, TLS('443'), TLS('https, dns'), 'refused'],
    ['ports with TLS, by name', NETWORK, TLS_OF_NLB('443'), TLS_OF_NLB('https'), 'kept'],
    ['all ports with TLS', NETWORK, TLS_OF_NLB('http,443'), TLS_OF_NLB('*'), 'kept'],
    ['all ports with TLS', CLASSIC, TLS('443,80'), TLS('*'), 'kept'],
    ['a blank before a port with TLS', CLASSIC, TLS('443,80'), TLS('443, 80'), 'refused'],
    ['ports with QUIC, by name', LBC, QUIC('443,80'), QUIC('http, https'), 'kept'],
    ['fewer ports with QUIC', LBC, QUIC('443,80'), QUIC('http'), 'interrupted'],
    [
      'the header as an attribute',
      LBC,
      AT_AWS({ 'proxy-protocol': '*' }),
      AT_AWS({ 'target-group-attributes': `${HEADER}=true` }),
      'kept',
    ],
    [
      'the header for each port',
      LBC,
      AT_AWS({ 'proxy-protocol-per-target-group': '443, 80' }),
      AT_AWS({ 'proxy-protocol': '*' }),
      'kept',
    ],
    [
      'the header for one more port',
      LBC,
      AT_AWS({ 'proxy-protocol-per-target-group': '443' }),
      AT_AWS({ 'proxy-protocol': '*' }),
      'interrupted',
    ],
    [
      'no header, as by default',
      NETWORK,
      AT_AWS({ type: 'nlb' }),
      AT_AWS({ type: 'nlb', 'target-group-attributes': `${HEADER}=false` }),
      'kept',
    ],
    [
      'the address of nodes, as by default',
      LBC,
      PODS('stickiness.enabled=true'),
      PODS(`stickiness.enabled=true, ${PRESERVED}=false`),
      'kept',
    ],
    [
      'the address of clients of UDP, as by default',
      LBC,
      PODS('stickiness.enabled=true', 'UDP'),
      PODS(`${PRESERVED}=true`, 'UDP'),
      'kept',
    ],
    ['the address of clients', LBC, PODS('stickiness.enabled=true'), PODS(`${PRESERVED}=true`), 'interrupted'],
    [
      'the default of targets that are not named',
      LBC,
      AT_AWS({}),
      AT_AWS({ 'target-group-attributes': `${PRESERVED}=true` }),
      'unknown',
    ],
    ['rules of nodes beside the group of the controller', LBC, AT_AWS({}), BACKEND('false'), 'kept'],
    ['no rules of nodes, as by default', LBC, AT_AWS(OWN_GROUPS), BACKEND('false', OWN_GROUPS), 'kept'],
    ['rules of nodes that go', LBC, BACKEND('true', OWN_GROUPS), BACKEND('false', OWN_GROUPS), 'interrupted'],
    ['TLS to pods that no listener asks for', LBC, AT_AWS({}), AT_AWS({ 'backend-protocol': 'ssl' }), 'kept'],
    [
      'the order of groups',
      CLASSIC,
      AT_AWS({ 'security-groups': 'sg-a,sg-b' }),
      AT_AWS({ 'security-groups': 'sg-b, sg-a' }),
      'kept',
    ],
    ['an address of IPv6 in full', METALLB, WITH(IPS, '2001:db8::1'), WITH(IPS, '2001:0DB8:0:0::1'), 'kept'],
    ['another address of IPv6', METALLB, WITH(IPS, '2001:db8::1'), WITH(IPS, '2001:db8::2'), 'replaced'],
    ['capitals of a public IP', AZURE, AT_AZURE('pip-name', 'Edge'), AT_AZURE('pip-name', 'edge'), 'kept'],
    ['capitals of a resource group', AZURE, WITH(GROUP, 'Edge'), WITH(GROUP, 'EDGE'), 'kept'],
    ['another resource group', AZURE, WITH(GROUP, 'Edge'), WITH(GROUP, 'EDGE-2'), 'orphaned'],
  ] as const
).map(([what, owner, from, to, outcome]) => [`${owner.name}: ${what}`, { owner, from, to }, outcome] as const);

test.each(SPELLINGS)('%s', (_, edit, outcome) => {
  expect([...new Set(causesOf(edit).map((one) => one.outcome))]).toEqual([outcome]);
});

test('the certificate that the ports had is left for a managed one, and that one stays when it is asked for no more', () => {
  const https = { protocol: 'https' };
  const [uploaded, managed] = [
    { ...https, 'http-certificates': '1' },
    { ...https, ...MANAGED },
  ].map(AT_HETZNER);
  const whys = (from: Written, to: Written) => causesOf({ owner: HETZNER, from, to }).map(({ why }) => why);
  expect(whys(uploaded, managed)).toContain('the ports get the managed certificate');
  expect(whys(managed, AT_HETZNER(https)).join()).toContain('the ports keep the managed certificate');
});

const CASES: readonly (readonly [string, Edit, readonly (readonly [string, Outcome])[]])[] = [
  ['nothing', { owner: LBC }, []],
  ...(
    [
      ['a scheme', LBC, {}, WITH(`${AWS}scheme`, 'internet-facing'), 'replaced'],
      ['the name of a live balancer', LBC, {}, WITH(`${AWS}name`, 'echo'), 'kept'],
      ['a value that is refused', LBC, {}, WITH(`${AWS}scheme`, 'public'), 'refused'],
      ['an annotation of another controller', METALLB, {}, WITH(`${AWS}scheme`, 'internal'), 'kept'],
      ['an unknown annotation under the prefix of the owner', METALLB, {}, WITH('metallb.io/shiny', 'yes'), 'unknown'],
      ['a key of sharing that comes: nobody shared it', METALLB, {}, WITH('metallb.io/allow-shared-ip', 'a'), 'kept'],
      ['a node port without traffic', METALLB, {}, PORT('nodePort: 30443'), 'kept', 'spec.ports[0].nodePort'],
      ['a target by its name', LBC, {}, PORT('targetPort: http'), 'interrupted', 'spec.ports[0].targetPort'],
      [
        'a value that the API server refuses',
        LBC,
        {},
        PORT('targetPort: "443"'),
        'refused',
        'spec.ports[0].targetPort',
      ],
      ['UDP at a Classic balancer', CLASSIC, {}, PORT('protocol: UDP'), 'refused', 'spec.ports[0].protocol'],
      ['the first family', LBC, SPEC('ipFamilies: [IPv4]'), SPEC('ipFamilies: [IPv6]'), 'refused'],
      ['the cluster IP', LBC, SPEC('clusterIP: 10.0.0.1'), SPEC('clusterIP: 10.0.0.2'), 'refused'],
      ['session affinity that is refused', NETWORK, {}, SPEC(CLIENT_IP), 'refused'],
      ['a type that the API server refuses', LBC, {}, SPEC('externalTrafficPolicy: 5'), 'refused'],
      ['two families that stay', LBC, SPEC('ipFamilyPolicy: RequireDualStack'), SPEC(DUAL), 'kept'],
      ['a second family', AZURE, {}, SPEC(DUAL), 'kept'],
      ['a second family that goes', AZURE, SPEC(DUAL), {}, 'orphaned'],
      [
        'a second family after IPv6',
        AZURE,
        SPEC('ipFamilies: [IPv6]'),
        SPEC(`${DUAL}\nipFamilies: [IPv6, IPv4]`),
        'unknown',
        'spec.ipFamilyPolicy',
      ],
      ['a port without a rule', AZURE, {}, WITH(`${BETA}port_443_no_lb_rule`, 'true'), 'interrupted'],
      ['a port with a rule again', AZURE, WITH(`${BETA}port_443_no_lb_rule`, 'true'), {}, 'kept'],
      ['no label of DNS', AZURE, WITH(DNS_LABEL, 'edge'), {}, 'kept'],
      ['an empty label of DNS', AZURE, WITH(DNS_LABEL, 'edge'), WITH(DNS_LABEL, ''), 'interrupted'],
      ['no IP tags', AZURE, WITH(`${BETA}azure-pip-ip-tags`, 'a=b'), {}, 'kept'],
      [
        'other IP tags',
        AZURE,
        WITH(`${BETA}azure-pip-ip-tags`, 'a=b'),
        WITH(`${BETA}azure-pip-ip-tags`, 'a=c'),
        'replaced',
      ],
      ['another group', AZURE, WITH(GROUP, 'a'), WITH(GROUP, 'b'), 'orphaned'],
      ['more addresses', AZURE, WITH(MORE_IPS, '192.0.2.1'), WITH(MORE_IPS, '192.0.2.1,192.0.2.2'), 'kept'],
      ['no more addresses', AZURE, WITH(MORE_IPS, '192.0.2.1'), {}, 'interrupted'],
      [
        'no rules of a security group',
        AZURE,
        {},
        WITH(`${BETA}azure-disable-load-balancer-nsg-rule`, 'true'),
        'interrupted',
      ],
      ['rules of a security group', AZURE, WITH(`${BETA}azure-disable-load-balancer-nsg-rule`, 'true'), {}, 'kept'],
    ] as const
  ).map(([what, owner, from, to, outcome, field]): (typeof CASES)[number] => {
    const [{ annotations = {}, spec = '' }] = [from, to].filter((one) => Object.keys(one).length > 0) as Written[];
    const [key = `spec.${spec.split(':')[0]}`] = Object.keys(annotations);
    return [`${owner.name}: ${what}`, { owner, from, to }, [[field ?? key, outcome]]];
  }),
  [
    'a value in another spelling',
    {
      owner: LBC,
      from: { annotations: { [`${AWS}proxy-protocol-per-target-group`]: '443, 8443' } },
      to: { annotations: { [`${AWS}proxy-protocol-per-target-group`]: '443,8443' } },
    },
    [],
  ],
  [
    'the default of an annotation',
    { owner: AZURE, to: { annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'false' } } },
    [],
  ],
  [
    'what is the default unless a flag says otherwise',
    { owner: LBC, to: { annotations: { [`${AWS}nlb-target-type`]: 'instance' } } },
    [[`${AWS}nlb-target-type`, 'unknown']],
  ],
  ['an annotation of nobody', { owner: METALLB, to: { annotations: { 'example.com/checksum': 'a1' } } }, []],
  [
    'the newer spelling of an annotation',
    {
      owner: METALLB,
      from: { annotations: { 'metallb.universe.tf/address-pool': 'edge' } },
      to: { annotations: { 'metallb.io/address-pool': 'edge' } },
    },
    [],
  ],
  [
    'the order of ports',
    {
      owner: LBC,
      from: { ports: '[{name: a, port: 80}, {name: b, port: 443}]' },
      to: { ports: '[{name: b, port: 443, protocol: TCP, targetPort: 443}, {targetPort: 80, port: 80, name: a}]' },
    },
    [],
  ],
  ['the number of a port', { owner: LBC, to: { ports: '[{port: 8443}]' } }, [['spec.ports[0].port', 'interrupted']]],
  [
    'a port that goes',
    {
      owner: LBC,
      from: { ports: '[{name: a, port: 80}, {name: b, port: 443}]' },
      to: { ports: '[{name: b, port: 443}]' },
    },
    [['spec.ports[0]', 'interrupted']],
  ],
  [
    'one more port',
    {
      owner: LBC,
      from: { ports: '[{name: a, port: 80}]' },
      to: { ports: '[{name: b, port: 443}, {name: a, port: 80}]' },
    },
    [['spec.ports[0]', 'kept']],
  ],
  [
    'the name of a port',
    { owner: LBC, from: { ports: '[{name: a, port: 80}]' }, to: { ports: '[{name: b, port: 80}]' } },
    [['spec.ports[0].name', 'kept']],
  ],
  [
    'a target that is the number of the port anyway',
    { owner: LBC, from: { ports: '[{port: 80, targetPort: 80}]' }, to: { ports: '[{port: 80}]' } },
    [],
  ],
  [
    'a node port that is written out',
    { owner: LBC, to: { ports: '[{port: 443, nodePort: 30443}]' } },
    [['spec.ports[0].nodePort', 'unknown']],
  ],
  [
    'a node port that a live Service has',
    { owner: LBC, isLive: true, from: { ports: '[{port: 443, nodePort: 30443}]' }, to: { ports: '[{port: 443}]' } },
    [],
  ],
  ['the default policy', { owner: LBC, to: { spec: 'externalTrafficPolicy: Cluster' } }, []],
  [
    'the policy with other targets',
    { owner: LBC, from: IP_TARGETS, to: { spec: 'externalTrafficPolicy: Local' } },
    [
      ['spec.externalTrafficPolicy', 'interrupted'],
      [`${AWS}nlb-target-type`, 'interrupted'],
    ],
  ],
  [
    'a node port and labels of nodes, where pods are the targets',
    {
      owner: LBC,
      from: { ...IP_TARGETS, ports: '[{port: 443, nodePort: 30443}]' },
      to: {
        annotations: { ...IP_TARGETS.annotations, [`${AWS}target-node-labels`]: 'pool=edge' },
        ports: '[{port: 443, nodePort: 30444}]',
      },
    },
    [
      ['spec.ports[0].nodePort', 'kept'],
      [`${AWS}target-node-labels`, 'kept'],
    ],
  ],
  [
    'all defaults',
    {
      owner: LBC,
      to: {
        spec: `externalTrafficPolicy: Cluster
internalTrafficPolicy: Cluster
sessionAffinity: None
ipFamilyPolicy: SingleStack
allocateLoadBalancerNodePorts: true
publishNotReadyAddresses: false
loadBalancerSourceRanges: []
loadBalancerIP: ""`,
      },
    },
    [],
  ],
  [
    'what the API server fills in',
    {
      owner: LBC,
      isLive: true,
      from: {
        spec: `clusterIP: 10.0.0.1
clusterIPs: [10.0.0.1]
ipFamilies: [IPv4]
ipFamilyPolicy: SingleStack
externalTrafficPolicy: Local
healthCheckNodePort: 31000`,
      },
      to: { spec: 'externalTrafficPolicy: Local' },
    },
    [],
  ],
  [
    'the health check node port',
    {
      owner: LBC,
      from: { spec: 'externalTrafficPolicy: Local\nhealthCheckNodePort: 31000' },
      to: { spec: 'externalTrafficPolicy: Local\nhealthCheckNodePort: 31001' },
    },
    [['spec.healthCheckNodePort', 'refused']],
  ],
  ...(
    [
      ['of UDP at a Classic balancer', AwsCloudProvider.classic(), {}, 'UDP', 444, 'refused'],
      ['of UDP beside TCP at a Network balancer', AwsCloudProvider.nlb(), NLB, 'UDP', 444, 'refused'],
      ['of TCP at a Network balancer', AwsCloudProvider.nlb(), NLB, 'TCP', 444, 'kept'],
      ['of SCTP at a public balancer of Azure', AZURE, {}, 'SCTP', 444, 'refused'],
      ['of SCTP at an internal balancer of Azure', AZURE, INTERNAL, 'SCTP', 444, 'kept'],
      ['of SCTP', LBC, {}, 'SCTP', 444, 'refused'],
      ['of UDP', LBC, {}, 'UDP', 444, 'kept'],
      ['of UDP at the number of another one', LBC, {}, 'UDP', 443, 'interrupted'],
      ['of UDP at Hetzner', HETZNER, {}, 'UDP', 444, 'kept'],
    ] as const
  ).map(([what, owner, annotations, protocol, port, outcome]): (typeof CASES)[number] => [
    `a port ${what}`,
    {
      owner,
      from: { annotations, ports: '[{name: a, port: 443}]' },
      to: { annotations, ports: `[{name: a, port: 443}, {name: b, port: ${port}, protocol: ${protocol}}]` },
    },
    [['spec.ports[1]', outcome]],
  ]),
  ...(
    [
      ['PROXY protocol', CLASSIC, {}, { [`${AWS}proxy-protocol`]: '*' }, 'interrupted'],
      ['PROXY protocol by an annotation of Classic ones', NETWORK, {}, { [`${AWS}proxy-protocol`]: '*' }, 'kept'],
      ['a first extra group', CLASSIC, {}, { [`${AWS}extra-security-groups`]: 'sg-1' }, 'kept'],
      ['no extra group', CLASSIC, { [`${AWS}extra-security-groups`]: 'sg-1' }, {}, 'interrupted'],
      ['an extra group', NETWORK, {}, { [`${AWS}extra-security-groups`]: 'sg-1' }, 'refused'],
      ['other groups', CLASSIC, {}, { [`${AWS}security-groups`]: 'sg-1' }, 'interrupted'],
      ['other groups', NETWORK, {}, { [`${AWS}security-groups`]: 'sg-1' }, 'unknown'],
      ['another certificate', CLASSIC, CERTIFICATE('a'), CERTIFICATE('b'), 'interrupted'],
      ['another certificate', NETWORK, CERTIFICATE('a'), CERTIFICATE('b'), 'kept'],
      ['a first certificate', NETWORK, {}, CERTIFICATE('b'), 'refused'],
      ['another interval', CLASSIC, {}, { [`${AWS}healthcheck-interval`]: '20' }, 'kept'],
      ['another interval', NETWORK, {}, { [`${AWS}healthcheck-interval`]: '30' }, 'interrupted'],
      ['other subnets', CLASSIC, {}, { [`${AWS}subnets`]: 'subnet-1' }, 'interrupted'],
      ['other subnets', NETWORK, {}, { [`${AWS}subnets`]: 'subnet-1' }, 'kept'],
      ['what is public already', CLASSIC, {}, { [`${AWS}internal`]: 'false' }, 'kept'],
    ] as const
  ).map(([what, owner, old, now, outcome]): (typeof CASES)[number] => {
    const type = owner === NETWORK ? NLB : {};
    return [
      `${what} at a ${owner === NETWORK ? 'Network' : 'Classic'} balancer`,
      { owner, from: { annotations: { ...type, ...old } }, to: { annotations: { ...type, ...now } } },
      [[Object.keys({ ...old, ...now })[0], outcome]],
    ];
  }),
  ...(
    [
      ['pip-name', 'edge', 'replaced', 'kept'],
      ['load-balancer-resource-group', 'edge', 'replaced', 'kept'],
      ['load-balancer-internal-subnet', 'edge', 'kept', 'replaced'],
    ] as const
  ).flatMap(([name, value, ofPublic, ofInternal]): (typeof CASES)[number][] =>
    [['a public', {}, ofPublic] as const, ['an internal', INTERNAL, ofInternal] as const].map(
      ([which, annotations, outcome]) => [
        `${name} at ${which} balancer of Azure`,
        {
          owner: AZURE,
          from: { annotations },
          to: { annotations: { ...annotations, [`service.beta.kubernetes.io/azure-${name}`]: value } },
        },
        [[`service.beta.kubernetes.io/azure-${name}`, outcome]],
      ],
    ),
  ),
  [
    'the port for health checks is left where nothing needs it',
    { owner: AZURE, from: { spec: LOCAL }, to: { spec: LOCAL.replace('Local', 'Cluster') } },
    [['spec.externalTrafficPolicy', 'interrupted']],
  ],
  [
    'another port for health checks comes where nothing needs it',
    { owner: AZURE, from: { spec: LOCAL }, to: { spec: 'healthCheckNodePort: 30001' } },
    [['spec.healthCheckNodePort', 'refused']],
  ],
  [
    'a traffic policy that others who have the address do not have',
    {
      owner: METALLB,
      from: { annotations: SHARED },
      to: { annotations: SHARED, spec: 'externalTrafficPolicy: Local' },
    },
    [['spec.externalTrafficPolicy', 'replaced']],
  ],
  [
    'ranges in the spec that were in an annotation',
    { owner: CLASSIC, from: { annotations: RANGES }, to: { spec: 'loadBalancerSourceRanges: [10.0.0.0/8]' } },
    [
      ['spec.loadBalancerSourceRanges', 'kept'],
      [Object.keys(RANGES)[0], 'kept'],
    ],
  ],
  [
    'ranges of an annotation that is not read beside those of the spec',
    {
      owner: CLASSIC,
      from: { annotations: RANGES, spec: 'loadBalancerSourceRanges: [192.168.0.0/16]' },
      to: { spec: 'loadBalancerSourceRanges: [192.168.0.0/16]' },
    },
    [[Object.keys(RANGES)[0], 'kept']],
  ],
  ...(
    [
      ['at instance targets', LBC, {}, '', 'refused'],
      ['at instance targets, with one of its own', LBC, {}, ', nodePort: 30001', 'kept'],
      ['at pods', LBC, IP_TARGETS.annotations, '', 'kept'],
      ['at a Classic balancer', CLASSIC, {}, '', 'kept'],
      ['at Hetzner', HETZNER, {}, '', 'unknown'],
    ] as const
  ).map(([what, owner, annotations, nodePort, outcome]): (typeof CASES)[number] => {
    const spec = 'allocateLoadBalancerNodePorts: false';
    const old = '{name: a, port: 443, nodePort: 30000}';
    return [
      `a port without a node port ${what}`,
      {
        owner,
        from: { annotations, spec, ports: `[${old}]` },
        to: { annotations, spec, ports: `[${old}, {name: b, port: 444${nodePort}}]` },
      },
      [['spec.ports[1]', outcome]],
    ];
  }),
];

test.each(CASES)('%s', (_, edit, expected) => {
  expect(causesOf(edit).map(({ field, outcome }) => [field, outcome])).toEqual(expected);
});

test('every cause says why and where, and what is lost has a remedy', () => {
  for (const cause of CASES.flatMap(([, edit]) => causesOf(edit))) {
    expect(cause.why).toMatch(/^\S.{4,300}[^.\s]$/);
    expect(cause.path.length).toBeGreaterThan(0);
    expect(cause.outcome === 'unknown').toBe(cause.needs !== undefined);
    if (!['kept', 'unknown'].includes(cause.outcome)) {
      expect(cause.remedy).toMatch(/^\S.*[^.\s]$/);
      expect(cause.source?.file).toMatch(/\S/);
    }
  }
});

function besides(from: Written, to: Written, other: Written): Effect[] {
  const another = yamlOf(other, '').replace('name: echo', 'name: other');
  const [before, after] = [from, to].map((written) =>
    sideOf(`${yamlOf(written, '')}---\n${another}`, { installed: [AZURE] }),
  );
  return pairBalancers(before, after).flatMap((pair) => fieldEffects(pair, { before, after, options: {} }));
}

const PIP = { 'service.beta.kubernetes.io/azure-pip-name': 'shared' };

test('a port of a shared frontend belongs to one Service', () => {
  const mine = { annotations: PIP, ports: '[{name: a, port: 80}]' };
  const more = { annotations: PIP, ports: '[{name: a, port: 80}, {name: b, port: 443}]' };
  const taken = besides(mine, more, { annotations: PIP });
  expect(taken.map(({ field, outcome }) => [field, outcome])).toEqual([
    ['spec.ports[1]', 'kept'],
    ['service.beta.kubernetes.io/azure-pip-name', 'refused'],
  ]);
  expect(taken[1].why).toContain('edge/other');
  expect(besides(mine, more, { annotations: PIP, ports: '[{port: 8443}]' })).toHaveLength(1);
});

test('who leaves a shared frontend gets another address, and those that stay keep theirs', () => {
  const causes = besides({ annotations: PIP, ports: '[{port: 80}]' }, { ports: '[{port: 80}]' }, { annotations: PIP });
  expect(causes.map(({ field, outcome }) => [field, outcome])).toEqual([[Object.keys(PIP)[0], 'replaced']]);
});

test('without an owner an annotation is kept by nobody', () => {
  const annotations = { [`${AWS}attributes`]: 'a=b', 'example.com/note': 'x' };
  const [before, after] = [{}, { annotations }].map((written) => sideOf(yamlOf(written, '')));
  const causes = fieldEffects(pairBalancers(before, after)[0], { before, after, options: {} });
  expect(causes.map(({ field, outcome }) => [field, outcome])).toEqual([
    ['example.com/note', 'unknown'],
    [`${AWS}attributes`, 'unknown'],
  ]);
  expect(causes[0].needs?.join()).toContain('belongs to whichever runs in the cluster');
});

test('without an owner what Kubernetes itself does is known', () => {
  const [before, after] = [{ ports: '[{port: 80}]' }, { ports: '[{port: 81}]' }].map((written) =>
    sideOf(yamlOf(written, '')),
  );
  const [cause] = fieldEffects(pairBalancers(before, after)[0], { before, after, options: {} });
  expect(cause).toMatchObject({ outcome: 'interrupted', whom: 'clients of port 80', from: '80', to: '81' });
});

test('with traffic policy Local it lasts until the nodes without a pod have failed their health checks', () => {
  const [cause] = causesOf({ owner: LBC, to: { spec: 'externalTrafficPolicy: Local' } });
  expect(cause.lasts).toMatch(/^up to \d+ s$/);
});

test('a version that does not read an annotation ignores it', () => {
  const owner = AwsLoadBalancerController._installedNlb({}, '2.8.0');
  const service = '  loadBalancerClass: service.k8s.aws/nlb\n';
  const annotations = { [`${AWS}minimum-load-balancer-capacity`]: 'CapacityUnits=100' };
  const [before, after] = [{}, { annotations }].map((written) =>
    sideOf(yamlOf(written, service), { installed: [owner] }),
  );
  const [cause] = fieldEffects(pairBalancers(before, after)[0], { before, after, options: {} });
  expect(cause).toMatchObject({ outcome: 'kept', why: expect.stringContaining('the installed version ignores it') });
});

test('what others have written on a live Service stays', () => {
  const last = JSON.stringify({ metadata: { annotations: {} }, spec: {} });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last, [`${AWS}scheme`]: 'internet-facing' };
  expect(causesOf({ owner: LBC, isLive: true, from: { annotations } })).toEqual([]);
});

test('a port that no pod has answers nobody', () => {
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: { name: echo, namespace: edge }
spec:
  template:
    metadata: { labels: { app: echo } }
    spec: { containers: [{ name: echo, ports: [{ name: http, containerPort: 80 }] }] }
`;
  const [before, after] = ['http', 'web'].map((target) =>
    sideOf(`${yamlOf({ ports: `[{port: 80, targetPort: ${target}}]` }, '')}---\n${pods}`, { installed: [METALLB] }),
  );
  const [cause] = fieldEffects(pairBalancers(before, after)[0], { before, after, options: {} });
  expect(cause).toMatchObject({
    outcome: 'interrupted',
    why: expect.stringContaining("the pod's port 'web', which no"),
  });
});

test('external-dns takes a name away that is no longer there', () => {
  const of = (name: string) => ({ annotations: { 'external-dns.alpha.kubernetes.io/hostname': name } });
  expect(causesOf({ owner: METALLB, from: of('a.example.com'), to: of('b.example.com') })[0]).toMatchObject({
    outcome: 'interrupted',
    whom: 'clients of a.example.com',
  });
  expect(
    causesOf({ owner: METALLB, from: of('a.example.com'), to: of('b.example.com,a.example.com') })[0].outcome,
  ).toBe('kept');
});

test('a difference of long values is in the part of them that is shown', () => {
  const long = (end: string) => `arn:aws:acm:eu-west-1:123456789012:certificate/${'1'.repeat(40)}-${end}`;
  const { from, to } = effectAt(
    { field: 'a', path: ['a'], from: long('6'), to: long('7') },
    { outcome: 'kept', why: '' },
  );
  expect([from, to]).toEqual([expect.stringMatching(/^….{16}6$/), expect.stringMatching(/^….{16}7$/)]);
});
