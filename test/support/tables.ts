import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The tables of a YAML file; `!name` is one of these values, `!name undefined` no value, and `!regex` an expression. */
export function tablesOf<Tables>(file: string, names: Readonly<Record<string, unknown>> = {}): Tables {
  const known = new Map(Object.entries({ undefined: undefined, ...names }));
  const nameTag = (name: string) => {
    if (!known.has(name)) throw new Error(`${file}: '${name}' is not a value of the test`);
    return known.get(name);
  };
  const regexTag = (text: string) => {
    const end = text.lastIndexOf('/');
    return new RegExp(text.slice(1, end), text.slice(end + 1));
  };
  const customTags = [
    { tag: '!name', resolve: nameTag },
    { tag: '!regex', resolve: regexTag },
  ];
  return parse(readFileSync(file, 'utf8'), { merge: true, customTags }) as Tables;
}
