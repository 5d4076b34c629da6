import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Lazy, Testing } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  type ILoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancedService,
  LoadBalancerScheme,
  LoadBalancers,
  StrimziVersion,
} from '../../../src';
import { AwsIdentity } from '../../../src/identity';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/installation';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import { WebhookCertificate } from '../../../src/installations/certificates/webhook-certificate';
import { InstallationOrder } from '../../../src/installations/order/installation-order';
import { stderrOf } from '../../support/apps';
import { all, casesIn, revived } from '../../support/yaml-cases';
import { operatorIn } from '../strimzi/operators';

const WAVE = 'argocd.argoproj.io/sync-wave';

function thing(scope: Chart, name: string): ApiObject {
  return new ApiObject(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}

function charts() {
  const app = Testing.app();
  const [shop, kafka, system] = ['shop', 'kafka', 'system'].map((id) => new Chart(app, id));
  const installation = new AwsCloudControllerManagerInstallation(system, 'Ccm', { clusterName: 'prod' });
  thing(kafka, 'kafka');
  new LoadBalancedService(shop, 'Echo', {
    name: 'echo',
    controller: AwsCloudProvider.nlb(),
    scheme: LoadBalancerScheme.INTERNAL,
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
  });
  return { app, installation, system, kafka, shop };
}

const wavesOf = (chart: Chart) => [
  ...new Set(Testing.synth(chart).map(({ metadata }) => metadata.annotations?.[WAVE] as string | undefined)),
];

describe('Argo CD', () => {
  test('nothing is ordered unless somebody asks', () => {
    const { system, shop } = charts();
    expect([wavesOf(system), wavesOf(shop)]).toEqual([[undefined], [undefined]]);
  });

  test.each<[number | undefined, string[]]>([
    [undefined, ['0', '1', '2']],
    [-5, ['-5', '-4', '-3']],
  ])('each stage is a wave, from %s', (first, waves) => {
    const { installation, system, kafka, shop } = charts();
    const order = InstallationOrder.argoCdSyncWaves(first);
    expect(order.stage(installation).stage(kafka).stage(shop)).toBe(order);
    expect([wavesOf(system), wavesOf(kafka), wavesOf(shop)]).toEqual(waves.map((wave) => [wave]));
  });

  describe('a controller that is in no earlier wave than what it serves', () => {
    type Platform = ReturnType<typeof charts>;
    const waves = InstallationOrder.argoCdSyncWaves;
    function toldOf(put: (platform: Platform) => void): string[] {
      const platform = charts();
      put(platform);
      const all = LoadBalancers.of(platform.app).warnings.filter(
        ({ finding }) => finding.ruleId === 'wave-order-reversed',
      );
      expect(stderrOf(() => Testing.synth(platform.system)).includes('(wave-order-reversed)')).toBe(all.length > 0);
      return all.map(({ finding }) => finding.what);
    }

    test.each<[string, (platform: Platform) => void, string]>([
      ['one stage', ({ system, shop }) => waves().stage(system, shop), 'wave 0'],
      ['one stage, one by one', ({ installation, shop }) => waves(3).stage(installation, shop), 'wave 3'],
      [
        'two orders',
        ({ system, shop }) => {
          waves(5).stage(system);
          waves(0).stage(shop);
        },
        'wave 5',
      ],
      [
        'an annotation by hand',
        ({ installation, system, shop }) => {
          waves().stage(system).stage(shop);
          installation.workload.metadata.addAnnotation(WAVE, '1');
        },
        'wave 1',
      ],
    ])('by %s', (_, put, wave) => {
      expect(toldOf(put)).toEqual([
        expect.stringMatching(new RegExp(`^system/Ccm is in ${wave}, .* \\(shop/Echo in wave \\d\\): `)),
      ]);
    });

    test.each<[string, (platform: Platform) => void]>([
      ['two stages', ({ system, shop }) => waves().stage(system).stage(shop)],
      ['a stage of the controller alone', ({ system }) => waves().stage(system)],
      [
        'another one in an earlier wave',
        ({ app, system, shop }) => {
          const second = new Chart(app, 'second');
          new AwsCloudControllerManagerInstallation(second, 'Ccm', { clusterName: 'stage' });
          waves().stage(system).stage(shop, second);
        },
      ],
    ])('is none with %s', (_, put) => expect(toldOf(put)).toEqual([]));

    test('may be the operator of a Kafka', () => {
      const app = Testing.app();
      const kafka = new Chart(app, 'kafka', { namespace: 'strimzi' });
      new KafkaCluster(kafka, 'events', { name: 'events', strimzi: StrimziVersion.V1_2 });
      const { operator } = operatorIn(app, 'strimzi', { version: StrimziVersion.V1_2 });
      waves().stage(operator, kafka);
      const told = LoadBalancers.of(app).warnings.map(({ finding }) => `${finding.ruleId}: ${finding.what}`);
      expect(told).toContainEqual(
        expect.stringMatching(/^wave-order-reversed: strimzi\/\S+ is in wave 0, .*kafka\/events/),
      );
    });
  });

  test('other annotations stay', () => {
    const { shop } = charts();
    InstallationOrder.argoCdSyncWaves().stage(shop);
    const [service] = Testing.synth(shop);
    expect(Object.keys(service.metadata.annotations)).toEqual(expect.arrayContaining([WAVE]));
    expect(Object.keys(service.metadata.annotations).length).toBeGreaterThan(1);
  });

  test('several constructs in one stage', () => {
    const { system, kafka, shop } = charts();
    InstallationOrder.argoCdSyncWaves().stage(system, kafka).stage(shop);
    expect([wavesOf(system), wavesOf(kafka), wavesOf(shop)]).toEqual([['0'], ['0'], ['1']]);
  });
});

describe('Argo CD and Kafka', () => {
  const { V0_48, V0_49 } = StrimziVersion;
  const NAMES = { unawaited: 'wave-kafka-deleted-before-services', topics: 'wave-topic-before-kafka' };

  function clusterIn(scope: Chart, strimzi = V0_49, name = 'events') {
    return new KafkaCluster(scope, name, { name, strimzi });
  }

  function topicsIn(scope: Chart, kafka: KafkaCluster, count = 1, namespace?: string) {
    for (let index = 0; index < count; index++) {
      new ApiObject(scope, `topic-${index}`, {
        apiVersion: kafka.strimzi.apiVersion,
        kind: 'KafkaTopic',
        metadata: {
          name: `topic-${index}`,
          namespace: namespace ?? kafka.namespace,
          labels: { 'strimzi.io/cluster': kafka.clusterName },
        },
      });
    }
  }

  function said(build: (charts: { app: App; system: Chart; kafka: Chart; topics: Chart }) => void) {
    const app = Testing.app();
    const [topics, kafka, system] = ['topics', 'kafka', 'system'].map((id) => new Chart(app, id));
    thing(system, 'controller');
    build({ app, system, kafka, topics });
    return LoadBalancers.of(app).warnings.filter(({ finding }) => Object.values(NAMES).includes(finding.ruleId));
  }

  const order = () => InstallationOrder.argoCdSyncWaves();
  type Build = Parameters<typeof said>[0];
  type Charts = Parameters<Build>[0];
  type Id = 'system' | 'kafka' | 'topics';
  const staged = (from: InstallationOrder, charts: Charts, ids: Id[]) =>
    ids.reduce((before, id) => before.stage(charts[id]), from);
  const STEPS = {
    cluster: (charts: Charts, id: Id, ...of: [StrimziVersion?, string?]) => clusterIn(charts[id], ...of),
    topics: (charts: Charts, id: Id, [of, ...cluster]: [Id, StrimziVersion?, string?], ...more: [number?, string?]) =>
      topicsIn(charts[id], clusterIn(charts[of], ...cluster), ...more),
    manifest: ({ kafka }: Charts, apiVersion: string, namespace?: string) =>
      new ApiObject(kafka, 'Manifest', { apiVersion, kind: 'Kafka', metadata: { name: 'm', namespace } }),
    operator: ({ app }: Charts, version: StrimziVersion) => operatorIn(app, 'strimzi', { version }),
    stages: (charts: Charts, ...ids: Id[]) => staged(order(), charts, ids),
    stagesFrom: (charts: Charts, first: number, ...ids: Id[]) =>
      staged(InstallationOrder.argoCdSyncWaves(first), charts, ids),
    files: (charts: Charts, ...ids: Id[]) => staged(InstallationOrder.cdk8sDependencies(), charts, ids),
  };

  test.each<[string, Build, string[]]>(revived(casesIn(__dirname, 'order.yaml').kafka, { all: all(STEPS) }))(
    '%s',
    (_, build, rules) => expect(said(build).map(({ finding }) => finding.ruleId)).toEqual(rules),
  );

  test('it names the topics, and the chart', () => {
    const [{ path, finding }] = said(({ kafka }) => {
      topicsIn(kafka, clusterIn(kafka), 5);
      order().stage(kafka);
    });
    expect(path).toBe('kafka');
    expect(finding.what).toMatch(/^KafkaTopic topic-0, topic-1, topic-2 and 2 more is not .* Kafka events/);
  });

  test('it names the version', () => {
    const [{ finding }] = said(({ system, kafka }) => {
      clusterIn(kafka, V0_48);
      order().stage(system).stage(kafka);
    });
    expect(finding.what).toMatch(/^Strimzi 0\.48\.\d+ lets Kafka events go/);
    expect(finding.remedy).toMatch(/Strimzi 0\.49\.0 or newer/);
  });
});

test('listeners that come after the order are rendered as often, and written the same, in each synth of the app', () => {
  const synths = (isOrdered: boolean) => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'order-')) });
    const chart = new Chart(app, 'kafka');
    let count = 0;
    const listeners = Lazy.any({
      produce: () => {
        count++;
        return [];
      },
    });
    const metadata = { name: 'events', annotations: { [WAVE]: '0' } };
    const apiVersion = 'kafka.strimzi.io/v1';
    const manifest = new ApiObject(chart, 'Manifest', {
      apiVersion,
      kind: 'Kafka',
      metadata,
      spec: { kafka: { listeners } },
    });
    if (isOrdered) InstallationOrder.argoCdSyncWaves().stage(chart);
    const nodePools = [{ name: 'b', brokerIds: [0] }];
    const kafka = KafkaCluster.fromManifest(manifest, { strimzi: StrimziVersion.V1_2, nodePools });
    new KafkaLoadBalancedListener(chart, 'Listener', {
      kafka,
      name: 'external',
      port: 9094,
      controller: AwsCloudProvider.nlb(),
      scheme: LoadBalancerScheme.INTERNAL,
    });
    const written = [0, 1].map(() => {
      const before = count;
      app.synth();
      return [readFileSync(join(app.outdir, 'kafka.k8s.yaml'), 'utf8'), count - before];
    });
    rmSync(app.outdir, { recursive: true });
    return written;
  };
  stderrOf(() => {
    const ordered = synths(true);
    expect(ordered[0][0]).toContain('port: 9094');
    expect(ordered).toEqual(synths(false));
  });
});

