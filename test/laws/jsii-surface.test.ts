import { join } from 'node:path';
import * as ts from 'typescript';
import {
  docOf,
  type PublicMember,
  type PublicSurface,
  type PublicType,
  surfaceOfPackage,
  surfaceOfText,
} from '../support/public-surface';

// What jsii drops in silence, warns of, or compiles to something that is awkward in another language.

/** The names that break a rule of the surface. */
type Lint = (surface: PublicSurface) => string[];

const { isReservedName } = require(join(__dirname, '..', '..', 'node_modules', 'jsii', 'lib', 'reserved-words.js')) as {
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

const BEHAVIOUR = /^I[A-Z][a-z]/;

function members({ types }: PublicSurface): PublicMember[] {
  return types.flatMap((type) => type.members);
}

function interfaces({ types }: PublicSurface, behaviour: boolean): PublicType[] {
  return types.filter(({ name, node }) => ts.isInterfaceDeclaration(node) && BEHAVIOUR.test(name) === behaviour);
}

function structMembers(surface: PublicSurface): PublicMember[] {
  return interfaces(surface, false).flatMap((type) => type.members);
}

const paths = (found: readonly PublicMember[]) => found.map(({ path }) => path);

function twice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** Whether a union stands somewhere in a type, beside the `undefined` of an optional; enums and booleans are none. */
function hasUnion(type: ts.Type, checker: ts.TypeChecker): boolean {
  const said = checker.getNonNullableType(type);
  if (said.flags & (ts.TypeFlags.BooleanLike | ts.TypeFlags.EnumLike)) {
    return false;
  }
  const items = checker.isArrayLikeType(said) ? checker.getTypeArguments(said as ts.TypeReference) : [];
  const values = said.symbol?.name === '__type' ? checker.getIndexInfosOfType(said).map((index) => index.type) : [];
  return said.isUnion() || [...items, ...values].some((inner) => hasUnion(inner, checker));
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
    (declaration) => ts.isInterfaceDeclaration(declaration) && !BEHAVIOUR.test(declaration.name.text),
  );
  return last && isStruct ? checker.getPropertiesOfType(last).map(({ name }) => name) : [];
}

/** `loadBalancerIPs` becomes `load_balancer_i_ps`; constants keep their capitals. */
const CAPITALS_IN_A_ROW = /(?=.*[a-z]).*[A-Z]{2}/;

/** What passes its options on to what compares them, what the package itself makes, and questions that are asked with more than is read. */
const PASSES_ON = [
  /^NodePools\./,
  /^(LoadBalancerRequest|NodePool\.pin|LoadBalancerOwner\.of)\b/,
  /^(AwsCloudControllerManagerInstallation|AwsLoadBalancerControllerInstallation)\.(nlb|classic)$/,
  /^(AzureMultipleStandardLoadBalancers\.controller|MetalLbAddressPool\.(bgp|layer2))$/,
];

/** Structs that a constructor or a method takes without a look at what they are. */
function uncompared(surface: PublicSurface): string[] {
  const structs = interfaces(surface, false).map(({ name }) => name);
  return members(surface)
    .filter(({ path }) => !PASSES_ON.some((one) => one.test(path)))
    .flatMap(({ node, path }) => {
      const { parameters = [], body } = node as Partial<ts.MethodDeclaration>;
      return parameters
        .map(({ type }) => type?.getText() ?? '')
        .filter((type) => body && structs.includes(type) && !body.getText().includes(`'${type}'`))
        .map(() => path);
    });
}

const LINTS: Record<string, Lint> = {
  'compares the props and options of callers without types': uncompared,

  'exports classes, interfaces and enums alone': ({ types }) =>
    types
      .filter(
        ({ node }) => !ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node) && !ts.isEnumDeclaration(node),
      )
      .map(({ name }) => name),

  'has no overloads': (surface) =>
    twice(paths(members(surface).filter(({ node }) => ts.isFunctionLike(node) && !ts.isAccessor(node)))),

  'has no unions in signatures': (surface) =>
    paths(members(surface).filter(({ types }) => types.some((type) => hasUnion(type, surface.checker)))),

  'has a method in every interface with an I': (surface) =>
    interfaces(surface, true)
      .filter(({ methods }) => methods === 0)
      .map(({ name }) => name),

  'has no optional methods': (surface) =>
    paths(
      members(surface).filter(
        ({ node, optional }) => optional && (ts.isMethodSignature(node) || ts.isMethodDeclaration(node)),
      ),
    ),

  'has readonly data alone in every other interface': (surface) =>
    paths(
      structMembers(surface).filter(
        ({ node }) =>
          !ts.isPropertySignature(node) ||
          !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ||
          (node.type !== undefined && ts.isFunctionTypeNode(node.type)),
      ),
    ),

  'says what every type and member is for': ({ types }) =>
    types.flatMap(({ name, node, members: its }) => [
      ...(docOf(node).text === '' ? [name] : []),
      ...paths(its.filter((member) => docOf(member.node).text === '')),
    ]),

  'tells the default of every optional member of a struct': (surface) =>
    paths(structMembers(surface).filter(({ node, optional }) => optional && !docOf(node).tags.includes('default'))),

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

  // Pylance holds names against the interface; jsii does not
  'names parameters as what it implements or extends does': (surface) =>
    paths(
      members(surface).filter((member) =>
        inheritedParameters(member, surface.checker).some((names) => `${names}` !== `${member.parameters}`),
      ),
    ),
};

