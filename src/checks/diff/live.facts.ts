// What tools that apply a set of objects together write on each of them, by which it is known what goes with what.

/** A mark of a set: its value, or the part of it before a sign, is the name of the set. */
export interface SetMark {
  readonly of: 'labels' | 'annotations';
  /** The parts of its name, which are all there. */
  readonly keys: readonly string[];
  /** The name ends before this sign. */
  readonly until?: string;
  /** How the set is called, before its name. */
  readonly called: string;
}

export const SET_MARKS: readonly SetMark[] = [
  {
    // documentation of Argo CD, Resource Tracking
    of: 'annotations',
    keys: ['argocd.argoproj.io/tracking-id'],
    until: ':',
    called: 'application of Argo CD',
  },
  { of: 'labels', keys: ['argocd.argoproj.io/instance'], called: 'application of Argo CD' },
  {
    // documentation of Flux, Kustomization: labels of what it applies
    of: 'labels',
    keys: ['kustomize.toolkit.fluxcd.io/namespace', 'kustomize.toolkit.fluxcd.io/name'],
    called: 'Kustomization of Flux',
  },
  {
    // documentation of Helm, what helm install takes over
    of: 'annotations',
    keys: ['meta.helm.sh/release-namespace', 'meta.helm.sh/release-name'],
    called: 'release of Helm',
  },
  // documentation of Kubernetes, well-known labels
  { of: 'labels', keys: ['applyset.kubernetes.io/part-of'], called: 'ApplySet of kubectl' },
];
