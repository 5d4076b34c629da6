import { AWS_LBC } from '../../../../src/controllers/aws-load-balancer-controller/annotations';
import type { Random } from '../../../support/random';
import {
  type Body,
  balanced,
  copyOf,
  documents,
  drawnFor,
  type Family,
  type Folder,
  KEPT,
  NOT_KEPT,
  PERHAPS_KEPT,
  type Truth,
  textOf,
} from './folder-pair';

// What installs a controller changes, and no Service does. What is true is in the tables here, with where it was read.

interface Program {
  readonly controller: string;
  readonly image: string;
  readonly tag: string;
  readonly chart: string;
  readonly namespace: string;
  /** Its flags, by the name of the chart's value where it has one. */
  readonly flags: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly finalizer?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What it needs to be of use: metallb/metallb v0.16.2, config/manifests/metallb-native.yaml */
  readonly parts?: readonly Body[];
  /** What there is beside it, with which its Services hang together. */
  readonly beside?: readonly Body[];
  /** What becomes of balancers by a change of one of its flags. */
  readonly rows: readonly FlagRow[];
  /** What becomes of balancers while nothing of it runs. */
  readonly off: Truth;
}

interface FlagRow {
  readonly flag: string;
  /** The value of its chart that becomes the flag, where there is one. */
  readonly value?: string;
  readonly to: string;
  readonly truth: Truth;
}

const META = (name: string, namespace: string) => ({ name, namespace });
const pool = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: META('edge', 'metallb-system'),
  spec: { addresses: ['192.0.2.0/24'] },
};
const announced = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: META('all', 'metallb-system'),
};

const speaker = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: META('speaker', 'metallb-system'),
  spec: {
    selector: { matchLabels: { app: 'speaker' } },
    template: {
      metadata: { labels: { app: 'speaker' } },
      spec: { containers: [{ name: 'speaker', image: 'quay.io/metallb/speaker:v0.16.2' }] },
    },
  },
};

/**
 * Flags of the AWS Load Balancer Controller: kubernetes-sigs/aws-load-balancer-controller v3.5.0.
 * The names: pkg/config/controller_config.go, runtime_config.go, ingress_config.go, addons_config.go, pkg/aws/cloud_config.go; what
 * reads them: pkg/service/model_builder.go and model_build_*.go, pkg/deploy/tracking/provider.go (cluster-name is part of the tags
 * by which balancers are found), pkg/service/service_utils.go (load-balancer-class), main.go; the values: helm chart, templates/deployment.yaml.
 */
const LBC_FLAGS: readonly FlagRow[] = [
  { flag: 'cluster-name', value: 'clusterName', to: 'other', truth: ['orphaned'] },
  { flag: 'log-level', value: 'logLevel', to: 'debug', truth: KEPT },
  { flag: 'metrics-bind-addr', to: ':9090', truth: KEPT },
  { flag: 'sync-period', to: '1h', truth: KEPT },
  // what it does to security groups, listeners and targets is not told
  { flag: 'ingress-class', value: 'ingressClass', to: 'edge', truth: PERHAPS_KEPT },
  { flag: 'default-tags', value: 'defaultTags', to: 'team=edge', truth: PERHAPS_KEPT },
  // model_build_load_balancer.go: without an annotation the scheme is that of the balancer which is there
  {
    flag: 'default-load-balancer-scheme',
    value: 'defaultLoadBalancerScheme',
    to: 'internet-facing',
    truth: PERHAPS_KEPT,
  },
  // model_build_target_group.go: without an annotation; a target group of another type is another one
  { flag: 'default-target-type', value: 'defaultTargetType', to: 'ip', truth: ['interrupted', 'unknown'] },
  // service_utils.go, controllers/service/service_controller.go: what it serves no longer and has its finalizer is cleaned up
  { flag: 'load-balancer-class', value: 'loadBalancerClass', to: 'example.com/nlb', truth: ['deleted'] },
  // runtime_config.go: it looks at one namespace alone
  { flag: 'watch-namespace', value: 'watchNamespace', to: 'shop', truth: NOT_KEPT },
  { flag: 'watch-namespace', value: 'watchNamespace', to: 'edge', truth: PERHAPS_KEPT },
  { flag: 'aws-region', value: 'region', to: 'eu-west-1', truth: ['unknown'] },
  { flag: 'aws-vpc-id', value: 'vpcId', to: 'vpc-12345678', truth: ['unknown'] },
  { flag: 'backend-security-group', value: 'backendSecurityGroup', to: 'sg-12345678', truth: NOT_KEPT },
  { flag: 'feature-gates', to: 'EnableServiceController=false', truth: NOT_KEPT },
  { flag: 'a-flag-that-is-not-known', to: 'a', truth: ['unknown'] },
];

