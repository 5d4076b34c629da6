import { runInThisContext } from 'node:vm';
import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import { Unreadable } from '../fact';

// Go and Java are read with the parsers of tree-sitter, so that no toolchain of theirs is needed.

/** A node of a syntax tree. */
export type SyntaxNode = Node;

/** Languages that facts are written in. */
export type SourceLanguage = 'go' | 'java';

/** Loaded by Node itself, whose loader is in its main context: the package imports as it runs, which the sandboxes of tests refuse. */
const { createRequire } = runInThisContext("process.getBuiltinModule('node:module')") as typeof import('node:module');
const treeSitter = createRequire(__filename)('@vscode/tree-sitter-wasm') as typeof import('@vscode/tree-sitter-wasm');

let parsers: Promise<Readonly<Record<SourceLanguage, Parser>>> | undefined;

/** Loads the parsers, once. */
function loadParsers(): Promise<Readonly<Record<SourceLanguage, Parser>>> {
  parsers ??= treeSitter.Parser.init().then(async () => ({ go: await parserOf('go'), java: await parserOf('java') }));
  return parsers;
}

async function parserOf(language: SourceLanguage): Promise<Parser> {
  const file = require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`);
  return new treeSitter.Parser().setLanguage(await treeSitter.Language.load(file));
}

/** The tree of a file. @throws when it has errors. */
export async function treeOf(language: SourceLanguage, file: string, text: string): Promise<SyntaxNode> {
  const tree = (await loadParsers())[language].parse(text);
  if (!tree || tree.rootNode.hasError) {
    throw new Unreadable(`${file} is not ${language === 'go' ? 'Go' : 'Java'} that the parser understands`);
  }
  return tree.rootNode;
}

/** Nodes of some types below a node, in order. */
export function nodesOf(node: SyntaxNode, ...types: readonly string[]): SyntaxNode[] {
  return node.descendantsOfType([...types]).filter((each) => each !== null);
}

/** The children of a node that have a name in the grammar. */
export function partsOf(node: SyntaxNode | null): SyntaxNode[] {
  return (node?.namedChildren ?? []).filter((each) => each !== null && !/comment$/.test(each.type)) as SyntaxNode[];
}
