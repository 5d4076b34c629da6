import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PENDING_CAUSES, READ_FOR_DELETION, TERMINATING_CAUSES } from '../../../src/checks/explain/causes.facts';
import type { Cause } from '../../../src/checks/explain/explanation';
import { PAGES } from '../../../src/checks/explain/explanation';
import { type StuckService, whyPending, whyTerminating } from '../../../src/checks/explain/likely-causes';
import { explainWord, knownWords } from '../../../src/checks/explain/words';
import { LoadBalancerOwner } from '../../../src/controllers/load-balancer-owner';

const ROOT = join(__dirname, '..', '..', '..');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const PENDING = read(PAGES.pending);
const TERMINATING = read(PAGES.terminating);

const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');

const sections = PENDING.split(/^## (?=\d+\. )/m)
  .slice(1)
  .map((section) => section.split(/^## /m)[0])
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    text: section,
    commands: [...section.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, command]) => command),
  }));

const [first] = PENDING.split(/^## 1\. /m);

const quoted = (text: string) => [...text.replace(/\s+/g, ' ').matchAll(/`([^`]+)`/g)].map(([, span]) => span);

function stuck(text: string): StuckService {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', uid: '1', finalizers: ['service.kubernetes.io/load-balancer-cleanup'] },
    spec: { type: 'LoadBalancer' },
  };
  const reason = /^[A-Z][A-Za-z]+$/.test(text) ? text : 'SyncLoadBalancerFailed';
  const reported = [{ from: 'event' as const, reason, message: `it failed: ${text} once more` }];
  return { service, owner: LoadBalancerOwner.of(service), reported, errors: [], warnings: [] };
}

test('the page has the causes of the command, in their order', () => {
  expect(sections.map(({ title }) => title)).toEqual(PENDING_CAUSES.map(({ title }, i) => `${i + 1}. ${title}`));
});

describe.each(PENDING_CAUSES.map((cause, i) => [cause.id, cause, sections[i]] as const))('%s', (id, cause, section) => {
  test('is described as the command describes it', () => {
    expect(plain(section.text)).toContain(plain(cause.what));
    expect(plain(section.text)).toContain(`**Remedy**: ${cause.remedy.replace(/docs\/how-to\/[\w-]+\.md/, linked)}.`);
  });

  test('has the commands of the command, and no others', () => {
    const commands = cause.checks.map(({ command }) => command);
    expect(section.commands).toEqual(commands.filter((command) => !first.includes(command)));
    for (const { shows } of cause.checks) {
      expect(plain(first + section.text).toLowerCase()).toContain(shows.toLowerCase());
    }
  });

  test('is what its reports are taken for', () => {
    const [, reports = ''] = /^Reported as: ([\s\S]*?)\n\n/m.exec(section.text) ?? [];
    const found = quoted(reports).map((text) => [text, whyPending(stuck(text))[0].id]);
    expect(found).toEqual(quoted(reports).map((text) => [text, id]));
    expect(found.length > 0).toBe(cause.signs.length + (cause.generalSigns ?? []).length > 0);
  });
});

function linked(path: string): string {
  return (
    { 'docs/how-to/cloud-permissions.md': 'permissions', 'docs/how-to/guard-tenants.md': 'guard tenants' }[path] ?? path
  );
}

describe('the page on Services in Terminating', () => {
  const rows = TERMINATING.split('| it says | cause | remedy |')[1]
    .split('\n\n')[0]
    .split('\n')
    .filter((row) => row.startsWith('| `') || row.includes('`'))
    .map((row) => row.split(' | ')[0]);

  test.each([
    ['permissions', 0],
    ['permissions', 1],
    ['deletion-protection', 2],
    ['protected-in-aws', 3],
    ['resource-lock', 4],
    ['dependency', 5],
    ['throttled', 6],
    ['webhook', 7],
    ['denied', 8],
    ['manifest-refused', 9],
    ['infrastructure-gone', 10],
  ])('%s is what the reports of row %i are taken for', (id, row) => {
    const reports = quoted(rows[row]);
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.map((text) => [text, whyTerminating(stuck(text))[0].id])).toEqual(reports.map((text) => [text, id]));
  });

  test.each(TERMINATING_CAUSES.map((cause) => [cause.id, cause] as const))(
    'the commands for %s are in it',
    (_, cause: Cause) => {
      expect(cause.checks.map(({ command }) => command).filter((command) => !TERMINATING.includes(command))).toEqual(
        [],
      );
      const steps = [...cause.remedy.matchAll(/steps? (\d)(?: and (\d))?/g)].flatMap(([, ...found]) =>
        found.filter(Boolean),
      );
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => !TERMINATING.includes(`\n## ${step}. `))).toEqual([]);
    },
  );

  test.each([
    [[], {}],
    [['manifest-refused'], { [READ_FOR_DELETION]: 'deletion_protection.enabled=false' }],
    [['deletion-protection', 'manifest-refused'], { [READ_FOR_DELETION]: 'deletion_protection.enabled=true' }],
  ])('causes %j are left by annotations of the live Service', (left, annotations) => {
    const { service } = stuck('');
    const live = { ...service, metadata: { ...service.metadata, annotations } };
    const found = whyTerminating({ ...stuck(''), service: live, reported: [] }).map(({ id }) => id);
    expect(found.filter((id) => ['deletion-protection', 'manifest-refused'].includes(id))).toEqual(left);
  });

  test('the pages lead to each other', () => {
    expect(PENDING).toContain('(stuck-in-terminating.md)');
    expect(TERMINATING).toContain('(stuck-in-pending.md)');
    expect(read('docs/README.md')).toContain('(stuck-in-pending.md)');
  });
});

test('every page that an explanation leads to is there', () => {
  const pages = knownWords().flatMap((word) => explainWord(word).explanations.flatMap(({ readOn }) => readOn));
  const all = new Set(pages.map((page) => page.split('#')[0]));
  expect(all.size).toBeGreaterThan(10);
  expect([...all].filter((page) => !read(page).startsWith('#') && !read(page).startsWith('<!--'))).toEqual([]);
});

test.each([...PENDING_CAUSES, ...TERMINATING_CAUSES].map((cause) => [cause.title, cause] as const))(
  "'%s' has commands, and a source for each sign",
  (_, { checks, signs, generalSigns = [] }) => {
    expect(checks.length).toBeGreaterThan(0);
    for (const { source, message, reason } of [...signs, ...generalSigns]) {
      expect([source.repository, source.version, source.file].filter((part) => part === '')).toEqual([]);
      expect(message ?? reason).toBeDefined();
    }
  },
);
