import { stringify } from 'yaml';
import '../../src';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrimziVersion } from '../../src';
import { isMap, type Json, keysChanged, ownValue, sameValue } from '../../src/contract/json';
import { DOCUMENT_MISTAKES, kafka, LISTENER_MISTAKES } from '../kafka/clusters';
import { checkedText } from '../support/checks';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { tries } from '../support/random';
import { table } from '../support/yaml-cases';
import { checked } from './checked';
import { OBJECTS, textsIn, withKey, withValue } from './objects-of-all-kinds';

// A finding leads to the field that is wrong: each of these objects differs from one that is right by one field, and what is found
// in it is at that field, around it or inside it.

interface Pair {
  readonly right: Json;
  readonly wrong: Json;
  readonly strimzi?: StrimziVersion;
}

const RIGHT_LISTENER = {
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'tls' },
};
const kafkaWith = (listener: Json, document: Json = {}) => kafka({ listeners: [listener] }, document);
const PAIRS: Readonly<Record<string, readonly Pair[]>> = {
  Kafka: [
    ...LISTENER_MISTAKES.map(([changes, , strimzi]) => ({
      right: kafkaWith(RIGHT_LISTENER),
      wrong: kafkaWith({ ...RIGHT_LISTENER, ...changes }),
      strimzi,
    })),
    ...DOCUMENT_MISTAKES.map(([wrong, , strimzi]) => ({ right: kafka(), wrong, strimzi })),
  ],
};

