import { type Json, list, mapIn } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';

/** A kind of object that has a tool apply what is in a folder. */
export interface ApplierFact {
  readonly group: string;
  readonly kind: string;
  /** Its kind as `kubectl get` takes it. */
  readonly resource: string;
  /** The steps to the folder, or to a list of objects that have one each. */
  readonly paths: readonly (readonly string[])[];
  /** Whether it applies all of a repository where it names no folder. */
  readonly isWholeWithout?: true;
  /** Fields of its spec that decide when it is applied, and by whom, and nothing of what. */
  readonly harmless: readonly string[];
  /** The field of its spec by which nothing is applied for a while. */
  readonly held?: string;
  /** Whether its deletion takes along what it has applied. */
  takesAlong(object: Json): boolean;
  /** How it leaves that alone instead. */
  readonly leaves: string;
  /** The steps to the reference of the object that names the repository. */
  readonly repository?: readonly string[];
  readonly source: Citation;
}

/** Argo CD deletes what an Application has applied where it has this one. docs/user-guide/app_deletion.md */
const ARGO_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** What GitOps tools apply of a repository. */
export const APPLIERS: readonly ApplierFact[] = [
  {
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    resource: 'kustomizations.kustomize.toolkit.fluxcd.io',
    paths: [['spec', 'path']],
    isWholeWithout: true,
    harmless: [
      ...[
        'interval',
        'retryInterval',
        'timeout',
        'wait',
        'healthChecks',
        'healthCheckExprs',
        'dependsOn',
        'decryption',
      ],
      ...['serviceAccountName', 'images', 'prune', 'deletionPolicy'],
    ],
    held: 'suspend',
    takesAlong: (object) => {
      const { prune, deletionPolicy = 'MirrorPrune' } = mapIn(object, 'spec');
      return deletionPolicy === 'MirrorPrune' ? prune === true : deletionPolicy !== 'Orphan';
    },
    leaves: 'spec.deletionPolicy: Orphan',
    repository: ['spec', 'sourceRef'],
    source: { repository: 'fluxcd/kustomize-controller', version: 'v1.6.0', file: 'docs/spec/v1/kustomizations.md' },
  },
  {
    group: 'argoproj.io',
    kind: 'Application',
    resource: 'applications.argoproj.io',
    paths: [
      ['spec', 'source', 'path'],
      ['spec', 'sources', 'path'],
    ],
    harmless: ['project', 'info', 'revisionHistoryLimit', 'ignoreDifferences', 'syncPolicy.retry'],
    takesAlong: ({ metadata }) =>
      list<unknown>(mapIn({ metadata }, 'metadata').finalizers).some((one) => String(one).startsWith(ARGO_FINALIZER)),
    leaves: `metadata.finalizers without ${ARGO_FINALIZER}`,
    source: { repository: 'argoproj/argo-cd', version: 'v3.1.0', file: 'pkg/apis/application/v1alpha1/types.go' },
  },
  {
    group: 'argoproj.io',
    kind: 'ApplicationSet',
    resource: 'applicationsets.argoproj.io',
    paths: [
      ['spec', 'template', 'spec', 'source', 'path'],
      ['spec', 'template', 'spec', 'sources', 'path'],
      ...[[], ['matrix', 'generators'], ['merge', 'generators']].flatMap((inner) =>
        ['directories', 'files'].map((field) => ['spec', 'generators', ...inner, 'git', field, 'path']),
      ),
    ],
    harmless: ['strategy', 'syncPolicy', 'preservedFields', 'ignoreApplicationDifferences'],
    takesAlong: (object) => mapIn(mapIn(object, 'spec'), 'syncPolicy').preserveResourcesOnDeletion !== true,
    leaves: 'spec.syncPolicy.preserveResourcesOnDeletion: true',
    source: {
      repository: 'argoproj/argo-cd',
      version: 'v3.1.0',
      file: 'pkg/apis/application/v1alpha1/applicationset_types.go',
    },
  },
];

/** Fields of what names a repository that decide when it is read, and by whom, and nothing of what. */
export const HARMLESS_OF_REPOSITORIES: ReadonlySet<string> = new Set([
  ...['interval', 'timeout', 'suspend', 'secretRef', 'proxySecretRef', 'certSecretRef', 'serviceAccountName'],
  ...['provider', 'verify', 'insecure'],
]);
