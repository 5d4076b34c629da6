import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  HetznerCloud,
  MetalLb,
  NodePool,
  NodeTaint,
} from '../../src';
import { changesIn, documents, type Row, type RowOptions, type ServiceLines, saidOf, service } from './rows';

// What is behind a Service on two sides, and what of a Service its owner refuses or ignores.

const METALLB = { installed: [MetalLb.layer2()] };
const LBC = { installed: [AwsLoadBalancerController.nlb(), AwsCloudProvider.classic()] };
const CPA = { installed: [AwsCloudProvider.classic()] };
const AZURE = { installed: [AzureCloudProvider.standard()] };
const HETZNER = { installed: [HetznerCloud.loadBalancer({ location: 'fsn1' })] };
const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZ = 'service.beta.kubernetes.io/azure-';

interface WorkloadLines {
  readonly kind?: string;
  readonly name?: string;
  readonly app?: string;
  readonly replicas?: number;
  readonly port?: string;
  readonly pod?: object;
  readonly metadata?: object;
}

const workload = ({ kind = 'Deployment', name = 'echo', app = 'echo', port = 'web', ...more }: WorkloadLines = {}) =>
  JSON.stringify({
    apiVersion: kind === 'Rollout' ? 'argoproj.io/v1alpha1' : 'apps/v1',
    kind,
    metadata: { name, namespace: 'edge', ...more.metadata },
    spec: {
      ...(more.replicas !== undefined && { replicas: more.replicas }),
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ name: 'main', ports: [{ name: port, containerPort: 8080 }] }], ...more.pod },
      },
    },
  });

const echo = (lines: ServiceLines = {}) => service({ ...lines, spec: { ports: PORTS, ...lines.spec } });
const PORTS = [{ name: 'http', port: 80, targetPort: 'web' }];
const ECHO = echo();
const NLB = { class: 'service.k8s.aws/nlb' };
const LOCAL = { externalTrafficPolicy: 'Local' };
const onPool = (pool: string) =>
  echo({ ...NLB, annotations: { [`${AWS}target-node-labels`]: `pool=${pool}` }, spec: LOCAL });
const pinned = (pool: string) => workload({ pod: { nodeSelector: { pool } } });
const onSet = echo({ annotations: { [`${AZ}load-balancer-mode`]: 'edge-availabilitySet-1' }, spec: LOCAL });
const onAks = (agentpool: string) => workload({ pod: { nodeSelector: { agentpool } } });
const TAINTED = { nodePools: [NodePool.labeled({ pool: 'gpu' }, { taints: [NodeTaint.noSchedule('gpu')] })] };
const scaler = JSON.stringify({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'echo', namespace: 'edge' },
  spec: { scaleTargetRef: { name: 'echo' } },
});
const DB = (replicas: number) => workload({ kind: 'StatefulSet', name: 'db', app: 'db', replicas });
const DB_2 = service({ spec: { selector: { 'statefulset.kubernetes.io/pod-name': 'db-2' } } });

