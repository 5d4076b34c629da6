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
