import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';
import type { DiffJson } from '../../../src/cli/diff/diff-report';
import { findTrace } from '../../../src/cli/explain/traces';
import { addDiff } from '../../../src/cli/main';
import { casesIn, revived, table } from '../../support/yaml-cases';
import { CONTEXT, Folder, service } from './repository';

const KAFKA = casesIn(__dirname, 'money.yaml').kafka;
const POOL = casesIn(__dirname, 'money.yaml').pool;
const WEB = service('web');
const ALL = { 'kafka.yaml': `${KAFKA}---\n${POOL}`, 'web.yaml': WEB };
const FORMATS: readonly string[] = ['text', 'json', 'markdown'];

function changed(files: Readonly<Record<string, string | undefined>>): Folder {
  const texts: Readonly<Record<string, string | undefined>> = { ...ALL, ...files };
  return new Folder({
    'load-balancers.yaml': `${CONTEXT}region: eu-west-1\n`,
    ...Object.fromEntries(Object.entries(ALL).map(([name, text]) => [`old/${name}`, text])),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[`new/${name}`, text]])),
    ),
  });
}

function moneyIn(folder: Folder, ...args: readonly string[]): DiffJson['money'] {
  return folder.json('old', 'new', ...args).money;
}

const [WHOLE, KAFKA_ALONE, WEB_ALONE, WITH_BOOTSTRAP] = ['USD 91.98', 'USD 73.58', 'USD 18.40', 'USD 36.79'];

test('what is kept keeps its price', () => {
  const folder = changed({ 'web.yaml': undefined });
  expect(folder.outcomes('old', 'new', '--no-prune')['edge/web']).toBe('kept');
  expect(moneyIn(folder, '--no-prune')).toMatchObject({ text: 'no difference', isKnown: true, unknown: [] });
  expect(moneyIn(folder, '--prune')).toMatchObject({
    text: `${WHOLE} -> ${KAFKA_ALONE}: - 0.0252 × 730 h`,
    isKnown: true,
    unknown: [],
  });
});

test('what goes on as it was made keeps its price', () => {
  const folder = changed({ 'web.yaml': WEB.replace(/ {2}annotations:\n.*\n/, '') }).write({
    'old/web.yaml': service('web', { scheme: 'internet-facing' }),
  });
  expect(folder.outcomes('old', 'new')['edge/web']).toBe('kept');
  expect(moneyIn(folder)?.text).toBe('no difference');
});

test('what is refused keeps its price', () => {
  const folder = changed({ 'kafka.yaml': ALL['kafka.yaml'].replace('service.k8s.aws/nlb', 'example.com/other') });
  expect(folder.json('old', 'new').summary).toMatchObject({ refused: 4, kept: 1 });
  expect(moneyIn(folder)).toMatchObject({ text: 'no difference', isKnown: true, unknown: [] });
});

test('what is refused keeps its price beside what is gone', () => {
  const folder = changed({
    'kafka.yaml': ALL['kafka.yaml'].replace('service.k8s.aws/nlb', 'example.com/other'),
    'web.yaml': undefined,
  });
  expect(moneyIn(folder)?.text).toBe(`${WHOLE} -> ${KAFKA_ALONE}: - 0.0252 × 730 h; without pruning USD 18.40 more`);
});

describe('what is unknown is not nothing', () => {
  test('on the newer side', () => {
    const folder = changed({ 'kafka.yaml': KAFKA });
    expect(folder.json('old', 'new').summary).toMatchObject({ interrupted: 1, unknown: 3, kept: 1 });
    expect(moneyIn(folder)).toMatchObject({
      text: `${WHOLE} -> at least ${WITH_BOOTSTRAP}`,
      isKnown: false,
      unknown: ['3 balancers of new not counted, for what becomes of them is unknown'],
    });
  });

  test('on the older side', () => {
    const { money } = changed({ 'kafka.yaml': KAFKA }).json('new', 'old');
    expect(money).toMatchObject({ text: `at least ${WITH_BOOTSTRAP} -> ${WHOLE}`, isKnown: false });
  });

  test.each(FORMATS)('where a side cannot be read at all, as %s', (format) => {
    const { out } = changed({}).diff(['old', 'nope', '--format', format]);
    const shown = format === 'json' ? JSON.parse(out).money.text : out.replaceAll('-&#62;', '->');
    expect(shown).toContain(`${WHOLE} -> not known`);
    expect(shown).not.toMatch(/-> (USD )?0\.00/);
  });

  test('with the terms of what is known beside it', () => {
    const folder = changed({ 'kafka.yaml': KAFKA, 'more.yaml': service('more') });
    expect(moneyIn(folder)?.text).toBe(`${WHOLE} -> at least USD 55.19: + 0.0252 × 730 h`);
  });
});