const BEHIND: readonly Row[] = [
  [
    'scaled to 0',
    documents(ECHO, workload()),
    documents(ECHO, workload({ replicas: 0 })),
    METALLB,
    ['interrupted edge/echo: Deployment edge/echo, spec.replicas'],
  ],
  [
    'a StatefulSet without the pod of the Service',
    documents(DB_2, DB(3)),
    documents(DB_2, DB(2)),
    METALLB,
    ['interrupted edge/echo: StatefulSet edge/db, spec.replicas'],
  ],
  [
    'pinned to nodes whose taint its pods do not tolerate',
    documents(ECHO, workload()),
    documents(ECHO, pinned('gpu')),
    { ...METALLB, before: TAINTED, after: TAINTED },
    ['interrupted edge/echo: Deployment edge/echo, spec.template.spec.nodeSelector.pool'],
  ],
  [
    'pinned to nodes whose taint its pods tolerate',
    documents(ECHO, workload()),
    documents(ECHO, workload({ pod: { nodeSelector: { pool: 'gpu' }, tolerations: [{ operator: 'Exists' }] } })),
    { ...METALLB, before: TAINTED, after: TAINTED },
    ['kept edge/echo'],
  ],
  ['deleted', documents(ECHO, workload()), ECHO, METALLB, ['interrupted edge/echo: Deployment edge/echo']],
  [
    'labels changed',
    documents(ECHO, workload()),
    documents(ECHO, workload({ app: 'shop' })),
    METALLB,
    ['interrupted edge/echo: Deployment edge/echo, spec.template.metadata.labels.app'],
  ],
  [
    'selector changed',
    documents(ECHO, workload()),
    documents(echo({ selector: 'shop' }), workload()),
    METALLB,
    ['interrupted edge/echo: spec.selector.app'],
  ],
  [
    'port renamed',
    documents(ECHO, workload()),
    documents(ECHO, workload({ port: 'http' })),
    METALLB,
    ['interrupted edge/echo: Deployment edge/echo, spec.template.spec.containers[0].ports[0].name'],
  ],
  [
    'port renamed in one of two workloads',
    documents(ECHO, workload(), workload({ name: 'other' })),
    documents(ECHO, workload({ port: 'http' }), workload({ name: 'other' })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'pods on another pool',
    documents(onPool('edge'), pinned('edge')),
    documents(onPool('edge'), pinned('data')),
    LBC,
    ['interrupted edge/echo: Deployment edge/echo, spec.template.spec.nodeSelector.pool'],
  ],
  [
    'pods on another pool than the VM set of a Basic balancer',
    documents(onSet, onAks('edge')),
    documents(onSet, onAks('data')),
    { installed: [AzureCloudProvider.basic()] },
    ['interrupted edge/echo: Deployment edge/echo, spec.template.spec.nodeSelector.agentpool'],
  ],
  [
    'the label of the pool on one side',
    documents(onPool('edge'), pinned('edge')),
    documents(onPool('front'), pinned('edge')),
    LBC,
    [`interrupted edge/echo: ${AWS}target-node-labels`],
  ],
  [
    'the label of the pool on both',
    documents(onPool('edge'), pinned('edge')),
    documents(onPool('front'), pinned('front')),
    LBC,
    [`interrupted edge/echo: ${AWS}target-node-labels`],
  ],
  [
    'another workload in its place',
    documents(ECHO, workload()),
    documents(ECHO, workload({ name: 'new' })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'an object of another kind in its place',
    documents(ECHO, workload()),
    documents(ECHO, workload({ kind: 'Rollout' })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'another one without the port',
    documents(ECHO, workload()),
    documents(ECHO, workload({ name: 'new', port: 'http' })),
    METALLB,
    ['interrupted edge/echo: Deployment edge/new, spec.template.spec.containers[0].ports[0].name'],
  ],
  [
    'one of two scaled to 0',
    documents(ECHO, workload(), workload({ name: 'new' })),
    documents(ECHO, workload(), workload({ name: 'new', replicas: 0 })),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'scaled by others',
    documents(ECHO, workload(), scaler),
    documents(ECHO, workload({ replicas: 0 }), scaler),
    METALLB,
    ['kept edge/echo'],
  ],
  [
    'without pods before',
    documents(ECHO, workload({ replicas: 0 })),
    documents(ECHO, workload({ replicas: 0, pod: { nodeSelector: { a: 'b' } } })),
    METALLB,
    ['kept edge/echo'],
  ],
  ['workloads that were not known', ECHO, documents(ECHO, workload({ app: 'shop' })), METALLB, ['kept edge/echo']],
  [
    'one that was not known, without pods',
    ECHO,
    documents(ECHO, workload({ replicas: 0 })),
    METALLB,
    ['kept edge/echo'],
  ],
  ['none on either side', ECHO, ECHO, METALLB, ['kept edge/echo']],
  ['deleted without pruning', documents(ECHO, workload()), ECHO, { ...METALLB, prune: false }, ['kept edge/echo']],
  [
    'not among files that are compared with a cluster',
    documents(ECHO, workload()),
    ECHO,
    { ...METALLB, before: { isLive: true } },
    ['kept edge/echo'],
  ],
  [
    'scaled to 0 beside live pods',
    documents(
      ECHO,
      workload({ replicas: 2 }),
      workload({
        kind: 'ReplicaSet',
        name: 'echo-1',
        metadata: { ownerReferences: [{ kind: 'Deployment', name: 'echo' }] },
      }),
    ),
    documents(ECHO, workload({ replicas: 0 })),
    { ...METALLB, before: { isLive: true } },
    ['interrupted edge/echo: Deployment edge/echo, spec.replicas'],
  ],
];

const BACKEND = (port = 80) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace: 'edge' },
    spec: { selector: { app: 'echo' }, ports: [{ name: 'http', port, targetPort: 'web' }] },
  });
