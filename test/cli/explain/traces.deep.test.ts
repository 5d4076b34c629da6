import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkObjects } from '../../../src/cli/check';
import { NO_CONTEXT } from '../../../src/cli/context/check-context';
import { PENDING_CAUSES, READ_FOR_DELETION, TERMINATING_CAUSES } from '../../../src/cli/explain/causes.facts';
import { findSubjects } from '../../../src/cli/explain/explain';
import { explainMaker, explainService, makerText, serviceText } from '../../../src/cli/explain/explained-service';
import { type Cause, PAGES } from '../../../src/cli/explain/explanation';
import { OTHER_ANNOTATIONS } from '../../../src/cli/explain/known-words.facts';
import { type StuckService, whyPending, whyTerminating } from '../../../src/cli/explain/likely-causes';
import type { TracedService, TraceSubject } from '../../../src/cli/explain/traces';
import { explainWord, knownWords } from '../../../src/cli/explain/words';
import { isMap, type Json, printableMaps } from '../../../src/contract/json';
import { LoadBalancerOwner } from '../../../src/controllers/load-balancer-owner';
import { ruleIds } from '../../../src/rules/rule-set';
import { run } from '../../support/command';
import { folderWith } from '../../support/files';
import { tries } from '../../support/random';
import { casesIn } from '../../support/yaml-cases';

