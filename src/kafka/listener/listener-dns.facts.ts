// What external-dns reads of a Service. kubernetes-sigs/external-dns v0.23.0, docs/annotations/annotations.md

/** Annotations that tell several records of one name apart. */
export const SET_IDENTIFIER_ANNOTATIONS: readonly string[] = [
  'external-dns.alpha.kubernetes.io/set-identifier',
  'external-dns.kubernetes.io/set-identifier',
];

/** Where it was read that of several resources with one name only one gets its record. */
export const CONFLICTS = {
  repository: 'kubernetes-sigs/external-dns',
  version: 'v0.22.0',
  file: 'plan/conflict.go',
};
