import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { propFaults, refuse, sentenceOfUnknown } from '../contract/declared-types';
import { printable } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { WRONG_PROP } from '../contract/request-rules.facts';
import { findingOf, sentenceOf } from '../contract/rule';
import { perApp } from '../contract/synth-run';
import { PROTECTION_UNCHECKED, UNKNOWN_PROP } from './rules.facts';
import { SynthWatch } from './synth-watch';

const WARNING_METADATA = 'cdk8s-load-balancers:warning';

const SETTINGS = Symbol('cdk8s-load-balancers.warning-settings');

/** Decisions of users about warnings at one construct, for it and everything below. */
interface WarningSettings {
  readonly acknowledged: Map<string, string>;
  fail: boolean;
}

export function settingsAt(construct: IConstruct): WarningSettings {
  const holder = construct as IConstruct & { [SETTINGS]?: WarningSettings };
  if (!holder[SETTINGS]) {
    Object.defineProperty(construct, SETTINGS, { value: { acknowledged: new Map(), fail: false } });
  }
  return holder[SETTINGS] as WarningSettings;
}

function settingsAbove(construct: IConstruct): WarningSettings[] {
  return construct.node.scopes
    .map((scope) => (scope as IConstruct & { [SETTINGS]?: WarningSettings })[SETTINGS])
    .filter((settings) => settings !== undefined);
}

