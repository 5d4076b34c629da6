import { join } from 'node:path';
import * as ts from 'typescript';
import { type Laws, type Lint, members, type PublicMember, paths, twice } from '../../support/public-surface';

// What names become in Python, Java, Go and C#, and which of them are awkward there or clash.

const { isReservedName } = require(
  join(__dirname, '..', '..', '..', 'node_modules', 'jsii', 'lib', 'reserved-words.js'),
) as {
  isReservedName(name: string): string[] | undefined;
};

/** Words that users of cdk8s meet in every manifest, and that jsii escapes well. */
const OF_KUBERNETES = ['namespace', 'type'];

/**
 * `request.with(...)` is `with_` in Python: jsii appends the underscore, and nothing says it better. `KafkaListener.internal`
 * is a keyword of C# alone, where methods begin with a capital.
 */
const READS_WELL = ['with', 'internal'];

function isReserved(name: string): boolean {
  return isReservedName(name) !== undefined && ![...OF_KUBERNETES, ...READS_WELL].includes(name);
}

/** The names of the parameters of a method, as each of the types that its own one implements or extends has them. */
function inheritedParameters({ name, node }: PublicMember, checker: ts.TypeChecker): string[][] {
  const type = node.parent;
  const clauses = ts.isClassDeclaration(type) || ts.isInterfaceDeclaration(type) ? (type.heritageClauses ?? []) : [];
  return clauses
    .flatMap(({ types }) => types.map((parent) => checker.getTypeAtLocation(parent).getProperty(name)))
    .flatMap((symbol) => symbol?.declarations ?? [])
    .filter((declaration) => ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration))
    .map(({ parameters }) => parameters.map((parameter) => parameter.name.getText()));
}

/** The members of the struct that a function takes last: keyword arguments in Python. */
function keywords({ types, parameters }: PublicMember, checker: ts.TypeChecker): string[] {
  const last = parameters.length > 0 ? checker.getNonNullableType(types[types.length - 1]) : undefined;
  const isStruct = last?.symbol?.declarations?.some(
    (declaration) => ts.isInterfaceDeclaration(declaration) && !/^I[A-Z][a-z]/.test(declaration.name.text),
  );
  return last && isStruct ? checker.getPropertiesOfType(last).map(({ name }) => name) : [];
}

/** `loadBalancerIPs` becomes `load_balancer_i_ps`; constants keep their capitals. */
const CAPITALS_IN_A_ROW = /(?=.*[a-z]).*[A-Z]{2}/;

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** What Python calls a member. */
const snake = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);

/** The methods that Java and Go make of a member: `getName` and `SetName` of a property, beside methods of that name. */
function accessors(name: string, its: readonly PublicMember[]): string[] {
  const isMethod = its.some(({ name: own, node }) => own === name && ts.isFunctionLike(node));
  return isMethod ? [name] : [`get${pascal(name)}`, `set${pascal(name)}`];
}

/** Members of `java.lang.Object` and `System.Object`, which other members would hide or may not override. */
const OF_EVERY_OBJECT = new Set([
  ...['clone', 'equals', 'finalize', 'getclass', 'hashcode', 'notify', 'notifyall', 'wait'],
  ...['gethashcode', 'gettype', 'memberwiseclone', 'referenceequals'],
]);

