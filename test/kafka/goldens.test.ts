import { join } from 'node:path';
import { type Chart, Include, JsonPatch } from 'cdk8s';
import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancerScheme,
  MetalLb,
  NlbTargetType,
  NodePool,
  StrimziVersion,
} from '../../src';
import { newChart } from '../support/apps';
import { expectGolden, writtenBy } from '../support/golden-files';
import { clusterWith } from './clusters';

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
