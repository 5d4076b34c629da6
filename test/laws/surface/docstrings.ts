import * as ts from 'typescript';
import {
  docOf,
  type Laws,
  type Lint,
  members,
  type PublicMember,
  type PublicSurface,
} from '../../support/public-surface';

// What an editor shows beside a name in every language: what it is for, in which unit, what it is without, when it throws, and where
// what it says of other programs can be read.

/** All words of a docstring, those of its tags among them. */
function words(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter((doc) => ts.isJSDoc(doc));
  return docs.map((doc) => doc.getText().replace(/\s*\n\s*\*?\s*/g, ' ')).join(' ');
}

const has = (node: ts.Node, tag: string) => docOf(node).tags.includes(tag);

function options({ types }: PublicSurface): PublicMember[] {
  return types
    .filter(({ name, node }) => ts.isInterfaceDeclaration(node) && !/^I[A-Z][a-z]/.test(name))
    .flatMap((type) => type.members);
}

/** Words of names of what has a unit. */
const MEASURED = new Set([
  ...['age', 'bandwidth', 'bytes', 'capacity', 'cost', 'delay', 'duration', 'grace', 'interval', 'length', 'lifetime'],
  ...['percent', 'period', 'rate', 'size', 'timeout', 'ttl'],
]);

const isMeasured = (name: string) => name.split(/(?=[A-Z])/).some((word) => MEASURED.has(word.toLowerCase()));

/** Units, as words of a name or a docstring, and values that have one (`90s`). */
const UNIT =
  /second|minute|hour|day|percent|bytes?\b|gigabyte|bits?\b|character|units\b|a month|prefix|price|`\d+[a-z]+\w*`/i;

/** Whether a number or a text is what a member has, is given or returns. */
function isPlain({ types: [own] }: PublicMember, checker: ts.TypeChecker): boolean {
  return (checker.getNonNullableType(own).flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.StringLike)) !== 0;
}

/** A version of another program: what one can read at its source. */
const VERSION_OF_OTHERS =
  /\b(?:Argo CD|Envoy|Envoy Gateway|GKE|Gateway API|HAProxy|Helm|Karpenter|Kubernetes|Kyverno|MetalLB|Strimzi|[Vv]ersion) v?\d+\.\d+/;

/** Whether a statement throws, not looking into functions within. */
function throws(node: ts.Node): boolean {
  return ts.isThrowStatement(node) || (!ts.isFunctionLike(node) && ts.forEachChild(node, throws) === true);
}

/** Whether a body throws, or hands a parameter to a function or constructor of this package that does. */
function refuses(body: ts.Node, parameters: readonly string[], checker: ts.TypeChecker): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isThrowStatement(node)) return true;
    if (ts.isFunctionLike(node)) return false;
    const handed = (ts.isCallExpression(node) || ts.isNewExpression(node)) && isHanded(node, parameters);
    return (handed && throwing(node, checker)) || ts.forEachChild(node, visit) === true;
  };
  return ts.forEachChild(body, visit) === true;
}

function isHanded({ arguments: its }: ts.CallExpression | ts.NewExpression, parameters: readonly string[]): boolean {
  return its?.some((one) => ts.isIdentifier(one) && parameters.includes(one.text)) === true;
}

/** Whether what is called throws by itself. */
function throwing({ expression }: ts.CallExpression | ts.NewExpression, checker: ts.TypeChecker): boolean {
  const found = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(expression) ? expression.name : expression);
  const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  const [declared] = symbol?.declarations ?? [];
  const { body } = (declared ?? {}) as Partial<ts.FunctionDeclaration>;
  return body !== undefined && ts.forEachChild(body, throws) === true;
}

