/**
 * What a terminal acts upon or a reader does not see: control characters, line separators, marks of direction, characters
 * without width and halves of characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/gu;

/** A third-party text as it can be in a line of a report: it begins no line of its own, and hides nothing. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Any value of a third-party file as it can be in a message; it may hold itself, or have a key `toString`. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${printable(value)}'`;
  }
  if (typeof value === 'object' && value !== null) {
    return jsonOf(value);
  }
  return value === undefined ? 'nothing' : `${String(value)}`;
}

export function unquoted(value: unknown): string {
  return typeof value === 'string' ? value : shown(value);
}

function jsonOf(value: object): string {
  try {
    return printable(JSON.stringify(value));
  } catch {
    return Array.isArray(value) ? 'a list' : 'a map';
  }
}

const CONVERSIONS = ['toString', 'valueOf'];

const likeAnyMap = (hint: string) => (hint === 'number' ? Number.NaN : String({}));

/** Gives maps of a file that have such keys themselves the text of any other map, without which a message could not name them. */
export function printableMaps<T>(value: T, seen = new Set<unknown>()): T {
  if (typeof value === 'object' && value !== null && !seen.has(value)) {
    seen.add(value);
    if (CONVERSIONS.some((key) => Object.hasOwn(value, key))) {
      // enumerable, so that a copy has it too
      Object.defineProperty(value, Symbol.toPrimitive, { value: likeAnyMap, enumerable: true });
    }
    for (const inner of Object.values(value)) {
      printableMaps(inner, seen);
    }
  }
  return value;
}

/** `1 pod`, `2 pods` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
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

/** Whether a name is another one with a slip of the hand, or in the case of another language. */
function isLike(name: string, other: string): boolean {
  const [a, b] = [lettersOf(name), lettersOf(other)];
  return a === b || (a.length > 3 && editDistance(a, b) <= (a.length > 7 ? 2 : 1));
}

/** The name that another one is like: one of the same letters before all others. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => lettersOf(one) === lettersOf(name)) ?? names.find((one) => isLike(name, one));
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** A command of this library for a message: users of Python have the program beside the library, all others have it by npx. */
export function ownCommand(words: string): string {
  const program = `cdk8s-load-balancers ${words}`;
  return process.env.JSII_AGENT?.startsWith('Python') ? program : `npx ${program}`;
}

/**
 * The page that says how a live Service gets another owner. To change its finalizer, class or type in place is refused, hangs,
 * or leaves its balancer behind.
 */
export const HAND_OVER_PAGE = 'docs/how-to/hand-over-services.md';

/** Advice that holds where no other controller has made a balancer yet, with the page for a Service that has one. */
export function unlessLive(advice: string): string {
  return `if the Service is live and another controller made its balancer, change nothing and follow ${HAND_OVER_PAGE}; otherwise ${advice}`;
}
