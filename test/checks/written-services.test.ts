import '../../src';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  KubernetesVersion,
  MetalLb,
  MetalLbVersion,
} from '../../src';
import type { CheckContext } from '../../src/checks/context/check-context';
import { checkedText } from '../support/checked';

const service = (spec: string, annotations = '', rest = '') => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop${annotations === '' ? '' : `, annotations: {${annotations}}`}${rest}}
spec: {type: LoadBalancer, selector: {app: web}, ${spec}}
`;
const PORT = 'ports: [{port: 80}]';
const ports = (...texts: string[]) => `ports: [${texts.map((text) => `{${text}}`).join(', ')}]`;
const AZURE_INTERNAL = 'service.beta.kubernetes.io/azure-load-balancer-internal';
const NODE = `---
apiVersion: v1
kind: Node
metadata: {name: a, labels: {node.kubernetes.io/exclude-from-external-load-balancers: ""}}
`;
const NOT_EXCLUDED = NODE.replace('name: a', 'name: b').replace('load-balancers: ""', 'load-balancers: "false"');
const speaker = (args: string) => `---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: speaker, namespace: metallb-system}
spec:
  selector: {matchLabels: {app: metallb}}
  template:
    metadata: {labels: {app: metallb}}
    spec: {containers: [{name: speaker, image: "quay.io/metallb/speaker:v0.15.2", args: [${args}]}]}
`;
const hcloud = (env: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hccm, namespace: kube-system}
spec:
  selector: {matchLabels: {app: hccm}}
  template:
    metadata: {labels: {app: hccm}}
    spec: {containers: [{name: hccm, image: "hetznercloud/hcloud-cloud-controller-manager:v1.21.0", env: [${env}]}]}
`;
const AWS = 'service.beta.kubernetes.io/aws-load-balancer';
const HCLOUD = 'load-balancer.hetzner.cloud';
const PRIVATE_ONLY = `${HCLOUD}/location: nbg1, ${HCLOUD}/use-private-ip: "true", ${HCLOUD}/disable-public-network: "true"`;

const IDS = [
  'annotation-value',
  'aws-scheme-unread',
  'class-misspelt',
  'class-nearly-known',
  'exposed-port',
  'exported-manifest',
  'finalizer-left',
  'health-check-node-port-twice',
  'hetzner-no-address',
  'load-balancer-ip',
  'mixed-protocols',
  'nodes-excluded',
  'plain-target-of-https',
  'service-field-unknown',
  'tls-without-certificate',
];

const MIXED = ports('name: a, port: 5300', 'name: b, port: 5300, protocol: UDP');
const DIGITAL_OCEAN = 'service.beta.kubernetes.io/do-loadbalancer-name';

type Row = [title: string, yaml: string, found: string[], context?: Partial<CheckContext>];

const METALLB = { controllers: [MetalLb.layer2()] };

