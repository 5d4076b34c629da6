import { fenced } from '../docs/markdown';
import type { ApiType, Docs, Method, TypeReference, Value } from './assembly';

/** What surrounds an entry: the other types, and how a page leads to one of them. */
export interface Surroundings {
  readonly types: ReadonlyMap<string, ApiType>;
  linkTo(type: ApiType): string;
}

/** The entry of one type: what it is for, how it is made, and each member once. */
export function entryOf(type: ApiType, around: Surroundings): string {
  return [
    `### ${type.name}`,
    ...prose(type.docs),
    ...basesOf(type, around),
    ...madeBy(type, around),
    ...membersOf(type, around),
  ].join('\n\n');
}

function basesOf({ base, interfaces = [] }: ApiType, around: Surroundings): string[] {
  const bases = [base, ...interfaces].filter((name) => name !== undefined);
  return bases.length === 0 ? [] : [`Extends ${bases.map((name) => extended(name, around)).join(', ')}.`];
}

/** A base, with the names of what a struct has from it. */
function extended(fqn: string, around: Surroundings): string {
  const names = inheritedBy(fqn, around);
  return `${nameOf(fqn, around)}${names.length === 0 ? '' : ` (${names.map((name) => `\`${name}\``).join(', ')})`}`;
}

function inheritedBy(fqn: string, around: Surroundings): string[] {
  const type = around.types.get(fqn);
  return type?.datatype
    ? [
        ...(type.properties ?? []).map(({ name }) => name),
        ...(type.interfaces ?? []).flatMap((base) => inheritedBy(base, around)),
      ].sort()
    : [];
}

function madeBy({ name, kind, abstract, initializer }: ApiType, around: Surroundings): string[] {
  if (kind !== 'class' || abstract || !initializer) {
    return [];
  }
  return [entry(`new ${name}${parametersOf(initializer)}`, '', initializer, around)];
}

function membersOf(type: ApiType, around: Surroundings): string[] {
  const { members = [], methods = [], properties = [] } = type;
  const entries = [
    ...members.map(({ name, docs }) => item(`\`${name}\``, prose(docs))),
    ...sorted(methods.filter((method) => method.static)).map((method) => methodEntry(method, `${type.name}.`, around)),
    ...sorted(properties.filter((one) => one.static)).map((one) => valueEntry(one, `${type.name}.`, around, false)),
    ...sorted(methods.filter((method) => !method.static)).map((method) => methodEntry(method, '', around)),
    ...requiredFirst(properties.filter((one) => !one.static)).map((one) =>
      valueEntry(one, '', around, type.datatype === true),
    ),
  ];
  return entries.length === 0 ? [] : [entries.join('\n')];
}

function methodEntry(method: Method, before: string, around: Surroundings): string {
  const { name, returns } = method;
  const gives = returns ? `: ${typeName(returns.type, around)}${returns.optional ? ' or nothing' : ''}` : '';
  return entry(`${before}${name}${parametersOf(method)}`, gives, method, around);
}

function entry(call: string, gives: string, { docs, parameters = [] }: Method, around: Surroundings): string {
  const listed = parameters.map((one) => valueEntry(one, '', around, false)).join('\n');
  return item(`\`${call}\`${gives}`, [...prose(docs), ...(listed === '' ? [] : [listed])]);
}

function parametersOf({ parameters = [] }: Method): string {
  return `(${parameters
    .map(({ name, optional, variadic }) => `${variadic ? '...' : ''}${name}${optional ? '?' : ''}`)
    .join(', ')})`;
}

function valueEntry(value: Value, before: string, around: Surroundings, mustBe: boolean): string {
  const { name, optional, type, docs } = value;
  const need = optional ? ', optional' : mustBe ? ', **required**' : '';
  return item(`\`${before}${name}\`: ${typeName(type, around)}${need}`, prose(docs));
}

/** Types as every language has them. */
function typeName({ primitive, fqn, collection }: TypeReference, around: Surroundings): string {
  if (collection) {
    const { kind, elementtype } = collection;
    return `${kind === 'array' ? 'list' : 'map'} of ${typeName(elementtype, around)}`;
  }
  return fqn === undefined ? (primitive ?? 'any') : nameOf(fqn, around);
}

function nameOf(fqn: string, around: Surroundings): string {
  const type = around.types.get(fqn);
  return type ? `[${type.name}](${around.linkTo(type)})` : `\`${fqn}\``;
}

function prose(docs: Docs = {}): string[] {
  const { summary, remarks, returns, see, deprecated, custom, example } = docs;
  return [
    ...joined(summary, remarks),
    deprecated && `*Deprecated*: ${deprecated}`,
    returns && `*Returns*: ${returns}`,
    docs.default && `*Default*: ${docs.default.replace(/^- /, '')}`,
    custom?.throws && `*Fails* ${custom.throws}`,
    see && `*See* ${see}`,
    example && fenced('ts', example),
  ].filter((part): part is string => part !== undefined && part !== '');
}

/** jsii cuts a summary at the first semicolon: what is one sentence is one here. */
function joined(summary?: string, remarks?: string): (string | undefined)[] {
  return summary?.endsWith(';') && remarks ? [`${summary} ${remarks}`] : [summary, remarks];
}

/** An item of a list: what follows its first line belongs to it. */
function item(title: string, paragraphs: readonly string[]): string {
  return [`- ${title}`, ...paragraphs.map((text) => text.replace(/^(?=.)/gm, '  '))].join('\n\n');
}

const sorted = <T extends { readonly name?: string }>(all: readonly T[]) =>
  [...all].sort((one, other) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1));

function requiredFirst(all: readonly Value[]): Value[] {
  return [...sorted(all.filter(({ optional }) => !optional)), ...sorted(all.filter(({ optional }) => optional))];
}
