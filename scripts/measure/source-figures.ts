import { posix } from 'node:path';
import * as ts from 'typescript';
import { importsOf, nodesOf, type Source } from '../../test/support/sources';

/** What the sources of the package come to. */
export interface SourceFigures {
  readonly lines: number;
  readonly files: number;
  /** Lines by room; the index of the package is of the room `index`. */
  readonly rooms: Record<string, number>;
  readonly ruleTypes: readonly string[];
  readonly twoWayPairs: readonly string[];
  readonly oneImporter: number;
  readonly over300: readonly string[];
}

/** Tables of facts grow with what upstream has to say: they are not counted as long. */
const TABLE = /(^|[./])(annotations|options|facts)\.ts$/;

const MOST_LINES = 300;

export function sourceFigures(sources: readonly Source[]): SourceFigures {
  const importers = importersOf(sources);
  return {
    lines: sources.reduce((sum, source) => sum + linesOf(source), 0),
    files: sources.length,
    rooms: roomsOf(sources),
    ruleTypes: sources.flatMap(ruleTypesIn).sort(),
    twoWayPairs: twoWayPairs(sources),
    oneImporter: [...importers.values()].filter((files) => files.size === 1).length,
    over300: sources
      .filter((source) => !TABLE.test(source.path) && linesOf(source) > MOST_LINES)
      .map((source) => `${source.path} (${linesOf(source)})`),
  };
}

export function linesOf({ file }: Source): number {
  return file.getLineAndCharacterOfPosition(file.getEnd()).line;
}

function roomsOf(sources: readonly Source[]): Record<string, number> {
  const lines: Record<string, number> = {};
  for (const source of sources) {
    const room = source.room || 'index';
    lines[room] = (lines[room] ?? 0) + linesOf(source);
  }
  return lines;
}

/**
 * A type of rules is an interface or a type alias with members `id` and `says` of its own, or one that is called `…Rule` or
 * `Refusal` and checks, or is made of such a type: not the rules of RBAC.
 */
function ruleTypesIn({ path, file }: Source): string[] {
  return nodesOf(file)
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    .filter((node) => describesRule(node) || (/(Rule|^Refusal)$/.test(node.name.text) && checks(node)))
    .map(({ name }) => `${name.text} (${path})`);
}

function membersOf(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): Set<string | undefined> {
  return new Set(ts.isInterfaceDeclaration(node) ? node.members.map(({ name }) => name?.getText()) : []);
}

function describesRule(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): boolean {
  const texts = ts.isInterfaceDeclaration(node) ? node.members.filter((member) => ts.isPropertySignature(member)) : [];
  const names = new Set(texts.map(({ name }) => name.getText()));
  return names.has('id') && names.has('says');
}

function checks(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): boolean {
  const madeOf = ts.isInterfaceDeclaration(node)
    ? (node.heritageClauses ?? []).map((clause) => clause.getText()).join()
    : node.type.getText();
  return membersOf(node).has('check') || /Rule\b|RuleOf\b|Refusal\b/.test(madeOf);
}

/** The files that import each file, with types and exports. */
export function importersOf(sources: readonly Source[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const imported of importedFiles(source, sources)) {
      importers.set(imported, (importers.get(imported) ?? new Set()).add(source.path));
    }
  }
  return importers;
}

const PATHS = new WeakMap<readonly Source[], Set<string>>();

function importedFiles(source: Source, sources: readonly Source[]): string[] {
  const paths = PATHS.get(sources) ?? new Set(sources.map(({ path }) => path));
  PATHS.set(sources, paths);
  return importsOf(source)
    .filter((name) => name.startsWith('./'))
    .map((name) => posix.normalize(name))
    .map((name) => [`${name}.ts`, posix.join(name, 'index.ts')].find((path) => paths.has(path)) ?? '')
    .filter((path) => path !== '');
}

/**
 * Pairs of folders of one room that import each other, types included: `kafka: cluster <-> document`. A folder is what lies
 * right below its room, with all that is in it; the files of the room itself are what its folders share.
 */
export function twoWayPairs(sources: readonly Source[]): string[] {
  const arrows = new Set<string>();
  for (const source of sources) {
    const from = folderOf(source.path);
    for (const path of from === undefined ? [] : importedFiles(source, sources)) {
      const to = folderOf(path);
      if (to !== undefined && to !== from && roomOf(path) === source.room) {
        arrows.add(`${source.room}: ${from} ${to}`);
      }
    }
  }
  return [...arrows].map((arrow) => pairOf(arrow, arrows)).filter((pair) => pair !== undefined);
}

function pairOf(arrow: string, arrows: ReadonlySet<string>): string | undefined {
  const [room, from, to] = arrow.split(' ');
  return from < to && arrows.has(`${room} ${to} ${from}`) ? `${room} ${from} <-> ${to}` : undefined;
}

const roomOf = (path: string) => path.split('/')[0];

function folderOf(path: string): string | undefined {
  const [, folder, file] = path.split('/');
  return file === undefined ? undefined : folder;
}
