import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubernetesVersion, TenantLoadBalancerGuard } from '../../src';
import { SHARED_CLASS } from '../../src/tenancy/tenancy.facts';
import type { Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { customResourceDefinitions, install, lacksOfAll, objectsIn } from '../real/objects';
import { permit, untilPoliciesHold } from '../real/policies';
import { count, until } from '../real/program';
import { runExample } from '../support/pasted-page';
import { existingGateway, type RunTimeApp, RunTimeScene, runTimeApp } from './harness/run-time';

// A tenant's Service of type LoadBalancer to its end, in a real API server: refused with words that help, or served.

const PLATFORM = 'system:serviceaccount:flux-system:kustomize-controller';
const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

describe('the example of tenants', () => {
  const objects = objectsIn(Object.values(runExample('tenants').files).join('---\n'));
  const teams = ['team-a', 'team-b', 'team-c'];
  const ofTenant = ({ metadata }: Ref) => teams.includes(metadata.namespace ?? '');
  const [service] = objectsIn(
    readFileSync(join(__dirname, '..', '..', 'examples', 'stories', 'tenants', 'team-a.yaml'), 'utf8'),
  );
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']));
    for (const name of ['infra', ...teams]) {
      const labels = name === 'infra' ? {} : { 'example.com/tenant': 'true' };
      await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    }
    await permit(plane.api, PLATFORM, EVERYTHING);
    await permit(plane.api, 'anna', EVERYTHING, 'team-a');
  });

  afterAll(() => plane?.stop());

  test('is taken as written, from the platform', async () => {
    expect(
      await lacksOfAll(
        plane.api,
        objects.filter((object) => !ofTenant(object)),
      ),
    ).toEqual([]);
    await untilPoliciesHold(plane.api);
    expect(await lacksOfAll(plane.api.actingAs(PLATFORM), objects.filter(ofTenant))).toEqual([]);
    count('objects of the example of tenants accepted', objects.length);
  });

  test('refuses what the tenant has in its file, if it applies that itself, and says what to do', async () => {
    const own: Ref = { ...service, metadata: { ...service.metadata, name: 'own' } };
    await expect(plane.api.actingAs('anna').create(own)).rejects.toThrow(
      "ValidatingAdmissionPolicy 'load-balancer-guard' with binding 'load-balancer-guard' denied request: Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP",
    );
    await plane.api.actingAs('anna').create({ ...own, spec: { ...own.spec, type: 'ClusterIP' } });
  });
});

describe('beside SharedServicesAtRunTime', () => {
  let scene: RunTimeScene;

  /** The guard as in the README, and what serves Services at run time. */
  function app(): RunTimeApp {
    const namespaceLabels = { 'cdk8s-load-balancers/tenant': 'true' };
    return runTimeApp({ namespaceLabels, engine: existingGateway(false) }, { 'team-a': [5432, 5439] }, (platform) => {
      new TenantLoadBalancerGuard(platform, 'Guard', { namespaceLabels, kubernetes: KubernetesVersion.V1_36 });
    });
  }

  beforeAll(async () => {
    scene = await RunTimeScene.start(app(), ['team-a']);
  });

  afterAll(() => scene?.stop());

  test('a Service without a class gets the shared one, and the address of the balancer', async () => {
    await permit(scene.api, 'anna', EVERYTHING, 'team-a');
    const db: Ref = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'db', namespace: 'team-a' },
      spec: { type: 'LoadBalancer', selector: { app: 'db' }, ports: [{ port: 5432 }] },
    };
    const anna = scene.api.actingAs('anna');
    await until(
      'the class',
      async () => (await anna.create(db, { dryRun: true })).spec.loadBalancerClass !== undefined,
    );
    await anna.create(db);
    const addresses = async () => (await anna.get(db)).status.loadBalancer.ingress;
    await until('an address', async () => (await addresses()) !== undefined, { seen: addresses });
    const { spec, status } = await anna.get(db);
    expect(spec.loadBalancerClass).toBe(SHARED_CLASS);
    expect(status.loadBalancer.ingress).toEqual([{ hostname: 'tcp.example.com' }]);
  });
});
