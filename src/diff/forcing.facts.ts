import type { Citation } from '../contract/kubernetes.facts';

/** An annotation by which a tool deletes an object and makes it again. */
export interface ForcingMark {
  readonly annotation: string;
  /** These values, all in a list with commas, or one alone. */
  readonly values: readonly string[];
  readonly tool: string;
  readonly source: Citation;
}

/** Who makes objects again where the API server refuses an update, by the mark for it. */
export const FORCING_MARKS: readonly ForcingMark[] = [
  {
    annotation: 'argocd.argoproj.io/sync-options',
    values: ['Force=true'],
    tool: 'Argo CD',
    source: { repository: 'argoproj/gitops-engine', version: 'v0.7.3', file: 'pkg/sync/sync_context.go' },
  },
  {
    annotation: 'kustomize.toolkit.fluxcd.io/force',
    values: ['enabled'],
    tool: 'Flux',
    source: { repository: 'fluxcd/kustomize-controller', version: 'v1.6.0', file: 'docs/spec/v1/kustomizations.md' },
  },
];

const hook = (value: string, tool: string, annotation: string, source: Citation): ForcingMark => ({
  annotation,
  values: [value],
  tool,
  source,
});
const HELM_HOOKS: Citation = { repository: 'helm/helm', version: 'v3.19.0', file: 'pkg/action/hooks.go' };
const ARGO_HOOKS: Citation = {
  repository: 'argoproj/gitops-engine',
  version: 'v0.7.3',
  file: 'pkg/sync/hook/delete_policy.go',
};

/** Who makes objects again whenever they are applied. */
export const RECREATING_MARKS: readonly ForcingMark[] = [
  { ...FORCING_MARKS[0], values: ['Force=true', 'Replace=true'] },
  ...['pre-upgrade', 'post-upgrade'].map((value) => hook(value, 'Helm', 'helm.sh/hook', HELM_HOOKS)),
  ...['PreSync', 'Sync', 'PostSync'].map((value) => hook(value, 'Argo CD', 'argocd.argoproj.io/hook', ARGO_HOOKS)),
];
