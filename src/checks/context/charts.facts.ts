import type { Citation } from '../../contract/kubernetes.facts';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AZURE_CONTROLLER, AZURE_SOURCE } from '../../controllers/azure-cloud-provider/annotations';
import { HCLOUD_CONTROLLER, HCLOUD_SOURCE } from '../../controllers/hetzner-cloud/annotations';
import { METALLB_CONTROLLER, METALLB_SOURCE } from '../../controllers/metal-lb/annotations';

// Controllers that are installed by a chart, of which an object of GitOps names no workload.

/** A chart of a controller. */
export interface ChartFact {
  readonly controller: string;
  /** The name of the chart, without its repository. */
  readonly chart: string;
  readonly source: Citation;
}

/** The charts that their makers publish. */
export const CHARTS: readonly ChartFact[] = [
  {
    controller: AWS_LBC_CONTROLLER,
    chart: 'aws-load-balancer-controller',
    source: {
      repository: 'kubernetes-sigs/aws-load-balancer-controller',
      version: 'v3.5.0',
      file: 'helm/aws-load-balancer-controller/Chart.yaml',
    },
  },
  {
    controller: AWS_CLOUD_CONTROLLER,
    chart: 'aws-cloud-controller-manager',
    source: {
      repository: 'kubernetes/cloud-provider-aws',
      version: 'v1.36.1',
      file: 'charts/aws-cloud-controller-manager/Chart.yaml',
    },
  },
  {
    controller: AZURE_CONTROLLER,
    chart: 'cloud-provider-azure',
    source: { ...AZURE_SOURCE, file: 'helm/cloud-provider-azure/Chart.yaml' },
  },
  {
    controller: HCLOUD_CONTROLLER,
    chart: 'hcloud-cloud-controller-manager',
    source: { ...HCLOUD_SOURCE, file: 'chart/Chart.yaml' },
  },
  {
    controller: METALLB_CONTROLLER,
    chart: 'metallb',
    source: { ...METALLB_SOURCE, file: 'charts/metallb/Chart.yaml' },
  },
  {
    controller: 'cilium',
    chart: 'cilium',
    source: { repository: 'cilium/cilium', version: '66382ef3', file: 'install/kubernetes/cilium/Chart.yaml' },
  },
  {
    controller: 'kube-vip',
    chart: 'kube-vip',
    source: { repository: 'kube-vip/helm-charts', version: 'cb98b265', file: 'charts/kube-vip/Chart.yaml' },
  },
  {
    controller: 'purelb',
    chart: 'purelb',
    source: { repository: 'purelb/purelb', version: '4d278af0', file: 'build/helm/purelb/Chart.yaml' },
  },
  {
    controller: 'openstack-cloud-controller-manager',
    chart: 'openstack-cloud-controller-manager',
    source: {
      repository: 'kubernetes/cloud-provider-openstack',
      version: 'v1.36.0',
      file: 'charts/openstack-cloud-controller-manager/Chart.yaml',
    },
  },
];

/** A kind of object that has a chart installed, and where it names it. */
export interface ReleaseFact {
  readonly group: string;
  readonly kind: string;
  /** The steps to the chart, or to a list of objects that have one each. */
  readonly paths: readonly (readonly string[])[];
  readonly source: Citation;
}

/** What installs charts. */
export const RELEASES: readonly ReleaseFact[] = [
  {
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    paths: [['spec', 'chart', 'spec', 'chart']],
    source: { repository: 'fluxcd/helm-controller', version: 'v1.4.0', file: 'api/v2/helmrelease_types.go' },
  },
  {
    group: 'argoproj.io',
    kind: 'Application',
    paths: [
      ['spec', 'source', 'chart'],
      ['spec', 'sources', 'chart'],
    ],
    source: { repository: 'argoproj/argo-cd', version: 'v3.1.0', file: 'pkg/apis/application/v1alpha1/types.go' },
  },
  {
    group: 'argoproj.io',
    kind: 'ApplicationSet',
    paths: [
      ['spec', 'template', 'spec', 'source', 'chart'],
      ['spec', 'template', 'spec', 'sources', 'chart'],
    ],
    source: {
      repository: 'argoproj/argo-cd',
      version: 'v3.1.0',
      file: 'pkg/apis/application/v1alpha1/applicationset_types.go',
    },
  },
  {
    group: 'helm.cattle.io',
    kind: 'HelmChart',
    paths: [['spec', 'chart']],
    source: { repository: 'k3s-io/helm-controller', version: 'v0.16.0', file: 'pkg/apis/helm.cattle.io/v1/types.go' },
  },
];

/** What a release of Flux may name in place of a chart, and where that names it. fluxcd/source-controller v1.7.0, api/v1 */
export const CHART_SOURCES: readonly Omit<ReleaseFact, 'source'>[] = [
  { group: 'source.toolkit.fluxcd.io', kind: 'OCIRepository', paths: [['spec', 'url']] },
  { group: 'source.toolkit.fluxcd.io', kind: 'HelmChart', paths: [['spec', 'chart']] },
];
