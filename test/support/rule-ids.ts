import * as ts from 'typescript';
import { nodesOf, type Source } from './sources';

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The end of a sentence that is thrown: ` (rule-id)`; of one word nobody can tell whether it is a rule. */
const AT_THE_END = / \(([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\)$/;

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
  return node && ts.isStringLiteralLike(node) && ID.test(node.text) ? [node.text] : [];
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
  return id && named('says') && ts.isPropertyAssignment(id) ? literals(id.initializer) : [];
}

/** Functions that take an id, with the place of it among their arguments. */
function takersOf(sources: readonly Source[]): Map<string, Set<number>> {
  const takers = new Map<string, Set<number>>();
  for (const node of sources.flatMap(({ file }) => nodesOf(file))) {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
      const place = node.parameters.findIndex(({ name }) => name.getText() === 'ruleId');
      if (place >= 0 && node.name) {
        takers.set(node.name.getText(), (takers.get(node.name.getText()) ?? new Set()).add(place));
      }
    }
  }
  return takers;
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
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateTail(node);
  const id = isText ? AT_THE_END.exec(node.text)?.[1] : undefined;
  return id === undefined ? [] : [id];
}
