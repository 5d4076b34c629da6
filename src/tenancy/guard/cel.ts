// Pieces of the Common Expression Language, in which the API server judges requests.

/** A text as CEL writes it. */
export function celText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** A list of texts. */
export function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

/** A list of lists of texts by key. */
export function celTextMap(entries: readonly (readonly [key: string, value: string])[]): string {
  return `{${entries.map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`;
}

/** A value that later expressions call `variables.<name>`. */
export interface CelVariable {
  readonly name: string;
  readonly expression: string;
}

/** The condition of what is wrong with every request. */
export const ALWAYS = 'true';

/** Something that may be wrong with a request. */
export interface CelFault {
  /** True where it is wrong. */
  readonly when: string;
  /** What is told then: an expression that gives a text. */
  readonly says: string;
}

/** The texts of all faults that a request has, as one list. */
export function faultList(faults: readonly CelFault[]): string {
  return faults.map(({ when, says }) => (when === ALWAYS ? `[${says}]` : `(${when} ? [${says}] : [])`)).join('\n+ ');
}
