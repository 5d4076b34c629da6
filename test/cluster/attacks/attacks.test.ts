import type { Body, Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import { customResourceDefinitions, experimentalDefinitions, install, leastDefinition } from '../../real/objects';
import { createUnderQuota, refusalOf, untilDenied, untilPoliciesHold } from '../../real/policies';
import { count } from '../../real/program';
import { attacksAt } from './attacks';
import {
  attackerOf,
  DELIVERY,
  METACONTROLLER,
  otherOf,
  platformOf,
  SCENARIOS,
  type Scenario,
  strongOf,
  tenantOf,
} from './scenarios';

/** What is there to be attacked, beside what the platform makes. */
function victimsOf(scenario: Scenario): Ref[] {
  const service = (name: string, port: number, metadata: Body = {}, spec: Body = {}): Ref => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: attackerOf(scenario), labels: { app: 'plain' }, ...metadata },
    spec: { selector: { app: name }, ports: [{ name: 'tcp', port }], ...spec },
  });
  const shared = { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/16'] };
  return [
    service('plain', 31_001),
    service('db', 5432),
    service('waiting', 31_002, {}, shared),
    service('published', 31_005, { finalizers: [`metacontroller.io/decoratorcontroller-${scenario}-run`] }, shared),
    service(
      'owned',
      31_006,
      { finalizers: ['service.k8s.aws/resources', 'service.kubernetes.io/load-balancer-cleanup'] },
      shared,
    ),
  ];
}

// Requests of tenants that want what is not theirs, in every way that the API server knows, at four shared load balancers.

let plane: ControlPlane;

afterAll(() => plane?.stop());

const ROUTES = ['tlsroutes', 'tcproutes', 'udproutes'];

/** Kinds whose definitions no Go module brings along, and every version and field of routes that was ever served. */
function definitions(): Ref[] {
  const ours: Readonly<Record<string, readonly string[]>> = {
    'ingress.v3.haproxy.org/v3': ['TCP', 'Backend', 'Frontend', 'Defaults', 'Global'],
    'elbv2.k8s.aws/v1beta1': ['TargetGroupBinding'],
    'gateway.k8s.aws/v1': ['TargetGroupConfiguration', 'LoadBalancerConfiguration', 'ListenerRuleConfiguration'],
  };
  return [
    ...customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']).filter(
      ({ spec }) => !ROUTES.includes(spec.names.plural),
    ),
    ...experimentalDefinitions(...ROUTES).map(
      ({ spec, ...definition }): Ref => ({
        ...definition,
        spec: { ...spec, versions: spec.versions.map((each: Body) => ({ ...each, served: true })) },
      }),
    ),
    ...Object.entries(ours).flatMap(([apiVersion, kinds]) => kinds.map((kind) => leastDefinition(apiVersion, kind))),
    leastDefinition('metacontroller.k8s.io/v1alpha1', 'DecoratorController', undefined, 'Cluster'),
  ];
}

async function installScenario(scenario: Scenario): Promise<void> {
  const { api } = plane;
  const [attacker, other] = [attackerOf(scenario), otherOf(scenario)];
  for (const [name, labels] of [
    [`infra-${scenario}`, {}],
    [attacker, { scenario }],
    [other, { scenario }],
  ] as const) {
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }
  const delivery = api.actingAs(DELIVERY.username, ['system:masters']);
  for (const object of platformOf(scenario)) {
    await createUnderQuota(delivery, object);
  }
  const apiGroup = 'rbac.authorization.k8s.io';
  for (const [user, role] of [
    [tenantOf(scenario), 'edit'],
    [strongOf(scenario), 'cluster-admin'],
  ]) {
    await api.create({
      apiVersion: `${apiGroup}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `${user}-${role}`, namespace: attacker },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  }
  const nodePort = { type: 'NodePort', ports: [{ port: 1 }] };
  await untilPoliciesHold(api);
  await untilDenied(`the policies of ${scenario}`, () =>
    api
      .actingAs(strongOf(scenario))
      .create(
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'probe', namespace: attacker }, spec: nodePort },
        { dryRun: true },
      ),
  );
  const controller = api.actingAs(METACONTROLLER.username, ['system:masters']);
  for (const victim of victimsOf(scenario)) {
    await createUnderQuota(controller, victim);
  }
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, definitions());
  for (const name of ['metacontroller', 'envoy-gateway-system']) {
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const scenario of SCENARIOS) {
    await installScenario(scenario);
  }
});

test.each(SCENARIOS)('%s: nothing passes but what is known to be harmless', async (scenario) => {
  const passed: string[] = [];
  for (const { what, who, act, harmless } of attacksAt(scenario)) {
    const said = await refusalOf(act(plane.api.actingAs(who), plane.api));
    if (said === undefined && harmless === undefined) {
      passed.push(what);
    }
    count('requests of attackers checked');
  }
  expect(passed).toEqual([]);
});
