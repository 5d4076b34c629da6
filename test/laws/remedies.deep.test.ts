import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { check } from '../../src/cli/check';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { isMap, type Json } from '../../src/contract/json';
import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import { HAND_OVER_PAGE } from '../../src/contract/rule';
import type { Effect } from '../../src/diff/effect';
import type { DiffOptions } from '../../src/diff/side';
import { pairOf } from '../diff/pairs/pair';
import { changesOf, sideOf } from '../diff/sides';
import { caseTables } from '../support/cases';
import { nodesOf, parse, programs, type Source, sources } from '../support/sources';
import { kinds } from '../support/subjects';

// Who follows a remedy that touches the finalizer, the class or the owner of a live Service loses its balancer, unless the remedy
// leads to the page that says how a Service is handed over.

const LEADS_THERE = /unlessLive\(|\{\{(unlessLive|page)\}\}|HAND_OVER_PAGE|HAND_IT_OVER/;

const TAKES_FINALIZER = /\b(take|remove|leave|drop)\b[^;]*\bfinalizer/i;

/** Rooms whose remedies speak of Services: elsewhere a class is that of a Gateway, a volume or an authorizer. */
const OF_SERVICES = [
  'rules',
  'services',
  'controllers',
  'cli',
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
  ["const found = { remedy: 'remove the finalizer from the manifest' };", 1],
  ["const found = { remedy: unlessLive('remove the finalizer from the manifest') };", 0],
  ["const found = { remedy: 'give it the class of one of them' };", 1],
  ["const found = { remedy: 'declare it in configuration.finalizers' };", 0],
])('in %s, %d remedies lead astray', (text, count) => {
  expect(astray([parse('rules/file.ts', text)])).toHaveLength(count);
});

