import type { Finding } from '../../contract/rule';
import { isNewerThanFacts } from '../../kafka/strimzi/releases';
import { SERVER_SIDE_APPLY_GATE } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { SomeVersions } from '../tables';
import { isIn } from './crd-faults';
import { FEATURE_GATES } from './installation.facts';
import type { StrimziClusterOperatorInstallationProps } from './options';
import type { StrimziWatch } from './watch';

export interface OperatorSettings {
  readonly props: StrimziClusterOperatorInstallationProps;
  /** With the gate of server-side apply. */
  readonly version: StrimziVersion;
  readonly gates: ReadonlyMap<string, boolean>;
  readonly watch: StrimziWatch;
  readonly name: string;
  readonly namespace?: string;
  readonly replicas: number;
  readonly leaderElection: boolean;
  readonly createsClusterScoped: boolean;
}

const WRITTEN = /^[+-][a-zA-Z0-9]+$/;

/** As the operator reads them: `+One,-Other`. */
export function gatesText(gates: ReadonlyMap<string, boolean>): string {
  return [...gates].map(([name, on]) => `${on ? '+' : '-'}${name}`).join(',');
}

/** Whether the version says of the gate of server-side apply something else than the release does by itself. */
export function gateSetBy(version: StrimziVersion): boolean | undefined {
  const { keepsForeignFinalizers } = version;
  return StrimziVersion.of(version.version).keepsForeignFinalizers === keepsForeignFinalizers
    ? undefined
    : keepsForeignFinalizers;
}

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
      what: `Strimzi ${version.version} has no feature gate ${name}${gone ? ', since it always uses server-side apply' : ''}, and an operator that has it configured does not start`,
      remedy: `remove it; the gates of this version are ${known.join(', ') || 'none'}`,
      value: name,
    };
  });
}

export function rowsOf<Row extends SomeVersions>(version: StrimziVersion, rows: readonly Row[]): Row[] {
  return rows.filter((row) => isIn(version, row));
}