describe('traces', () => {
  const folder = folderWith();

  function written(yaml: string, context = ''): string {
    writeFileSync(join(folder, 'load-balancers.yaml'), context);
    const file = join(folder, 'set.yaml');
    writeFileSync(file, yaml);
    return file;
  }

  const NLB = 'loadBalancerClass: service.k8s.aws/nlb';
  const OWN = 'finalizers: [service.k8s.aws/resources]';
  const service = (spec: string, metadata = '') => `
apiVersion: v1
kind: Service
metadata: { name: echo, namespace: shop, ${metadata} }
spec: { type: LoadBalancer, ports: [{ port: 80 }], selector: { app: echo }, ${spec} }
`;
  const kafka = (configuration: string) => `
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    listeners:
      - { name: external, port: 9094, type: loadbalancer, tls: true, configuration: { class: service.k8s.aws/nlb, ${configuration} } }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: broker, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 1, roles: [broker], storage: { type: ephemeral } }
`;

  function traced(file: string, ...options: string[]): TracedService {
    const { out, error, code } = run('explain', '--trace', '--format', 'json', ...options, file);
    expect([error, code]).toEqual(['', 0]);
    const all = JSON.parse(out) as TracedService[];
    expect(all.length).toBeGreaterThan(0);
    return all[0];
  }

  const said = ({ traces }: TracedService) =>
    traces.map(({ owner, outcome, trace }) => [owner, outcome, trace?.name].filter(Boolean).join(' | '));

  const AWS = 'aws-load-balancer-controller';
  const STRIMZI = (version: string, ...more: string[]) =>
    [`controllers: [${[AWS, ...more].join(', ')}]`, `strimzi: '${version}'`, ''].join('\n');

  test.each<[title: string, yaml: string, context: string, expected: string[]]>([
    ['nothing declared', service(NLB), '', [`${AWS} | unsafe | orphan-deleted-at-once`]],
    ['the own finalizer', service(NLB, OWN), '', [`${AWS} | safe`]],
    [
      'a finalizer that no controller removes',
      service(NLB, 'finalizers: [example.com/hold]'),
      '',
      [`${AWS} | unsafe | hang-wrong-finalizer`],
    ],
    ['no owner is known', service(''), '', []],
    [
      'the owner is one of two',
      service('', 'annotations: { service.beta.kubernetes.io/aws-load-balancer-type: external }'),
      'controllers: [aws-load-balancer-controller]\n',
      [],
    ],
    ['MetalLB has no finalizer', service(''), 'controllers: [metallb]\n', ['metallb | safe']],
    [
      'a Kafka whose operator strips, without the finalizer',
      kafka(''),
      STRIMZI('0.49.1'),
      [`${AWS} | unsafe | orphan-deleted-at-once`],
    ],
    ['the same with it', kafka(OWN), STRIMZI('0.49.1'), [`${AWS} | safe`]],
  ])('%s', (_, yaml, context, expected) => expect(said(traced(written(yaml, context)))).toEqual(expected));

  test('the words have the names of the Service, the owner, the writer and the finalizer', () => {
    const { out } = run('explain', '--trace', written(kafka(''), STRIMZI('0.49.1')));
    expect(out).toContain('Strimzi 0.49.1 creates Service kafka/events-kafka-external-bootstrap with what it declares');
    expect(out).toContain(`${AWS} adds finalizer service.k8s.aws/resources`);
    expect(out).toContain('result         orphaned: the balancer stays');
    expect(out).toMatch(/evidence {7}\w+; the weakest step is from /);
  });

  test('what is safe says what it was held against, and what if it is changed', () => {
    const { out } = run('explain', '--trace', written(service(NLB, OWN)));
    expect(out).toContain('finding        safe\n');
    expect(out).toContain('one crash, one lag, one lost answer');
    expect(out).toContain('finalizer dropped: orphaned when it is deleted afterwards');
    expect(out).toContain('explain orphaned-finalizer-dropped');
  });

  test('what must be known is said', () => {
    expect(traced(written(service(''))).notes.join()).toContain('name the controllers of the cluster');
    expect(traced(written(kafka(OWN))).notes.join()).toContain('the version of its operator is not known');
    expect(traced(written(service(NLB, `${OWN}, uid: 1f6a`))).notes.join()).toContain(
      'which of them its manifest declares',
    );
  });

  test('a namespace that is null is none', () => {
    const { out } = run('explain', '--trace', written(service(NLB).replace('namespace: shop', 'namespace: null')));
    expect(out).toContain('Service echo  (');
  });

  test('a Service among the files is asked by its name', () => {
    const file = written(`${service(NLB)}---${service(NLB, OWN).replace('name: echo', 'name: other')}`);
    const { out } = run('explain', '--trace', '--format', 'json', 'shop/other', file);
    expect((JSON.parse(out) as TracedService[]).map(({ name }) => name)).toEqual(['other']);
    expect(run('explain', '--trace', 'shop/none', file)).toMatchObject({
      code: 2,
      error: expect.stringContaining("'shop/none' is not a file, and not a Service of these files"),
    });
    expect(
      run('explain', '--trace', written('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n')),
    ).toMatchObject({
      code: 0,
      out: 'nothing to trace: these files hold no load balanced Service, and nothing that makes one\n',
    });
  });

  test('a path without a Service asks for one', () => {
    const file = written(service(NLB));
    const { error, code } = run('explain', file);
    expect(error).toContain(`'${file}' is a path; name a Service in it as well (explain NAMESPACE/NAME ${file})`);
    expect(code).toBe(2);
  });

  test('a diagram of each', () => {
    const { out } = run('explain', '--trace', '--format', 'mermaid', written(service(NLB)));
    expect(out.split('\n').slice(0, 2)).toEqual([`%% shop/echo, ${AWS}`, 'sequenceDiagram']);
    expect(out).toContain(`participant Owner as ${AWS}`);
  });

  describe('a trace by its name', () => {
    test.each([
      'orphan-deleted-at-once',
      'hang-wrong-finalizer',
      'orphaned-finalizer-dropped',
      'stuck-owner-uninstalled',
    ])('%s', (name) => {
      const { out, code } = run('explain', name);
      expect(code).toBe(0);
      expect(out.split('\n')[0]).toBe(`trace ${name}`);
      const [{ trace }] = JSON.parse(run('explain', '--format', 'json', name).out) as TraceSubject[];
      expect(out).toContain(`The shortest way, ${trace.steps.length} steps`);
      expect(run('explain', '--format', 'mermaid', name).out).toBe(`${trace.mermaid}\n`);
    });

    test('that no owner has is not suggested', () => {
      expect(run('explain', 'kept-type-awey').error).toMatch(/is not a known (?!.*near to it)/);
    });

    test('that is misspelt is near to others', () => {
      const { error, code } = run('explain', 'orphan-deleted-at-onse');
      expect(code).toBe(2);
      expect(error).toContain('near to it: ');
      expect(error).toContain('orphan-deleted-at-once');
    });
  });
});

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

  test.each<[string, number]>(casesIn(__dirname, 'traces.yaml')['is what the reports of row are taken for'])(
    '%s is what the reports of row %i are taken for',
    (id, row) => {
      const reports = quoted(rows[row]);
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.map((text) => [text, whyTerminating(stuck(text))[0].id])).toEqual(
        reports.map((text) => [text, id]),
      );
    },
  );

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

