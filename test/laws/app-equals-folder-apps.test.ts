import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import {
  AwsCloudControllerManagerInstallation,
  AwsLoadBalancerController,
  AwsLoadBalancerControllerInstallation,
  Gateway,
  HaproxyIngress,
  KubernetesVersion,
  MetalLbAddressPool,
  MetalLbLayer2Advertisement,
  NlbTargetType,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  StrimziClusterOperatorInstallation,
  StrimziVersion,
  TargetGroupBinding,
  TenancyIdentity,
  TenantLoadBalancerGuard,
} from '../../src';
import { RIGHT } from '../installations/aws-load-balancer-controller/installations';
import { comparedApp, expectSame, rulesFound } from '../support/compared';

// Apps with tenants, bindings and installations, each as it is and with finished objects that are patched: a check of their output
// finds what their synth finds.

type Make = (app: App) => void;

function chartIn(app: App, id = 'system', namespace = id): Chart {
  return new Chart(app, id, { namespace });
}

const NLB = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

const PLATFORM = [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')];

function shared(engine: (chart: Chart) => SharedLoadBalancerEngine): Make {
  return (app) => {
    const chart = chartIn(app, 'edge');
    const balancer = new SharedLoadBalancer(chart, 'Shared', { engine: engine(chart), platform: PLATFORM });
    const tenant = chartIn(app, 'team-a');
    balancer.addTenant('team-a');
    balancer.attach(tenant, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] });
    const spec = { selector: { app: 'db' }, ports: [{ port: 5432 }] };
    new ApiObject(tenant, 'Db', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db' }, spec } as never);
  };
}

function guard(app: App): void {
  new TenantLoadBalancerGuard(chartIn(app), 'Guard', {
    namespaceLabels: { tenant: 'true' },
    sharedServices: false,
    kubernetes: KubernetesVersion.of('1.36'),
  });
}