function reasonFor(construct: IConstruct, ruleId: string): string | undefined {
  for (const settings of settingsAbove(construct).reverse()) {
    const reason = settings.acknowledged.get(ruleId);
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** Something to warn of at a construct: an object that rules validated, or what was seen when the construct was made. */
export interface WarningSource {
  /** The construct whose path is in messages. */
  readonly host: IConstruct;
  /** Problems stop the synth: the source reports them itself. */
  look(): { readonly warnings: readonly LoadBalancerFinding[]; readonly problems?: readonly LoadBalancerFinding[] };
  fail(sentences: string[]): void;
  /** Reason for which the object itself accepts findings of a rule. */
  reasonToIgnore?(ruleId: string): string | undefined;
}

/** Reason for which findings of a rule are accepted: by an annotation of the object, or at a construct above it. */
export function reasonAt(source: WarningSource, ruleId: string): string | undefined {
  return source.reasonToIgnore?.(ruleId) ?? reasonFor(source.host, ruleId);
}

const reportedIn = perApp(() => new Set<string>());

/**
 * Brings the warnings of some objects to their channels: node metadata, one block on standard error for the app (not
 * while the synth fails anyway), and errors where the user made warnings fail. Says whether it made the synth fail.
 */
export function reportWarnings(
  root: IConstruct,
  objects: readonly WarningSource[],
  warningsOf: (object: WarningSource) => readonly LoadBalancerFinding[],
  failing: boolean,
): boolean {
  let failed = false;
  const news: [WarningSource, LoadBalancerFinding][] = [];
  const reported = reportedIn(root);
  for (const object of objects) {
    const warnings = warningsOf(object);
    if (warnings.length === 0) {
      continue;
    }
    const unacknowledged = warnings.filter((warning) => reasonAt(object, warning.ruleId) === undefined);
    if (unacknowledged.length > 0 && settingsAbove(object.host).some((settings) => settings.fail)) {
      object.fail(unacknowledged.map((warning) => `${sentenceOf(warning)} (a warning that was made to fail)`));
      failed = true;
    }
    for (const warning of unacknowledged) {
      const text = `${object.host.node.path} ${sentenceOf(warning)}`;
      if (!reported.has(text)) {
        news.push([object, warning]);
      }
    }
  }
  if (news.length > 0 && !failed && !failing) {
    for (const [{ host }, warning] of news) {
      reported.add(`${host.node.path} ${sentenceOf(warning)}`);
      host.node.addMetadata(WARNING_METADATA, { ruleId: warning.ruleId, message: sentenceOf(warning) });
    }
    process.stderr.write(block(news));
  }
  return failed;
}

function block(news: readonly [WarningSource, LoadBalancerFinding][]): string {
  const lines = [`cdk8s-load-balancers: ${news.length} ${news.length === 1 ? 'warning' : 'warnings'}`];
  for (const [object, { ruleId, who, what, remedy }] of news) {
    lines.push(`  [${object.host.node.path}] ${who}: ${printable(what)}`, `      ${printable(remedy)}  (${ruleId})`);
  }
  lines.push("  Acknowledge one with LoadBalancers.of(scope).acknowledge('rule-id', 'reason').", '');
  return lines.join('\n');
}

/** Warns of something about a construct that no rule sees in a finished object. */
export function warnOf(scope: IConstruct, findings: () => Findings, id?: string): void {
  reportFound(scope, () => ({ warnings: [findings() ?? []].flat() }), id);
}

type Findings = LoadBalancerFinding | readonly LoadBalancerFinding[] | undefined;

/**
 * Reports what is found at a construct in each synth. The construct may still be in the making: then its scope is passed,
 * and its name there.
 */
export function reportFound(scope: IConstruct, look: WarningSource['look'], id?: string): void {
  let problems: readonly string[] = [];
  let failing: readonly string[] = [];
  scope.node.addValidation({ validate: () => [...problems, ...failing] });
  SynthWatch.of(scope).warn({
    get host() {
      return (id === undefined ? undefined : scope.node.tryFindChild(id)) ?? scope;
    },
    look: () => {
      const found = look();
      problems = (found.problems ?? []).map(sentenceOf);
      return found;
    },
    fail: (sentences) => {
      failing = sentences;
    },
  });
}

/**
 * Compares the props of a construct with the types that they are declared with, for callers without types. A key that
 * is a slip of the hand is an error, since what it should have set may be what keeps a balancer closed. Another unknown
 * key is a warning: a construct that extends the props of this one may pass its own along. Of a subclass it is neither.
 * @throws with all that is wrong
 */
export function validateProps(scope: Construct, id: string, struct: string, props: unknown): void {
  const { wrong, unknown } = propFaults(struct, props);
  if (wrong.length === 0 && unknown.length === 0) {
    return;
  }
  refuse([scope.node.path, id].filter(Boolean).join('/'), [
    ...wrong.map((what) => `${what} (${WRONG_PROP.id})`),
    ...unknown.filter(({ isWrong }) => isWrong).map(sentenceOfUnknown),
  ]);
  for (const { path, remedy } of unknown) {
    warnOf(scope, () => (isSubclass(scope.node.tryFindChild(id), struct) ? undefined : unread(path, remedy)), id);
  }
}

/** True if a construct is of a class that extends the one with these props, and has props of its own. */
function isSubclass(made: IConstruct | undefined, struct: string): boolean {
  return made !== undefined && `${made.constructor.name}Props` !== struct;
}

function unread(value: string, instead: string): LoadBalancerFinding {
  const what = `${value} is unknown, so it has no effect`;
  const remedy = `${instead}, or acknowledge it if it is of your own`;
  return findingOf(UNKNOWN_PROP, { what, remedy, value }, 'props');
}

/**
 * The annotation of an object whose balancers must not be lost; its value is who owns them. That of a part of an
 * object, such as a listener, ends with the name of the part.
 */
const PROTECTED_ANNOTATION = 'cdk8s-load-balancers/protected';

export function protectionKey(part?: string): string {
  return part === undefined ? PROTECTED_ANNOTATION : `${PROTECTED_ANNOTATION}-${part}`;
}

export function isProtectionKey(key: string): boolean {
  return key === PROTECTED_ANNOTATION || key.startsWith(`${PROTECTED_ANNOTATION}-`);
}

class AppProtection {
  /** Comparison with the applied manifests. */
  public checkedBy?: IConstruct;
  private readonly hosts = new Set<Construct>();

  public add(host: Construct, object: ApiObject, owner: string, part?: string): void {
    object.metadata.addAnnotation(protectionKey(part), owner);
    if (!this.hosts.has(host)) {
      this.hosts.add(host);
      reportFound(host, () => ({ warnings: [], problems: this.checkedBy === undefined ? [UNCHECKED] : [] }));
    }
  }
}

const UNCHECKED: LoadBalancerFinding = findingOf(
  PROTECTION_UNCHECKED,
  {
    what: 'protect() is called, and nothing in the app compares the balancer with what is applied',
    remedy: "add new LoadBalancerProtection(app, 'Protection', { previous: 'deployed' })",
  },
  'protection',
);

export const protectionOf = perApp(() => new AppProtection());
