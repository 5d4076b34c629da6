import { pointer, printable } from './json';
import { type Citation, Confidence } from './kubernetes.facts';

/**
 * Effect of a mistake on a balancer.
 *
 * - `refused`: the API server or the owner does not carry it out, and later edits wait behind it
 * - `ignored`: what is written has no effect
 * - `no-targets`: no pod receives connections
 */
export type RuleEffect = 'refused' | 'ignored' | 'no-targets';

/** Upstream source of a rule, or for a rule of this library the page of docs with its reason. */
export type RuleSource = Citation | string;

export function citationInWords({ repository, version, file }: Citation, confidence?: Confidence): string {
  const how = confidence === undefined || confidence === Confidence.SOURCE ? '' : ` (${HOW[confidence]})`;
  return `${repository} ${version}, ${file}${how}`;
}

const HOW: Readonly<Record<Confidence, string>> = {
  [Confidence.SEEN]: 'and seen on the running program',
  [Confidence.SOURCE]: 'source code',
  [Confidence.DOCS]: 'documentation',
  [Confidence.UNVERIFIED]: 'unverified',
};

/** The first release of this library. */
export const FIRST_RELEASE = '0.1.0';

/** Documentation of a rule; also of what a construct reports itself, before there is an object to validate. */
export interface DescribedRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The component that messages name; by default the owner, which runs the rule. */
  readonly who?: string;
  /** An error stops the synth; a warning is reported once. */
  readonly severity: 'error' | 'warning';
  /** Effect of the mistake on a balancer, if one of these is certain. */
  readonly effect?: RuleEffect;
  /** Of `no-targets`: fields of this object, or of related objects, that cause it. */
  readonly decidedBy?: readonly string[];
  /** The mistake, in lower case without a full stop. */
  readonly says: string;
  readonly source?: RuleSource;
  /** The first release of this library with the rule; by default `FIRST_RELEASE`. */
  readonly addedIn?: string;
}

/** A `LoadBalancerFinding` with what it does to a balancer, where that is not the same for all findings of its rule. */
export interface RuleFinding extends Mistake {
  readonly ruleId: string;
  readonly who: string;
  readonly at: string;
}

/** The messages of a rule: `{{name}}` is a value that the code finds. */
export interface Messages extends Partial<Message> {
  /** The place of findings that name no other one; empty for the object as a whole. */
  readonly at?: string;
  /** Messages by name if the mistake has several forms; what they leave out is that of the rule. */
  readonly cases?: Readonly<Record<string, Partial<Message>>>;
}

interface Message {
  readonly what: string;
  readonly remedy: string;
}

export interface WordedRule extends DescribedRule, Messages {}

/** The values of a message by name; `case` names the message if a rule has several. Whole findings stay as they are. */
export type Found = Omit<Partial<Finding>, 'value'> & Readonly<Record<string, unknown>>;

/** Text of `{{unlessLive}}` before advice that holds as long as no other controller has made a balancer. */
const UNLESS_LIVE = 'if the Service is live and another controller made its balancer, change nothing and follow';

export function messageOf(rule: Messages, found: Found | Mistake): Mistake & { readonly at?: string } {
  const { what, remedy = '' } = { ...rule, ...rule.cases?.[String((found as Found).case)] };
  if (what === undefined || found.what !== undefined) {
    return found as Mistake;
  }
  const { value, at = rule.at ?? annotationAt((found as Found).key), effect } = found as Found;
  const params = { unlessLive: `${UNLESS_LIVE} ${HAND_OVER_PAGE}; otherwise `, ...found };
  return {
    what: filled(what, params),
    remedy: filled(remedy, params),
    ...(value !== undefined && { value: value as string }),
    ...(at !== undefined && { at }),
    ...(effect && { effect }),
  };
}

const annotationAt = (key: unknown) =>
  typeof key === 'string' && key.includes('/') ? pointer('/metadata/annotations', key) : undefined;

