import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubernetesVersion } from '../../../src';
import type { Program } from '../../cluster/harness/program';
import { startBound } from './bound-program';
import { awsEnvironment, controllerBinary } from './environment';
import type { FakeAws } from './fake-aws';

/** Without these it asks the metadata service of an instance: kubernetes/cloud-provider-aws v1.36.1, pkg/providers/v1/aws.go */
function cloudConfig({ account }: FakeAws): string {
  const settings = {
    Region: account.region,
    Zone: `${account.region}a`,
    VPC: account.vpc,
    SubnetID: account.internalSubnets[0],
    KubernetesClusterID: account.cluster,
    NodeIPFamilies: 'ipv4',
  };
  return ['[Global]', ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`), ''].join('\n');
}

/** The version of the program that runs, as its go.mod pins it. */
export function controllerVersion(): KubernetesVersion {
  const pins = readFileSync(join(__dirname, '..', '..', 'cluster', 'control-plane', 'go.mod'), 'utf8');
  const [, version = ''] = /k8s\.io\/cloud-provider-aws (v\S+)/.exec(pins) ?? [];
  return KubernetesVersion.of(version);
}

/** The real AWS cloud controller manager, with the controller that makes balancers and no other. */
export function startCloudControllerManager(aws: FakeAws, kubeconfig: string, folder: string): Promise<Program> {
  const file = join(folder, 'cloud.conf');
  writeFileSync(file, cloudConfig(aws));
  const flags = {
    'cloud-provider': 'aws',
    'cloud-config': file,
    kubeconfig,
    'cluster-name': aws.account.cluster,
    controllers: 'service-lb-controller',
    'leader-elect': 'false',
    'secure-port': '0',
    'concurrent-service-syncs': '4',
    'kube-api-qps': '200',
    'kube-api-burst': '400',
    v: '2',
  };
  return startBound({
    name: 'aws-cloud-controller-manager',
    command: controllerBinary(),
    args: Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    folder,
    env: awsEnvironment(folder, aws.endpoint),
    isReady: ({ log }) => /Starting service controller[\s\S]*Caches are synced/.test(log),
  });
}
