/** Below zero where the first is older. */
export function compareVersions(one: readonly number[], other: readonly number[]): number {
  const differing = other.findIndex((part, i) => part !== one[i]);
  return differing < 0 ? 0 : (one[differing] ?? 0) - other[differing];
}

/** Whether a version, as text, has what came with another one. */
export function reaches(version: string, since: readonly number[] | undefined): boolean {
  return since === undefined || compareVersions(version.split('.').map(Number), since) >= 0;
}
