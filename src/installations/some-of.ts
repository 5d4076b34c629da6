/** How many names a message shows. */
const SHOWN = 3;

/** Names in a message, which shows a few of them. */
export function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
