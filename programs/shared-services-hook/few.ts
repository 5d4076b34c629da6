/** Texts that a message names, and the characters of each. */
const MOST_TEXTS = 4;
const MOST_CHARACTERS = 64;

/** The first of some texts that a tenant wrote, cut off where they are long: a message of a status that is too long is refused as a whole. */
export function few(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_TEXTS).map((text) => cut(text));
  const more = texts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
}
