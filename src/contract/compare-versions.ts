import { cachedIn } from './json';

const READ = new Map<string, readonly number[]>();

const numbersIn = (version: string) => cachedIn(READ, version, () => version.split('.').map(Number));

/** Compares versions such as `1.34` and `1.34.2`, where a missing part is 0: below zero where the first is older. */
export function compareVersions(version: string, other: string): number {
  const [one, two] = [numbersIn(version), numbersIn(other)];
  for (let i = 0; i < one.length || i < two.length; i++) {
    const difference = (one[i] ?? 0) - (two[i] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

export function reaches({ version }: { readonly version: string }, since: string): boolean {
  return compareVersions(version, since) >= 0;
}