describe('diff remedies', () => {
  // Who does what `diff` advises has what it says no more, and makes no mistake by that.

  interface Pair {
    readonly title: string;
    readonly before: readonly Json[];
    readonly after: readonly Json[];
    readonly installed: readonly ILoadBalancerController[];
    readonly options?: DiffOptions;
  }

  const SEED = 17;

  const serviceOf = (annotations: Json = {}, spec: Json = {}): Json => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace: 'edge', annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 443 }], ...spec },
  });

  const GENERATED = Array.from({ length: 150 }, (_, number): Pair => {
    const { platform, writer, prune, before, after } = pairOf(number, SEED);
    return { title: `pair ${number}`, before, after, installed: platform.installed, options: { writer, prune } };
  });

  /** Each annotation of each controller, with one of its examples in place of another one, or of none. */
  const ANNOTATED = kinds.flatMap((kind): Pair[] => {
    const spec = kind.classes.length > 0 ? { loadBalancerClass: kind.classes[0] } : {};
    return kind.catalogue.annotations.flatMap((entry) => {
      const key = entry.fact.key.replace(/\{\w+\}/g, '443');
      const texts = [undefined, ...new Set(entry.fact.codec.examples.map((example: unknown) => entry.encode(example)))];
      const withText = (text: string | undefined) => serviceOf(text === undefined ? {} : { [key]: text }, spec);
      return texts.flatMap((old) =>
        texts
          .filter((now) => now !== old)
          .map((now) => ({
            title: `${kind.name}: ${key} ${old} -> ${now}`,
            before: [withText(old)],
            after: [withText(now)],
            installed: [kind.installed()],
          })),
      );
    });
  });

  /** Each Service of the case tables, in the place of a plain one. */
  const CASES = caseTables.flatMap(([, { kind, services }]) =>
    services.flatMap(({ title, service }): Pair[] => {
      const { metadata, spec } = service;
      if (service.kind !== 'Service' || !isMap(metadata) || !isMap(spec) || !Array.isArray(spec.ports)) return [];
      const plain = serviceOf({}, spec.loadBalancerClass ? { loadBalancerClass: spec.loadBalancerClass } : {});
      const now = { ...service, apiVersion: 'v1', metadata: { ...metadata, ...{ name: 'echo', namespace: 'edge' } } };
      return [{ title: `${kind.name}: ${title}`, before: [plain], after: [now], installed: [kind.installed()] }];
    }),
  );

  const EXTERNAL = {
    'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
    'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
  };
  const CLAIMED: Pair = {
    title: 'a type that goes while annotations claim the Service',
    before: [serviceOf(EXTERNAL)],
    after: [serviceOf(EXTERNAL, { type: 'ClusterIP' })],
    installed: GENERATED.find(({ installed }) => installed.length === 2)?.installed ?? [],
  };

  const PAIRS = [...GENERATED, ...ANNOTATED, ...CASES, CLAIMED];

  const copyOf = <T>(value: T): T => structuredClone(value);

  function withValue(service: Json, path: readonly (string | number)[], value: unknown): Json {
    const copy = copyOf(service);
    const parent = path.slice(0, -1).reduce((map, step) => (map[step] ??= {}), copy);
    const last = path[path.length - 1];
    if (value === undefined) {
      delete parent[last];
    } else {
      parent[last] = value;
    }
    return copy;
  }

  const valueAt = (service: Json, path: readonly (string | number)[]): unknown =>
    path.reduce((value: unknown, step) => (value as Json | undefined)?.[step], service);

  const annotated = (service: Json, key: string, value: unknown) =>
    withValue(service, ['metadata', 'annotations', key], value);

  /** Ports of both sides, each with a name of its own. */
  const portsOf = (...services: readonly Json[]) => {
    const all = new Map<unknown, Json>(
      services.flatMap(({ spec }) => spec.ports.map((port: Json): [unknown, Json] => [port.port, port])),
    );
    return [...all.values()].map((port: Json) => ({ ...port, name: `p-${port.port}` }));
  };

  interface Advised {
    readonly old: Json;
    readonly now: Json;
    readonly cause: Effect;
    readonly words: RegExpExecArray;
  }

  /** What remedies mean: the Services of the newer side when it is done. */
  const DONE: readonly (readonly [RegExp, (advised: Advised) => readonly Json[]])[] = [
    [/^keep the (type|Service)|^leave the class/, ({ old }) => [old]],
    [
      /\bmake (a second|another) Service|on a second Service/,
      ({ old, now }) => [
        old,
        withValue(withValue(now, ['metadata', 'name'], 'second'), ['metadata', 'namespace'], old.metadata.namespace),
      ],
    ],
    [
      /^(keep (spec\.|the annotation)|leave the annotation in)/,
      ({ old, now, cause: { path } }) => [withValue(now, path, valueAt(old, path))],
    ],
    [/^keep it until clients and DNS have moved/, ({ old, now }) => [old, now]],
    [
      /^remove (\S+) and (\S+) to delete/,
      ({ now, words: [, one, other] }) => [annotated(annotated(now, one, undefined), other, undefined)],
    ],
    [
      /^declare (\S+), the finalizer/,
      ({ now, words: [, finalizer] }) => [withValue(now, ['metadata', 'finalizers'], [finalizer])],
    ],
    [/^set (\S+\/\S+) to (\S+)/, ({ now, words: [, key, value] }) => [annotated(now, key, value)]],
    [
      /^set ipFamilies to (\S+) alone/,
      ({ now, words: [, family] }) => [withValue(now, ['spec', 'ipFamilies'], [family])],
    ],
    [
      /^set sessionAffinity ClientIP with a timeout of (\d+)/,
      ({ now, words: [, seconds] }) => [
        withValue(withValue(now, ['spec', 'sessionAffinity'], 'ClientIP'), ['spec', 'sessionAffinityConfig'], {
          clientIP: { timeoutSeconds: Number(seconds) },
        }),
      ],
    ],
    [
      /^use ip targets/,
      ({ now }) => [annotated(now, 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type', 'ip')],
    ],
    [/^leave it out/, ({ now, cause: { path } }) => [withValue(now, path, undefined)]],
    [/^write (Premium|true|false)\b/, ({ now, cause: { path }, words: [, value] }) => [withValue(now, path, value)]],
    [/^use a number\b/, ({ now, cause: { path } }) => [withValue(now, path, '443')]],
    [/^name one in (\S+)$/, ({ now, words: [, key] }) => [annotated(now, key, 'logs')]],
    [/^use a port from 1 to/, ({ now }) => [withValue(now, ['spec', 'ports'], [{ name: 'main', port: 443 }])]],
    [/^name every port|^give each port a short name/, ({ now }) => [withValue(now, ['spec', 'ports'], portsOf(now))]],
    [
      /^keep one, or use (RequireDualStack)/,
      ({ now, words: [, policy] }) => [withValue(now, ['spec', 'ipFamilyPolicy'], policy)],
    ],
    [
      /^add the new port beside|^keep the port/,
      ({ old, now }) => [withValue(now, ['spec', 'ports'], portsOf(old, now))],
    ],
  ];

  function errorsIn(objects: readonly Json[], installed: Pair['installed']): string[] {
    const manifests = objects.map((object, i) => ({ file: 'a.yaml', line: i + 1, object }));
    const { findings } = check({ manifests, unreadable: [], strange: [] }, { ...NO_CONTEXT, controllers: installed });
    return findings.filter(({ level }) => level === 'error').map(({ ruleId }) => ruleId);
  }

  const causesOf = ({ before, after, installed, options }: Pair) =>
    changesOf(
      sideOf(before.map((object) => JSON.stringify(object)).join('\n---\n'), { installed }),
      sideOf(after.map((object) => JSON.stringify(object)).join('\n---\n'), { installed }),
      options,
    ).flatMap(({ before: old, after: now, effects: causes }) => causes.map((cause) => ({ old, now, cause })));

  const keyOf = ({ metadata }: Json) => `${metadata.namespace}/${metadata.name}`;

  const used = new Set<RegExp>();

  /** What is wrong with what comes of the remedies of a pair. */
  function astray(pair: Pair): string[] {
    return causesOf(pair).flatMap(({ old, now, cause }) => {
      const [pattern, done] = DONE.find(([one]) => one.test(cause.remedy ?? '')) ?? [];
      const words = pattern?.exec(cause.remedy ?? '');
      const was = old && pair.before.find((object) => keyOf(object) === old.id);
      const is = pair.after.find((object) => keyOf(object) === (now ?? old)?.id);
      if (!pattern || !done || !words || !was) return [];
      used.add(pattern);
      const others = pair.after.filter((object) => object !== is);
      const after = [...others, ...done({ old: was, now: is ?? was, cause, words })];
      const again = causesOf({ ...pair, after }).some(
        (one) => one.old?.id === old.id && one.cause.field === cause.field && one.cause.why === cause.why,
      );
      const errors = errorsIn(after, pair.installed);
      const known =
        errors.length > 0 ? [pair.before, pair.after].flatMap((side) => errorsIn(side, pair.installed)) : [];
      const added = errors.filter((id) => !known.includes(id));
      const advice = `${pair.title}: ${cause.outcome} ${cause.field}, '${cause.remedy}'`;
      return [
        ...(again ? [`${advice} changes nothing: ${cause.why}`] : []),
        ...added.map((id) => `${advice} brings ${id}`),
      ];
    });
  }

  test('a remedy removes what it is for, and brings no error', () => expect(PAIRS.flatMap(astray)).toEqual([]));

  test('every kind of advice is followed', () => expect(DONE.filter(([pattern]) => !used.has(pattern))).toEqual([]));
});
