import { BOOTSTRAP, BROKER, type Change, FILES, NOTHING, PLATFORM, PROBE, swap, testChanges } from './harness';

// What changes of clusters, of their sources, and of what is no source do.

/** The entry of a cluster in the context file. */
const entryOf = (cluster: string): RegExp => new RegExp(`  - name: ${cluster}\\n(?:    .*\\n)*`);

const withoutCluster = (cluster: string) => (text: string) => text.replace(entryOf(cluster), '');

const CHANGES: Readonly<Record<string, Change>> = {
  // clusters and sources
  'an overlay that goes with its cluster': {
    edits: { [FILES.context]: withoutCluster('staging-eks'), [FILES.staging]: undefined },
    lost: {
      'staging-eks': { 'staging/staging-api': 'deleted', 'staging/staging-echo': 'deleted', 'shop/shop': 'deleted' },
    },
    code: 1,
  },
  'an overlay that goes with its cluster, where nothing is pruned': {
    edits: { [FILES.context]: withoutCluster('staging-eks'), [FILES.staging]: undefined },
    args: ['--no-prune'],
    ...NOTHING,
  },
  'a cluster that is in the file no more': {
    edits: { [FILES.context]: withoutCluster('prod-aks') },
    lost: {
      'prod-aks': { 'edge/api': 'deleted', 'edge/echo': 'deleted', 'edge/smtp': 'deleted', 'portal/portal': 'deleted' },
    },
    code: 1,
  },
  'an overlay with a cluster of its own': {
    edits: {
      'overlays/eks-dr/kustomization.yaml':
        'namespace: edge\nresources: [../../base/mail]\ncomponents: [../../components/aws-internal]\n',
      [FILES.context]: swap(
        'exclude:',
        '  - { name: dr-eks, controllers: [aws-load-balancer-controller, cloud-provider-aws], sources: [{ kustomize: overlays/eks-dr }] }\nexclude:',
      ),
    },
    lost: { 'dr-eks': { 'edge/smtp': 'created' } },
    code: 0,
  },
  'the name of a cluster': {
    edits: { [FILES.context]: swap('name: prod-aks', 'name: azure') },
    names: { 'prod-aks': 'azure' },
    ...NOTHING,
  },
  'the order of clusters': {
    edits: {
      [FILES.context]: (text) => {
        const [aks] = entryOf('prod-aks').exec(text) as RegExpExecArray;
        return text.replace(aks, '').replace('clusters:\n', `clusters:\n${aks}`);
      },
    },
    ...NOTHING,
  },
  'a source more': {
    edits: {
      [FILES.context]: swap(
        '      - kustomize: overlays/aks-prod\n',
        '      - kustomize: overlays/aks-prod\n      - files: [docs/probe.yaml]\n',
      ),
    },
    lost: { 'prod-aks': { 'edge/probe': 'created' } },
    code: 0,
  },
  'a source less': {
    edits: { [FILES.context]: swap('      - files: [kafka]\n', '') },
    lost: { 'prod-eks': { [BOOTSTRAP]: 'deleted', [BROKER]: 'deleted' } },
    code: 1,
  },
  'the folder of an overlay': {
    edits: {
      [FILES.aks]: undefined,
      'overlays/azure/kustomization.yaml': PLATFORM[FILES.aks],
      [FILES.context]: swap('kustomize: overlays/aks-prod', 'kustomize: overlays/azure'),
    },
    ...NOTHING,
  },
  'the label of a node pool': { edits: { [FILES.context]: swap('nodegroup: ingest', 'nodegroup: edge') }, ...NOTHING },
  'the version of Kubernetes of one cluster, which a chart reads': {
    edits: { [FILES.context]: swap("kubernetes: '1.35'", "kubernetes: '1.36'") },
    ...NOTHING,
  },

  'a controller that is in the file no more': {
    edits: {
      [FILES.context]: swap(
        '[aws-load-balancer-controller, cloud-provider-aws]\n    strimzi',
        '[cloud-provider-aws]\n    strimzi',
      ),
    },
    lost: {
      'prod-eks': Object.fromEntries(
        ['edge/api', 'edge/echo', 'edge/smtp', 'shop/shop', BOOTSTRAP, BROKER].map((title) => [title, 'stuck']),
      ),
    },
    code: 1,
  },

  // the file on one side
  'a file with clusters that is new': {
    main: { [FILES.context]: undefined },
    edits: { [FILES.context]: PLATFORM[FILES.context] },
    ...NOTHING,
  },
  'a file that goes': { edits: { [FILES.context]: undefined }, ...NOTHING },
  'clusters in a file about one': {
    main: { [FILES.context]: 'controllers: [aws-load-balancer-controller, cloud-provider-aws]\n' },
    edits: { [FILES.context]: PLATFORM[FILES.context] },
    ...NOTHING,
  },
  'one cluster in a file of several': {
    edits: { [FILES.context]: 'controllers: [aws-load-balancer-controller, cloud-provider-aws]\n' },
    ...NOTHING,
  },
  'a mistake in the file of the older side': {
    main: { [FILES.context]: 'clusters: 3\n' },
    edits: { [FILES.context]: PLATFORM[FILES.context] },
    ...NOTHING,
  },
  'a source that only the newer side can render': {
    main: { 'values/portal.yaml': undefined },
    edits: { 'values/portal.yaml': PLATFORM['values/portal.yaml'] },
    lost: { 'prod-aks': { 'portal/portal': 'unknown' } },
    code: 2,
  },

  // what is no source
  'a README': { edits: { 'README.md': 'Another text.\n' }, ...NOTHING },
  'a package.json': { edits: { 'package.json': '{ "name": "platform", "version": "2.0.0" }\n' }, ...NOTHING },
  Terraform: { edits: { 'terraform/main.tf': swap('"1.36"', '"1.37"') }, ...NOTHING },
  'a manifest outside of sources': { edits: { 'docs/probe.yaml': PROBE }, ...NOTHING },
  'a chart that is no source': { edits: { 'tools/demo/values.yaml': 'port: 8080\n' }, ...NOTHING },
  'a broken chart that is no source': { edits: { 'tools/demo/templates/service.yaml': '{{ end }}\n' }, ...NOTHING },
  'an Application of Argo CD': {
    edits: { 'argocd/apps/edge.yaml': swap('overlays/eks-prod', 'overlays/none') },
    ...NOTHING,
  },
  'a Kustomization of Flux': { edits: { 'clusters/prod-aks/edge.yaml': undefined }, ...NOTHING },
  'a workflow': { edits: { '.github/workflows/check.yml': 'on: push\n' }, ...NOTHING },
  'YAML that cannot be read, outside of sources': { edits: { 'docs/broken.yaml': 'a: [b\n' }, ...NOTHING },
  'a file in an overlay that its kustomization does not name': {
    edits: { 'overlays/eks-prod/unused.yaml': PROBE },
    ...NOTHING,
  },
  'a values file that no source names': { edits: { 'values/shop-dev.yaml': 'port: 80\n' }, ...NOTHING },
  'an overlay that is no source': {
    edits: { 'overlays/dev/kustomization.yaml': 'resources: [../../base/edge]\n' },
    ...NOTHING,
  },
  'an excluded file in a source': { edits: { 'kafka/testdata/probe.yaml': PROBE }, ...NOTHING },
  'the documentation of a chart': { edits: { 'charts/shop/README.md': 'A shop.\n' }, ...NOTHING },

  // what cannot be rendered
  'a base that is not there': {
    edits: { [FILES.staging]: swap('../../base/edge', '../../base/none') },
    lost: { 'staging-eks': { 'staging/staging-api': 'unknown', 'staging/staging-echo': 'unknown' } },
    code: 2,
  },
  'a kustomization that is no YAML': {
    edits: { [FILES.staging]: 'resources: [\n' },
    lost: { 'staging-eks': { 'staging/staging-api': 'unknown', 'staging/staging-echo': 'unknown' } },
    code: 2,
  },
  'a declared overlay that goes': {
    edits: { [FILES.staging]: undefined },
    lost: { 'staging-eks': { 'staging/staging-api': 'unknown', 'staging/staging-echo': 'unknown' } },
    code: 2,
  },
  'a values file that goes': {
    edits: { 'values/portal.yaml': undefined },
    lost: { 'prod-aks': { 'portal/portal': 'unknown' } },
    code: 2,
  },
  'a template with a mistake': {
    edits: { [FILES.shop]: swap('{{- end }}', '') },
    lost: { 'prod-eks': { 'shop/shop': 'unknown' }, 'staging-eks': { 'shop/shop': 'unknown' } },
    code: 2,
  },
  'a dependency that is not vendored any more': {
    edits: { 'charts/portal/charts/common/Chart.yaml': undefined, [FILES.common]: undefined },
    lost: { 'prod-aks': { 'portal/portal': 'unknown' } },
    code: 2,
  },
};

testChanges(CHANGES);