const gatewayApi = (kind: string, metadata: object, spec: object) =>
  JSON.stringify({ apiVersion: 'gateway.networking.k8s.io/v1', kind, metadata, spec });
const namespaces = { from: 'Selector', selector: { matchLabels: { edge: 'yes' } } };
const GATEWAY = documents(
  gatewayApi('GatewayClass', { name: 'nlb' }, { controllerName: 'gateway.k8s.aws/nlb' }),
  gatewayApi(
    'Gateway',
    { name: 'front', namespace: 'infra' },
    { gatewayClassName: 'nlb', listeners: [{ name: 'tcp', port: 80, protocol: 'TCP', allowedRoutes: { namespaces } }] },
  ),
  gatewayApi(
    'TCPRoute',
    { name: 'echo', namespace: 'edge' },
    { parentRefs: [{ name: 'front', namespace: 'infra' }], rules: [{ backendRefs: [{ name: 'echo', port: 80 }] }] },
  ),
);
const namespace = (labels: object) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge', labels } });
const ADMITTED = namespace({ edge: 'yes' });
const binding = (port: number | string) =>
  JSON.stringify({
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'TargetGroupBinding',
    metadata: { name: 'echo', namespace: 'edge' },
    spec: {
      serviceRef: { name: 'echo', port },
      targetGroupARN: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/echo/0123456789abcdef',
      targetType: 'ip',
    },
  });
const AT_GATEWAY = documents(GATEWAY, ADMITTED, BACKEND(), workload());

const BACKENDS: readonly Row[] = [
  [
    'a label of the namespace goes',
    AT_GATEWAY,
    documents(GATEWAY, namespace({}), BACKEND(), workload()),
    {},
    ['interrupted infra/front: Namespace edge, metadata.labels.edge'],
  ],
  [
    'a namespace comes without its label',
    documents(GATEWAY, BACKEND(), workload()),
    documents(GATEWAY, namespace({}), BACKEND(), workload()),
    {},
    ['kept infra/front'],
  ],
  [
    'the port of a route goes',
    AT_GATEWAY,
    documents(GATEWAY, ADMITTED, BACKEND(81), workload()),
    {},
    ['interrupted infra/front: Service edge/echo, spec.ports[0].port'],
  ],
  [
    'the workload of a route is scaled to 0',
    AT_GATEWAY,
    documents(GATEWAY, ADMITTED, BACKEND(), workload({ replicas: 0 })),
    {},
    ['interrupted infra/front: Deployment edge/echo, spec.replicas'],
  ],
  [
    'the Service of a route goes',
    AT_GATEWAY,
    documents(GATEWAY, ADMITTED, workload()),
    {},
    ['interrupted infra/front: Service edge/echo'],
  ],
  ['nothing of a route changes', AT_GATEWAY, AT_GATEWAY, {}, ['kept infra/front']],
  [
    'the port of a binding goes',
    documents(binding(80), BACKEND()),
    documents(binding(80), BACKEND(81)),
    {},
    ['interrupted edge/echo: Service edge/echo, spec.ports[0].port'],
  ],
  [
    'a binding by a name that stays',
    documents(binding('http'), BACKEND()),
    documents(binding('http'), BACKEND(81)),
    {},
    [],
  ],
  [
    'the workload of a binding goes',
    documents(binding(80), BACKEND(), workload()),
    documents(binding(80), BACKEND()),
    {},
    ['interrupted edge/echo: Deployment edge/echo'],
  ],
];

