import type { Citation } from '../../contract/kubernetes.facts';

/** A kind of object that has a tool apply what is in a folder. */
export interface ApplierFact {
  readonly group: string;
  readonly kind: string;
  /** The steps to the folder, or to a list of objects that have one each. */
  readonly paths: readonly (readonly string[])[];
  /** Fields of its spec that decide when it is applied, and by whom, and nothing of what. */
  readonly harmless: readonly string[];
  readonly source: Citation;
}

/** What GitOps tools apply of a repository. */
export const APPLIERS: readonly ApplierFact[] = [
  {
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    paths: [['spec', 'path']],
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
    source: { repository: 'fluxcd/kustomize-controller', version: 'v1.6.0', file: 'docs/spec/v1/kustomizations.md' },
  },
  {
    group: 'argoproj.io',
    kind: 'Application',
    paths: [
      ['spec', 'source', 'path'],
      ['spec', 'sources', 'path'],
    ],
    harmless: ['project', 'info', 'revisionHistoryLimit', 'ignoreDifferences'],
    source: { repository: 'argoproj/argo-cd', version: 'v3.1.0', file: 'pkg/apis/application/v1alpha1/types.go' },
  },
];
