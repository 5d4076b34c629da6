import type { IConstruct } from 'constructs';
import { printable } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { sentenceOf } from '../contract/rule';

const WARNING_METADATA = 'cdk8s-load-balancers:warning';

const SETTINGS = Symbol('cdk8s-load-balancers.warning-settings');

/** What users decided about warnings at one construct, for it and everything below. */
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

export function reasonFor(construct: IConstruct, ruleId: string): string | undefined {
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
}

interface Reported {
  readonly text: Set<string>;
}

const REPORTED = Symbol('cdk8s-load-balancers.told');

interface WarningsToReport {
  readonly warningsOf: (object: WarningSource) => readonly LoadBalancerFinding[];
  /** Whether the synth fails anyway. */
  readonly failing: boolean;
}

/**
 * Brings the warnings of some objects to their channels: node metadata, one block on standard error for the app (not
 * while the synth fails anyway), and errors where the user made warnings fail. Says whether it made the synth fail.
 */
export function reportWarnings(
  root: IConstruct,
  objects: readonly WarningSource[],
  { warningsOf, failing }: WarningsToReport,
): boolean {
  let failed = false;
  const news: [WarningSource, LoadBalancerFinding][] = [];
  const reported = reportedIn(root);
  for (const object of objects) {
    const warnings = warningsOf(object);
    if (warnings.length === 0) {
      continue;
    }
    const unacknowledged = warnings.filter((warning) => reasonFor(object.host, warning.ruleId) === undefined);
    if (unacknowledged.length > 0 && settingsAbove(object.host).some((settings) => settings.fail)) {
      object.fail(unacknowledged.map((warning) => `${sentenceOf(warning)} (a warning that was made to fail)`));
      failed = true;
    }
    for (const warning of unacknowledged) {
      const text = `${object.host.node.path} ${sentenceOf(warning)}`;
      if (!reported.text.has(text)) {
        news.push([object, warning]);
      }
    }
  }
  if (news.length > 0 && !failed && !failing) {
    for (const [{ host }, warning] of news) {
      reported.text.add(`${host.node.path} ${sentenceOf(warning)}`);
      host.node.addMetadata(WARNING_METADATA, { ruleId: warning.ruleId, message: sentenceOf(warning) });
    }
    process.stderr.write(block(news));
  }
  return failed;
}

function reportedIn(root: IConstruct): Reported {
  const holder = root as IConstruct & { [REPORTED]?: Reported };
  if (!holder[REPORTED]) {
    Object.defineProperty(root, REPORTED, { value: { text: new Set() } });
  }
  return holder[REPORTED] as Reported;
}

function block(news: readonly [WarningSource, LoadBalancerFinding][]): string {
  const lines = [`cdk8s-load-balancers: ${news.length} ${news.length === 1 ? 'warning' : 'warnings'}`];
  for (const [object, { ruleId, who, what, remedy }] of news) {
    lines.push(`  [${object.host.node.path}] ${who}: ${printable(what)}`, `      ${printable(remedy)}  (${ruleId})`);
  }
  lines.push("  Acknowledge one with LoadBalancers.of(scope).acknowledge('rule-id', 'reason').", '');
  return lines.join('\n');
}