const PROGRAMS: readonly Program[] = [
  {
    controller: 'aws-load-balancer-controller',
    image: 'public.ecr.aws/eks/aws-load-balancer-controller',
    tag: 'v3.5.0',
    chart: 'aws-load-balancer-controller',
    namespace: 'kube-system',
    flags: { 'cluster-name': 'prod' },
    class: 'service.k8s.aws/nlb',
    finalizer: 'service.k8s.aws/resources',
    annotations: { [AWS_LBC.scheme.key()]: 'internal' },
    rows: LBC_FLAGS,
    // its finalizer is removed by it alone: v3.5.0, controllers/service/service_controller.go
    off: ['stuck'],
  },
  {
    controller: 'metallb',
    image: 'quay.io/metallb/controller',
    tag: 'v0.16.2',
    chart: 'metallb',
    namespace: 'metallb-system',
    flags: { port: '7472' },
    annotations: { 'metallb.io/address-pool': 'edge' },
    beside: [pool, announced],
    parts: [speaker],
    // metallb/metallb v0.16.2, controller/main.go: flags, and which Services it takes
    rows: [
      { flag: 'lb-class', value: 'loadBalancerClass', to: 'example.com/metallb', truth: NOT_KEPT },
      { flag: 'log-level', to: 'debug', truth: KEPT },
    ],
    off: NOT_KEPT,
  },
  {
    controller: 'cloud-provider-azure',
    image: 'mcr.microsoft.com/oss/kubernetes/azure-cloud-controller-manager',
    tag: 'v1.36.0',
    chart: 'cloud-provider-azure',
    namespace: 'kube-system',
    flags: { 'cluster-name': 'prod' },
    finalizer: 'service.kubernetes.io/load-balancer-cleanup',
    // kubernetes-sigs/cloud-provider-azure v1.36.0, cmd/cloud-controller-manager/app/core.go, pkg/provider/azure_loadbalancer.go
    rows: [
      { flag: 'cluster-name', to: 'other', truth: NOT_KEPT },
      { flag: 'v', to: '5', truth: KEPT },
    ],
    off: ['stuck'],
  },
  {
    controller: 'hcloud-cloud-controller-manager',
    image: 'docker.io/hetznercloud/hcloud-cloud-controller-manager',
    tag: 'v1.29.0',
    chart: 'hcloud-cloud-controller-manager',
    namespace: 'kube-system',
    flags: { 'cloud-provider': 'hcloud' },
    annotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' },
    finalizer: 'service.kubernetes.io/load-balancer-cleanup',
    rows: [{ flag: 'v', to: '5', truth: KEPT }],
    off: ['stuck'],
  },
];

const FORMS = ['Deployment', 'HelmRelease', 'HelmRelease of a source', 'Application', 'HelmChart'] as const;
type Form = (typeof FORMS)[number];

interface Installed {
  readonly form: Form;
  readonly program: Program;
  readonly name: string;
  readonly namespace: string;
  readonly flags: Readonly<Record<string, string>>;
  /** What changes nothing of balancers: labels, resources, more than one replica. */
  readonly plain: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly account: string;
  /** Its role in the cloud. */
  readonly role: string;
  /** What it needs beside it, and is in the same folder. */
  readonly parts: readonly Body[];
}

function valuesOf({ program, flags, plain, replicas }: Installed): Body {
  const named = Object.entries(flags).map(([flag, text]) => {
    const { value } = program.rows.find((row) => row.flag === flag) ?? {};
    return [value ?? flag, flag === 'default-tags' ? { team: 'edge' } : text];
  });
  return { ...Object.fromEntries(named), replicaCount: replicas, podLabels: plain, resources: { limits: plain } };
}

function deploymentOf({ program, name, namespace, flags, plain, replicas, account }: Installed): Body {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...META(name, namespace), labels: plain },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'lbc' } },
      template: {
        metadata: { labels: { app: 'lbc' } },
        spec: {
          serviceAccountName: account,
          containers: [
            {
              name: 'controller',
              image: `${program.image}:${program.tag}`,
              args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
              resources: { limits: plain },
            },
          ],
        },
      },
    },
  };
}

function accountOf({ namespace, account, role }: Installed): Body {
  const annotations = { 'eks.amazonaws.com/role-arn': `arn:aws:iam::111122223333:role/${role}` };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace, annotations } };
}

function chartSource({ chart }: Program): Body {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'OCIRepository',
    metadata: META('chart', 'flux-system'),
    spec: { interval: '10m', url: `oci://example.com/charts/${chart}` },
  };
}