const DNS = [
  { name: 'tcp', port: 53, protocol: 'TCP' },
  { name: 'udp', port: 53, protocol: 'UDP' },
];
const INTERNAL = { [`${AZ}load-balancer-internal`]: 'true' };
const RANGES = { loadBalancerSourceRanges: ['192.0.2.0/24'] };
const CLUSTER_IP = { type: 'ClusterIP' };

const JUDGED: readonly Row[] = [
  [
    'a Service becomes one of mixed protocols',
    service({ ...CLUSTER_IP, spec: { ports: DNS } }),
    service({ spec: { ports: DNS } }),
    CPA,
    ['refused edge/echo: spec.ports[1].protocol'],
  ],
  [
    'a new one of mixed protocols',
    '',
    service({ spec: { ports: DNS } }),
    CPA,
    ['refused edge/echo: spec.ports[1].protocol'],
  ],
  [
    'a new one with a port that there is not',
    '',
    service({ port: 70_000 }),
    METALLB,
    ['refused edge/echo: spec.ports[0].port'],
  ],
  [
    'a new one with a number for an annotation',
    '',
    service({ metadata: { annotations: { a: 1 } } }),
    METALLB,
    ['refused edge/echo: metadata.annotations'],
  ],
  [
    'a new one with a value that is refused',
    '',
    service({ annotations: { [`${AZ}load-balancer-tcp-idle-timeout`]: 'long' } }),
    AZURE,
    [`refused edge/echo: ${AZ}load-balancer-tcp-idle-timeout`],
  ],
  ['a new one that is right', '', service(), METALLB, ['created edge/echo: metadata.name']],
  [
    'two lists of ranges',
    service({ spec: RANGES }),
    service({ annotations: { [`${AZ}allowed-ip-ranges`]: '192.0.2.0/24' }, spec: RANGES }),
    AZURE,
    [`refused edge/echo: ${AZ}allowed-ip-ranges`],
  ],
  [
    'two lists of ranges on both sides',
    service({ annotations: { [`${AZ}allowed-ip-ranges`]: '192.0.2.0/24' }, spec: RANGES }),
    service({ annotations: { [`${AZ}allowed-ip-ranges`]: '192.0.2.0/24' }, spec: RANGES }),
    AZURE,
    ['kept edge/echo'],
  ],
  [
    'all but the ranges denied, without ranges',
    service(),
    service({ annotations: { [`${AZ}deny-all-except-load-balancer-source-ranges`]: 'true' } }),
    AZURE,
    [`kept edge/echo: ${AZ}deny-all-except-load-balancer-source-ranges`],
  ],
  [
    'configurations with one balancer',
    service(),
    service({ annotations: { [`${AZ}load-balancer-configurations`]: 'a' } }),
    AZURE,
    [`kept edge/echo: ${AZ}load-balancer-configurations`],
  ],
  [
    'a link that is not made',
    service({ annotations: INTERNAL }),
    service({ annotations: { ...INTERNAL, [`${AZ}pls-name`]: 'a' } }),
    AZURE,
    [`kept edge/echo: ${AZ}pls-name`],
  ],
  [
    'ranges that are not read',
    service(),
    service({ spec: RANGES }),
    HETZNER,
    ['kept edge/echo: spec.loadBalancerSourceRanges'],
  ],
  [
    'an edit while the Service is refused',
    service({ spec: { sessionAffinity: 'ClientIP' } }),
    service({ annotations: { [`${AWS}connection-draining-enabled`]: 'true' }, spec: { sessionAffinity: 'ClientIP' } }),
    CPA,
    ['refused edge/echo: spec.sessionAffinity'],
  ],
];

const NAMED = (name: string, balancer: string, more: ServiceLines['annotations'] = {}) =>
  service({ ...NLB, name, annotations: { [`${AWS}name`]: balancer, [`${AWS}nlb-target-type`]: 'ip', ...more } });
