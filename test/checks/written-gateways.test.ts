import '../../src';
import { AwsLoadBalancerController } from '../../src';
import { checkedText, foundIn } from '../support/checked';

// What people write in Gateways of the AWS controller, in their settings and in bindings, with what is right beside it.

const joined = (...objects: readonly string[]) => objects.join('---\n');

const CLASS = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: nlb}
spec: {controllerName: gateway.k8s.aws/nlb}
`;
const gateway = (mode = 'Passthrough', infrastructure = '') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: shop}
spec:
  gatewayClassName: nlb
${infrastructure}  listeners: [{name: tls, protocol: TLS, port: 443, hostname: db.example.com, tls: {mode: ${mode}${mode === 'Terminate' ? ', certificateRefs: [{name: db}]' : ''}}}]
`;
const route = (name = 'db') => `apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: {name: db, namespace: shop}
spec:
  parentRefs: [{name: edge, sectionName: tls}]
  hostnames: [db.example.com]
  rules: [{backendRefs: [{name: ${name}, port: 5432}]}]
`;
const service = (type = 'NodePort', name = 'db') => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {type: ${type}, selector: {app: db}, ports: [{port: 5432}]}
`;
const targets = (properties: string, name = 'db') => `apiVersion: gateway.k8s.aws/v1beta1
kind: TargetGroupConfiguration
metadata: {name: db, namespace: shop}
spec:
  targetReference: {name: ${name}}
  defaultConfiguration: {${properties}}
`;
const routeTargets = `apiVersion: gateway.k8s.aws/v1beta1
kind: TargetGroupConfiguration
metadata: {name: db, namespace: shop}
spec:
  targetReference: {name: db}
  routeConfigurations: [{routeIdentifier: {kind: TLSRoute}, targetGroupProps: {targetType: instance, protocol: TCP}}]
`;
const settings = (spec: string) => `apiVersion: gateway.k8s.aws/v1beta1
kind: LoadBalancerConfiguration
metadata: {name: edge, namespace: shop}
spec: {${spec}}
`;
const PARAMETERS =
  '  infrastructure: {parametersRef: {group: gateway.k8s.aws, kind: LoadBalancerConfiguration, name: edge}}\n';
const binding = (type: string) => `apiVersion: elbv2.k8s.aws/v1beta1
kind: TargetGroupBinding
metadata: {name: db, namespace: shop}
spec:
  targetGroupARN: arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/db/73e2d6bc24d8a067
  targetType: ${type}
  serviceRef: {name: db, port: 5432}
`;

const CERTIFICATE = 'nlb-passthrough-certificate';
const TARGET_GROUP = 'nlb-passthrough-target-group';
const NO_NODE_PORTS = 'target-group-without-node-ports';
const UNUSED_TARGETS = 'target-group-configuration-unused';
const UNUSED_SETTINGS = 'nlb-configuration-unused';
const BINDING = 'binding-without-node-ports';
const ROUTE = 'route-without-node-ports';
const ELSEWHERE = route().replace('[db.example.com]', '[db.example.org]');
const SHARED = 'binding-target-group-shared';
const again = () => binding('ip').replace('name: db,', 'name: again,');
const multi = (yaml: string) => yaml.replace('targetType', 'multiClusterTargetGroup: true\n  targetType');
const nameless = (yaml: string) => yaml.replace(/ {2}targetGroupARN.*\n/, '');
const IDS = [SHARED, ROUTE, CERTIFICATE, TARGET_GROUP, NO_NODE_PORTS, UNUSED_TARGETS, UNUSED_SETTINGS, BINDING];

const IP_BY_DEFAULT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: lbc, namespace: kube-system, labels: {app.kubernetes.io/name: aws-load-balancer-controller}}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: controller, image: 'public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0', args: [--cluster-name=a, --default-target-type=ip]}]}
`;

type Row = [title: string, yaml: string, found: string[], version?: string];