function releaseOf(installed: Installed): Body[] {
  const { form, program, name, namespace } = installed;
  const values = valuesOf(installed);
  switch (form) {
    case 'HelmRelease':
    case 'HelmRelease of a source':
      return [
        {
          apiVersion: 'helm.toolkit.fluxcd.io/v2',
          kind: 'HelmRelease',
          metadata: META(name, namespace),
          spec: {
            interval: '10m',
            ...(form === 'HelmRelease'
              ? { chart: { spec: { chart: program.chart, version: '1.0.0' } } }
              : { chartRef: { kind: 'OCIRepository', name: 'chart', namespace: 'flux-system' } }),
            values,
          },
        },
        ...(form === 'HelmRelease' ? [] : [chartSource(program)]),
      ];
    case 'HelmChart':
      return [
        {
          apiVersion: 'helm.cattle.io/v1',
          kind: 'HelmChart',
          metadata: META(name, namespace),
          spec: { chart: program.chart, valuesContent: JSON.stringify(values) },
        },
      ];
    default:
      return [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: META(name, 'argocd'),
          spec: {
            destination: { server: 'https://kubernetes.default.svc', namespace },
            project: 'default',
            source: {
              repoURL: 'https://example.com/charts',
              chart: program.chart,
              targetRevision: '1.0.0',
              helm: { valuesObject: values },
            },
          },
        },
      ];
  }
}

function filesOf(installed: Installed | undefined): Folder {
  if (!installed) return {};
  if (installed.form === 'Deployment') {
    const parts = installed.parts.length > 0 && { 'lbc/parts.yaml': documents(...installed.parts) };
    const rights = { 'lbc/account.yaml': textOf(accountOf(installed)) };
    return { 'lbc/controller.yaml': textOf(deploymentOf(installed)), ...rights, ...parts };
  }
  return { 'lbc/release.yaml': documents(...releaseOf(installed)) };
}

interface Subject {
  readonly installed: Installed;
  readonly isTold: boolean;
  readonly prune?: boolean;
}

interface Mutation {
  readonly name: string;
  readonly fits?: (subject: Subject) => boolean;
  change(installed: Installed): Installed | undefined;
  truth(subject: Subject): Truth;
}

const isWorkload = ({ installed: { form } }: Subject) => form === 'Deployment';
const isLbc = ({ installed: { program } }: Subject) => program.rows === LBC_FLAGS;

const OTHERS: readonly Mutation[] = [
  { name: 'nothing', change: (installed) => installed, truth: () => KEPT },
  {
    name: 'labels and resources',
    change: (installed) => ({ ...installed, plain: { cpu: '2' } }),
    // the values of charts that are not read may decide of anything
    truth: (subject) => (isWorkload(subject) || isLbc(subject) ? KEPT : PERHAPS_KEPT),
  },
  {
    name: 'more replicas',
    change: (installed) => ({ ...installed, replicas: 3 }),
    truth: (subject) => (isWorkload(subject) || isLbc(subject) ? KEPT : PERHAPS_KEPT),
  },
  {
    name: 'no replica',
    change: (installed) => ({ ...installed, replicas: 0 }),
    truth: ({ installed }) => (installed.form === 'Deployment' ? installed.program.off : NOT_KEPT),
  },
  {
    name: 'another service account',
    // the identity in the cloud is that of the account
    fits: isWorkload,
    change: (installed) => ({ ...installed, account: 'other' }),
    truth: () => ['unknown'],
  },
  {
    name: 'another role in the cloud',
    fits: isWorkload,
    change: (installed) => ({ ...installed, role: 'other' }),
    truth: () => ['unknown'],
  },
  {
    name: 'removed',
    change: () => undefined,
    truth: ({ prune, isTold, installed }) =>
      prune === false ? KEPT : isTold ? ['unknown'] : [...installed.program.off, 'orphaned', 'unknown'],
  },
  {
    // nothing announces its addresses any more
    name: 'a part of it removed',
    fits: (subject) => isWorkload(subject) && subject.installed.parts.length > 0,
    change: (installed) => ({ ...installed, parts: [] }),
    truth: ({ prune }) => (prune === false ? KEPT : NOT_KEPT),
  },
  {
    name: 'another name',
    change: (installed) => ({ ...installed, name: 'renamed' }),
    truth: () => PERHAPS_KEPT,
  },
  {
    name: 'another name and a flag',
    fits: isLbc,
    change: (installed) => ({ ...installed, name: 'renamed', flags: { ...installed.flags, 'cluster-name': 'other' } }),
    truth: ({ prune }) => (prune === false ? NOT_KEPT : ['orphaned', 'unknown']),
  },
  {
    name: 'another namespace',
    change: (installed) => ({ ...installed, namespace: 'moved' }),
    // MetalLB reads pools of its own namespace alone: metallb/metallb v0.16.2, internal/k8s/k8s.go
    truth: ({ installed }) => (installed.program.beside ? NOT_KEPT : PERHAPS_KEPT),
  },
  {
    name: 'another namespace and a flag',
    fits: isLbc,
    change: (installed) => ({
      ...installed,
      namespace: 'moved',
      flags: { ...installed.flags, 'cluster-name': 'other' },
    }),
    truth: () => NOT_KEPT,
  },
  {
    name: 'in another form',
    change: (installed) => ({ ...installed, form: installed.form === 'Deployment' ? 'HelmRelease' : 'Deployment' }),
    truth: () => PERHAPS_KEPT,
  },
  {
    name: 'in another form and a flag',
    fits: isLbc,
    change: (installed) => ({
      ...installed,
      form: installed.form === 'Deployment' ? 'HelmRelease' : 'Deployment',
      flags: { ...installed.flags, 'cluster-name': 'other' },
    }),
    truth: () => NOT_KEPT,
  },
  {
    name: 'the same flags in another order',
    change: (installed) => ({ ...installed, flags: Object.fromEntries(Object.entries(installed.flags).reverse()) }),
    truth: () => KEPT,
  },
];