function binding(type: string, targetType: NlbTargetType): Make {
  return (app) => {
    const chart = chartIn(app, 'web');
    const spec = { type, selector: { app: 'web' }, ports: [{ port: 80 }] };
    new ApiObject(chart, 'Service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec } as never);
    new TargetGroupBinding(chart, 'Binding', {
      name: 'web',
      serviceName: 'web',
      servicePort: 80,
      targetType,
      targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef',
    });
  };
}

function metalLb(app: App): void {
  const chart = chartIn(app, 'metallb-system');
  new MetalLbAddressPool(chart, 'Pool', { name: 'one', addresses: ['192.0.2.0/28'] });
  new MetalLbLayer2Advertisement(chart, 'All');
}

/** Apps, and patches of their finished objects by kind. */
const APPS: Readonly<Record<string, readonly [Make, ...(readonly [kind: string, patch: JsonPatch])[]]>> = {
  'tenants of Envoy Gateway': [
    shared(() => SharedLoadBalancerEngine.envoyGateway({ controller: NLB })),
    ['ValidatingAdmissionPolicy', JsonPatch.add('/spec/failurePolicy', 'Ignore')],
    ['ValidatingAdmissionPolicyBinding', JsonPatch.replace('/spec/validationActions', ['Audit'])],
    ['Gateway', JsonPatch.replace('/spec/gatewayClassName', '')],
    ['Gateway', JsonPatch.add('/metadata/finalizers', ['service.k8s.aws/resources'])],
  ],
  'tenants of HAProxy': [
    shared((chart) => {
      void chart;
      return SharedLoadBalancerEngine.haproxy({
        controller: NLB,
        installation: new HaproxyIngress({ release: 'edge' }),
      });
    }),
    ['ValidatingAdmissionPolicy', JsonPatch.remove('/spec/validations/0')],
  ],
  'tenants of a Network Load Balancer': [
    shared(() => SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['edge'] })),
    ['LoadBalancerConfiguration', JsonPatch.replace('/spec/scheme', 'public')],
    ['LoadBalancerConfiguration', JsonPatch.replace('/metadata/name', 'other')],
    ['TargetGroupConfiguration', JsonPatch.add('/spec/unknown', 1)],
    ['Gateway', JsonPatch.replace('/spec/listeners/0/port', 0)],
  ],
  'tenants of a Gateway': [
    shared(() =>
      SharedLoadBalancerEngine.existingGateway({
        gateway: Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' }),
        routesBySni: true,
      }),
    ),
  ],
  'a guard': [
    guard,
    ['ValidatingAdmissionPolicy', JsonPatch.add('/spec/failurePolicy', 'Ignore')],
    ['ValidatingAdmissionPolicy', JsonPatch.replace('/spec/validations/0/expression', 'true')],
    ['ValidatingAdmissionPolicy', JsonPatch.replace('/metadata/name', 'other')],
    ['ValidatingAdmissionPolicyBinding', JsonPatch.replace('/spec/validationActions', ['Audit'])],
  ],
  'a binding of pods': [
    binding('ClusterIP', NlbTargetType.IP),
    ['TargetGroupBinding', JsonPatch.replace('/spec/targetGroupARN', 'arn')],
    ['TargetGroupBinding', JsonPatch.replace('/spec/serviceRef/port', 81)],
    ['TargetGroupBinding', JsonPatch.replace('/apiVersion', 'elbv2.k8s.aws/v1alpha1')],
    ['TargetGroupBinding', JsonPatch.add('/metadata/finalizers', ['service.k8s.aws/resources'])],
    ['TargetGroupBinding', JsonPatch.add('/spec/networking', { ingress: [] })],
  ],
  'a binding of nodes': [binding('NodePort', NlbTargetType.INSTANCE)],
  'a binding of nodes without node ports': [binding('ClusterIP', NlbTargetType.INSTANCE)],
  'the AWS Load Balancer Controller': [
    (app) => void new AwsLoadBalancerControllerInstallation(chartIn(app), 'Controller', RIGHT),
    ['Deployment', JsonPatch.add('/spec/template/spec/containers/0/args/-', '--nonsense=true')],
    ['Deployment', JsonPatch.add('/spec/template/spec/containers/0/args/-', '--cluster-name=other')],
    ['Deployment', JsonPatch.replace('/spec/template/spec/serviceAccountName', 'other')],
  ],
  'the AWS cloud controller manager': [
    (app) =>
      void new AwsCloudControllerManagerInstallation(chartIn(app, 'kube-system'), 'Ccm', { clusterName: 'prod' }),
    ['DaemonSet', JsonPatch.add('/spec/template/spec/containers/0/args/-', '--nonsense=true')],
  ],
  MetalLB: [
    metalLb,
    ['IPAddressPool', JsonPatch.replace('/spec/addresses', ['192.0.2.0/33'])],
    ['IPAddressPool', JsonPatch.replace('/metadata/name', 'Two')],
    ['L2Advertisement', JsonPatch.add('/spec', { ipAddressPools: ['other'] })],
    ['L2Advertisement', JsonPatch.add('/spec', { interfaces: 5 })],
  ],
  Strimzi: [
    (app) =>
      void new StrimziClusterOperatorInstallation(chartIn(app, 'strimzi'), 'Operator', {
        version: StrimziVersion.V1_2,
      }),
    [
      'Deployment',
      JsonPatch.add('/spec/template/spec/containers/0/env/-', { name: 'STRIMZI_FEATURE_GATES', value: '+Nonsense' }),
    ],
  ],
};

const cases = Object.entries(APPS).flatMap(([title, [make, ...patches]]) =>
  [undefined, ...patches].map((patch, i) => ({
    title: patch ? `${title}, patch ${i} of ${patch[0]}` : title,
    make,
    patch,
  })),
);

test('the synth of tenants, bindings and installations finds what a check of them finds', () => {
  const pairs = cases.map(({ title, make, patch: wrong }) => {
    const [kind, patch] = wrong ?? [];
    const app = new App();
    make(app);
    const objects = app.node.findAll().filter((one): one is ApiObject => ApiObject.isApiObject(one));
    const [patched] = objects.filter((one) => one.kind === kind);
    if (patch) {
      expect({ title, kind: patched?.kind }).toEqual({ title, kind });
      patched.addJsonPatch(patch);
    }
    return { title, ...comparedApp(app, '') };
  });
  expectSame(pairs, { onlyInFiles: {}, onlyAtSynth: {} });
  expect(rulesFound(pairs)).toBeGreaterThan(15);
});
