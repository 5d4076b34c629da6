import { isNewerThanFacts } from '../../kafka/strimzi/release-verdicts';
import { SERVER_SIDE_APPLY_GATE } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { Finding } from '../../rules/rule';
import { rowsOf } from './in-version';
import type { StrimziFeatureGates } from './strimzi-feature-gates';
import { FEATURE_GATES } from './strimzi-operator.facts';

const WRITTEN = /^[+-][a-zA-Z0-9]+$/;

/** Gates that were set, by name. */
export function gatesOf({ others, ...known }: StrimziFeatureGates): Map<string, boolean> {
  const set = FEATURE_GATES.map(({ name, prop }) => [name, known[prop as keyof typeof known]] as const);
  return new Map(
    [...set, ...Object.entries(others ?? {})].filter((gate): gate is [string, boolean] => gate[1] !== undefined),
  );
}

/** As the operator reads them: `+One,-Other`. */
export function gatesText(gates: ReadonlyMap<string, boolean>): string {
  return [...gates].map(([name, on]) => `${on ? '+' : '-'}${name}`).join(',');
}

/** Whether the version says of the gate of server-side apply something else than the release does by itself. */
export function gateSaidBy(version: StrimziVersion): boolean | undefined {
  const { keepsForeignFinalizers } = version;
  return StrimziVersion.of(version.version).keepsForeignFinalizers === keepsForeignFinalizers
    ? undefined
    : keepsForeignFinalizers;
}

/** What is wrong with gates as the operator reads them. */
export function gateFaults(text: string, version: StrimziVersion): Finding[] {
  const entries = text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
  const known = rowsOf(version, FEATURE_GATES).map(({ name }) => name);
  const names = entries.map((entry) => entry.slice(1));
  return entries.flatMap((entry, index) => {
    const name = names[index];
    if (!WRITTEN.test(entry)) {
      return {
        what: `feature gate '${entry}' is not written as +Name or -Name, and the operator does not start`,
        remedy: 'write the name of a gate, and whether it is on',
        value: entry,
      };
    }
    if (names.indexOf(name) !== index) {
      return {
        what: `feature gate ${name} is set twice, and the operator does not start`,
        remedy: 'set it once',
        value: name,
      };
    }
    if (known.includes(name) || isNewerThanFacts(version)) {
      return [];
    }
    const gone = name === SERVER_SIDE_APPLY_GATE && version.keepsForeignFinalizers;
    return {
      what: `Strimzi ${version.version} has no feature gate ${name}${gone ? ', since it always uses server-side apply' : ''}, and an operator that is told of it does not start`,
      remedy: `remove it; the gates of this version are ${known.join(', ') || 'none'}`,
      value: name,
    };
  });
}
