import { join } from 'node:path';
import { type Chart, Include, JsonPatch } from 'cdk8s';
import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KubernetesVersion,
  LoadBalancerScheme,
  MetalLb,
  NlbTargetType,
  NodePool,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { findListener } from '../../src/kafka/operator/kafka-document';
import { servicesOf } from '../../src/kafka/operator/operator-services';
import { errorsOf, newChart, stderrOf, synth } from '../support/apps';
import { expectGolden, writtenBy } from '../support/goldens';
import { kinds } from '../support/subjects';
import { casesIn, table } from '../support/yaml-cases';
import { clusterWith } from './clusters';

const V1BETA2 = 'kafka.strimzi.io/v1beta2';
const V1 = 'kafka.strimzi.io/v1';

/** One version: how it is meant, what it then is, and what follows. */
interface Row {
  readonly of: StrimziVersion;
  readonly version: string;
  readonly writes: string;
  readonly reads: readonly string[];
  readonly keeps: boolean;
  readonly kafka: readonly string[];
  readonly kubernetes: string;
  readonly cves: readonly string[];
}

const ROWS: readonly Row[] = casesIn(__dirname, 'strimzi-version.yaml').versions;

describe.each(ROWS.map((row) => [row.of.version, row] as const))('Strimzi %s', (version, row) => {
  test('is told by its number', () => expect(version).toBe(row.version));

  test(`writes ${row.writes}, and reads ${row.reads.join(' and ')}`, () => {
    const asked = [V1BETA2, V1, 'kafka.strimzi.io/v1beta1', 'core.strimzi.io/v1', 'v1', ''];
    expect(row.of.apiVersion).toBe(row.writes);
    expect(asked.filter((apiVersion) => row.of.servesApiVersion(apiVersion))).toEqual(row.reads);
  });

  test(`${row.keeps ? 'keeps' : 'wipes'} foreign finalizers`, () => {
    expect(row.of.keepsForeignFinalizers).toBe(row.keeps);
  });

  test('runs its versions of Kafka, the newest by default', () => {
    expect(row.of.kafkaVersions).toEqual(row.kafka);
    expect(row.of.defaultKafkaVersion).toBe(row.kafka[row.kafka.length - 1]);
  });

  test(`needs Kubernetes ${row.kubernetes}`, () => {
    expect(row.of.minimumKubernetes).toEqual(KubernetesVersion.of(row.kubernetes));
  });

  test(`has ${row.cves.length} known vulnerabilities`, () => expect(row.of.knownVulnerabilities).toEqual(row.cves));
});

test.each<[string, string]>(table('kafka/strimzi-version.yaml', 'refused versions'))(
  "of('%s') is refused with the way out",
  (version, message) => expect(() => StrimziVersion.of(version)).toThrow(new Error(message)),
);

