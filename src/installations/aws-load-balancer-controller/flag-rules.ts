import { reaches } from '../../contract/compare-versions';
import { editDistance } from '../../contract/edit-distance';
import type { Finding } from '../../contract/finding';
import { list } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import type { Rule } from '../../rules/rule';
import { containerOf, flagsOf, gatesIn } from './app';
import { unreadable } from './flag-values';
import { FEATURE_GATES, FEATURE_GATES_FILE, FLAGS, KNOWN_VERSION, MISPRINTED_GATES } from './installation.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';

const FLAGS_FILE = 'pkg/config/controller_config.go';

/** Names that differ in capitals and separators alone are equal. */
const bare = (text: string) => text.toLowerCase().replace(/[-_]/g, '');

/** The names of a table: what a misspelt one means, and which version has one. */
class KnownNames {
  private readonly since: ReadonlyMap<string, string | undefined>;

  public constructor(
    rows: readonly (readonly [name: string, since: string | undefined])[],
    private readonly prefix: string,
    private readonly misprinted: Readonly<Record<string, string>> = {},
  ) {
    this.since = new Map(rows);
  }

  public has(name: string): boolean {
    return this.since.has(name);
  }

  /** The name that another one surely means. */
  public meantBy(name: string): string | undefined {
    const misprint = ownValue(this.misprinted, name);
    return misprint ?? [...this.since.keys()].find((known) => known !== name && bare(known) === bare(name));
  }

  /** The first version that has a name, if it is newer than another one. */
  public tooNewFor(name: string, version: string): string | undefined {
    const since = this.since.get(name);
    return since === undefined || reaches({ version }, since) ? undefined : since;
  }

  /** A finding about a name that a version does not have; undefined if it has it or may have it. */
  public fault(name: string, what: string, { isKnownVersion, version = '' }: InstallationContext): Finding | undefined {
    const since = this.tooNewFor(name, version);
    if (since !== undefined) {
      return {
        what: `has the ${what}, which version ${version} does not know: it does not start`,
        remedy: `leave it out, or install ${since} or newer`,
        value: name,
      };
    }
    const meant = this.meantBy(name);
    if (this.has(name) || (!isKnownVersion && meant === undefined)) {
      return undefined;
    }
    const near = meant ?? [...this.since.keys()].find((known) => editDistance(bare(known), bare(name)) <= 2);
    return {
      what: `has the ${what}, which it does not know: it does not start`,
      remedy: near ? `write ${this.prefix}${near}` : 'write one that it knows, or name the version that knows it',
      value: name,
    };
  }

  /** A name that may be known to a newer version alone. */
  public isNews(name: string): boolean {
    return !this.has(name) && this.meantBy(name) === undefined;
  }
}

const KNOWN_FLAGS = new KnownNames(
  FLAGS.map(({ flag, since }) => [flag, since]),
  '--',
);
const KNOWN_GATES = new KnownNames(
  FEATURE_GATES.map(({ gate, since }) => [gate, since]),
  '',
  MISPRINTED_GATES,
);

/** Rules about the flags and feature gates of the controller. */
export const FLAG_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'unknown-flag',
    'the controller knows its flags; with another one it does not start',
    FLAGS_FILE,
    (deployment, context) =>
      Object.keys(flagsOf(deployment)).flatMap((flag) => KNOWN_FLAGS.fault(flag, `flag --${flag}`, context) ?? []),
    ['isKnownVersion', 'version'],
  ),
  installationWarning(
    'newer-than-facts',
    'a flag or a feature gate of a newer version is one that this version knows: with another one it does not start',
    FLAGS_FILE,
    (deployment, { isKnownVersion, version = '' }) => {
      const flags = Object.keys(flagsOf(deployment)).filter((flag) => KNOWN_FLAGS.isNews(flag));
      const gates = Object.keys(gatesIn(deployment)).filter((gate) => KNOWN_GATES.isNews(gate));
      const news = [...flags.map((flag) => [`flag --${flag}`, flag]), ...gates.map((gate) => [`gate ${gate}`, gate])];
      return isKnownVersion
        ? undefined
        : news.map(([what, value]) => ({
            what: `is installed as version ${version} with the ${what}, which ${KNOWN_VERSION} has not: where ${version} has not either, it does not start`,
            remedy: `look it up in the documentation of ${version}, and acknowledge this if it is documented there`,
            value,
          }));
    },
    ['isKnownVersion', 'version'],
  ),
  installationError('flag-value', 'the value of a flag is one that the controller can read', FLAGS_FILE, (deployment) =>
    Object.entries(flagsOf(deployment)).flatMap(([flag, value]) => {
      const wanted = unreadable(FLAGS.find((fact) => fact.flag === flag)?.takes, value);
      return wanted
        ? [
            {
              what: `has --${flag} with '${value}', which is not ${wanted.says}`,
              remedy: `write it like ${wanted.example}`,
              value,
            },
          ]
        : [];
    }),
  ),
  installationError('flag-twice', 'each flag is set once', FLAGS_FILE, (deployment) => {
    const given = list(containerOf(deployment).args).map((arg) => String(arg).split('=')[0]);
    return [...new Set(given.filter((flag, i) => given.indexOf(flag) !== i))].map((flag) => ({
      what: `has the flag ${flag} twice, and the last one counts`,
      remedy: `set it once: ${propFor(flag)}`,
      value: flag,
    }));
  }),
  installationError(
    'fixed-flag',
    'ports, certificates and the lease are what the rest of the installation takes them for',
    'pkg/config/runtime_config.go',
    (deployment) =>
      FLAGS.filter(({ flag, fixed }) => fixed && flagsOf(deployment)[flag] !== undefined).map(({ flag }) => ({
        what: `has the flag --${flag}, on which probes, Services, certificates or permissions depend`,
        remedy: 'leave it out',
        value: flag,
      })),
  ),
  installationError(
    'unknown-feature-gate',
    'the controller knows its feature gates; with another one it does not start',
    FEATURE_GATES_FILE,
    (deployment, context) =>
      Object.entries(gatesIn(deployment)).flatMap(([gate, value]): Finding[] => {
        const fault = KNOWN_GATES.fault(gate, `feature gate ${gate}`, context);
        const isRead = !KNOWN_GATES.has(gate) || /^(true|false)$/.test(value);
        const unread = { what: `has the feature gate ${gate} with '${value}'`, remedy: 'write true or false', value };
        return fault ? [fault] : isRead ? [] : [unread];
      }),
    ['isKnownVersion', 'version'],
  ),
];

function propFor(text: string): string {
  const prop = FLAGS.find(({ flag }) => `--${flag}` === text)?.prop;
  return prop ? `by the prop ${prop}` : 'in flags';
}