function changed(right: unknown, wrong: unknown, path = ''): string | undefined {
  if (isMap(right) && isMap(wrong)) {
    const keys = [...new Set([...Object.keys(right), ...Object.keys(wrong)])];
    const other = keys.filter((key) => JSON.stringify(right[key]) !== JSON.stringify(wrong[key]));
    const [key] = other;
    return other.length === 1
      ? changed(right[key], wrong[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      : undefined;
  }
  if (Array.isArray(right) && Array.isArray(wrong) && right.length === wrong.length) {
    const other = [...right.keys()].filter((i) => JSON.stringify(right[i]) !== JSON.stringify(wrong[i]));
    return other.length === 1 ? changed(right[other[0]], wrong[other[0]], `${path}/${other[0]}`) : undefined;
  }
  // what a new map alone holds is the field
  if (right === undefined && isMap(wrong) && Object.keys(wrong).length === 1) {
    const [key] = Object.keys(wrong);
    return changed(undefined, wrong[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return path === '' ? undefined : path;
}

function isAtOrAround(pointer: string, field: string): boolean {
  return pointer !== '' && (`${field}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${field}/`));
}

interface Placed {
  readonly row: string;
  readonly isRight: boolean;
}

function placedIn(kind: string): Placed[] {
  return PAIRS[kind].flatMap(({ right, wrong, strimzi }) => {
    const field = changed(right, wrong);
    if (field === undefined) return [];
    const context = { strimzi };
    const known = new Set(checked(stringify(right), context).findings.map(({ ruleId }) => ruleId));
    const { findings } = checked(stringify(wrong), context);
    return findings
      .filter(({ ruleId }) => !known.has(ruleId))
      .map(({ ruleId, pointer = '', what }) => ({
        row: `${field}: [${ruleId}] at ${pointer || 'nothing'}: ${what}`,
        isRight: isAtOrAround(pointer, field),
      }));
  });
}

const AT_LEAST = 0.95;

test.each(Object.keys(PAIRS))('what is found in a %s leads to the field that is wrong', (kind) => {
  const placed = placedIn(kind);
  const wrong = placed.filter(({ isRight }) => !isRight).map(({ row }) => row);
  const share = 1 - wrong.length / placed.length;
  process.stdout.write(`${kind}: ${placed.length - wrong.length} of ${placed.length} findings at their field\n`);
  expect(placed.length).toBeGreaterThan(15);
  expect(share < AT_LEAST ? wrong : []).toEqual([]);
});

test.each<[rule: string, configuration: Json, pointer: string]>(table('cli/places.yaml', 'entries of listeners'))(
  '%s is found at its entry: %j',
  (rule, configuration, pointer) => {
    const { findings } = checked(stringify(kafkaWith({ ...RIGHT_LISTENER, configuration })));
    const places = findings.filter(({ ruleId }) => ruleId === rule).map((finding) => finding.pointer);
    expect(places).toEqual([`/spec/kafka/listeners/0/configuration${pointer}`]);
  },
);

const gateway = (field: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: p}}
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: {name: p, namespace: infra}
spec:
  provider:
    type: Kubernetes
    kubernetes:
      envoyService:
        annotations:
          ${field}
`;

function found(yaml: string): string[] {
  return checkedText(yaml).findings.map(
    ({ level, place, ruleId, object: { kind, name, madeBy } }) =>
      `${level} ${place.line} ${ruleId} ${kind} ${name}${madeBy ? ` <${madeBy}>` : ''}`,
  );
}

test('what is wrong in the template of a Service is found in the object that has it', () => {
  expect(found(gateway('cloud.google.com/load-balancer-type: Internal'))).toContain(
    'warning 18 annotation-deprecated EnvoyProxy p <Gateway infra/edge>',
  );
});

test('what no template says is found in the object that the Service is made of', () => {
  const all = found(gateway('example.com/color: blue'));
  expect(all.length).toBeGreaterThan(0);
  expect(all.every((line) => line.includes(' Gateway edge '))).toBe(true);
});

describe('an EnvoyProxy whose Gateway is elsewhere', () => {
  const proxy = (field: string) => gateway(field).split('---\n')[1];

  test('is checked all the same, as far as its template says it', () => {
    expect(found(proxy('cloud.google.com/load-balancer-type: Internal'))).toEqual([
      'warning 10 annotation-deprecated EnvoyProxy p <each Gateway with these parameters>',
    ]);
  });

  test.each([
    ['says nothing wrong', proxy('example.com/color: blue')],
    ['speaks of ports, which the Gateway has', proxy('service.beta.kubernetes.io/aws-load-balancer-ssl-ports: "8443"')],
    [
      'asks for no balancer',
      proxy('cloud.google.com/load-balancer-type: Internal').replace(
        'annotations',
        'type: ClusterIP\n        annotations',
      ),
    ],
  ])('and %s is left alone', (_, yaml) => expect(found(yaml)).toEqual([]));

  test('is not listed as a balancer', () => {
    expect(checkedText(proxy('example.com/color: blue')).notes).toEqual([
      expect.stringContaining('none of these files holds one'),
    ]);
  });
});

describe('words of javascript', () => {
  // Whatever stands where a text belongs, or nothing at all: what the commands say of it has no words of JavaScript. Every object of
  // JavaScript has a `constructor`, and a table that is looked into by that finds something: it must not be taken for an entry.

  const NAMES = ['constructor', '__proto__', 'toString'];

  const folder = folderWith();

  function written(file: string, objects: readonly Json[]): string {
    const path = join(folder, file);
    writeFileSync(path, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
    return path;
  }

  const RIGHT = written('right.yaml', OBJECTS);
  const SPOILT = join(folder, 'spoilt.yaml');
  const STRANGE = /.*(native code|\[object|TypeError|undefined|NaN|Infinity).*/g;

  const EVERY = 20 / tries(4, 4);
  let count = 0;

  const strangeIn = (...args: readonly string[]) =>
    (
      Object.values(run(...args))
        .join('\n')
        .match(STRANGE) ?? []
    ).map((line) => line.trim());

  /** The strange lines in what every command says if an object is another one, beside those that are right. */
  function strange(at: number, changed: Json): string[] {
    const { kind, metadata } = OBJECTS[at];
    const runs = [
      ['check', SPOILT],
      ['list', SPOILT],
      ['report', SPOILT],
      ['explain', SPOILT],
      ['explain', '--trace', SPOILT],
      ['explain', `${kind} edge/${metadata.name}`, SPOILT],
      ['explain', 'edge/echo', SPOILT],
      ['diff', RIGHT, SPOILT],
      ['diff', SPOILT, RIGHT],
    ].filter(() => count++ % EVERY === 0);
    if (runs.length > 0) {
      written(
        'spoilt.yaml',
        OBJECTS.map((object, i) => (i === at ? changed : object)),
      );
    }
    return runs.flatMap((args) => strangeIn(...args));
  }

  const CHANGES: Readonly<Record<string, (object: Json, path: readonly string[]) => Json>> = {
    nothing: (object, path) => withValue(object, path, undefined),
    'a map': (object, path) => withValue(object, path, { a: 'b' }),
    'the text constructor': (object, path) => withValue(object, path, 'constructor'),
    'the key constructor': (object, path) => withKey(object, path, 'constructor'),
  };

  // without its kind an object is none
  const isInside = ([first]: readonly string[]) => !['apiVersion', 'kind'].includes(first);

  test.each(OBJECTS.map(({ kind }, at) => [kind, at] as const))('anything in any place of %s', (_, at) => {
    const object = OBJECTS[at];
    const found = textsIn(object).flatMap((path) =>
      Object.entries(CHANGES)
        .filter(([name]) => isInside(path) || !name.includes('key'))
        .flatMap(([name, change]) =>
          strange(at, change(object, path)).map((line) => `${path.join('.')}: ${name}: ${line}`),
        ),
    );
    expect(found).toEqual([]);
  });

  test.each(NAMES)('the text %s in all places of an object', (name) => {
    const found = OBJECTS.flatMap((object, at) => {
      const places = textsIn(object).filter(isInside);
      const changed = places.reduce((one, path) => withValue(one, path, name), object);
      return strange(at, changed).map((line) => `${object.kind}: ${line}`);
    });
    expect(found).toEqual([]);
  });

  test.each(NAMES)('on the command line, %s is a word like any other', (name) => {
    const words = ['edge/echo', name, `${name}/s`, `${name}s/s`, `${name} edge/echo`];
    expect(words.flatMap((word) => strangeIn('explain', word, RIGHT))).toEqual([]);
  });

  test('a map has what is written in it alone', () => {
    const inherited = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    expect(NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined]);
    expect(NAMES.map((name) => ownValue(inherited, name))).toEqual(['b', 'a', undefined]);
    expect(sameValue({}, { constructor: 'a' })).toBe(false);
    expect(sameValue({ constructor: null }, {})).toBe(true);
    expect(keysChanged({}, inherited)).toEqual(['__proto__', 'constructor']);
  });
});