const GROUPS = { [`${AWS}security-groups`]: 'sg-1' };
const OF_VERSION = (version: string): RowOptions => ({
  installed: [AwsLoadBalancerController._installedNlb({}, version)],
});
const LINES = (name: string, link: string, more: ServiceLines['annotations'] = {}): ServiceLines => ({
  name,
  annotations: { ...INTERNAL, [`${AZ}pls-create`]: 'true', [`${AZ}pls-name`]: link, ...more },
});
const LINKED = (...lines: Parameters<typeof LINES>) => service(LINES(...lines));
const AT_ONE = { [`${AZ}load-balancer-ipv4`]: '10.0.0.9' };

/** A second Service that comes to claim what one has. */
const RIVALS: readonly Row[] = [
  [
    'a second Service of one Network Load Balancer, of no known version',
    NAMED('echo', 'edge'),
    documents(NAMED('echo', 'edge'), NAMED('shop', 'edge')),
    LBC,
    ['unknown edge/echo: Service edge/shop', `unknown edge/shop: ${AWS}name`],
  ],
  [
    'a second Service of one Network Load Balancer, before security groups',
    NAMED('echo', 'edge'),
    documents(NAMED('echo', 'edge'), NAMED('shop', 'edge')),
    OF_VERSION('2.5.4'),
    ['interrupted edge/echo: Service edge/shop', `interrupted edge/shop: ${AWS}name`],
  ],
  [
    'a second Service of one Network Load Balancer, with security groups of each',
    NAMED('echo', 'edge'),
    documents(NAMED('echo', 'edge'), NAMED('shop', 'edge')),
    OF_VERSION('2.6.0'),
    [`refused edge/shop: ${AWS}name`, 'kept edge/echo'],
  ],
  [
    'a second Service of one Network Load Balancer, with the same security groups',
    NAMED('echo', 'edge', GROUPS),
    documents(NAMED('echo', 'edge', GROUPS), NAMED('shop', 'edge', GROUPS)),
    OF_VERSION('2.6.0'),
    ['unknown edge/echo: Service edge/shop', `unknown edge/shop: ${AWS}name`],
  ],
  [
    'a second Service of one Network Load Balancer, without its security groups',
    NAMED('echo', 'edge', GROUPS),
    documents(NAMED('echo', 'edge', GROUPS), NAMED('shop', 'edge')),
    OF_VERSION('2.6.0'),
    [`refused edge/shop: ${AWS}name`, 'kept edge/echo'],
  ],
  [
    'two Services of one Network Load Balancer on both sides',
    documents(NAMED('echo', 'edge'), NAMED('shop', 'edge')),
    documents(NAMED('echo', 'edge'), NAMED('shop', 'edge')),
    LBC,
    ['kept edge/echo', 'kept edge/shop'],
  ],
  [
    'a second Service of a name of its own',
    NAMED('echo', 'edge'),
    documents(NAMED('echo', 'edge'), NAMED('shop', 'shop')),
    LBC,
    ['created edge/shop: metadata.name', 'kept edge/echo'],
  ],
  [
    'a second Service of one private link service',
    LINKED('echo', 'edge'),
    documents(LINKED('echo', 'edge'), LINKED('shop', 'edge')),
    AZURE,
    ['unknown edge/echo: Service edge/shop', 'unknown edge/shop: service.beta.kubernetes.io/azure-pls-name'],
  ],
  [
    'a second Service of one private link service at one frontend',
    LINKED('echo', 'edge', AT_ONE),
    documents(LINKED('echo', 'edge', AT_ONE), service({ ...LINES('shop', 'edge', AT_ONE), port: 81 })),
    AZURE,
    ['refused edge/shop: service.beta.kubernetes.io/azure-pls-name', 'kept edge/echo'],
  ],
  [
    'a second Service that names a private link service and asks for none',
    LINKED('echo', 'edge'),
    documents(
      LINKED('echo', 'edge'),
      service({ name: 'shop', annotations: { ...INTERNAL, [`${AZ}pls-name`]: 'edge' } }),
    ),
    AZURE,
    ['created edge/shop: metadata.name', 'kept edge/echo'],
  ],
];

test.each([...BEHIND, ...BACKENDS, ...JUDGED, ...RIVALS])('%s', (_, before, after, options: RowOptions, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
});
