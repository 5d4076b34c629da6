import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The tables of a YAML file; `!name` is one of these values, and `!name undefined` is no value. */
export function tablesOf<Tables>(file: string, names: Readonly<Record<string, unknown>> = {}): Tables {
  const known = new Map(Object.entries({ undefined: undefined, ...names }));
  const resolve = (name: string) => {
    if (!known.has(name)) throw new Error(`${file}: '${name}' is not a value of the test`);
    return known.get(name);
  };
  return parse(readFileSync(file, 'utf8'), { merge: true, customTags: [{ tag: '!name', resolve }] }) as Tables;
}