test('every version is at least itself and each before it, and none after it', () => {
  const rising = ['0.45.0', '0.45.2', '0.46.0', '0.49.1', '0.51.0', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0'];
  const versions = rising.map((version) => StrimziVersion.of(version));
  const seen = versions.map((one) => versions.map((other) => one.isAtLeast(other)));
  expect(seen).toEqual(versions.map((_, i) => versions.map((__, j) => i >= j)));
});

test('a list of versions that is handed out can be changed without harm', () => {
  StrimziVersion.V1_2.kafkaVersions.pop();
  expect(StrimziVersion.V1_2.defaultKafkaVersion).toBe('4.3.1');
});

describe('the feature gate of server-side apply', () => {
  test.each<[StrimziVersion, boolean]>(
    casesIn(__dirname, 'strimzi-version.yaml')['version foreign finalizers survive when it is on and only'],
  )('$0.version: foreign finalizers survive when it is on, and only then: $1', (version, on) => {
    const gated = StrimziVersion.withServerSideApply(version, on);
    expect(gated.keepsForeignFinalizers).toBe(on);
    expect([gated.version, gated.apiVersion]).toEqual([version.version, version.apiVersion]);
  });

  test('leaves the version that it was made of as it is', () => {
    StrimziVersion.withServerSideApply(StrimziVersion.V0_50, true);
    expect(StrimziVersion.V0_50.keepsForeignFinalizers).toBe(false);
  });

  test('can be said again', () => {
    const on = StrimziVersion.withServerSideApply(StrimziVersion.V1_1, true);
    expect(StrimziVersion.withServerSideApply(on, false).keepsForeignFinalizers).toBe(false);
  });

  test.each<[StrimziVersion, boolean, string]>(table('kafka/strimzi-version.yaml', 'versions without a switch'))(
    '$0.version has none to switch: $1',
    (version, on, message) => expect(() => StrimziVersion.withServerSideApply(version, on)).toThrow(new Error(message)),
  );
});

const VERSIONS = Object.entries(StrimziVersion).filter((entry): entry is [string, StrimziVersion] => {
  return entry[1] instanceof StrimziVersion;
});

/** Controllers whose finalizer the manifest does not declare by itself: an operator that strips it cannot serve them. */
const REFUSED_BELOW_0_51: Record<string, string> = {
  'eks-auto-mode': 'finalizer-missing-on-listener',
  gke: 'finalizer-removed-by-strimzi',
};

const rows = VERSIONS.flatMap(([title, strimzi]) => kinds.map((kind) => [title, kind.name, strimzi, kind] as const));

/** What somebody sees of a Service that a plan decides. */
function decided({ metadata, spec }: Json): Json {
  const { loadBalancerClass, externalTrafficPolicy, allocateLoadBalancerNodePorts } = spec;
  return {
    annotations: metadata.annotations ?? {},
    labels: metadata.labels,
    finalizers: metadata.finalizers ?? [],
    loadBalancerClass,
    externalTrafficPolicy,
    allocateLoadBalancerNodePorts,
  };
}

test.each(rows)(
  'on %s every Service of a listener has the plan of %s, or the synth fails',
  (_, name, strimzi, kind) => {
    const { chart, cluster } = clusterWith([], strimzi);
    const controller = kind.installed();
    const authentication = { type: 'scram-sha-512' };
    const props = { kafka: cluster, name: 'external', port: 9094, authentication, controller };
    const { plan, serviceNames } = new KafkaLoadBalancedListener(chart, 'External', props);
    const refusal = strimzi.keepsForeignFinalizers ? undefined : REFUSED_BELOW_0_51[name];
    if (refusal) {
      expect(errorsOf(chart)).toEqual([expect.stringContaining(`(${refusal})`)]);
      return;
    }
    let kafka: Json = {};
    // what is to be said is said at the first synth only
    const told = stderrOf(() => {
      kafka = synth(chart).find((object) => object.kind === 'Kafka') as Json;
    });
    const { services } = servicesOf(cluster, kafka, findListener(kafka, 'external') as Json);
    expect(services.map(({ metadata }) => metadata.name)).toEqual(serviceNames);
    expect(services).toHaveLength(4);
    for (const service of services) {
      expect(decided(service)).toEqual({
        annotations: plan.annotations ?? {},
        labels: { ...plan.labels, 'strimzi.io/cluster': 'events' },
        finalizers: plan.finalizers ?? [],
        loadBalancerClass: plan.loadBalancerClass,
        externalTrafficPolicy: plan.externalTrafficPolicy ?? 'Cluster',
        allocateLoadBalancerNodePorts: plan.allocateLoadBalancerNodePorts,
      });
    }
    const warnings = strimzi.knownVulnerabilities.length > 0 ? ['strimzi-vulnerability'] : [];
    expect(told.match(/(?<= {2}\()[a-z-]+(?=\)$)/gm) ?? []).toEqual(warnings);
  },
);

const nlb = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const { INTERNET_FACING } = LoadBalancerScheme;
const { V0_45, V0_49, V0_51, V1_0, V1_1, V1_2 } = StrimziVersion;

const named = {
  name: 'external',
  port: 9094,
  authentication: { type: 'scram-sha-512' },
  advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
  dnsName: 'bootstrap.kafka.example.com',
  externalDns: true,
};

function firstStory(): Chart {
  const chart = newChart('kafka');
  const include = new Include(chart, 'Existing', { url: join(__dirname, 'manifests', 'first-story.yaml') });
  const kafka = KafkaCluster.fromManifest(include, { name: 'events', strimzi: V0_49 });
  kafka.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers'));
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka,
    name: 'external',
    controller: nlb(),
    scheme: INTERNET_FACING,
  });
  return chart;
}

const GOLDENS: Record<string, () => Chart> = {
  'first-story-put-right': firstStory,
  'aws-on-0.45': () => {
    const { chart, cluster: kafka } = clusterWith([], V0_45);
    new KafkaLoadBalancedListener(chart, 'External', { ...named, kafka, controller: nlb(), scheme: INTERNET_FACING });
    return chart;
  },
  'aws-on-1.2': () => {
    const { chart, cluster: kafka } = clusterWith([], V1_2);
    new KafkaLoadBalancedListener(chart, 'External', { ...named, kafka, controller: nlb(), scheme: INTERNET_FACING });
    return chart;
  },
  'azure-on-1.0': () => {
    const { chart, cluster: kafka } = clusterWith([], V1_0);
    const sourceRanges = ['10.0.0.0/8'];
    const controller = AzureCloudProvider.standard();
    new KafkaLoadBalancedListener(chart, 'Vpn', { kafka, name: 'vpn', port: 9095, controller, sourceRanges });
    return chart;
  },
  'gke-on-0.51': () => {
    const { chart, cluster: kafka } = clusterWith([], V0_51);
    new KafkaLoadBalancedListener(chart, 'External', { ...named, kafka, controller: Gke.passthrough() });
    return chart;
  },
  'metallb-on-1.1': () => {
    const { chart, cluster: kafka } = clusterWith([], V1_1);
    const backendNodes = NodePool.labeled({ pool: 'edge' });
    const controller = MetalLb.layer2({ addressPool: 'edge' });
    new KafkaLoadBalancedListener(chart, 'External', { ...named, kafka, controller, backendNodes });
    return chart;
  },
};

test.each(Object.entries(GOLDENS))('golden: %s', (name, chartOf) => {
  expectGolden(join(__dirname, 'goldens'), name, writtenBy(chartOf).yaml);
});
