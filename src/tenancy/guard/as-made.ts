import { isMap } from '../../contract/json';

/** What an object says beside what is patched into it without harm. */
export interface Comparison {
  /** Whether maps may have more than they were made with. */
  readonly additions: boolean;
}

/** Where an object says something else than it was made with, and what; nothing where it does not. */
export function changeOf(made: unknown, found: unknown, comparison: Comparison, path = ''): string | undefined {
  if (Array.isArray(made) && Array.isArray(found) && made.length === found.length) {
    return first(made, (one, i) => changeOf(one, found[i], comparison, `${path}[${i}]`));
  }
  if (isMap(made) && isMap(found)) {
    const keys = comparison.additions ? Object.keys(made) : [...new Set([...Object.keys(made), ...Object.keys(found)])];
    return first(keys, (key) => changeOf(made[key], found[key], comparison, path === '' ? key : `${path}.${key}`));
  }
  return made === found ? undefined : `${path} is ${found === undefined ? 'missing' : shortened(found)}`;
}

function first<T>(list: readonly T[], look: (one: T, i: number) => string | undefined): string | undefined {
  for (const [i, one] of list.entries()) {
    const found = look(one, i);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** Characters of a value that stand in a message. */
const SHOWN = 60;
