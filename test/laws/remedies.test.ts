import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { HAND_OVER_PAGE } from '../../src/contract/rule';
import { nodesOf, parse, programs, type Source, sources } from '../support/sources';

// Who follows a remedy that touches the finalizer, the class or the owner of a live Service loses its balancer, unless the remedy
// leads to the page that says how a Service is handed over.

const LEADS_THERE = /unlessLive\(|\{\{(unlessLive|page)\}\}|HAND_OVER_PAGE|HAND_IT_OVER/;

const TAKES_FINALIZER = /\b(take|remove|leave|drop)\b[^;]*\bfinalizer/i;

/** Rooms whose remedies speak of Services: elsewhere a class is that of a Gateway, a volume or an authorizer. */
const OF_SERVICES = [
  'rules',
  'services',
  'controllers',
  'checks',
  'kafka/listener',
  'installations/aws-load-balancer-controller',
];

/** To give a Service another class, or another owner. */
const TAKES_OWNER = /\b(use|give|take|choose|leave|leave out)\b[^;]*\bclass\b|\bown the Service\b/i;

/**
 * Classes that are none of Services, options of controller objects that make new ones, an annotation that the class of the Service
 * implies, and steps of the page on Terminating, which begins by looking for the balancer in the cloud.
 */
const HARMLESS = [/IngressClass|every class through|for another cluster|class \S+ implies it/, /\(steps 6 and 7\)/];

function remediesIn({ path, file }: Source): { path: string; text: string }[] {
  const isRemedy = (node: ts.Node): node is ts.PropertyAssignment | ts.VariableDeclaration =>
    (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) &&
    /^remedy$|WAY_OUT|^WITHOUT_CLASS$/.test(node.name.getText());
  return nodesOf(file)
    .filter(isRemedy)
    .map((node) => ({ path, text: node.initializer?.getText() ?? '' }));
}

function astray(all: readonly Source[]): string[] {
  return all
    .flatMap(remediesIn)
    .filter(({ path, text }) => {
      const isOfServices = OF_SERVICES.some((room) => path.startsWith(`${room}/`));
      return TAKES_FINALIZER.test(text) || (isOfServices && TAKES_OWNER.test(text));
    })
    .filter(({ text }) => !LEADS_THERE.test(text) && !HARMLESS.some((harmless) => harmless.test(text)))
    .map(({ path, text }) => `${path}: ${text}`);
}

test('a remedy that touches finalizer, class or owner of a live Service leads to the page on handing over', () => {
  expect(astray([...sources, ...programs])).toEqual([]);
  expect(sources.flatMap(remediesIn).length).toBeGreaterThan(500);
});

test('the page is there', () => {
  const [page, heading] = HAND_OVER_PAGE.split('#');
  const text = readFileSync(join(__dirname, '..', '..', page), 'utf8').toLowerCase();
  expect(text).toContain(`\n## ${heading.replaceAll('-', ' ')}\n`);
});

test.each([
  ["const found = { remedy: 'take the finalizer out of the manifest' };", 1],
  ["const found = { remedy: unlessLive('take the finalizer out of the manifest') };", 0],
  ["const found = { remedy: 'give it the class of one of them' };", 1],
  ["const found = { remedy: 'declare it in configuration.finalizers' };", 0],
])('in %s, %d remedies lead astray', (text, count) => {
  expect(astray([parse('rules/file.ts', text)])).toHaveLength(count);
});
