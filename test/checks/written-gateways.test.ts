import '../../src';
import { AwsLoadBalancerController } from '../../src';
import { foundIn } from '../support/checked';

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
const targets = (properties: string, name = 'db') => `apiVersion: gateway.k8s.aws/v1
kind: TargetGroupConfiguration
metadata: {name: db, namespace: shop}
spec:
  targetReference: {name: ${name}}
  defaultConfiguration: {${properties}}
`;
const routeTargets = `apiVersion: gateway.k8s.aws/v1
kind: TargetGroupConfiguration
metadata: {name: db, namespace: shop}
spec:
  targetReference: {name: db}
  routeConfigurations: [{routeIdentifier: {kind: TLSRoute}, targetGroupProps: {targetType: instance, protocol: TCP}}]
`;
const settings = (spec: string) => `apiVersion: gateway.k8s.aws/v1
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
const IDS = [CERTIFICATE, TARGET_GROUP, NO_NODE_PORTS, UNUSED_TARGETS, UNUSED_SETTINGS, BINDING];

type Row = [title: string, yaml: string, found: string[], version?: string];

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
])('%s', (_, yaml, found, version = '') => {
  const context = version === '' ? {} : { controllers: [AwsLoadBalancerController._installedNlb({}, version)] };
  expect(foundIn(yaml, context).filter((one) => IDS.some((id) => one.endsWith(` ${id}`)))).toEqual(found);
});