const LINTS: Record<string, Lint> = {
  'every type and member says what it is for': ({ types }) =>
    types.flatMap(({ name, node, members: its }) => [
      ...(docOf(node).text === '' ? [name] : []),
      ...its.filter((member) => docOf(member.node).text === '').map(({ path }) => path),
    ]),

  'every optional member of a struct has its default': (surface) =>
    options(surface)
      .filter(({ node, optional }) => optional && !has(node, 'default'))
      .map(({ path }) => path),

  'no other member has a default, which would say that it can be left out': (surface) =>
    options(surface)
      .filter(({ node, optional }) => !optional && has(node, 'default'))
      .map(({ path }) => path),

  'what is measured has its unit in its name or docstring': (surface) =>
    members(surface)
      .filter(({ node }) => !ts.isEnumMember(node))
      .filter((member) => isMeasured(member.name) && isPlain(member, surface.checker))
      .filter(({ name, node }) => !UNIT.test(`${name} ${words(node)}`))
      .map(({ path }) => path),

  'what throws says when': (surface) =>
    members(surface)
      .filter(({ node, parameters }) => {
        const { body } = node as Partial<ts.MethodDeclaration>;
        return body !== undefined && refuses(body, parameters, surface.checker) && !has(node, 'throws');
      })
      .map(({ path }) => path),

  'every parameter is described, but for the scope and the id that each construct has': (surface) =>
    members(surface).flatMap(({ path, node, parameters }) => {
      const described = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag);
      const known = ts.isConstructorDeclaration(node) ? ['scope', 'id'] : [];
      return parameters
        .filter((name) => !known.includes(name) && !described.some((tag) => tag.name.getText() === name && tag.comment))
        .map((name) => `${path}(${name})`);
    }),

  'what names a version of another program has a source, or its type has': ({ types }) =>
    types
      .flatMap((type) => [
        { path: type.name, node: type.node, of: type.node },
        ...type.members.map(({ path, node }) => ({ path, node: node as ts.Node, of: type.node })),
      ])
      .filter(({ node, of }) => VERSION_OF_OTHERS.test(words(node)) && !has(node, 'see') && !has(of, 'see'))
      .map(({ path }) => path),
};

/** A surface that breaks each of them. */
const WRONG = `
  function must(value: string): void { if (value === '') { throw new Error('empty'); } }
  export interface Undocumented {
    /** Said. */
    readonly said: string;
    readonly bare: string;
  }
  /** Documented. */
  export interface Options {
    /** No default. */
    readonly without?: boolean;
    /** One too many. @default true */
    readonly needed: boolean;
    /** How long it takes. */
    readonly timeout: number;
    /** How long it takes, such as \`90s\`. */
    readonly grace: string;
    /** How often. */
    readonly intervalSeconds: number;
    /** It is no rate of anything. */
    readonly image: string;
    /** Needs Strimzi
     * 1.1 or newer. */
    readonly since: boolean;
    /** Needs Strimzi 1.1. @see https://example.com */
    readonly cited: boolean;
  }
  /** Of Kubernetes 1.36. @see https://example.com */
  export class Sourced {
    /** From Kubernetes 1.30 on. */
    public readonly member: string = '';
    /**
     * Throws by itself.
     *
     * @param value a text
     */
    public direct(value: string): void { if (value) { throw new Error(value); } }
    /**
     * Hands it on.
     *
     * @param value a text
     */
    public handed(value: string): void { must(value); }
    /**
     * Says so.
     *
     * @param value a text
     * @throws where it is empty
     */
    public said(value: string): void { must(value); }
    /** Throws later, in another function. */
    public later(): () => void { return () => { throw new Error('later'); }; }
    /** Hands on what is right. */
    public fixed(): void { must('right'); }
    /**
     * Has two.
     *
     * @param one the first
     */
    public two(one: string, other: string): void {}
  }
`;

export const DOCSTRINGS: Laws = {
  lints: LINTS,
  wrong: WRONG,
  found: {
    'every type and member says what it is for': ['Undocumented', 'Undocumented.bare'],
    'every optional member of a struct has its default': ['Options.without'],
    'no other member has a default, which would say that it can be left out': ['Options.needed'],
    'what is measured has its unit in its name or docstring': ['Options.timeout'],
    'what throws says when': ['Sourced.direct', 'Sourced.handed'],
    'every parameter is described, but for the scope and the id that each construct has': ['Sourced.two(other)'],
    'what names a version of another program has a source, or its type has': ['Options.since'],
  },
};
