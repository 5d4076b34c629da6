import { BOOTSTRAP, type Change, FILES, NOTHING, PLATFORM, PROBE, swap, testChanges } from './harness';

// What changes of kustomizations, charts and plain manifests do.

const CHANGES: Readonly<Record<string, Change>> = {
  // kustomizations
  'the scheme in a patch of an overlay': {
    edits: { [FILES.echoPatch]: swap('internet-facing', 'internal') },
    lost: { 'prod-eks': { 'edge/echo': 'replaced' } },
    code: 1,
  },
  'a patch that is removed, so that the scheme of the component holds': {
    edits: { [FILES.eks]: swap('  - path: echo.yaml\n', ''), [FILES.echoPatch]: undefined },
    lost: { 'prod-eks': { 'edge/echo': 'replaced' } },
    code: 1,
  },
  'the scheme in a component that two overlays have': {
    edits: { [FILES.aws]: swap('scheme: internal', 'scheme: internet-facing') },
    lost: {
      'prod-eks': { 'edge/api': 'replaced', 'edge/smtp': 'replaced' },
      'staging-eks': { 'staging/staging-api': 'replaced', 'staging/staging-echo': 'replaced' },
    },
    code: 1,
  },
  'the scheme in an inline patch of a component': {
    edits: { [FILES.azure]: swap("internal: 'true'", "internal: 'false'") },
    lost: { 'prod-aks': { 'edge/api': 'replaced', 'edge/echo': 'replaced', 'edge/smtp': 'replaced' } },
    code: 1,
  },
  'a port in a base that three overlays share, and a replacement copies': {
    edits: { [FILES.echo]: swap('port: 443,', 'port: 9443,') },
    lost: {
      'prod-eks': { 'edge/echo': 'interrupted', 'edge/api': 'interrupted' },
      'staging-eks': { 'staging/staging-echo': 'interrupted' },
      'prod-aks': { 'edge/echo': 'interrupted' },
    },
    code: 1,
  },
  'a port in a base, where one overlay replaces it': {
    edits: { [FILES.api]: swap('port: 8443,', 'port: 9443,') },
    lost: { 'staging-eks': { 'staging/staging-api': 'interrupted' }, 'prod-aks': { 'edge/api': 'interrupted' } },
    code: 1,
  },
  'a type in a base that two overlays share': {
    edits: { [FILES.smtp]: swap('type: LoadBalancer', 'type: ClusterIP') },
    lost: { 'prod-eks': { 'edge/smtp': 'deleted' }, 'prod-aks': { 'edge/smtp': 'deleted' } },
    code: 1,
  },
  'a label by which components select': {
    edits: { [FILES.api]: swap('exposure: internal', 'exposure: public') },
    lost: {
      'prod-eks': { 'edge/api': 'refused' },
      'staging-eks': { 'staging/staging-api': 'refused' },
      'prod-aks': { 'edge/api': 'replaced' },
    },
    code: 1,
  },
  'the prefix of names of an overlay': {
    edits: { [FILES.staging]: swap('namePrefix: staging-', 'namePrefix: stage-') },
    lost: {
      'staging-eks': {
        'staging/staging-api': 'replaced',
        'staging/staging-echo': 'replaced',
        'staging/stage-api': 'created',
        'staging/stage-echo': 'created',
      },
    },
    code: 1,
  },
  'the namespace of an overlay': {
    edits: { [FILES.aks]: swap('namespace: edge', 'namespace: front') },
    lost: {
      'prod-aks': {
        'edge/api': 'replaced',
        'edge/echo': 'replaced',
        'edge/smtp': 'replaced',
        'front/api': 'created',
        'front/echo': 'created',
        'front/smtp': 'created',
      },
    },
    code: 1,
  },
  'a finalizer that a patch no longer writes': {
    edits: { [FILES.aws]: swap('  finalizers: [service.k8s.aws/resources]\n', '') },
    lost: {
      'prod-eks': { 'edge/api': 'orphaned', 'edge/echo': 'orphaned', 'edge/smtp': 'orphaned' },
      'staging-eks': { 'staging/staging-api': 'orphaned', 'staging/staging-echo': 'orphaned' },
    },
    code: 1,
  },
  'a finalizer that a patch takes out': {
    edits: { [FILES.echoPatch]: swap('  name: echo\n', '  name: echo\n  finalizers: null\n') },
    lost: { 'prod-eks': { 'edge/echo': 'orphaned' } },
    code: 1,
  },
  'a class in a JSON patch': {
    edits: {
      [FILES.smtpPatch]: swap(
        '\n]',
        ',\n  { "op": "replace", "path": "/spec/loadBalancerClass", "value": "example.com/other" }\n]',
      ),
    },
    lost: { 'prod-eks': { 'edge/smtp': 'refused' } },
    code: 1,
  },
  'the source of a replacement': {
    edits: { [FILES.eks]: swap("fieldPath: 'spec.ports.0.port' }", "fieldPath: 'spec.ports.0.targetPort' }") },
    lost: { 'prod-eks': { 'edge/api': 'interrupted' } },
    code: 1,
  },
  'the value of a generated ConfigMap': { edits: { [FILES.eks]: swap('level=info', 'level=warn') }, ...NOTHING },
  'the tag of an image': { edits: { [FILES.eks]: swap('newTag: 1.0.1', 'newTag: 1.0.2') }, ...NOTHING },
  'the number of replicas': {
    edits: { [FILES.eks]: swap('images:', 'replicas: [{ name: echo, count: 5 }]\nimages:') },
    ...NOTHING,
  },
  'labels without selectors': {
    edits: { [FILES.staging]: swap('components:', 'labels: [{ pairs: { team: edge } }]\ncomponents:') },
    ...NOTHING,
  },
  'a file that gets another name in its base': {
    edits: {
      [FILES.echo]: undefined,
      'base/edge/service.yaml': PLATFORM[FILES.echo],
      'base/edge/kustomization.yaml': swap('echo.yaml', 'service.yaml'),
    },
    ...NOTHING,
  },
  'a file that moves to a base that one more overlay has': {
    edits: {
      [FILES.smtp]: undefined,
      'base/mail/kustomization.yaml': undefined,
      'base/edge/smtp.yaml': PLATFORM[FILES.smtp],
      'base/edge/kustomization.yaml': swap('api.yaml', 'api.yaml, smtp.yaml'),
      [FILES.eks]: swap('  - ../../base/mail\n', ''),
      [FILES.aks]: swap('  - ../../base/mail\n', ''),
    },
    lost: { 'staging-eks': { 'staging/staging-smtp': 'created' } },
    code: 0,
  },
  'a patch that is written into the kustomization': {
    edits: {
      [FILES.eks]: swap(
        '  - path: echo.yaml\n',
        '  - patch: |-\n      apiVersion: v1\n      kind: Service\n      metadata:\n        name: echo\n        annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing }\n',
      ),
      [FILES.echoPatch]: undefined,
    },
    ...NOTHING,
  },
  'a traffic policy of a balancer whose targets are pods': {
    edits: { [FILES.echoPatch]: (text) => `${text}spec:\n  externalTrafficPolicy: Local\n` },
    ...NOTHING,
  },
  'a traffic policy in a base': {
    edits: { [FILES.smtp]: swap('spec:\n', 'spec:\n  externalTrafficPolicy: Local\n') },
    lost: { 'prod-eks': { 'edge/smtp': 'interrupted' }, 'prod-aks': { 'edge/smtp': 'interrupted' } },
    code: 1,
  },

  // charts
  'the scheme in a values file': {
    edits: { 'values/shop-prod.yaml': swap('internet-facing', 'internal') },
    lost: { 'prod-eks': { 'shop/shop': 'replaced' } },
    code: 1,
  },
  'the default of a chart, which one cluster overrides': {
    edits: { 'charts/shop/values.yaml': swap('internal', 'internet-facing') },
    lost: { 'staging-eks': { 'shop/shop': 'replaced' } },
    code: 1,
  },
  'a values file of two clusters': {
    edits: { 'values/shop.yaml': (text) => `${text}port: 8443\n` },
    lost: { 'prod-eks': { 'shop/shop': 'interrupted' }, 'staging-eks': { 'shop/shop': 'interrupted' } },
    code: 1,
  },
  'the version of a chart': {
    edits: { 'charts/shop/Chart.yaml': swap('version: 1.0.0', 'version: 1.1.0') },
    ...NOTHING,
  },
  'the template of a chart': {
    edits: { [FILES.shop]: swap('nlb-target-type: ip', 'nlb-target-type: instance') },
    lost: { 'prod-eks': { 'shop/shop': 'interrupted' }, 'staging-eks': { 'shop/shop': 'interrupted' } },
    code: 1,
  },
  'a template that renders the same': {
    edits: { [FILES.shop]: swap('{{ .Values.port }}', '{{ .Values.port | int }}') },
    ...NOTHING,
  },
  'a template that no values switch on': {
    edits: { 'charts/shop/templates/extra.yaml': '{{- if .Values.extra }}\nkind: Service\n{{- end }}\n' },
    ...NOTHING,
  },
  'a finalizer in a library that a chart depends on': {
    edits: { [FILES.common]: swap('  finalizers: [service.kubernetes.io/load-balancer-cleanup]\n', '') },
    lost: { 'prod-aks': { 'portal/portal': 'orphaned' } },
    code: 1,
  },
  'an annotation of a library that is no text any more': {
    edits: { [FILES.common]: swap('{{ .Values.internal | quote }}', '{{ .Values.internal }}') },
    lost: { 'prod-aks': { 'portal/portal': 'refused' } },
    code: 1,
  },
  'the version of a dependency': {
    edits: {
      'charts/portal/Chart.yaml': swap('version: 1.0.0\n    repository', 'version: 1.1.0\n    repository'),
      'charts/portal/charts/common/Chart.yaml': swap('version: 1.0.0', 'version: 1.1.0'),
    },
    ...NOTHING,
  },
  'the release of a chart': {
    edits: {
      [FILES.context]: swap(
        'release: shop, namespace: shop, values: [values/shop.yaml] }',
        'release: store, namespace: shop, values: [values/shop.yaml] }',
      ),
    },
    lost: { 'staging-eks': { 'shop/shop': 'deleted', 'shop/store': 'created' } },
    code: 1,
  },

  // plain manifests
  'an annotation of a Kafka': {
    edits: { 'kafka/kafka.yaml': swap('scheme: internal', 'scheme: internet-facing') },
    lost: { 'prod-eks': { [BOOTSTRAP]: 'replaced' } },
    code: 1,
  },
  'a broker more': {
    edits: { 'kafka/kafka.yaml': swap('replicas: 1', 'replicas: 2') },
    lost: { 'prod-eks': { "kafka/events, listener 'external', broker 1": 'created' } },
    code: 0,
  },
  'a manifest in a folder of plain files': {
    edits: { 'kafka/probe.yaml': PROBE },
    lost: { 'prod-eks': { 'edge/probe': 'created' } },
    code: 0,
  },
};

testChanges(CHANGES);
