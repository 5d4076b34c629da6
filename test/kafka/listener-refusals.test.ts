import {
  AnnotatedController,
  CustomController,
  EksAutoMode,
  FinalizerPolicy,
  Gke,
  HetznerCloud,
  LoadBalancerScheme,
  NlbTargetType,
  NodePool,
  NodeRemoval,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { CLEANUP, listen, metalLb, nlb, type Props, present, RESOURCES, SCHEME } from './listeners';

const { V0_45, V0_48, V0_49, V0_51, V1_0, V1_1, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;

const scheme = { scheme: INTERNAL };
const ofEdge = NodePool.labeled({ pool: 'edge' });

test.each<[string, StrimziVersion, Json[], Props, string[]]>([
  [
    'the finalizer of somebody else',
    V0_49,
    [present({ finalizers: [CLEANUP] })],
    { ...scheme, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    [`finalizer ${CLEANUP} belongs to the service controller of a cloud provider`, '(finalizer-owner)'],
  ],
  [
    'a finalizer that nobody removes',
    V1_2,
    [present({ finalizers: ['acme.example/lb'] })],
    scheme,
    ['finalizer acme.example/lb is removed by no load balancer controller', 'waits 300 s', '(finalizer-unknown)'],
  ],
  [
    'a finalizer that is left to the controller, and will be stripped',
    V0_49,
    [],
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    [`does not declare finalizer ${RESOURCES}, by finalizer policy leave-to-controller`, 'Strimzi 0.49'],
  ],
  [
    'the same where the gate is off',
    StrimziVersion.withServerSideApply(V0_51, false),
    [],
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    [
      'use FinalizerPolicy.DECLARE; or switch on the gate ServerSideApplyPhase1 of Strimzi 0.51.0, or apply what cdk8s-load-balancers policies keeper prints; trace: explain orphan-deleted-at-once (finalizer-undeclared)',
    ],
  ],
  [
    'the same of finalizers that nobody else may write',
    StrimziVersion.withServerSideApply(V1_1, false),
    [],
    { controller: Gke.passthrough() },
    ['otherwise switch on the gate ServerSideApplyPhase1 of Strimzi 1.1.0; or choose a class'],
  ],
  [
    'the same where the gate is off unless it is switched on',
    V0_48,
    [],
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    ['run Strimzi 0.51.0 or newer, or switch on the gate ServerSideApplyPhase1 of Strimzi 0.48.0'],
  ],
  [
    'the same where there is no gate',
    V0_45,
    [],
    { finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    ['run Strimzi 0.51.0 or newer, or one whose gate ServerSideApplyPhase1 is on'],
  ],
  [
    'a controller that declares none by itself',
    V0_49,
    [],
    { controller: EksAutoMode.nlb() },
    [
      'does not declare finalizer service.eks.amazonaws.com/resources',
      'set declareFinalizer: true in the options of the controller',
    ],
  ],
  [
    'a controller of somebody to which it is left',
    V0_49,
    [],
    { controller: CustomController.of({ owner: 'acme' }), finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    ['does not declare finalizer of the owner'],
  ],
  [
    'finalizers that nobody else may write, below 0.51',
    V0_49,
    [],
    { controller: Gke.passthrough() },
    ['only gke may write its finalizers gke.networking.io/', '(finalizer-stripped)'],
  ],
  [
    'finalizers that nobody else may write',
    V1_2,
    [present({ finalizers: ['gke.networking.io/l4-netlb-v1'] })],
    { ...scheme, controller: Gke.passthrough() },
    ['(finalizer-untouchable)'],
  ],
  [
    'fixed addresses',
    V1_2,
    [],
    { controller: metalLb(), staticAddresses: ['10.0.0.1'] },
    ['fixed addresses 10.0.0.1', 'by bootstrapAnnotations and annotations of each entry of brokers'],
  ],
  [
    'session affinity',
    V1_2,
    [],
    { controller: metalLb(), sessionAffinity: {} },
    ['sessionAffinity ClientIP has no field in a listener of Strimzi 1.2.0'],
  ],
  [
    'the PROXY protocol',
    V1_2,
    [],
    { controller: HetznerCloud.loadBalancer({ location: 'fsn1' }), proxyProtocol: true },
    ['proxyProtocol true makes the balancer send a header that Kafka brokers do not understand'],
  ],
  [
    'rollout without loss',
    V1_2,
    [],
    { controller: metalLb(), rollout: { nodeRemoval: NodeRemoval.NONE } },
    ['rollout cannot be kept by brokers', 'clients of Kafka go on with the others'],
  ],
  [
    'nodes that pods decide',
    V1_2,
    [],
    { controller: EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }), backendNodes: ofEdge },
    ["node pool 'pool=edge' by the placement of the pods alone, and a listener does not place them", 'KafkaNodePool'],
  ],
  [
    'another class',
    V1_2,
    [present({ class: 'tailscale' })],
    scheme,
    ["configuration.class 'tailscale', but the plan for aws-load-balancer-controller sets 'service.k8s.aws/nlb'"],
  ],
  [
    'a class where there is none',
    V1_2,
    [present({ class: 'a.b/c' })],
    { ...scheme, controller: metalLb() },
    ['but the plan for metallb sets none'],
  ],
  [
    'another port',
    V1_2,
    [present()],
    { ...scheme, port: 9095 },
    ['the manifest sets port 9094, but the props set 9095'],
  ],
  ['another type', V1_2, [present({}, { type: 'nodeport' })], scheme, ["type 'nodeport'"]],
  ['no TLS', V1_2, [present({}, { tls: false })], { ...scheme, tls: true }, ['tls false']],
  [
    'another authentication',
    V1_2,
    [present({}, { authentication: { type: 'tls' } })],
    { ...scheme, authentication: { type: 'scram-sha-512' } },
    ['authentication {"type":"tls"}', 'scram-sha-512'],
  ],
  [
    'another annotation for bootstrap',
    V1_2,
    [present({ bootstrap: { annotations: { [SCHEME]: 'internet-facing' } } })],
    scheme,
    [`configuration.bootstrap.annotations ${SCHEME} 'internet-facing'`],
  ],
  [
    'another annotation for one broker',
    V1_2,
    [present({ brokers: [{ broker: 1, annotations: { [SCHEME]: 'internet-facing' } }] })],
    scheme,
    [`configuration.brokers[broker 1].annotations ${SCHEME} 'internet-facing'`],
  ],
  [
    'a text where a map must be',
    V1_2,
    [present('x' as never)],
    scheme,
    ["the manifest sets configuration 'x', which must be a map"],
  ],
  [
    'a text where the annotations of a broker must be',
    V1_0,
    [present({ brokers: [{ broker: 1, annotations: 'x' }] })],
    scheme,
    ["configuration.brokers[broker 1].annotations 'x', which must be a map"],
  ],
  [
    'a text where finalizers must be',
    V1_2,
    [present({ finalizers: RESOURCES })],
    scheme,
    [`configuration.finalizers '${RESOURCES}', which must be a list; write a list`],
  ],
  [
    'a text where brokers must be',
    V1_0,
    [present({ brokers: 'all' })],
    scheme,
    ["configuration.brokers 'all', which must be a list"],
  ],
  [
    'a text where the names of bootstrap must be',
    V1_2,
    [present({ bootstrap: { alternativeNames: 'a.example.com' } })],
    { ...scheme, bootstrapAlternativeNames: ['b.example.com'] },
    ["configuration.bootstrap.alternativeNames 'a.example.com', which must be a list"],
  ],
  [
    'other ranges',
    V1_2,
    [present({ loadBalancerSourceRanges: ['10.0.0.0/8', '192.168.0.0/16'] })],
    { ...scheme, sourceRanges: ['10.0.0.0/8'] },
    ['configuration.loadBalancerSourceRanges ["10.0.0.0/8","192.168.0.0/16"]'],
  ],
  [
    'balancers of which nobody says whether they are public',
    V1_2,
    [present()],
    {},
    ["listener 'external' has load balancers already", '(adopted-scheme)'],
  ],
  [
    'a name for no Service',
    V1_2,
    [],
    { createBootstrapService: false, dnsName: 'a.example.com' },
    ["dnsName 'a.example.com' is the name of the bootstrap Service"],
  ],
  [
    'names of brokers that have none',
    V1_2,
    [],
    { externalDns: true },
    ['brokers 0, 1, 2 advertise none; set advertisedHostTemplate'],
  ],
  [
    'annotations that the owner does not read',
    V1_2,
    [],
    { controller: AnnotatedController.of(nlb(), { annotations: { [SCHEME]: 'public' } }) },
    [SCHEME],
  ],
])('a listener is refused with %s', (_, strimzi, listeners, props, fragments) => {
  const { chart } = listen(props, strimzi, listeners);
  const errors = errorsOf(chart).join('\n');
  for (const fragment of fragments) expect(errors).toContain(fragment);
});