test.each<[string, string, string, string[]]>([
  ['v1', '3.4.0', 'LoadBalancerConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.4.0', 'TargetGroupConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.4.0', 'ListenerRuleConfiguration', ['error 1 aws-gateway-api-version']],
  ['v1', '3.5.0', 'LoadBalancerConfiguration', []],
  ['v1beta1', '3.4.0', 'LoadBalancerConfiguration', []],
])('gateway.k8s.aws/%s under version %s, %s', (api, version, kind, found) => {
  const yaml = `apiVersion: gateway.k8s.aws/${api}\nkind: ${kind}\nmetadata: {name: a, namespace: shop}\nspec: {}\n`;
  const context = { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };
  expect(foundIn(yaml, context).filter((line) => line.endsWith('aws-gateway-api-version'))).toEqual(found);
});

test('a port that a listener has wrong is reported once, at the listener', () => {
  const envoy = CLASS.replace('gateway.k8s.aws/nlb', 'gateway.envoyproxy.io/gatewayclass-controller');
  const wrong = gateway('Terminate').replace('port: 443', 'port: 70000');
  expect(foundIn(joined(envoy, wrong)).filter((line) => line.startsWith('error'))).toEqual([
    'error 11 gateway-listener-port',
  ]);
  const kafka = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: my, namespace: k}
spec: {kafka: {listeners: [{name: external, port: 90940, type: loadbalancer, tls: true}]}}
`;
  expect(foundIn(kafka).filter((line) => line.startsWith('error'))).toEqual(['error 4 listener-port-range']);
});

test.each<Row>([
  ['TLS passed through by an old version', joined(CLASS, gateway(), route()), [`error 11 ${CERTIFICATE}`], '3.0.0'],
  ['TLS that a listener ends', joined(CLASS, gateway('Terminate'), route()), [], '3.0.0'],
  [
    'TLS passed through by an old version that is given a certificate',
    joined(
      CLASS,
      gateway('Passthrough', PARAMETERS),
      settings('listenerConfigurations: [{protocolPort: "TLS:443", defaultCertificate: a}]'),
    ),
    [],
    '3.0.0',
  ],
  ['a Gateway of another class', joined(CLASS.replace('aws/nlb', 'aws/alb'), gateway(), route()), [], '3.0.0'],
  ['TLS passed through to TLS', joined(CLASS, gateway(), route(), service()), [`warning 19 ${TARGET_GROUP}`], '3.5.0'],
  ['one whose controller is not known', joined(CLASS, gateway(), route()), [`warning 19 ${TARGET_GROUP}`]],
  [
    'TLS passed through to targets of TCP',
    joined(CLASS, gateway(), route(), service(), targets('protocol: TCP')),
    [],
    '3.5.0',
  ],
  ['TLS passed through to TCP for its route', joined(CLASS, gateway(), route(), service(), routeTargets), [], '3.5.0'],
  [
    'targets of TCP by default',
    joined(
      CLASS,
      gateway('Passthrough', PARAMETERS),
      route(),
      settings('defaultTargetGroupConfiguration: {name: db}'),
      targets('protocol: TCP', 'other'),
    ),
    [],
    '3.5.0',
  ],
  [
    'instances of a Service without node ports',
    joined(CLASS, gateway(), route(), service('ClusterIP'), targets('targetType: instance, protocol: TCP')),
    [`error 31 ${NO_NODE_PORTS}`],
  ],
  [
    'addresses of pods',
    joined(CLASS, gateway(), route(), service('ClusterIP'), targets('targetType: ip, protocol: TCP')),
    [],
  ],
  [
    'instances for one route of a Service without node ports',
    joined(CLASS, gateway(), route(), service('ClusterIP'), routeTargets),
    [`error 31 ${NO_NODE_PORTS}`],
  ],
  [
    'a Service without node ports and without settings',
    joined(CLASS, gateway(), route(), service('ClusterIP')),
    [`warning 19 ${TARGET_GROUP}`, `warning 19 ${ROUTE}`],
  ],
  ['a Service with node ports and without settings', joined(CLASS, gateway('Terminate'), route(), service()), []],
  [
    'a Service without node ports, with ip targets by the flag of the controller',
    joined(CLASS, gateway('Terminate'), route(), service('ClusterIP'), IP_BY_DEFAULT),
    [],
  ],
  [
    'a Service without node ports behind an Application Load Balancer',
    joined(CLASS.replace('aws/nlb', 'aws/alb'), gateway('Terminate'), route(), service('ClusterIP')),
    [`warning 19 ${ROUTE}`],
  ],
  [
    'a Service without node ports behind another class',
    joined(CLASS.replace('gateway.k8s.aws/nlb', 'example.com/a'), gateway('Terminate'), route(), service('ClusterIP')),
    [],
  ],
  [
    'targets of a Service whose route no listener takes',
    joined(CLASS, gateway('Terminate'), ELSEWHERE, service('ClusterIP'), targets('targetType: instance')),
    [`warning 30 ${UNUSED_TARGETS}`],
  ],
  [
    'a Service without node ports whose route no listener takes',
    joined(CLASS, gateway('Terminate'), ELSEWHERE, service('ClusterIP')),
    [],
  ],
  [
    'targets of a Service that is not there',
    joined(service(), targets('targetType: ip', 'dbs')),
    [`warning 10 ${UNUSED_TARGETS}`],
  ],
  [
    'targets of a Service without a route',
    joined(CLASS, gateway(), route('other'), service('ClusterIP'), targets('targetType: instance, protocol: TCP')),
    [`warning 19 ${TARGET_GROUP}`, `warning 30 ${UNUSED_TARGETS}`],
  ],
  ['targets of a Service whose routes are elsewhere', joined(service(), targets('targetType: ip')), []],
  ['targets of a Service that is elsewhere', targets('targetType: ip'), []],
  [
    'settings that no Gateway names',
    joined(CLASS, gateway('Terminate'), settings('scheme: internal')),
    [`warning 15 ${UNUSED_SETTINGS}`],
  ],
  ['settings that a Gateway names', joined(CLASS, gateway('Terminate', PARAMETERS), settings('scheme: internal')), []],
  [
    'settings that a class names',
    joined(
      CLASS.replace(
        '/nlb}',
        '/nlb, parametersRef: {group: gateway.k8s.aws, kind: LoadBalancerConfiguration, name: edge, namespace: shop}}',
      ),
      settings('scheme: internal'),
    ),
    [],
  ],
  ['settings alone', settings('scheme: internal'), []],
  [
    'a binding of instances to a Service without node ports',
    joined(service('ClusterIP'), binding('instance')),
    [`error 11 ${BINDING}`],
  ],
  ['a binding of instances', joined(service(), binding('instance')), []],
  ['a binding of addresses of pods', joined(service('ClusterIP'), binding('ip')), []],
  ['two bindings of one target group', joined(binding('ip'), again()), [`error 13 ${SHARED}`]],
  ['two bindings of two target groups', joined(binding('ip'), again().replace('73e2', '83e2')), []],
  ['two bindings that share a target group', joined(multi(binding('ip')), multi(again())), []],
  [
    'a binding that shares a target group with one that does not',
    joined(binding('ip'), multi(again())),
    [`error 13 ${SHARED}`],
  ],
  [
    'two bindings that share a target group in an old version',
    joined(multi(binding('ip')), multi(again())),
    [`error 14 ${SHARED}`],
    '2.11.0',
  ],
  ['two bindings of no target group', joined(nameless(binding('ip')), nameless(again())), []],
])('%s', (_, yaml, found, version = '') => {
  const context = version === '' ? {} : { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };
  expect(foundIn(yaml, context).filter((one) => IDS.some((id) => one.endsWith(` ${id}`)))).toEqual(found);
});

const routed = (identifier: string) => `apiVersion: gateway.k8s.aws/v1beta1
kind: TargetGroupConfiguration
metadata: {name: db, namespace: shop}
spec:
  targetReference: {name: db}
  routeConfigurations:
  - ${identifier}
    targetGroupProps: {targetType: ip}
`;
const OLD_NAME = 'identifier: "TCPRoute:shop:db"';
const NEW_NAME = 'routeIdentifier: {kind: TCPRoute, namespace: shop, name: db}';
const checkedBy = (protocol: string) => targets(`healthCheckConfig: {healthCheckProtocol: ${protocol}}`);
const MISSING = 'target-group-configuration-field-missing';
const UNKNOWN = 'target-group-configuration-field-unknown';
const SINCE = 'field-since';
const WORD = 'target-group-configuration-word';
const CHECK = 'target-group-health-check-protocol';

test.each<Row>([
  [
    'a former name with a value that no version accepts',
    routed('identifier: {kind: TCPRoute}'),
    [`error 7 ${MISSING}`],
  ],
  ['a former name, if the version is not known', routed(OLD_NAME), [`warning 7 ${UNKNOWN}`]],
  ['a former name in a later version', routed(OLD_NAME), [`error 7 ${MISSING}`], '2.13.3'],
  ['a former name while it is the name', routed(OLD_NAME), [], '2.13.2'],
  [
    'a former name with a value of the later one while it is the name',
    routed('identifier: {kind: TCPRoute}'),
    ['error 7 target-group-configuration-field-shape'],
    '2.13.2',
  ],
  ['a later name', routed(NEW_NAME), [], '2.13.3'],
  ['a later name in an older version', routed(NEW_NAME), [`error 7 ${MISSING}`], '2.13.2'],
  ['neither name', routed('{}').replace('{}\n    ', ''), [`error 7 ${MISSING}`], '2.13.2'],
  ['a health check by TCP', checkedBy('TCP'), [], '2.15.0'],
  ['a health check by TCP in an older version', checkedBy('TCP'), [`error 6 ${CHECK}`], '2.14.1'],
  ['a health check by tcp in an older version', checkedBy('tcp'), [`error 6 ${CHECK}`], '2.14.1'],
  ['a health check by http in an older version', checkedBy('http'), [], '2.14.1'],
  ['a health check by tcp', checkedBy('tcp'), [`error 6 ${WORD}`], '2.15.0'],
  ['a health check by tcp, if the version is not known', checkedBy('tcp'), [`error 6 ${WORD}`]],
  [
    'a field of a later version',
    settings('sourceRanges: [], wafV2: {webACL: a}'),
    [`error 4 nlb-configuration-${SINCE}`],
    '2.13.4',
  ],
  ['a field of the version', settings('wafV2: {webACL: a}'), [], '2.14.0'],
  [
    'a port of a protocol of a later version',
    settings('listenerConfigurations: [{protocolPort: "TCP_UDP:53"}]'),
    ['error 4 nlb-configuration-field-shape'],
    '2.16.0',
  ],
  [
    'a port of a protocol of the version',
    settings('listenerConfigurations: [{protocolPort: "TCP_UDP:53"}]'),
    [],
    '2.17.0',
  ],
  [
    'settings for no Service in an older version',
    routed(NEW_NAME).replace('  targetReference: {name: db}\n', ''),
    [`error 4 ${MISSING}`],
    '3.1.0',
  ],
  ['settings for no Service', routed(NEW_NAME).replace('  targetReference: {name: db}\n', ''), [], '3.2.0'],
  [
    'a binding in another account',
    binding('ip').replace('targetType', 'assumeRoleExternalId: a\n  iamRoleArnToAssume: a\n  targetType'),
    [`error 6 binding-${SINCE}`, `error 7 binding-${SINCE}`],
    '2.11.0',
  ],
])('%s', (_, yaml, found, version = '') => {
  const context = version === '' ? {} : { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };
  expect(foundIn(yaml, context).filter((one) => !/-unused$|unserved$|-networking$/.test(one))).toEqual(found);
});

test('notes of one text are one note, with the first place and a count', () => {
  const others = [1, 2].map((i) => gateway().replace('name: edge', `name: edge-${i}`));
  expect(checkedText(joined(gateway(), ...others)).notes).toEqual([
    expect.stringMatching(/:1: Gateway shop\/edge and 2 more: its class 'nlb' is not among these files/),
  ]);
});

test('what rests on an inferred version is a warning', () => {
  const controllers = [AwsLoadBalancerController._installedNlb({}, '2.14.1')];
  const found = foundIn(checkedBy('TCP'), { controllers, areControllersInferred: true });
  expect(found).toEqual([`warning 6 ${CHECK}`]);
});
