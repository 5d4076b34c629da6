import { join } from 'node:path';
import { isNamed, mistakesIn } from '../../scripts/corpus/mistakes';
import type { ILoadBalancerController } from '../../src';
import { check } from '../../src/cli/check';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { titleOf } from '../../src/cli/formats/words';
import { readManifests } from '../../src/cli/manifests';
import { clustersOf } from '../../src/cli/sources/clusters';
import type { Json } from '../../src/contract/json';
import { InstalledOtherController } from '../../src/controllers/other-controller';
import { folderWith } from '../support/files';
import { casesIn, table, tablesOf } from '../support/yaml-cases';
import { checked, checkedFiles, linesOf } from './checked';
import { Folder } from './diff/repository';

const variables = tablesOf<Record<string, never>>(join(__dirname, 'variables.yaml'));

// Mistakes that people make in manifests that are public, each shortened to what makes it one, with the line that must be named;
// and beside it what looks like it and is right.

const CASES = casesIn(__dirname, 'corpus.yaml');

const linesIn = (file: string, controllers?: ILoadBalancerController[]) =>
  linesOf(checked(file, controllers && { controllers }));

test.each<[mistake: string, file: string, controllers: ILoadBalancerController[] | undefined, found: string[]]>(
  table('cli/corpus.yaml', 'is named with its line'),
)('%s is named with its line', (_, file, controllers, found) => expect(linesIn(file, controllers)).toEqual(found));

test.each<[right: string, file: string, controllers?: ILoadBalancerController[]]>(table('cli/corpus.yaml', 'is right'))(
  '%s is right',
  (...[, file, controllers]) => expect(linesIn(file, controllers)).toEqual([]),
);

test('a binding that may be served is right', () => {
  expect(linesIn(CASES.texts.binding, [new InstalledOtherController('a', [], true)])).toEqual([]);
});

test.each<[string, string, string[]]>(table('cli/corpus.yaml', 'is found at its level'))(
  '%s is found at its level',
  (_, file, found) => {
    const { findings } = checked(file);
    expect(findings.map(({ level, place, ruleId }) => `${level} ${place.line} ${ruleId}`)).toEqual(found);
  },
);

test.each<[string, string, ILoadBalancerController[] | undefined, string, string]>(
  table('cli/corpus.yaml', 'is said of it'),
)('%s: this is said of it', (_, file, controllers, rule, sentence) => {
  const { findings } = checked(file, controllers && { controllers });
  expect(findings.filter(({ ruleId }) => ruleId === rule).map(({ what, remedy }) => `${what}; ${remedy}`)).toEqual([
    sentence,
  ]);
});

const notesIn = (file: string) =>
  checked(file)
    .findings.filter(({ level }) => level === 'note')
    .map(({ place, ruleId }) => `${place.line} ${ruleId}`);

test.each<[what: string, file: string, notes: string[]]>(table('cli/corpus.yaml', 'of a note is made'))(
  'of %s a note is made',
  (_, file, notes) => expect(notesIn(file)).toEqual(notes),
);

test('what was read of a cluster asks for nothing that constructs alone know, and names what it asks for', () => {
  const needs = checked(CASES.texts.read).unknown.flatMap((one) => one.needs);
  expect([...new Set(needs)]).toEqual(['a version of the controller that is known here']);
});

test.each<[string, string, string[]]>(table('cli/corpus.yaml', 'without a selector has its endpoints by hand'))(
  'without a selector has its endpoints by hand: %s',
  (_, endpoints, expected) => {
    const text = `apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {ports: [{port: 5432}]}\n---\n${endpoints}`;
    expect(linesOf(checked(text))).toEqual(expected);
  },
);

test('standard input is named in words', () => {
  const manifests = ['a', 'b'].map((name, line) => ({
    file: '-',
    line,
    object: {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 443, nodePort: 31000 }] },
    },
  }));
  const { findings } = check({ manifests, unreadable: [], strange: [] }, NO_CONTEXT);
  expect(findings.find(({ ruleId }) => ruleId === 'exclusive-resource-conflict')?.what).toContain('(standard input)');
});

