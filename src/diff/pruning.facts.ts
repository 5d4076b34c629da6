import type { Citation } from '../contract/kubernetes.facts';

/** An annotation by which a tool leaves an object that is in no manifest any more. */
export interface PruneGuard {
  readonly annotation: string;
  /** One of the values, which may stand in a list with commas. */
  readonly value: string;
  readonly tool: string;
  readonly source: Citation;
}

/** What keeps an object from being pruned, by who prunes. */
export const PRUNE_GUARDS: readonly PruneGuard[] = [
  {
    annotation: 'argocd.argoproj.io/sync-options',
    value: 'Prune=false',
    tool: 'Argo CD',
    source: { repository: 'argoproj/argo-cd', version: 'v3.1.0', file: 'docs/user-guide/sync-options.md' },
  },
  {
    annotation: 'kustomize.toolkit.fluxcd.io/prune',
    value: 'disabled',
    tool: 'Flux',
    source: {
      repository: 'fluxcd/kustomize-controller',
      version: 'v1.6.0',
      file: 'docs/spec/v1/kustomizations.md',
    },
  },
  {
    annotation: 'helm.sh/resource-policy',
    value: 'keep',
    tool: 'Helm',
    source: { repository: 'helm/helm', version: 'v3.19.0', file: 'pkg/kube/resource_policy.go' },
  },
];
