import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

/** The titles of tests, by what they are. */
export interface Titles {
  /** What holds for everything of a kind: `test/laws`, `*.laws.test.ts`, and the tables of laws in `test/support`. */
  readonly laws: readonly string[];
  /** What is played: the suites on real controllers, and files called stories. */
  readonly stories: readonly string[];
  /** What is made wrong on purpose, so that a law or a rule finds it: laws that say so, and the tables of mistakes. */
  readonly mutations: readonly string[];
}

const LAWS = /^test\/(laws\/|support\/.*-laws\.ts$)|\.laws\.test\.ts$/;
const STORIES = /^test\/(cluster|aws|haproxy)\/|stories/;
const MUTATION = /found out|\bfinds?\b|mutant|mistake|is (seen|noticed)/;
/** Titles that are data altogether. */
const PLACEHOLDERS = /^(%[sj]|\$\w+|[ >:])+$/;
const MISTAKES = /mistakes?(\.test)?\.ts$/;

/** The titles below `test` of a repository, as they are written: rows of a table are those whose texts are beside it. */
export function titlesBelow(root: string): Titles {
  const found = { laws: new Set<string>(), stories: new Set<string>(), mutations: new Set<string>() };
  for (const path of testFiles(root)) {
    const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true);
    const isLaw = LAWS.test(path);
    if (!isLaw && !STORIES.test(path) && !MISTAKES.test(path)) {
      continue;
    }
    for (const title of titlesIn(file).filter((each) => !PLACEHOLDERS.test(each))) {
      const isMutation = MISTAKES.test(path) || (isLaw && MUTATION.test(title));
      found[isMutation ? 'mutations' : isLaw ? 'laws' : 'stories'].add(title);
    }
  }
  const sorted = (titles: Set<string>) => [...titles].sort();
  return { laws: sorted(found.laws), stories: sorted(found.stories), mutations: sorted(found.mutations) };
}

function testFiles(root: string): string[] {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((path) => `test/${String(path).replace(/\\/g, '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** Every title of a file, behind the titles above it. */
export function titlesIn(file: ts.SourceFile): string[] {
  const titles: string[] = [];
  const tables = new Map<string, ts.Expression>();
  const visit = (node: ts.Node, above: readonly string[]) => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      tables.set(node.name.getText(), bare(node.initializer));
    }
    const called = ts.isCallExpression(node) ? calledTest(node) : undefined;
    const own = called ? titlesOf(called, tables) : [];
    const path = called?.isGroup && own.length === 1 ? [...above, own[0]] : above;
    if (!called?.isGroup) {
      titles.push(...[...own, ...tableTitles(node, file)].map((title) => [...above, title].join(' > ')));
    }
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(file, []);
  return titles;
}

interface CalledTest {
  readonly isGroup: boolean;
  readonly title: ts.Expression;
  readonly table?: ts.Expression;
}

/** `test(title)`, `test.each(table)(title)`, `describe…` and `Story.tell(_, title)`. */
function calledTest({ expression, arguments: given }: ts.CallExpression): CalledTest | undefined {
  if (expression.getText() === 'Story.tell' && given[1]) {
    return { isGroup: false, title: given[1] };
  }
  const isEach = ts.isCallExpression(expression) && /^(test|it|describe)\.each$/.test(expression.expression.getText());
  const name = isEach ? expression.expression.getText().replace('.each', '') : expression.getText();
  return ['test', 'it', 'describe'].includes(name) && given[0]
    ? { isGroup: name === 'describe', title: given[0], table: isEach ? expression.arguments[0] : undefined }
    : undefined;
}

function titlesOf({ title, table, isGroup }: CalledTest, tables: ReadonlyMap<string, ts.Expression>): string[] {
  const text = textOf(title);
  if (text === undefined) {
    return [];
  }
  const rows = table && !isGroup ? rowsOf(table, tables) : [];
  return rows.length === 0 ? [text] : rows.map((row) => filled(text, row));
}

/** The rows of a table, of each the texts as far as they are literals. */
function rowsOf(table: ts.Expression, tables: ReadonlyMap<string, ts.Expression>): (string | undefined)[][] {
  const plain = bare(table);
  const listed = ts.isIdentifier(plain) ? tables.get(plain.text) : plain;
  if (!listed || !ts.isArrayLiteralExpression(listed)) {
    return [];
  }
  return listed.elements.map((row) => {
    const cells = bare(row);
    return ts.isArrayLiteralExpression(cells) ? cells.elements.map(textOf) : [textOf(cells)];
  });
}

function filled(title: string, row: readonly (string | undefined)[]): string {
  let place = 0;
  return title.replace(/%[sjpdioO]/g, (mark) => row[place++] ?? mark);
}

/** Titles in data: keys of records of laws, plots and mistakes, and `title: '…'`. */
function tableTitles(node: ts.Node, { fileName }: ts.SourceFile): string[] {
  if (!ts.isPropertyAssignment(node) && !ts.isMethodDeclaration(node)) {
    return [];
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'title') {
    return [textOf(node.initializer) ?? ''].filter((title) => title !== '');
  }
  const isKey = ts.isStringLiteral(node.name) && / /.test(node.name.text) && isTable(node.parent);
  return isKey && /laws|stories|mistakes/.test(fileName) ? [node.name.text] : [];
}

/** A record of its own, and no part of what a test makes. */
function isTable(node: ts.Node): boolean {
  return ts.isAsExpression(node.parent) || ts.isSatisfiesExpression(node.parent)
    ? isTable(node.parent)
    : ts.isVariableDeclaration(node.parent);
}

function textOf(node: ts.Expression): string | undefined {
  const plain = bare(node);
  if (ts.isTemplateExpression(plain)) {
    return plain.getText().slice(1, -1);
  }
  if (ts.isRegularExpressionLiteral(plain) || ts.isNumericLiteral(plain)) {
    return plain.getText();
  }
  return ts.isStringLiteralLike(plain) ? plain.text : undefined;
}

/** An expression without casts and parentheses. */
function bare(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
    ? bare(node.expression)
    : node;
}
