import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as ts from 'typescript';

export interface Source {
  /** Below `src`, with slashes: `contract/node-pool.ts`. */
  readonly path: string;
  /** The folder below `src`; empty for the index of the package. */
  readonly room: string;
  readonly file: ts.SourceFile;
}

const ROOT = join(__dirname, '..', '..');

export function parse(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return { path, room: path.includes('/') ? path.split('/')[0] : '', file };
}

export function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true })
    .map((path) => String(path).replace(/\\/g, '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => parse(path, readFileSync(join(folder, path), 'utf8')));
}

export const sources: readonly Source[] = sourcesBelow(join(ROOT, 'src'));

/** Every source file of the programs that run in a pod; its room is the program. */
export const programs: readonly Source[] = sourcesBelow(join(ROOT, 'programs'));

const nodes = new WeakMap<ts.Node, readonly ts.Node[]>();

/** Every node below a node; those of a file are kept. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const kept = nodes.get(node);
  if (kept) return kept;
  const found: ts.Node[] = [];
  const visit = (child: ts.Node) => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  if (ts.isSourceFile(node)) nodes.set(node, found);
  return found;
}

/** What a file imports, by whatever means: paths of this package without `.ts`, names of others. */
export function importsOf({ path, file }: Source): string[] {
  return nodesOf(file)
    .map(moduleOf)
    .filter((name) => name !== undefined)
    .map((name) => (name.startsWith('.') ? `./${posix.join(posix.dirname(path), name)}` : name));
}

function moduleOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  const loads =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  return loads ? textOf(node.arguments[0]) : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The texts in the code of a file: strings, and the fixed parts of templates; neither comments nor imports. */
export function textsIn({ file }: Source): string[] {
  return nodesOf(file)
    .filter((node) => moduleOf(node.parent) === undefined)
    .filter(
      (node) => ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node),
    )
    .map((node) => (node as ts.LiteralLikeNode).text);
}

export function namesIn({ file }: Source): string[] {
  return nodesOf(file)
    .filter((node) => ts.isIdentifier(node))
    .map((node) => node.text);
}