export function findingOf(
  rule: Pick<DescribedRule, 'id' | 'who'> & Messages,
  found: Found | Mistake,
  who = '',
): RuleFinding {
  const { what, remedy, value, at = '', effect } = messageOf(rule, found);
  // third-party manifests may hold anything anywhere
  const text = value === undefined || value === null ? undefined : String(value);
  return {
    ruleId: rule.id,
    who: rule.who ?? who,
    what,
    remedy,
    value: text,
    at,
    ...(effect && { effect }),
  };
}

export function sentenceOf({ ruleId, who, what, remedy }: RuleFinding): string {
  return `${who}: ${printable(what)}; ${printable(remedy)} (${ruleId})`;
}

export function filled(text: string, params: object): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => `${(params as Readonly<Record<string, unknown>>)[name]}`);
}

export function refuse(text: string, params: object): never {
  throw new Error(filled(text, params));
}

/** A mistake in what a construct or a command is asked for: there is no object yet that has a place for it. */
export interface Mistake {
  /** One clause, lower case, no full stop: what cannot be, or will surprise, with the value. */
  readonly what: string;
  readonly remedy: string;
  readonly value?: string;
  readonly effect?: RuleEffect;
}

export interface Finding extends Mistake {
  /** The place in the object, as a JSON pointer; empty if the finding is about the object as a whole. */
  readonly at: string;
}

/** All that a rule finds: nothing where the object keeps it, or where it does not apply. */
export type Findings = Finding | readonly Finding[] | undefined;

export function findingsIn(found: Findings): readonly Finding[] {
  return found === undefined ? [] : Array.isArray(found) ? found : [found as Finding];
}

/** `1 pod`, `2 pods` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a, b, c and 2 more` */
export function someOf(names: readonly string[], most = 3, separator = ', '): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(separator)}${more}`;
}

/** The number of letters that differ between two texts, or at least that many if one is far longer. */
export function editDistance(a: string, b: string): number {
  const longer = Math.abs(a.length - b.length);
  if (longer > FAR) {
    return longer;
  }
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

const FAR = 20;

/** True if a name is another one with a slip of the hand, or in the case of another language. */
function isLike(name: string, other: string): boolean {
  const [a, b] = [lettersOf(name), lettersOf(other)];
  return a === b || (a.length > 3 && editDistance(a, b) <= (a.length > 7 ? 2 : 1));
}

/** The name that another one is like: one of the same letters before all others. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => lettersOf(one) === lettersOf(name)) ?? names.find((one) => isLike(name, one));
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** The version, if the command is a single file: the bundler defines it. */
declare const SINGLE_FILE: string | undefined;
export const SINGLE_FILE_VERSION = typeof SINGLE_FILE === 'undefined' ? undefined : SINGLE_FILE;

/** The name of the package, and of its command. */
export const OWN_NAME = 'cdk8s-load-balancers';

/** The name by which the command was called: its own, as a plugin of kubectl, or as a file that Node runs. */
export function programName(): string {
  const path = process.argv[1] ?? '';
  const called = path.replace(`${process.cwd()}/`, '');
  if (/(^|[\\/])kubectl-lb$/.test(path)) {
    return 'kubectl lb';
  }
  return SINGLE_FILE_VERSION !== undefined && called.endsWith('.mjs') ? `node ${called}` : OWN_NAME;
}

/** A command of this library for a message: npx has it, but users of Python and of a single file have the program itself. */
export function ownCommand(words: string): string {
  const name = programName();
  const isInstalled = SINGLE_FILE_VERSION !== undefined || process.env.JSII_AGENT?.startsWith('Python');
  return `${name === OWN_NAME && !isInstalled ? 'npx ' : ''}${name} ${words}`;
}

/**
 * The page that says how a live Service gets another owner. To change its finalizer, class or type in place is refused,
 * hangs, or leaves its balancer behind.
 */
export const HAND_OVER_PAGE = 'docs/how-to/change-a-controller.md#hand-services-over';

/** Advice that holds where no other controller has made a balancer yet, with the page for a Service that has one. */
export function unlessLive(advice: string): string {
  return `${UNLESS_LIVE} ${HAND_OVER_PAGE}; otherwise ${advice}`;
}