test('what can stay behind may be billed all the same', () => {
  const [before] = ALL['kafka.yaml'].split('        configuration:');
  const folder = changed({ 'kafka.yaml': `${before.replace('type: loadbalancer', 'type: nodeport')}---\n${POOL}` });
  expect(folder.json('old', 'new').summary).toMatchObject({ orphaned: 4, kept: 1 });
  expect(moneyIn(folder)).toMatchObject({
    text: `${WHOLE} -> at least ${WEB_ALONE}`,
    isKnown: false,
    unknown: ['for how long 4 balancers that can stay behind will be billed'],
  });
});

test('what the context file says of zones, as a gap asks for it, closes the gap', () => {
  const open = { 'web.yaml': service('web', { scheme: 'internet-facing' }) };
  const folder = changed(open);
  expect(moneyIn(folder)?.unknown.join()).toContain('give zones as budget.zones in load-balancers.yaml');
  folder.write({ 'load-balancers.yaml': `${CONTEXT}region: eu-west-1\nbudget: { zones: 3 }\n` });
  expect(moneyIn(folder)).toMatchObject({ isKnown: true, unknown: [] });
});

describe('cloud config', () => {
  // What tells a controller of its cloud: nobody edits its Services, and it may run where no manifest says so.

  const ECHO = `apiVersion: v1
kind: Service
metadata: { name: echo, namespace: edge, finalizers: [service.kubernetes.io/load-balancer-cleanup] }
spec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 80 }] }
`;
  const AZURE = 'controllers: [cloud-provider-azure]\n';
  const CONFIG = { cloud: 'AzurePublicCloud', resourceGroup: 'a', aadClientSecret: 'hunter2' };

  const object = (kind: string, key: string, text: string, name = 'azure-cloud-provider') =>
    `${JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace: 'kube-system' }, [FIELDS[kind]]: { [key]: text } })}\n`;
  const FIELDS: Readonly<Record<string, string>> = { ConfigMap: 'data', Secret: 'stringData' };
  const secret = (more: object = {}, key = 'cloud-config') =>
    object('Secret', key, JSON.stringify({ ...CONFIG, ...more }, undefined, 2));
  const encoded = secret().replace(
    /"stringData".*/,
    `"data":{"cloud-config":"${Buffer.from(JSON.stringify(CONFIG)).toString('base64')}"}}`,
  );
  const map = (more: object = {}) => object('ConfigMap', 'azure.json', JSON.stringify({ ...CONFIG, ...more }));
  const isLive = (text: string) => text.replace('name: echo', 'name: echo, uid: a-b');

  function changeOf(before: string | undefined, after: string | undefined, ...args: readonly string[]) {
    const side = (name: string, config: string | undefined) => ({
      [`${name}/echo.yaml`]: ECHO,
      ...(config !== undefined && { [`${name}/config.yaml`]: config }),
    });
    const folder = new Folder({ 'load-balancers.yaml': AZURE, ...side('old', before), ...side('new', after) });
    const { changes } = folder.json('old', 'new', ...args);
    const [{ outcome, causes }] = changes;
    const telling = causes.filter((cause) => cause.outcome !== 'kept');
    return { outcome, fields: telling.map(({ field }) => field), text: JSON.stringify(changes), causes };
  }

  const SECRET = 'Secret kube-system/azure-cloud-provider';
  const OF_SECRET = `${SECRET}, data.cloud-config`;

  test.each<[string, string | undefined, string | undefined, string, readonly string[]]>([
    ...revived(table('cli/diff/money.yaml', 'cloud config'), { secret, map, object }),
    ['how it is written', secret(), encoded, 'kept', []],
  ])('%s', (_, before, after, outcome, fields) => {
    const change = changeOf(before, after);
    expect(change).toMatchObject({ outcome, fields });
    expect(change.text).not.toContain('hunter');
  });

  test('no value is printed, since any may be a secret', () => {
    const { causes } = changeOf(map(), map({ aadClientSecret: 'hunter3' }));
    expect(causes.map(({ from, to }) => [from, to])).toEqual([[undefined, undefined]]);
  });

  test('what is not pruned stays', () => expect(changeOf(secret(), undefined, '--no-prune').outcome).toBe('kept'));

  test('of another controller it says nothing', () => {
    const files = (side: string, group: string) => ({
      [`${side}/echo.yaml`]: ECHO,
      [`${side}/config.yaml`]: secret({ resourceGroup: group }),
      [`${side}/load-balancers.yaml`]: 'controllers: [cloud-provider-aws]\n',
    });
    const folder = new Folder({ ...files('old', 'a'), ...files('new', 'b') });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'kept' });
  });

  test('where it is not known who owns a Service, it may be this one', () => {
    const files = (side: string, group: string) => ({
      [`${side}/echo.yaml`]: ECHO,
      [`${side}/config.yaml`]: secret({ resourceGroup: group }),
    });
    const folder = new Folder({ ...files('old', 'a'), ...files('new', 'b') });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'unknown' });
  });

  test('what runs in a cluster may have one that is not in its dump', () => {
    const folder = new Folder({
      'load-balancers.yaml': AZURE,
      'live.yaml': isLive(ECHO),
      'new/echo.yaml': ECHO,
      'new/config.yaml': secret(),
    });
    expect(folder.outcomes('live.yaml', 'new')).toEqual({ 'edge/echo': 'unknown' });
    folder.write({ 'live.yaml': `${isLive(ECHO)}---\n${secret()}` });
    expect(folder.outcomes('live.yaml', 'new')).toEqual({ 'edge/echo': 'kept' });
  });

  test('each cluster has that of its own folder', () => {
    const files = (side: string, group: string) => ({
      [`${side}/a/echo.yaml`]: ECHO,
      [`${side}/a/config.yaml`]: secret(),
      [`${side}/b/web.yaml`]: ECHO.replace('name: echo', 'name: web'),
      [`${side}/b/config.yaml`]: secret({ resourceGroup: group }),
    });
    const folder = new Folder({ 'load-balancers.yaml': AZURE, ...files('old', 'b'), ...files('new', 'c') });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/web': 'unknown', 'edge/echo': 'kept' });
  });

  test('where it is mounted it is told once', () => {
    const workload = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cloud-controller-manager, namespace: kube-system }
spec:
  template:
    spec:
      containers: [{ name: a, image: mcr.microsoft.com/oss/kubernetes/azure-cloud-controller-manager:v1.36.5 }]
      volumes: [{ name: a, secret: { secretName: azure-cloud-provider } }]
`;
    const [before, after] = ['a', 'b'].map((group) => secret({ resourceGroup: group }) + workload);
    expect(changeOf(before, after).fields).toEqual([`${OF_SECRET}.resourceGroup`]);
  });
});

const ROOT = join(__dirname, '..', '..', '..');
const page = (name: string) => readFileSync(join(ROOT, 'docs', 'how-to', `${name}.md`), 'utf8');
const PAGE = page('review-a-change');
const blocksIn = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(([, block]) => block);
const blocks = (language: string) => blocksIn(PAGE, language);

const program = new Command();
addDiff(program);
const [diff] = program.commands;
const OPTIONS = new Set(diff.options.flatMap(({ long }) => (long ? [long] : [])));

const calls = (text: string) => text.split('\n').filter((line) => line.includes('cdk8s-load-balancers diff'));
const optionsIn = (line: string) =>
  [...line.slice(line.indexOf('diff')).matchAll(/ (--[a-z-]+)/g)].map(([, one]) => one);

test('every option of every call is one of the command', () => {
  const all = [...blocks('sh'), ...blocks('yaml')].flatMap(calls);
  expect(all.length).toBeGreaterThan(8);
  expect(all.flatMap(optionsIn).filter((one) => !OPTIONS.has(one))).toEqual([]);
});

test('the workflow is one, with no more permissions than its steps need', () => {
  const workflows = blocksIn(page('test-and-ci'), 'yaml').map((text) => parse(text));
  const workflow = workflows.find(({ on }) => on === 'pull_request');
  const { permissions, steps } = workflow.jobs.diff;
  // the comment needs to write to pull requests, and SARIF to security events
  expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write', 'security-events': 'write' });
  expect(steps.map((step: { with?: object }) => step.with)).toEqual([
    undefined,
    expect.objectContaining({ command: 'diff', comment: true }),
    expect.objectContaining({ command: 'check', sarif: true }),
  ]);
  expect(steps[0].uses).toMatch(/^actions\/checkout@v\d+$/);
});

test('the trace that the page has as its example is there', () => {
  const [, name] = /cdk8s-load-balancers explain ([\w-]+)/.exec(PAGE) ?? [];
  expect(findTrace(name)).toBeDefined();
  expect(findTrace('orphaned-by-nobody')).toBeUndefined();
});

test('the accepted loss of the page can be read', () => {
  expect(
    blocks('yaml')
      .map((text) => parse(text))
      .find(({ accepted }) => accepted)?.accepted[0],
  ).toMatchObject({ outcome: 'replaced', object: 'edge/echo' });
});