describe.each([
  ['Argo CD', () => InstallationOrder.argoCdSyncWaves()],
  ['cdk8s', () => InstallationOrder.cdk8sDependencies()],
])('%s: stages', (_, order) => {
  test('a construct in two', () => {
    const { system } = charts();
    expect(() => order().stage(system).stage(system)).toThrow(/system\] .*in two stages.*\(stage-duplicate\)/);
  });

  test('a construct of another stage', () => {
    const { system, installation } = charts();
    expect(() => order().stage(system).stage(installation)).toThrow(/\(stage-duplicate\)/);
    expect(() => order().stage(installation).stage(system)).toThrow(/\(stage-duplicate\)/);
  });
});

describe.each([
  ['Argo CD', () => InstallationOrder.argoCdSyncWaves()],
  ['cdk8s', () => InstallationOrder.cdk8sDependencies()],
])('%s: the direction', (_, order) => {
  const lbcIn = (scope: Chart, loadBalancerClass?: string) =>
    new AwsLoadBalancerControllerInstallation(scope, 'Lbc', {
      clusterName: 'prod',
      region: 'eu-west-1',
      vpcId: 'vpc-0123456789abcdef0',
      identity: AwsIdentity.podIdentity(),
      certificate: WebhookCertificate.certManager(),
      loadBalancerClass,
    });

  function shopIn(app: App, controller: ILoadBalancerController) {
    const shop = new Chart(app, 'store');
    new LoadBalancedService(shop, 'Web', {
      name: 'web',
      controller,
      scheme: LoadBalancerScheme.INTERNAL,
      selector: { app: 'web' },
      ports: [{ port: 443 }],
    });
    return shop;
  }

  test('Services before their AWS Load Balancer Controller, and before another one', () => {
    const { app, system } = charts();
    const shop = shopIn(app, AwsLoadBalancerController.nlb());
    const [own, other] = [new Chart(app, 'own'), new Chart(app, 'other')];
    lbcIn(own);
    lbcIn(other, 'example.com/nlb');
    expect(() => order().stage(shop).stage(system).stage(other)).not.toThrow();
    expect(() => order().stage(shop).stage(own)).toThrow(
      /own\/Lbc\] .* it serves store\/Web .*\(stage-order-reversed\)/,
    );
  });

  test.each<[string, object, (chart: Chart) => unknown, boolean]>([
    ['of a class', { loadBalancerClass: 'service.k8s.aws/nlb' }, (chart) => lbcIn(chart), true],
    ['of another class', { loadBalancerClass: 'example.com/nlb' }, (chart) => lbcIn(chart), false],
    [
      'without one',
      {},
      (chart) => new AwsCloudControllerManagerInstallation(chart, 'Ccm', { clusterName: 'prod' }),
      true,
    ],
  ])('a Service that is in the app as it is, %s', (_, spec, install, isReversed) => {
    const app = Testing.app();
    const [shop, system] = [new Chart(app, 'shop'), new Chart(app, 'system')];
    new ApiObject(shop, 'Raw', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'raw' },
      spec: { type: 'LoadBalancer', ...spec },
    } as ConstructorParameters<typeof ApiObject>[2]);
    install(system);
    const stages = () => order().stage(shop).stage(system);
    if (isReversed) {
      expect(stages).toThrow(/it serves shop\/Raw of an earlier stage.*\(stage-order-reversed\)/);
    } else {
      expect(stages).not.toThrow();
    }
  });

  test('a Kafka before its operator', () => {
    const platform = () => {
      const app = Testing.app();
      const kafka = new Chart(app, 'kafka', { namespace: 'strimzi' });
      new KafkaCluster(kafka, 'events', { name: 'events', strimzi: StrimziVersion.V0_49 });
      const { operator } = operatorIn(app, 'strimzi', { version: StrimziVersion.V0_49 });
      return { kafka, operator };
    };
    const [wrong, right] = [platform(), platform()];
    expect(() => order().stage(wrong.kafka).stage(wrong.operator)).toThrow(
      /it serves kafka\/events.*\(stage-order-reversed\)/,
    );
    expect(() => order().stage(right.operator).stage(right.kafka)).not.toThrow();
  });

  test('several clusters, one after another', () => {
    const { app, system, shop } = charts();
    const second = new Chart(app, 'second');
    new AwsCloudControllerManagerInstallation(second, 'Ccm', { clusterName: 'stage' });
    expect(() => order().stage(system).stage(shop).stage(second)).not.toThrow();
  });

  test('nothing to order', () => {
    const { app, shop } = charts();
    const empty = new Chart(app, 'empty');
    expect(() => order().stage(shop, empty)).toThrow(
      /^\[empty\] InstallationOrder: it has no objects.*\(stage-empty\)$/,
    );
    const noConstruct = [undefined, null, 'shop', {}] as unknown as Chart[];
    for (const given of noConstruct) {
      expect(() => order().stage(shop, given)).toThrow(
        /^InstallationOrder: .* is not a construct.*\(stage-without-construct\)$/,
      );
    }
    expect(() => order().stage()).toThrow(/^InstallationOrder: a stage has no constructs.*\(stage-empty\)$/);
  });
});

describe('cdk8s', () => {
  let outdir: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'order-'));
  });
  afterEach(() => rmSync(outdir, { recursive: true }));

  function files(order: (first: Chart, then: Chart, last: Chart) => void): string[] {
    const app = new App({ outdir });
    const [last, then, first] = ['c', 'b', 'a'].map((id) => new Chart(app, id));
    for (const chart of [first, then, last]) {
      thing(chart, chart.node.id);
    }
    order(last, then, first);
    app.synth();
    return readdirSync(outdir).sort();
  }

  test('files keep their names unless somebody asks', () => {
    expect(files(() => undefined)).toEqual(['a.k8s.yaml', 'b.k8s.yaml', 'c.k8s.yaml']);
  });

  test('files are numbered', () => {
    const order = (c: Chart, b: Chart, a: Chart) => InstallationOrder.cdk8sDependencies().stage(c).stage(b).stage(a);
    expect(files(order)).toEqual(['0000-c.k8s.yaml', '0001-b.k8s.yaml', '0002-a.k8s.yaml']);
    expect(readFileSync(join(outdir, '0000-c.k8s.yaml'), 'utf8')).not.toContain('annotations');
  });
});
