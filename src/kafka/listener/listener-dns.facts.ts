/** Where it was read that of several resources with one name only one gets its record. */
export const CONFLICTS = {
  repository: 'kubernetes-sigs/external-dns',
  version: 'v0.22.0',
  file: 'plan/conflict.go',
};
