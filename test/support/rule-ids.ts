import * as ts from 'typescript';
import { nodesOf, type Source } from './sources';

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The end of a sentence that is thrown: ` (rule-id)`; of one word nobody can tell whether it is a rule. */
const AT_THE_END = / \(([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\)$/;

/** Ids that are put together: `port-lock-` and a word. They are known by their beginning, and a star. */
const PUT_TOGETHER = /(?:^| \()([a-z][a-z0-9]*(?:-[a-z0-9]+)*-)$/;

/** Whether an id is one of some, or of a family that is among them, or a family that one of them is of. */
export function isAmong(id: string, ids: Iterable<string>): boolean {
  const covers = (family: string, one: string) => family.endsWith('*') && one.startsWith(family.slice(0, -1));
  return [...ids].some((other) => other === id || covers(other, id) || covers(id, other));
}

/** The ids of rules that stand in sources: in findings, as arguments called `ruleId`, described, and in sentences that are thrown. */
export function reportedIds(sources: readonly Source[]): Map<string, string> {
  const places = new Map<string, string>();
  const takers = takersOf(sources);
  const constants = constantsOf(sources);
  for (const source of sources) {
    for (const node of nodesOf(source.file)) {
      for (const id of [
        ...asProperty(node, constants),
        ...asDescribed(node),
        ...asArgument(node, takers),
        ...inSentence(node),
      ]) {
        places.set(id, source.path);
      }
    }
  }
  return places;
}

function literals(node: ts.Node | undefined): string[] {
  if (node && ts.isConditionalExpression(node)) {
    return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  }
  if (node && ts.isTemplateExpression(node)) {
    return familyOf(node);
  }
  return node && ts.isStringLiteralLike(node) && ID.test(node.text) ? [node.text] : [];
}

/** The family of ids that a template ends with. */
function familyOf({ head, templateSpans }: ts.TemplateExpression): string[] {
  const before = templateSpans.at(-2)?.literal.text ?? head.text;
  const isAtTheEnd = [')', ''].includes(templateSpans.at(-1)?.literal.text ?? '');
  const prefix = isAtTheEnd ? PUT_TOGETHER.exec(before)?.[1] : undefined;
  return prefix === undefined ? [] : [`${prefix}*`];
}

/** Constants of text, by their names, which are in capitals. */
function constantsOf(sources: readonly Source[]): Map<string, string> {
  const declared = sources.flatMap(({ file }) => nodesOf(file)).filter((node) => ts.isVariableDeclaration(node));
  return new Map(
    declared.flatMap(({ name, initializer }) =>
      /^[A-Z]/.test(name.getText()) && initializer && ts.isStringLiteralLike(initializer)
        ? [[name.getText(), initializer.text] as const]
        : [],
    ),
  );
}

function asProperty(node: ts.Node, constants: Map<string, string>): string[] {
  const isNamed =
    (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isParameter(node)) &&
    node.name.getText() === 'ruleId';
  if (!isNamed) {
    return [];
  }
  const constant = node.initializer && constants.get(node.initializer.getText());
  return constant === undefined ? literals(node.initializer) : [constant];
}

/** Objects that describe a rule: they have an id, and a sentence. */
function asDescribed(node: ts.Node): string[] {
  if (!ts.isObjectLiteralExpression(node)) {
    return [];
  }
  const named = (name: string) => node.properties.find((property) => property.name?.getText() === name);
  const id = named('id');
  const says = named('says');
  const makesSentences = says && ts.isPropertyAssignment(says) && ts.isArrowFunction(says.initializer);
  return id && says && !makesSentences && ts.isPropertyAssignment(id) ? literals(id.initializer) : [];
}

/** Functions that take an id, with the place of it among their arguments. */
function takersOf(sources: readonly Source[]): Map<string, Set<number>> {
  const takers = new Map<string, Set<number>>();
  for (const node of sources.flatMap(({ file }) => nodesOf(file))) {
    const taker = ts.isVariableDeclaration(node) ? node.initializer : node;
    if (taker && isFunction(taker)) {
      const place = taker.parameters.findIndex(({ name }) => name.getText() === 'ruleId');
      const name = (node as ts.NamedDeclaration).name?.getText();
      if (place >= 0 && name !== undefined) {
        takers.set(name, (takers.get(name) ?? new Set()).add(place));
      }
    }
  }
  return takers;
}

function isFunction(node: ts.Node): node is ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isArrowFunction(node);
}

function asArgument(node: ts.Node, takers: Map<string, Set<number>>): string[] {
  if (!ts.isCallExpression(node)) {
    return [];
  }
  const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  const places = [...(takers.get(called.getText()) ?? [])];
  return places.flatMap((place) => literals(node.arguments[place])).filter((id) => id.includes('-'));
}

function inSentence(node: ts.Node): string[] {
  if (ts.isTemplateExpression(node) && node.templateSpans.at(-1)?.literal.text === ')') {
    return familyOf(node);
  }
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateTail(node);
  const id = isText ? AT_THE_END.exec(node.text)?.[1] : undefined;
  return id === undefined ? [] : [id];
}