// A dump may hold anything anywhere: whatever is in one place of it, the rest is explained.

const DUMP: readonly Json[] = casesIn(__dirname, 'traces.yaml').dump;

const ODD: readonly unknown[] = [null, 7, '\u001b[31m\u202e', [null], {}, { toString: 7 }];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  const below = Array.isArray(value)
    ? value.flatMap((one, i) => pathsOf(one, [...path, i]))
    : isMap(value)
      ? Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

function withValue(value: unknown, [step, ...rest]: Path, odd: unknown): unknown {
  if (step === undefined) return odd;
  return Array.isArray(value)
    ? value.map((one, i) => (i === step ? withValue(one, rest, odd) : one))
    : { ...(value as Json), [step]: withValue((value as Json)[step], rest, odd) };
}

function explainAll(objects: readonly Json[]): string {
  const manifests = objects.map((object, i) => ({ file: 'dump.yaml', line: i + 1, object: printableMaps(object) }));
  const checked = checkObjects({ manifests, unreadable: [], strange: [] }, NO_CONTEXT);
  return ['shop/echo', 'echo', 'Kafka kafka/events', 'events', 'kafka/events-brokers-outside-1']
    .flatMap((words) => findSubjects(words, manifests, checked.later.services))
    .map((subject) =>
      'service' in subject
        ? serviceText(explainService(subject.service, checked))
        : makerText(explainMaker(subject.maker, subject.services, checked)),
    )
    .join('\n');
}

test('the dump itself is explained', () => {
  expect(explainAll(DUMP)).toMatch(
    /Service shop\/echo[\s\S]*Terminating since[\s\S]*Kafka kafka\/events[\s\S]*events-brokers-outside-1/,
  );
});

const places = DUMP.flatMap((_, i) => pathsOf(DUMP[i]).map((path) => [i, ...path] as const)).filter(
  // a reader of files leaves out what has none
  ([, first]) => first !== 'apiVersion' && first !== 'kind',
);

// one odd value for each place, and all of them in the deep tests
test.each(places.map((path, i) => [path.join('.'), path, i] as const))('with anything at %s', (_, path, i) => {
  for (const odd of ODD.filter((_, j) => (i + j) % ODD.length < tries(ODD.length, ODD.length))) {
    const text = explainAll(withValue(DUMP, path, odd) as Json[]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|\[object Object\]|undefined/);
  }
});

describe('every word that the library knows is explained', () => {
  const OTHERS: readonly string[] = OTHER_ANNOTATIONS.map(({ key }) => key);

  test('rules', () => {
    const unexplained = ruleIds().filter((id) => !explainWord(id).explanations.some(({ kind }) => kind === 'rule'));
    expect(unexplained).toEqual([]);
  });

  test('nothing is explained without a source, and nothing of a controller without what to do', () => {
    const words = knownWords();
    expect(words.length).toBeGreaterThan(900);
    for (const word of words) {
      for (const { kind, parts, todo, says } of explainWord(word).explanations) {
        expect([word, parts.length > 0, says !== '']).toEqual([word, true, true]);
        expect([word, todo.length > 0 || kind === 'rule']).toEqual([word, !OTHERS.includes(word)]);
        expect(parts.filter(({ source }) => source === '')).toEqual([]);
      }
    }
  });
});