test.each<Row>([
  [
    'a class of the domain of a known one',
    service(`loadBalancerClass: service.k8s.aws/nbl, ${PORT}`),
    ['error class-misspelt'],
  ],
  ['a class without a domain', service(`loadBalancerClass: nlb, ${PORT}`), ['warning class-nearly-known']],
  ['a class of its own', service(`loadBalancerClass: example.com/nlb, ${PORT}`), []],
  ['a field in another case', service(`externaltrafficPolicy: Local, ${PORT}`), ['error service-field-unknown']],
  [
    'a value that makes it public, whoever owns it',
    service(PORT, `${AZURE_INTERNAL}: "True"`),
    ['error annotation-value'],
  ],
  ['a value that keeps it internal', service(PORT, `${AZURE_INTERNAL}: "true"`), []],
  ['an address field for MetalLB', service(`loadBalancerIP: 10.0.0.9, ${PORT}`), ['warning load-balancer-ip'], METALLB],
  [
    'an address field for GKE',
    service(`loadBalancerIP: 34.0.0.9, ${PORT}`),
    ['warning load-balancer-ip'],
    { controllers: [Gke.passthrough()] },
  ],
  [
    'an address field with a rule of the owner',
    service(`loadBalancerIP: 34.0.0.9, ${PORT}`),
    [],
    { controllers: [AzureCloudProvider.standard()] },
  ],
  ['an address that is none', service(`loadBalancerIP: lb.example.com, ${PORT}`), ['warning load-balancer-ip']],
  ['a database by its port', service(ports('port: 5432')), ['warning exposed-port']],
  ['a database by the name of its port', service(ports('port: 6000, targetPort: mysql')), ['warning exposed-port']],
  ['a database for some clients', service(`loadBalancerSourceRanges: [192.0.2.0/24], ${ports('port: 5432')}`), []],
  ['a database behind an internal balancer', service(ports('port: 5432'), `${AZURE_INTERNAL}: "true"`), []],
  [
    'a database in a private range',
    service(`loadBalancerIP: 10.0.0.9, ${ports('port: 5432')}`),
    ['warning load-balancer-ip'],
    METALLB,
  ],
  [
    'a database with the ranges of an annotation',
    service(ports('port: 5432'), 'service.beta.kubernetes.io/azure-allowed-ip-ranges: 192.0.2.0/24'),
    [],
  ],
  [
    'a database behind a firewall of another cloud',
    service(ports('port: 5432'), 'service.beta.kubernetes.io/oci-load-balancer-internal: "true"'),
    [],
  ],
  ['a database of a class that is not known', service(`loadBalancerClass: tailscale, ${ports('port: 5432')}`), []],
  ['a web server', service(ports('port: 443')), []],
  [
    'a health check on a node port',
    service(`externalTrafficPolicy: Local, healthCheckNodePort: 30001, ${ports('port: 80, nodePort: 30001')}`),
    ['error health-check-node-port-twice'],
  ],
  [
    'a health check on a port of its own',
    service(`externalTrafficPolicy: Local, healthCheckNodePort: 30002, ${ports('port: 80, nodePort: 30001')}`),
    [],
  ],
  [
    'a scheme that the cloud controller does not read',
    service(PORT, `${AWS}-scheme: internal`),
    ['warning aws-scheme-unread'],
  ],
  ['one with a class', service(`loadBalancerClass: service.k8s.aws/nlb, ${PORT}`, `${AWS}-scheme: internal`), []],
  ['one with a type', service(PORT, `${AWS}-scheme: internal, ${AWS}-type: external`), []],
  ['one that is public', service(PORT, `${AWS}-scheme: internet-facing`), []],
  ['one that is internal for both', service(PORT, `${AWS}-scheme: internal, ${AWS}-internal: "true"`), []],
  [
    'one where a webhook gives the class',
    service(PORT, `${AWS}-scheme: internal`),
    [],
    { controllers: [AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })] },
  ],
  [
    'TLS ports without a certificate',
    service(PORT, `${AWS}-ssl-ports: "443"`),
    ['warning tls-without-certificate'],
    { controllers: [AwsCloudProvider.classic()] },
  ],
  [
    'a finalizer of a controller that does not run',
    service(PORT, '', ', finalizers: [service.k8s.aws/resources]').replace('LoadBalancer', 'ClusterIP'),
    ['warning finalizer-left'],
    METALLB,
  ],
  [
    'a finalizer of a controller that runs',
    service(PORT, '', ', finalizers: [service.k8s.aws/resources]').replace('LoadBalancer', 'ClusterIP'),
    [],
    { controllers: [AwsLoadBalancerController.nlb()] },
  ],
  [
    'a finalizer where it is not known what runs',
    service(PORT, '', ', finalizers: [service.k8s.aws/resources]').replace('LoadBalancer', 'ClusterIP'),
    [],
  ],
  ['an export', service(PORT, '', ', uid: a-b, resourceVersion: "12"'), ['warning exported-manifest']],
  ['a fixed cluster address', service(`clusterIP: 10.96.0.9, ${PORT}`), []],
  [
    'an export in a List',
    `apiVersion: v1\nkind: List\nitems:\n- ${service(PORT, '', ', uid: a-b').trimEnd().replaceAll('\n', '\n  ')}\n`,
    [],
  ],
  [
    'an export beside what a cluster has',
    `${service(PORT, '', ', uid: a-b')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: {phase: Running}\n`,
    [],
  ],
  ['TCP beside UDP, whoever owns it', service(MIXED), ['note mixed-protocols']],
  ['the same for an owner that is known by its annotation', service(MIXED, `${DIGITAL_OCEAN}: web`), []],
  ['the same for an owner that serves it', service(MIXED), [], METALLB],
  [
    'the same for an API server that has it behind a gate',
    service(MIXED),
    ['note mixed-protocols'],
    { ...METALLB, kubernetes: KubernetesVersion.of('1.23') },
  ],
  ['HTTPS to a port for plain HTTP', service(ports('port: 443, targetPort: http')), ['note plain-target-of-https']],
  ['HTTPS to a port for HTTPS', service(ports('port: 443, targetPort: https')), []],
  [
    'HTTPS that the balancer ends',
    service(
      ports('port: 443, targetPort: http'),
      'service.beta.kubernetes.io/aws-load-balancer-ssl-cert: "arn:aws:acm:eu-west-1:123456789012:certificate/a"',
    ),
    [],
    { controllers: [AwsCloudProvider.classic()] },
  ],
  [
    'HTTPS that a balancer of another cloud ends',
    service(ports('port: 443, targetPort: http'), 'service.beta.kubernetes.io/do-loadbalancer-certificate-id: a'),
    [],
  ],
  ['nodes that are all excluded', `${service(PORT)}${NODE}`, ['warning nodes-excluded'], METALLB],
  [
    'nodes that are all excluded from a cloud',
    `${service(PORT)}${NODE}`,
    ['warning nodes-excluded'],
    { controllers: [AwsCloudProvider.classic()] },
  ],
  [
    'nodes of which one is not excluded',
    `${service(PORT)}${NODE}${NOT_EXCLUDED}`,
    [],
    { controllers: [AwsCloudProvider.classic()] },
  ],
  [
    'nodes whose label says false, which MetalLB does not read',
    `${service(PORT)}${NODE}${NOT_EXCLUDED}`,
    ['warning nodes-excluded'],
    METALLB,
  ],
  [
    'excluded nodes under a MetalLB that does not know the label',
    `${service(PORT)}${NODE}`,
    [],
    { controllers: [MetalLb.layer2({ version: MetalLbVersion.of('0.13.12') })] },
  ],
  ['excluded nodes that speakers use', `${service(PORT)}${NODE}${speaker('--ignore-exclude-lb')}`, [], METALLB],
  [
    'excluded nodes that speakers leave out',
    `${service(PORT)}${NODE}${speaker('--port=7472')}`,
    ['warning nodes-excluded'],
    METALLB,
  ],
  [
    'a balancer of Hetzner without any address',
    service(PORT, `${PRIVATE_ONLY}, ${HCLOUD}/disable-private-ingress: "true"`),
    ['error hetzner-no-address'],
    { controllers: [HetznerCloud.loadBalancer()] },
  ],
  [
    'one whose controller leaves the private address out',
    `${service(PORT, PRIVATE_ONLY)}${hcloud('{name: HCLOUD_LOAD_BALANCERS_DISABLE_PRIVATE_INGRESS, value: "true"}')}`,
    ['error hetzner-no-address'],
    { controllers: [HetznerCloud.loadBalancer()] },
  ],
  [
    'one with a private address',
    `${service(PORT, PRIVATE_ONLY)}${hcloud('')}`,
    [],
    { controllers: [HetznerCloud.loadBalancer()] },
  ],
  [
    'one with a name for it',
    service(PORT, `${PRIVATE_ONLY}, ${HCLOUD}/disable-private-ingress: "true", ${HCLOUD}/hostname: lb.example.com`),
    [],
    { controllers: [HetznerCloud.loadBalancer()] },
  ],
])('%s', (_, yaml, found, context = {}) => {
  const { findings, unreadable } = checkedText(yaml, context);
  expect(unreadable).toEqual([]);
  expect(
    findings.filter(({ ruleId }) => IDS.includes(ruleId)).map(({ level, ruleId }) => `${level} ${ruleId}`),
  ).toEqual(found);
});