/** What to do, where the name of the rule does not say it. */
const REMEDIES: Readonly<Record<string, string>> = {
  'compares the props and options of callers without types':
    ': call refuseWrongProps of contract/declared-types.ts with the name of the struct',
};

describe('the surface that other languages see', () => {
  const surface = surfaceOfPackage();

  test.each(Object.entries(LINTS))('%s', (name, lint) => {
    expect(lint(surface).map((path) => path + (REMEDIES[name] ?? ''))).toEqual([]);
  });

  test('is all there', () => {
    expect(surface.types.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'ILoadBalancerController',
        'LoadBalancerRequest',
        'LoadBalancedService',
        'TrafficPolicy',
      ]),
    );
  });
});

describe('a surface is found out that', () => {
  const wrong = surfaceOfText(`
    export function free(): void {}
    export type Alias = 'a' | 'b';
    export const CONSTANT = 1;
    /** @internal */
    export class Hidden { public undocumented(a: string | number): void {} }
    /** Documented. */
    export class Overloaded {
      /** One. */
      public of(a: string): void;
      /** Two. */
      public of(a: number): void;
      /** Both. */
      public of(a: any): void {}
      /** Takes anything. */
      public take(options: Struct): void {}
      /** A getter and a setter are no overload. */
      public get both(): string { return ''; }
      public set both(value: string) {}
      /** Sees none of these. */
      private constructor(private readonly secret: string | number, public readonly bare: string, /** Said. */ public readonly said?: Alias) {}
      /** @internal */
      public _hidden(a: string | number): void {}
      private alone(): string | number { return this.secret; }
    }
    /** Documented. */
    export enum Word {
      /** One. */
      ONE = 'one',
      TWO = 'two',
    }
    /** Documented. */
    export interface Struct {
      /** Optional is no union. @default - none */
      readonly fine?: Word;
      /** Many. @default - none */
      readonly list?: (string | number)[];
      /** Map. @default - none */
      readonly map?: { [key: string]: string | boolean };
      /** No default. */
      readonly bare?: boolean;
      /** Writable. */
      word: Word;
      /** Callable. */
      call(): void;
      /** Reserved. */
      readonly protected: string;
    }
    export interface INothing {
      /** Data. */
      readonly data: string;
    }
    /** Documented. */
    export interface IThing extends IParent {
      /** Optional. */
      maybe?(from: string): void;
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
  `);

  test.each<[string, string[]]>([
    ['exports classes, interfaces and enums alone', ['free', 'Alias', 'CONSTANT']],
    ['compares the props and options of callers without types', ['Overloaded.take', 'Implementation.constructor']],
    ['has no overloads', ['Overloaded.of']],
    ['has no unions in signatures', ['Overloaded.said', 'Struct.list', 'Struct.map']],
    ['has a method in every interface with an I', ['INothing']],
    ['has no optional methods', ['IThing.maybe']],
    ['has readonly data alone in every other interface', ['Struct.word', 'Struct.call']],
    [
      'says what every type and member is for',
      ['free', 'Alias', 'CONSTANT', 'Overloaded.both', 'Overloaded.bare', 'Word.TWO', 'INothing'],
    ],
    ['tells the default of every optional member of a struct', ['Struct.bare']],
    [
      'uses no word that another language reserves, unless Kubernetes itself does',
      ['Struct.map', 'Struct.protected', 'IThing.maybe(from)'],
    ],
    [
      'has no name with capitals in a row, which Python would take apart',
      ['Implementation.ofIPs', 'Implementation.ofIPs(theirIDs)'],
    ],
    ['has no prop named as a parameter beside it, which Python would rename', ['Implementation.constructor(word)']],
    ['names parameters as what it implements or extends does', ['Implementation.bind']],
  ])('breaks: %s', (name, expected) => {
    expect(LINTS[name](wrong)).toEqual(expected);
  });

  test('breaks each of them', () => {
    expect(Object.values(LINTS).filter((lint) => lint(wrong).length === 0)).toEqual([]);
  });
});
