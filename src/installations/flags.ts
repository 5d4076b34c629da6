import { compareVersions } from '../contract/compare-versions';
import { type Json, list, ownValue } from '../contract/json';
import { flagsAmong } from '../contract/program-flags';
import { type Found, nearest } from '../contract/rule';
import { isUnresolved } from '../identity/aws/aws-arn';
import { type CheckResult, changed } from '../rules/rule-set';
import type { FlagFact, FlagKind } from './tables';

// Flags and feature gates of programs, compared with the tables of what the programs know.

export interface VersionContext {
  readonly version?: string;
  /** The tables are of this version, not of an older one. */
  readonly isKnownVersion?: boolean;
}

interface Syntax {
  readonly says: string;
  readonly example: string;
  readonly pattern: RegExp;
}

// strconv.ParseBool, ParseInt and time.ParseDuration of Go; pkg/aws/throttle/config.go and pkg/config/controller_config.go
// of the AWS Load Balancer Controller
const SYNTAX: Readonly<Record<FlagKind, Syntax>> = {
  boolean: { says: 'true or false', example: 'true', pattern: /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/ },
  integer: { says: 'a whole number', example: '10', pattern: /^-?\d+$/ },
  count: { says: 'a whole number', example: '10', pattern: /^\d+$/ },
  number: { says: 'a number', example: '2.5', pattern: /^-?\d+(\.\d+)?$/ },
  duration: {
    says: 'a duration with units',
    example: '1h30m',
    pattern: /^-?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+)$/,
  },
  text: { says: 'one line', example: 'text', pattern: /^[^\r\n]*$/ },
  pairs: { says: 'keys with values', example: 'team=edge,stage=prod', pattern: /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/ },
  pair: { says: 'one key with a value', example: 'team=edge', pattern: /^[^=]+=./ },
  'security-group': { says: 'the id of a security group', example: 'sg-0123456789abcdef0', pattern: /^sg-/ },
  throttle: {
    says: 'operations with a rate and a burst',
    example: 'Elastic Load Balancing v2:RegisterTargets=4:20',
    pattern: /^([^=,:]+:[^=,:]+=[\d.]+:\d+)(,[^=,:]+:[^=,:]+=[\d.]+:\d+)*$/,
  },
};

function brokenSyntax(takes: FlagFact['takes'], value: string): Omit<Syntax, 'pattern'> | undefined {
  if (isUnresolved(value)) {
    return undefined;
  }
  if (typeof takes === 'object') {
    return takes.includes(value) ? undefined : { says: takes.join(' or '), example: takes[0] };
  }
  const syntax = SYNTAX[takes ?? 'text'];
  return syntax.pattern.test(value) ? undefined : syntax;
}

const sameLetters = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

export class FlagNames {
  private readonly since: ReadonlyMap<string, string | undefined>;
  private readonly names: readonly string[];

  /**
   * @param rows all names
   * @param prefix of a name in a remedy
   * @param misprinted names of the vendor's documentation that the program does not have, with the ones that it has
   */
  public constructor(
    rows: readonly (readonly [name: string, since: string | undefined])[],
    private readonly prefix: string,
    private readonly misprinted: Readonly<Record<string, string>> = {},
  ) {
    this.since = new Map(rows);
    this.names = rows.map(([name]) => name);
  }

  public has(name: string): boolean {
    return this.since.has(name);
  }

  private meantBy(name: string): string | undefined {
    const known = this.names.find((one) => one !== name && sameLetters(one) === sameLetters(name));
    return ownValue(this.misprinted, name) ?? known;
  }

  public fault(name: string, what: string, { isKnownVersion, version = '' }: VersionContext): Found | undefined {
    const since = this.since.get(name);
    if (since !== undefined && version !== '' && compareVersions(version, since) < 0) {
      return {
        what: `the ${what} is unknown to version ${version}: the program does not start`,
        remedy: `leave it out, or install ${since} or newer`,
        value: name,
      };
    }
    const meant = this.meantBy(name);
    if (this.has(name) || (!isKnownVersion && meant === undefined)) {
      return undefined;
    }
    const near = meant ?? nearest(name, this.names);
    return {
      what: `the ${what} is unknown: the program does not start`,
      remedy: near ? `write ${this.prefix}${near}` : 'write one that it knows, or name the version that knows it',
      value: name,
    };
  }

  public mayBeNew(name: string): boolean {
    return !this.has(name) && this.meantBy(name) === undefined;
  }
}

export class FlagTable {
  public readonly names: FlagNames;
  private readonly facts: ReadonlyMap<string, FlagFact>;

  public constructor(facts: readonly FlagFact[]) {
    this.facts = new Map(facts.map((fact) => [fact.flag, fact]));
    this.names = new FlagNames(
      facts.map(({ flag, since }) => [flag, since]),
      '--',
    );
  }

  /** The flags among some words, of which those that are boolean take no next word; of one that is set twice the last counts. */
  public read(words: readonly string[]): Record<string, string> {
    const flags = flagsAmong(words, (flag) => this.facts.get(flag)?.takes === 'boolean');
    return Object.fromEntries(flags.map(({ name, value }) => [name, value]));
  }

  public unknown(flags: readonly string[], context: VersionContext): Found[] {
    return flags.flatMap<Found>((flag) => this.names.fault(flag, `flag --${flag}`, context) ?? []);
  }

  public unreadable(flags: Readonly<Record<string, string>>): Found[] {
    return Object.entries(flags).flatMap(([flag, value]): Found[] => {
      const wanted = brokenSyntax(this.facts.get(flag)?.takes, value);
      const what = `--${flag} is '${value}', not ${wanted?.says}`;
      return wanted === undefined ? [] : [{ what, remedy: `write it like ${wanted.example}`, value }];
    });
  }

  public repeated(args: readonly string[]): Found[] {
    const flags = args.map((arg) => arg.split('=')[0]).filter((word) => word.startsWith('--'));
    return [...new Set(flags.filter((flag, i) => flags.indexOf(flag) !== i))].map((flag) => {
      const prop = this.facts.get(flag.slice(2))?.prop;
      const remedy = `set it once${prop ? `, by the prop ${prop} of an installation` : ''}`;
      return { what: `the flag ${flag} is set twice, and the last one counts`, remedy, value: flag };
    });
  }

  public fixed(flags: Readonly<Record<string, string>>): Found[] {
    return [...this.facts.values()]
      .filter(({ flag, fixed }) => fixed && flags[flag] !== undefined)
      .map(({ flag }) => ({
        what: `probes, Services, certificates or permissions depend on the default of --${flag}`,
        remedy: 'leave it out',
        value: flag,
      }));
  }
}

/** Findings in a workload at the argument or variable of a container whose value they name. */
export function atArguments({ spec }: Json, result: CheckResult): CheckResult {
  const words = list<Json>(spec?.template?.spec?.containers).flatMap((container, i) => [
    ...list(container?.args).map((arg, k) => ({ word: String(arg), at: `/${i}/args/${k}` })),
    ...list<Json>(container?.env).map((one, k) => ({ word: String(one?.value), at: `/${i}/env/${k}/value` })),
  ]);
  const bare = (word: string) => word.replace(/^[-+]+/, '');
  return changed(result, (finding) => {
    const { value = '' } = finding;
    const found = words.filter(({ word }) => value && word.split(/[=,]/).some((part) => bare(part) === bare(value)));
    const isOneFlag = new Set(found.map(({ word }) => word.split('=')[0])).size === 1;
    const at = isOneFlag ? `/spec/template/spec/containers${found[found.length - 1].at}` : '';
    return finding.at ? finding : { ...finding, at };
  });
}