function flagMutation(row: FlagRow): Mutation {
  return {
    name: `flag ${row.flag}=${row.to}`,
    fits: ({ installed: { form, program } }) =>
      program.rows.includes(row) && (form === 'Deployment' || row.value !== undefined),
    change: (installed) => ({ ...installed, flags: { ...installed.flags, [row.flag]: row.to } }),
    truth: ({ installed: { form, program } }) =>
      form === 'Deployment' || (program.rows === LBC_FLAGS && row.truth !== NOT_KEPT)
        ? row.truth
        : row.truth === KEPT
          ? PERHAPS_KEPT
          : NOT_KEPT,
  };
}

const MUTATIONS: readonly Mutation[] = [...OTHERS, ...PROGRAMS.flatMap(({ rows }) => rows.map(flagMutation))];

function servicesOf(program: Program, names: readonly string[]): string {
  return documents(
    ...names.map((name) =>
      balanced({
        name,
        annotations: program.annotations,
        ...(program.class !== undefined && { class: program.class }),
        ...(program.finalizer !== undefined && { finalizers: [program.finalizer] }),
      }),
    ),
    ...(program.beside ?? []).map(copyOf),
  );
}

function inFolder(folder: string, files: Folder): Folder {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}${file}`, text]));
}

function pairOf(random: Random, number: number) {
  const { mutation, subject } = drawnFor(MUTATIONS, number, (): Subject => {
    const program = random(PROGRAMS);
    const prune = random([true, true, undefined, false]);
    return {
      installed: {
        ...{ form: random(FORMS), program, name: 'lbc', namespace: program.namespace, flags: program.flags },
        ...{ plain: { cpu: '1' }, replicas: 2, account: 'lbc', role: 'lbc' },
        parts: program.parts ?? [],
      },
      isTold: random([true, false]),
      ...(prune !== undefined && { prune }),
    };
  });
  const { installed, isTold, prune } = subject;
  const { form, program } = installed;
  const names = random([['echo'], ['echo', 'shop']]);
  const services = servicesOf(program, names);
  const changed = mutation.change(installed);
  // another cluster, in a folder of its own, in which nothing changes
  const isTwin = random([true, false, false]);
  const [own, other] = [isTwin ? 'one/' : '', 'other/'];
  const twin = isTwin
    ? inFolder(other, { 'apps/services.yaml': servicesOf(program, ['twin']), ...filesOf(installed) })
    : {};
  const truth = mutation.truth(subject);
  // what runs is concluded from the workloads of all folders
  const isReadFromAll = !isTold && changed?.form !== form;
  return {
    changes: [`${program.controller}, ${form}: ${mutation.name}`],
    before: { ...inFolder(own, { 'apps/services.yaml': services, ...filesOf(installed) }), ...twin },
    after: { ...inFolder(own, { 'apps/services.yaml': services, ...filesOf(changed) }), ...twin },
    context: isTold ? `controllers: [${program.controller}]\n` : undefined,
    options: { prune },
    truths: new Map([
      ...names.map((name): [string, Truth] => [`edge/${name}`, truth]),
      ...(isTwin ? [['edge/twin', isReadFromAll ? PERHAPS_KEPT : KEPT] as [string, Truth]] : []),
    ]),
  };
}

/** Pairs in which a controller is installed otherwise. */
export const INSTALLS: Family = { name: 'installs', changes: MUTATIONS.map(({ name }) => name), pairOf };
