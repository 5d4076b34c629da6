import { type FileTexts, Folder } from '../cli/diff/repository';
import { said } from './harness';

// Layouts of public repositories, made small: none of them has a mistake.

interface Layout {
  readonly files: FileTexts;
  readonly objects: number;
  readonly asked?: readonly (readonly string[])[];
}

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'labels and selectors that kustomize completes': {
    files: {
      'kustomization.yaml': `${KUSTOMIZATION}labels: [{ pairs: { app: a }, includeSelectors: true }]\nresources: [d.yaml]\n`,
      'd.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
spec:
  selector: { matchLabels: { app: a } }
  template: { spec: { containers: [{ name: a, image: 'a:1' }] } }
`,
    },
    objects: 1,
  },
  'a namespace of each kustomization': {
    files: {
      'one/kustomization.yaml': `${KUSTOMIZATION}namespace: one\nresources: [m.yaml]\n`,
      'one/m.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { selector: { a: b }, ports: [{ port: 80 }] }\n',
      'two/kustomization.yaml': `${KUSTOMIZATION}namespace: two\nresources: [r.yaml]\n`,
      'two/r.yaml': `apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: { name: web }
spec:
  parentRefs: [{ name: gateway, namespace: infra }]
  hostnames: [a.example.com]
  rules: [{ backendRefs: [{ name: web, port: 3636 }] }]
`,
    },
    objects: 2,
  },
  'a patch of a component without the rest of its object': {
    files: {
      'kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- target: { group: kafka.strimzi.io, kind: Kafka, name: cluster }\n  path: cluster-patch.yaml\n',
      'cluster-patch.yaml':
        'apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: { name: cluster }\nspec: { kafka: { template: { pod: {} } } }\n',
    },
    objects: 0,
  },
  'a patch with a selector, whose labels are in the base': {
    files: {
      'base/kustomization.yaml': 'resources: [ui.yaml]\n',
      'base/ui.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: ui }
spec:
  selector:
    matchLabels: { app.kubernetes.io/name: ui, app.kubernetes.io/component: service }
  template:
    metadata:
      labels: { app.kubernetes.io/name: ui, app.kubernetes.io/component: service }
    spec:
      containers: [{ name: ui, image: 'example.com/ui:1' }]
`,
      'overlay/kustomization.yaml': 'resources: [../base]\npatches:\n  - path: patch.yaml\n',
      'overlay/patch.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: ui }
spec:
  selector:
    matchLabels: { app.kubernetes.io/name: ui, app.kubernetes.io/component: service }
  template:
    spec:
      containers:
        - name: ui
          env: [{ name: A, value: b }]
`,
    },
    objects: 1,
  },
  'two clouds, each with a file of its own': {
    files: {
      'eks/load-balancers.yaml': 'controllers: [aws-load-balancer-controller, cloud-provider-aws]\n',
      'eks/svc.yaml': `apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  finalizers: [service.k8s.aws/resources]
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ip
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: { app: echo }
  ports: [{ port: 80, targetPort: 8080 }]
`,
      'aks/load-balancers.yaml': 'controllers: [cloud-provider-azure]\n',
      'aks/svc.yaml': `apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: edge
  finalizers: [service.kubernetes.io/load-balancer-cleanup]
  annotations: { service.beta.kubernetes.io/azure-load-balancer-internal: 'true' }
spec: { type: LoadBalancer, selector: { app: api }, ports: [{ port: 80, targetPort: 8080 }] }
`,
    },
    objects: 2,
    asked: [[], ['.'], ['eks', 'aks'], ['aks', 'eks'], ['aks/svc.yaml', 'eks/svc.yaml']],
  },
};

const ROWS = Object.entries(LAYOUTS).flatMap(([name, { files, objects, asked = [[]] }]) =>
  asked.map((paths) => [['check', ...paths].join(' '), name, paths, files, objects] as const),
);

test.each(ROWS)('%s: %s', (_, __, paths, files, objects) => {
  const { out, error, code } = said(new Folder(files), ['check', ...paths, '--format', 'json']);
  expect([error, code]).toEqual(['', 0]);
  expect(JSON.parse(out)).toMatchObject({ findings: [], unreadable: [], summary: { objects } });
});
