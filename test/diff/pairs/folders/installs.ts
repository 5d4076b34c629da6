import type { Random } from '../../../support/random';
import { casesIn } from '../../../support/yaml-cases';
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
  type TruthWord,
  textOf,
  truthOf,
} from './folder-pair';

// What installs a controller changes, and no Service does. What is true is in the table, with where it was read.

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
  /** What it needs to be of use. */
  readonly parts?: readonly Body[];
  /** What there is beside it, with which its Services hang together. */
  readonly beside?: readonly Body[];
  /** What becomes of balancers by a change of one of its flags. */
  readonly rows: readonly FlagRow[];
  /** What becomes of balancers while nothing of it runs. */
  readonly off: TruthWord;
}

interface FlagRow {
  readonly flag: string;
  /** The value of its chart that becomes the flag, where there is one. */
  readonly value?: string;
  readonly to: string;
  readonly truth: TruthWord;
}

const META = (name: string, namespace: string) => ({ name, namespace });
const PROGRAMS: readonly Program[] = casesIn(__dirname, 'installs.yaml');

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
const isLbc = ({ installed: { program } }: Subject) => program === PROGRAMS[0];
const off = ({ program }: Installed) => truthOf(program.off);

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
    truth: ({ installed }) => (installed.form === 'Deployment' ? off(installed) : NOT_KEPT),
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
      prune === false ? KEPT : isTold ? ['unknown'] : [...off(installed), 'orphaned', 'unknown'],
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
    truth: (subject) =>
      isWorkload(subject) || (isLbc(subject) && row.truth !== 'not kept')
        ? truthOf(row.truth)
        : row.truth === 'kept'
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
