import * as ts from 'typescript';
import { nodesOf, parse, programs, type Source, sources } from '../support/sources';

// A platform engineer reads a message once: docs/contributing/style.md. What may not be in one, and what to write instead.

const WORDS: readonly [words: RegExp, instead: string][] = [
  [/\b(nobody|somebody|anybody|whoever)\b/i, 'name the actor: the tenant, the operator, a client'],
  [/(?<!\bthere )\b(is|are) none\b/i, "write 'is not a valid …'"],
  [/(?<=^'? )is no\b(?! longer)/, "write 'is not a …' of a value"],
  [/\btold\b(?! apart)/i, "write 'reported', 'set' or 'configured'"],
  [/\bsaid\b/i, "write 'set', 'given' or 'named'"],
  [/\bstands?\b(?! (in )?for\b)/i, "write 'is', 'is set', 'is listed' or 'cannot be combined with'"],
  [/\bwithout a word\b/i, "write 'silently'"],
  [/\bfenc(e|es|ed|ing)\b/i, "write 'policy' or 'isolation'"],
  [/\bverdicts?\b/i, "write 'finding'"],
  [/\bways? out\b/i, "write 'remedy'"],
  [/\bstrangers?\b/i, "write 'third-party'"],
  [/\bremarks?\b/i, "write 'warning'"],
  [/\bbook(s|ed|ing)?\b/i, "write 'registry', or 'allocated'"],
];

const SEEN = ['what', 'remedy', 'says'];

/** Whether a text is in a member or constant that readers see, or in an error that is thrown. */
function isMessage(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) {
    return SEEN.includes(node.name.getText()) || (!ts.isVariableDeclaration(node) && isMessage(node.parent));
  }
  return ts.isThrowStatement(node) || (!ts.isStatement(node) && node.parent !== undefined && isMessage(node.parent));
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The words of messages that are not plain, each with its place. */
function notPlain({ path, file }: Source): string[] {
  return nodesOf(file)
    .filter(isText)
    .filter(({ text }) => WORDS.some(([words]) => words.test(text)))
    .filter(isMessage)
    .flatMap((node) => {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      return WORDS.flatMap(([words, instead]) => {
        const [found] = words.exec(node.text) ?? [];
        return found ? [`src/${path}:${line} '${found}' in '${node.text.trim()}': ${instead}`] : [];
      });
    });
}

const all = [...sources, ...programs];
const rooms = [...new Set(all.map(({ room }) => room))].filter((room) => room !== '');

test.each(rooms)('messages of %s are in the words of the field', (room) => {
  expect(all.filter((source) => source.room === room).flatMap(notPlain)).toEqual([]);
});

test.each([
  ["const found = { what: 'nobody serves it' };", ['nobody']],
  ["const found = { what: `region '$" + "{region}', which is none` };", ['is none']],
  ["const found = { what: `'$" + "{zone}' is no zone` };", ['is no']],
  ['const found = { what: `$' + '{key} is no longer read, and there is no other` };', []],
  ["const found = { remedy: isOld ? 'drop it' : 'leave fences on' };", ['fences']],
  ["const RULE = { id: 'a-b', says: 'a port stands once' };", ['stands']],
  ["const remedy = 'tell the tenant who was told';", ['told']],
  ["throw new Error('the cluster is not said');", ['said']],
  ['throw new Error(`$' + '{name}: it is dropped without a word`);', ['without a word']],
  ["const found = { what: 'there is none', remedy: 'keep Services that can be told apart' };", []],
  ["const found = { what: 'a port stands for two protocols' };", []],
  ["const nobody = 'nobody'; const found = { value: 'nobody', name: 'told' };", []],
])('in %s, %j is not plain', (text, words) => {
  const found = notPlain(parse('room/file.ts', text));
  expect(found.map((line) => /'([^']+)' in/.exec(line)?.[1])).toEqual(words);
});