const LINTS: Record<string, Lint> = {
  'uses no word that another language reserves, unless Kubernetes itself does': (surface) => [
    ...surface.types.filter(({ name }) => isReserved(name)).map(({ name }) => name),
    ...paths(members(surface).filter(({ name }) => isReserved(name))),
    ...members(surface).flatMap(({ path, parameters }) =>
      parameters.filter(isReserved).map((name) => `${path}(${name})`),
    ),
  ],

  'has no name with capitals in a row, which Python would take apart': (surface) => [
    ...paths(members(surface).filter(({ name }) => CAPITALS_IN_A_ROW.test(name))),
    ...members(surface).flatMap(({ path, parameters }) =>
      parameters.filter((name) => CAPITALS_IN_A_ROW.test(name)).map((name) => `${path}(${name})`),
    ),
  ],

  'has no prop named as a parameter beside it, which Python would rename': (surface) =>
    members(surface).flatMap((member) => {
      const names = keywords(member, surface.checker);
      return member.parameters.filter((name) => names.includes(name)).map((name) => `${member.path}(${name})`);
    }),

  'has no member named as its class, which C# takes for a constructor': ({ types }) =>
    types.flatMap(({ name, members: its }) => paths(its.filter((member) => pascal(member.name) === name))),

  'has no member that every object of Java or C# has, but for toString': (surface) =>
    paths(members(surface).filter(({ name }) => OF_EVERY_OBJECT.has(name.toLowerCase()))),

  'has no two members with one name in another language': ({ types }) =>
    types.flatMap(({ name, node, members: its }) => {
      const other = ts.isEnumDeclaration(node) ? [] : its.filter((member) => !ts.isAccessor(member.node));
      const all = [...new Set(other.map((member) => member.name))];
      return [...twice(all.map(snake)), ...twice(all.flatMap((one) => accessors(one, other)))].map(
        (one) => `${name}: ${one}`,
      );
    }),

  'has no two types that differ in capitals alone, of which a disk keeps one': ({ types }) =>
    twice(types.map(({ name }) => name.toLowerCase())),

  // Pylance holds names against the interface; jsii does not
  'names parameters as what it implements or extends does': (surface) =>
    paths(
      members(surface).filter((member) =>
        inheritedParameters(member, surface.checker).some((names) => `${names}` !== `${member.parameters}`),
      ),
    ),
};

/** A surface that breaks each of them. */
const WRONG = `
  /** Documented. */
  export interface Struct {
    /** Reserved. */
    readonly protected: string;
    /** A word, as the parameter beside it. */
    readonly word: string;
  }
  /** Documented. */
  export interface IThing extends IParent {
    /** From is reserved. */
    send(from: string): void;
  }
  /** Documented. */
  export interface IParent {
    /** A method. */
    act(): void;
    /** Another. */
    bind(scope: string): void;
  }
  /** Documented. */
  export class Implementation implements IParent {
    /** Collides. */
    public constructor(word: string, props: Struct) {}
    /** The same. */
    public act(): void {}
    /** Renamed. */
    public bind(_scope: string): void {}
    /** Taken apart. */
    public ofIPs(theirIDs: string): void {}
  }
  /** Documented. */
  export class Twin {
    /** Named as its class. */
    public readonly twin: string = '';
    /** Waits, as every object of Java does. */
    public wait(): void {}
    /** A property. */
    public readonly zone: string = '';
    /** What Java calls its getter. */
    public getZone(): string { return ''; }
    /** One. */
    public readonly fooBar: string = '';
    /** The same in Python. */
    public readonly foo_bar: string = '';
  }
  /** Documented. */
  export class TWIN {}
`;

export const NAMES_IN_LANGUAGES: Laws = {
  lints: LINTS,
  wrong: WRONG,
  found: {
    'uses no word that another language reserves, unless Kubernetes itself does': [
      'Struct.protected',
      'IThing.send(from)',
    ],
    'has no name with capitals in a row, which Python would take apart': [
      'Implementation.ofIPs',
      'Implementation.ofIPs(theirIDs)',
    ],
    'has no prop named as a parameter beside it, which Python would rename': ['Implementation.constructor(word)'],
    'has no member named as its class, which C# takes for a constructor': ['Twin.twin'],
    'has no member that every object of Java or C# has, but for toString': ['Twin.wait'],
    'has no two members with one name in another language': ['Twin: foo_bar', 'Twin: getZone'],
    'has no two types that differ in capitals alone, of which a disk keeps one': ['twin'],
    'names parameters as what it implements or extends does': ['Implementation.bind'],
  },
};
