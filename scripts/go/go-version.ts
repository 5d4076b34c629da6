/** A version of Go in numbers that compare: 1.26 is before 1.26rc1, which is before 1.26.0. */
export type GoVersion = readonly [major: number, minor: number, stage: number, number: number];

const STAGES = { beta: 1, rc: 2, release: 3 };

/** The version in `go1.26.8`, `1.26rc1` or `devel go1.27-0a1b2c3`; undefined where there is none. */
export function parseGoVersion(text: string): GoVersion | undefined {
  const found = /(\d+)\.(\d+)(?:(beta|rc)(\d+)|\.(\d+))?/.exec(text);
  if (!found) {
    return undefined;
  }
  const [, major, minor, before, beforeNumber, patch] = found;
  if (before) {
    return [Number(major), Number(minor), STAGES[before as 'beta' | 'rc'], Number(beforeNumber)];
  }
  return [Number(major), Number(minor), patch === undefined ? 0 : STAGES.release, Number(patch ?? 0)];
}

export function isOlder(one: GoVersion, other: GoVersion): boolean {
  const differing = one.findIndex((number, index) => number !== other[index]);
  return differing >= 0 && one[differing] < other[differing];
}
