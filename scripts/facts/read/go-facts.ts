import type { Checkout } from '../checkout';
import type { Fact } from '../fact';
import type { GoSource } from './go-source';
import { shortened } from './manifests';
import { nodesOf, partsOf, type SyntaxNode } from './syntax';

/** Functions of `flag` and `pflag` that define a flag: what they take comes first, then `Var` where the first argument is a place. */
const DEFINES =
  /^(?:String|Bool|Int|Int32|Int64|Uint|Float64|Duration|StringSlice|StringArray|StringToString)(?:Var)?P?$/;

/** Flags with their type and default; what they say of themselves is left out. */
export function flagFacts(source: GoSource): Fact[] {
  const simple = source.calls(DEFINES).flatMap(({ file, name, args }) => {
    const [flag, ...rest] = name.includes('Var') ? args.slice(1) : args;
    const value = name.endsWith('P') ? rest[1] : rest[0];
    const type = name.replace(/Var|P$/g, '').toLowerCase();
    // `String(…)` and the like of other packages have fewer arguments
    return flag && value && rest.length > 1
      ? [flagFact(source, file, flag, `${type} ${source.valueOf(value, file)}`)]
      : [];
  });
  const own = source
    .calls(/^Var$/)
    .flatMap(({ file, args }) => (args.length === 3 ? [flagFact(source, file, args[1], 'its own')] : []));
  return [...simple, ...own].filter(({ name }) => /^[a-z][-a-z0-9]*$/.test(name));
}

function flagFact(source: GoSource, file: string, flag: SyntaxNode, value: string): Fact {
  return { kind: 'flag', name: source.valueOf(flag, file), value: shortened(value.trim()), file };
}

/** Constants whose name begins in some way, as annotations or finalizers: the value is the name of the fact. */
export function constantFacts(
  source: GoSource,
  kind: 'annotation' | 'finalizer' | 'config',
  named: RegExp,
  key: (value: string, name: string) => string = (value) => value,
): Fact[] {
  return source.constants
    .filter(({ name, type }) => named.test(type ? `${name} ${type}` : name))
    .map(({ name, value, file }) => ({ kind, name: key(value, name), value: '', file }))
    .filter(({ name }) => kind === 'config' || name.includes('/'));
}

/** Feature gates: entries of a literal whose keys are gates, and in whose values is whether they are on. */
export function gateFacts(source: GoSource, literal: RegExp): Fact[] {
  return source.entries(literal).map(({ file, key, value }) => ({
    kind: 'gate',
    name: source.valueOf(key, file),
    value: nodesOf(value, 'true', 'false')[0]?.text ?? value.text,
    file,
  }));
}

/** Keys of the configuration file: fields of structs, by their tag, or by their own name. */
export function configFacts(source: GoSource, struct: RegExp, tag?: RegExp): Fact[] {
  return source
    .taggedFields(struct, tag)
    .map(({ file, name, type }) => ({ kind: 'config', name, value: shortened(type.replace(/\s+/g, ' ')), file }));
}

/** Kinds that a program looks for: variables that are maps of API versions to lists of kinds. */
export function watchedFacts(source: GoSource, named: RegExp): Fact[] {
  return source.variables(named).flatMap(({ file, name, value }) =>
    partsOf(value.childForFieldName('body')).flatMap((entry) => {
      const [key, kinds] = partsOf(entry).map((part) => partsOf(part)[0] ?? part);
      const texts = kinds ? nodesOf(kinds.parent ?? kinds, 'interpreted_string_literal') : [];
      const plurals = texts.map((text) => pluralOf(source.valueOf(text, file))).sort();
      const of = plurals.length > 0 && key ? `${name} ${source.valueOf(key, file)}` : '';
      return of ? [{ kind: 'runs' as const, name: of, value: plurals.join(' '), file }] : [];
    }),
  );
}

const pluralOf = (kind: string): string => kind.toLowerCase() + (kind.endsWith('s') ? 'es' : 's');

/** Releases of modules that a program is built with. */
export function moduleFacts(checkout: Checkout, file: string, modules: readonly string[]): Fact[] {
  const lines = checkout
    .text(file)
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^require /, '')
        .split(' '),
    );
  return lines
    .filter(([module]) => modules.includes(module))
    .map(([name, value]) => ({ kind: 'dependency', name, value, file }));
}
