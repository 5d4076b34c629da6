import { join } from 'node:path';
import type { GoModule } from '../go/binary';
import { lackOfGo, wantedGo } from '../go/find-go';
import { Lack } from './jest-suite';

const TEST = join(__dirname, '..', '..', 'test');

/** The API server, its controllers, the ledger's cloud and the model of owners. */
export const CONTROL_PLANE: GoModule = {
  name: 'control-plane',
  folder: join(TEST, 'cluster', 'control-plane'),
  packagePath: '.',
  minutes: 13,
};

/** The cloud controller manager of AWS, of the same module: most of what the two are made of is then compiled once. */
export const AWS_CLOUD_CONTROLLER_MANAGER: GoModule = {
  ...CONTROL_PLANE,
  name: 'aws-cloud-controller-manager',
  packagePath: 'k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager',
  minutes: 3,
};

/** The service controller of the next version of Kubernetes, of a module of its own: one program has one version of each module. */
export const NEXT_CLOUD: GoModule = {
  name: 'next-cloud',
  folder: join(TEST, 'cluster', 'next-cloud'),
  packagePath: '.',
  unoptimised: 'k8s.io/...',
  minutes: 3,
};

/** The code by which operators write Services, with versions of modules as for the controller of Gateways below: most is then compiled once. */
export const OPERATORS: GoModule = {
  name: 'operators',
  folder: join(TEST, 'cluster', 'operators'),
  packagePath: '.',
  minutes: 9,
};

/** What the objects of a shared HAProxy become in its configuration. */
export const HAPROXY_RENDERER: GoModule = {
  name: 'haproxy-renderer',
  folder: join(TEST, 'haproxy', 'renderer'),
  packagePath: '.',
  minutes: 3,
};

/** The command of Kyverno, and what its webhook for mutating policies answers. */
export const KYVERNO: GoModule = {
  name: 'kyverno',
  folder: join(TEST, 'kyverno', 'program'),
  packagePath: '.',
  minutes: 8,
};

/** The controller of Gateways whose proxies are Envoy. */
export const ENVOY_GATEWAY: GoModule = {
  name: 'envoy-gateway',
  folder: join(TEST, 'envoy', 'gateway'),
  packagePath: 'github.com/envoyproxy/gateway/cmd/envoy-gateway',
  minutes: 7,
};

/** The linter of workflow files. */
export const ACTIONLINT: GoModule = {
  name: 'actionlint',
  folder: join(TEST, 'workflows', 'actionlint'),
  packagePath: 'github.com/rhysd/actionlint/cmd/actionlint',
  minutes: 1,
};

/** The renderer of kustomizations. */
export const KUSTOMIZE: GoModule = {
  name: 'kustomize',
  folder: join(TEST, 'renderers', 'programs', 'kustomize'),
  packagePath: 'sigs.k8s.io/kustomize/kustomize/v5',
  minutes: 1,
};

/** The renderer of charts. */
export const HELM: GoModule = {
  name: 'helm',
  folder: join(TEST, 'renderers', 'programs', 'helm'),
  packagePath: 'helm.sh/helm/v3/cmd/helm',
  minutes: 2,
};

/** The validator that reads the schemas of annotations. */
export const KUBECONFORM: GoModule = {
  name: 'kubeconform',
  folder: join(TEST, 'renderers', 'programs', 'kubeconform'),
  packagePath: 'github.com/yannh/kubeconform/cmd/kubeconform',
  minutes: 1,
};

/** In the order in which `.ci/run` needs them. */
export const GO_PROGRAMS: readonly GoModule[] = [
  ...[CONTROL_PLANE, NEXT_CLOUD, OPERATORS, ACTIONLINT, KUSTOMIZE, HELM, KUBECONFORM],
  ...[AWS_CLOUD_CONTROLLER_MANAGER, HAPROXY_RENDERER, KYVERNO, ENVOY_GATEWAY],
];

/** Where the modules are pinned that hold custom resource definitions. */
export const CRDS = join(TEST, 'cluster', 'crds');

/** @throws Lack when a suite cannot build what lies in some folders. */
export function mustHaveGo(suite: string, folders: readonly string[]): void {
  for (const folder of folders) {
    const lack = lackOfGo(folder);
    if (lack) {
      const version = `${wantedGo(folder) ?? ''} or newer`.trim();
      throw new Lack(`${suite} needs Go ${version}: ${lack}; install it from https://go.dev/dl`);
    }
  }
}
