import * as ts from 'typescript';
import {
  type Laws,
  type Lint,
  members,
  type PublicMember,
  type PublicSurface,
  type PublicType,
  paths,
  twice,
} from '../../support/public-surface';

// What jsii drops in silence, warns of, or compiles to something that is awkward in another language.

const BEHAVIOUR = /^I[A-Z][a-z]/;

function interfaces({ types }: PublicSurface, behaviour: boolean): PublicType[] {
  return types.filter(({ name, node }) => ts.isInterfaceDeclaration(node) && BEHAVIOUR.test(name) === behaviour);
}

function structMembers(surface: PublicSurface): PublicMember[] {
  return interfaces(surface, false).flatMap((type) => type.members);
}

/** Whether a union stands somewhere in a type, beside the `undefined` of an optional; enums and booleans are none. */
function hasUnion(type: ts.Type, checker: ts.TypeChecker): boolean {
  const said = checker.getNonNullableType(type);
  if (said.flags & (ts.TypeFlags.BooleanLike | ts.TypeFlags.EnumLike)) return false;
  const items = checker.isArrayLikeType(said) ? checker.getTypeArguments(said as ts.TypeReference) : [];
  const values = said.symbol?.name === '__type' ? checker.getIndexInfosOfType(said).map((index) => index.type) : [];
  return said.isUnion() || [...items, ...values].some((inner) => hasUnion(inner, checker));
}

/** What passes its options on to what compares them, what the package itself makes, and questions that are asked with more than is read. */
const PASSES_ON = [
  /^NodePools\./,
  /^(LoadBalancerRequest|NodePool\.pin|LoadBalancerOwner\.of)\b/,
  /^(AwsCloudControllerManagerInstallation|AwsLoadBalancerControllerInstallation)\.(nlb|classic)$/,
  /^MetalLbAddressPool\.(bgp|layer2)$/,
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

/** Members of interfaces that a class lacks, optional ones among them: type checkers of Python refuse it where the interface is asked for. */
function lackedOfInterfaces({ types, checker }: PublicSurface): string[] {
  return types.flatMap(({ name, node }) => {
    const clauses = ts.isClassDeclaration(node) ? (node.heritageClauses ?? []) : [];
    const has = checker.getTypeAtLocation(node);
    return clauses
      .filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)
      .flatMap((clause) => clause.types.flatMap((type) => checker.getTypeAtLocation(type).getProperties()))
      .filter((member) => has.getProperty(member.name) === undefined)
      .map((member) => `${name}.${member.name}`);
  });
}

/** Structs that may be left out, and have members that may not: Python takes the members in their place, and then each call must have them. */
function neededThoughOptional(surface: PublicSurface): string[] {
  const structs = interfaces(surface, false).map(({ name }) => name);
  return members(surface)
    .filter(({ node }) => {
      const last = ts.isFunctionLike(node) ? node.parameters.at(-1) : undefined;
      if (last === undefined || !(last.questionToken || last.initializer)) return false;
      const type = surface.checker.getNonNullableType(surface.checker.getTypeAtLocation(last));
      const needed = type.getProperties().filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
      return structs.includes(type.symbol?.name) && needed.length > 0;
    })
    .map(({ path }) => path);
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

  'has every member of an interface in the classes that implement it': lackedOfInterfaces,

  'has no required members in a struct that may be left out': neededThoughOptional,

  'has readonly data alone in every other interface': (surface) =>
    paths(
      structMembers(surface).filter(
        ({ node }) =>
          !ts.isPropertySignature(node) ||
          !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ||
          (node.type !== undefined && ts.isFunctionTypeNode(node.type)),
      ),
    ),
};

/** What to do, where the name of the rule does not say it. */
const REMEDIES: Readonly<Record<string, string>> = {
  'compares the props and options of callers without types':
    ': call refuseWrongProps of contract/declared-types.ts with the name of the struct',
};

/** A surface that breaks each of them. */
const WRONG = `
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
  export interface IThing {
    /** Optional. */
    maybe?(from: string): void;
    /** Left out. */
    readonly kind?: string;
  }
  /** Documented. */
  export interface Place {
    /** Required. */
    readonly name: string;
  }
  /** Documented. */
  export class Thing implements IThing {
    /** Somewhere, or anywhere. */
    public put(what: string, where?: Place): void { take(where, 'Place'); }
    /** Somewhere. */
    public move(what: string, where: Place): void { take(where, 'Place'); }
    /** There. */
    public maybe(from: string): void {}
  }
`;

export const JSII: Laws = {
  lints: LINTS,
  remedies: REMEDIES,
  wrong: WRONG,
  found: {
    'exports classes, interfaces and enums alone': ['free', 'Alias', 'CONSTANT'],
    'compares the props and options of callers without types': ['Overloaded.take'],
    'has no overloads': ['Overloaded.of'],
    'has no unions in signatures': ['Overloaded.said', 'Struct.list', 'Struct.map'],
    'has a method in every interface with an I': ['INothing'],
    'has no optional methods': ['IThing.maybe'],
    'has every member of an interface in the classes that implement it': ['Thing.kind'],
    'has no required members in a struct that may be left out': ['Thing.put'],
    'has readonly data alone in every other interface': ['Struct.word', 'Struct.call'],
  },
};
