import type { ReportedChange, ReportedStep } from './diff-report';

/** What has to be done before a change is applied: each step once, with the balancers that it is for. */
export function stepsOf(changes: readonly ReportedChange[]): ReportedStep[] {
  const steps = new Map<string, { step: string; of: string; balancers: string[] }>();
  for (const { title, causes } of changes) {
    for (const { first: step, field, from, to } of causes) {
      if (step === undefined) {
        continue;
      }
      const of = from !== undefined && to !== undefined ? `${field} ${from} -> ${to}` : field;
      const key = JSON.stringify([of, step]);
      const known = steps.get(key);
      if (!known) {
        steps.set(key, { step, of, balancers: [title] });
      } else if (known.balancers.at(-1) !== title) {
        known.balancers.push(title);
      }
    }
  }
  return [...steps.values()];
}
