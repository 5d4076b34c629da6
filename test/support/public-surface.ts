import { join } from 'node:path';
import * as ts from 'typescript';

export interface PublicMember {
  /** `Class.member`, for messages. */
  readonly path: string;
  readonly name: string;
  readonly node: ts.Node;
  /** The types in its signature: its own or its result's, and those of its parameters. */
  readonly types: readonly ts.Type[];
  readonly parameters: readonly string[];
  readonly optional: boolean;
}

export interface PublicType {
  readonly name: string;
  readonly node: ts.Declaration;
  readonly members: readonly PublicMember[];
  /** Every method that it has, inherited ones among them. */
  readonly methods: number;
}

/** What a package gives to users of other languages. */
export interface PublicSurface {
  readonly types: readonly PublicType[];
  readonly checker: ts.TypeChecker;
}

/** Laws of a surface: the names that break each, in the package and in a surface that is wrong. */
export interface Laws {
  readonly lints: Readonly<Record<string, Lint>>;
  readonly wrong: string;
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** What to do, where the name of a law does not say it. */
  readonly remedies?: Readonly<Record<string, string>>;
}

export type Lint = (surface: PublicSurface) => string[];

const ROOT = join(__dirname, '..', '..');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

let ofPackage: PublicSurface | undefined;

export function surfaceOfPackage(): PublicSurface {
  const index = join(ROOT, 'src', 'index.ts');
  ofPackage ??= surfaceOf(ts.createProgram([index], { ...OPTIONS, types: ['node'] }), index);
  return ofPackage;
}

export function surfaceOfText(text: string): PublicSurface {
  const path = join(ROOT, 'src', 'fixture.ts');
  const options = { ...OPTIONS, lib: ['lib.es5.d.ts'] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, language) =>
    file === path ? ts.createSourceFile(file, text, language, true) : read(file, language);
  return surfaceOf(ts.createProgram([path], options, host), path);
}

function surfaceOf(program: ts.Program, index: string): PublicSurface {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(index);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${index} exports nothing`);
  const types = checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .flatMap((symbol) => (symbol.declarations ?? []).map((node) => ({ name: symbol.name, node })))
    .filter(({ node }) => !isInternal(node))
    .map(({ name, node }) => ({
      name,
      node,
      members: membersOf(name, node, checker),
      methods: methods(node, checker),
    }));
  return { types, checker };
}

function methods(node: ts.Declaration, checker: ts.TypeChecker): number {
  const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(node));
  return properties.filter((symbol) => symbol.flags & ts.SymbolFlags.Method).length;
}

/** Whether a declaration is for this package alone. */
function isInternal(node: ts.Node): boolean {
  const hidden =
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return hidden === true || ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
}

function membersOf(of: string, node: ts.Declaration, checker: ts.TypeChecker): PublicMember[] {
  if (ts.isEnumDeclaration(node)) return node.members.map((member) => memberOf(of, member, checker));
  if (ts.isInterfaceDeclaration(node)) return node.members.map((member) => memberOf(of, member, checker));
  if (!ts.isClassDeclaration(node)) return [];
  const declared: ts.Node[] = [...node.members];
  const byConstructor = declared
    .filter((member) => ts.isConstructorDeclaration(member))
    .flatMap(({ parameters }) =>
      parameters.filter((parameter) => ts.isParameterPropertyDeclaration(parameter, parameter.parent)),
    );
  return [...declared, ...byConstructor]
    .filter((member) => !isInternal(member))
    .map((member) => memberOf(of, member, checker));
}

function memberOf(of: string, node: ts.Node, checker: ts.TypeChecker): PublicMember {
  const { name: named, questionToken } = node as ts.PropertyDeclaration;
  const name = ts.isConstructorDeclaration(node) ? 'constructor' : (named?.getText() ?? node.getText());
  const signature = ts.isFunctionLike(node) ? checker.getSignatureFromDeclaration(node) : undefined;
  const parameters = ts.isFunctionLike(node) ? node.parameters : [];
  const own = signature ? checker.getReturnTypeOfSignature(signature) : checker.getTypeAtLocation(node);
  return {
    path: `${of}.${name}`,
    name,
    node,
    parameters: parameters.map((parameter) => parameter.name.getText()),
    types: [own, ...parameters.map((parameter) => checker.getTypeAtLocation(parameter))],
    optional: questionToken !== undefined,
  };
}

export function docOf(node: ts.Node): { readonly text: string; readonly tags: readonly string[] } {
  const docs = ts.getJSDocCommentsAndTags(node).filter((doc) => ts.isJSDoc(doc));
  return {
    text: docs
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
      .join('')
      .trim(),
    tags: docs.flatMap(({ tags }) => (tags ?? []).map(({ tagName }) => tagName.text)),
  };
}

export function members({ types }: PublicSurface): PublicMember[] {
  return types.flatMap((type) => type.members);
}

export const paths = (found: readonly PublicMember[]) => found.map(({ path }) => path);

/** Those that are there more than once. */
export function twice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
