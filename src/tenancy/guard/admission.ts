// Pieces of the Common Expression Language, in which the API server checks requests.

import type { Json } from '../../contract/json';
import type { TenancyIdentity } from './tenancy-identity';

/** A text as CEL writes it. */
export function celText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

export function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

export function celTextMap(entries: readonly (readonly [key: string, value: string])[]): string {
  return `{${entries.map(([key, value]) => `${celText(key)}: ${value}`).join(', ')}}`;
}

export function celFinalizers(object: string): string {
  return `${object}.metadata.?finalizers.orValue([])`;
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
  /** What requests it can be wrong with: faults of the same are found faster side by side. */
  readonly among?: string;
  /** True where it is wrong. */
  readonly when: string;
  /** The message then: an expression that gives a text. */
  readonly says: string;
}

/** The texts of all faults that a request has, as one list. */
export function faultList(faults: readonly CelFault[]): string {
  const isWrong = ({ among, when }: CelFault) => (among === undefined ? when : `${among} && ${when}`);
  return faults
    .map((fault) => (fault.when === ALWAYS ? `[${fault.says}]` : `(${isWrong(fault)} ? [${fault.says}] : [])`))
    .join('\n+ ');
}

/** True for a request with any of some faults, without variables. */
export function anyFault(faults: readonly CelFault[], variables: readonly CelVariable[]): string {
  if (faults.some(({ when }) => when === ALWAYS)) {
    return ALWAYS;
  }
  const groups = [...new Set(faults.map(({ among }) => among))].map((among) => {
    const whens = faults.filter((fault) => fault.among === among).map(({ when }) => `(${when})`);
    return among === undefined ? whens.join('\n|| ') : `(${among} && (${whens.join('\n|| ')}))`;
  });
  return withoutVariables(groups.join('\n|| '), variables);
}

/** An expression with the expressions of variables instead of these; each may refer to those before it. */
function withoutVariables(expression: string, variables: readonly CelVariable[]): string {
  return [...variables].reverse().reduce(
    (text, variable) =>
      // texts stay as they are
      text.replace(new RegExp(`'(?:[^'\\\\]|\\\\.)*'|\\bvariables\\.${variable.name}\\b`, 'g'), (found) =>
        found.startsWith("'") ? found : `(${variable.expression})`,
      ),
    expression,
  );
}

// What policies look at. The API server takes each of these maps as one value and fills in what is not set: so that a
// second manager can apply the same object, everything is set.

/** Requests of some kinds, anywhere. */
export function constraints(resourceRules: readonly object[]): Json {
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: resourceRules.map((rule) => ({ ...rule, scope: '*' })),
  };
}

/** All that the policy looks at, in some namespaces. */
export function inNamespaces(namespaceSelector: object): Json {
  return { matchPolicy: 'Equivalent', namespaceSelector, objectSelector: {} };
}

/** True for requests of none of some identities. */
export function madeByNoneOf(identities: readonly TenancyIdentity[]): string {
  const usernames = identities.filter(({ _isGroup }) => !_isGroup).map(({ username }) => username);
  const groups = identities.filter(({ _isGroup }) => _isGroup).map(({ name }) => name);
  const byName = `!(request.userInfo.username in ${celTexts(distinct(usernames))})`;
  const byGroup = `!request.userInfo.?groups.orValue([]).exists(g, g in ${celTexts(distinct(groups))})`;
  return [...(usernames.length > 0 ? [byName] : []), ...(groups.length > 0 ? [byGroup] : [])].join(' && ');
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