test.each<[string, string, string]>(variables.open)(
  '%s has no answer yet for what is filled in later: %s',
  (ruleId, field, gap) => {
    const written = `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  selector: { app: web }\n  ${field}\n`;
    const report = checked(
      /ports|External/.test(field) ? written : `${written}  type: LoadBalancer\n  ports: [{ port: 443 }]\n`,
    );
    expect(linesOf(report)).toEqual([]);
    expect(report.unknown).toContainEqual(expect.objectContaining({ ruleId, needs: [`the value of ${gap}`] }));
  },
);

test.each<[string, Json | undefined, Json, Json]>(variables.defaults)(
  'defaults of Flux: %s',
  (_, postBuild, spec, filled) => {
    const flux = { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', spec: { postBuild } };
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { address: 'None' } },
      ...(postBuild ? [flux] : []),
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec },
    ];
    const { path } = new Folder({ 'a.yaml': objects.map((object) => JSON.stringify(object)).join('\n---\n') });
    expect(clustersOf([path])[0].read.manifests.at(-1)?.object.spec).toEqual(filled);
  },
);

test('an object whose Service a controller makes is named once', () => {
  const made = { apiVersion: 'v1', kind: 'Gateway', namespace: 'edge', name: 'eg', madeBy: 'Gateway edge/eg' };
  expect(titleOf(made)).toBe('Service of Gateway edge/eg');
});

test('metadata without a name are part of an object', () => {
  const part = 'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { annotations: { a: b } }\n';
  expect(checked(part)).toMatchObject({ findings: [], notes: [expect.stringContaining('skipped')] });
});

test.each<[string, string, number]>(
  table('cli/corpus.yaml', 'a document of a test in that is no object yet is skipped'),
)('a document of a test in %s that is no object yet is skipped', (file, content, skipped) => {
  const { manifests, strange, unreadable } = readManifests([folderWith({ [file]: content })]);
  expect([strange.length, manifests.length, unreadable]).toEqual([skipped, 1 - skipped, []]);
});

const OPERATOR =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: strimzi-cluster-operator, namespace: kafka}\nspec:\n  selector: {matchLabels: {name: o}}\n  template:\n    metadata: {labels: {name: o}}\n    spec: {containers: [{name: o, image: "quay.io/strimzi/operator:1.0.0"}]}\n';

test('definitions of other operators of Strimzi are not those of the cluster operator', () => {
  const access =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kafkaaccesses.access.strimzi.io}\nspec: {group: access.strimzi.io}\n';
  const { findings } = checkedFiles({ 'a/access.yaml': access, 'b/operator.yaml': OPERATOR });
  expect(findings.map(({ ruleId }) => ruleId)).not.toContain('strimzi-crds-version-mismatch');
});

test('definitions in the folder of an operator are its own, and those of another folder are not', () => {
  const definition = (group: string) =>
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kafkas.${group}}\nspec: {group: ${group}, scope: Namespaced, names: {kind: Kafka, plural: kafkas}, versions: []}\n`;
  const { findings } = checkedFiles({
    'a/test.yaml': definition('examples.strimzi.io'),
    'b/crd.yaml': definition('kafka.strimzi.io'),
    'b/operator.yaml': OPERATOR,
  });
  const [found] = findings.filter(({ ruleId }) => ruleId === 'strimzi-crds-version-mismatch');
  expect(found?.what).toContain('/b/crd.yaml:1');
  expect(found?.what).not.toContain('examples.strimzi.io');
});

test('rows of a table of mistakes are named by the rules of their word, or by their own', () => {
  const table =
    'nnn\tseverity\trule\twhat\twhy\trules\n1\terror\twrong-prefix\ta\tb\t\n2\twarning\tnew\tc\td\tsome-rule,other\n';
  const [first, second] = mistakesIn(table);
  expect(isNamed(first, new Set(['annotation-prefix-incomplete']))).toBe(true);
  expect(isNamed(first, new Set(['other']))).toBe(false);
  expect(isNamed(second, new Set(['other']))).toBe(true);
  expect(isNamed(second, new Set(['annotation-prefix-incomplete']))).toBe(false);
});
