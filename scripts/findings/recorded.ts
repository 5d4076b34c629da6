/** A finding as a test run records it. */
export type RecordedFinding = readonly [
  object: string,
  ruleId: string,
  at: string,
  value: string,
  what: string,
  remedy: string,
];

/** Compares recorded findings by object, rule, place and value; the words may change. */
export function changedFindings(
  before: readonly RecordedFinding[],
  after: readonly RecordedFinding[],
): { readonly gone: number; readonly lines: readonly string[] } {
  const [old, now] = [before, after].map((all) => new Map(all.map((one) => [one.slice(0, 4).join('\n'), one])));
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, one]) => one);
  const added = [...now].filter(([key]) => !old.has(key)).map(([, one]) => one);
  const rules = [...new Set([...gone, ...added].map(([, ruleId]) => ruleId))].sort();
  const of = (all: readonly RecordedFinding[], rule: string) => all.filter(([, ruleId]) => ruleId === rule);
  const rows = rules.map((rule) => {
    const [[, , at, value, what]] = [...of(gone, rule), ...of(added, rule)];
    return `${rule}: ${of(gone, rule).length} gone, ${of(added, rule).length} new; ${at || 'no place'} '${value}': ${what}`;
  });
  return { gone: gone.length, lines: [...rows, `${old.size} before, ${gone.length} gone, ${added.length} new`] };
}

/** Every message with its remedy, by rule. */
export function messagesByRule(all: readonly RecordedFinding[]): string {
  const rules = new Map<string, Set<string>>();
  for (const [, ruleId, , , what, remedy] of all) {
    rules.set(ruleId, (rules.get(ruleId) ?? new Set()).add(remedy === '' ? what : `${what}: ${remedy}`));
  }
  const sorted = [...rules].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted
    .map(([rule, texts]) => [`## ${rule}`, '', ...[...texts].sort().map((text) => `- ${text}`), ''].join('\n'))
    .join('\n');
}
