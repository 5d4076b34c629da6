import type { Finding } from '../../contract/finding';
import { isMap, type Json } from '../../contract/json';
import { shown } from '../../kafka/document/kafka-json';

/** Fields by path, and the type of each; `[]` stands for each entry of a list, `*` for each of a map. */
export type FieldKinds = Readonly<Record<string, FieldKind>>;

type FieldKind = 'text' | 'range' | 'map' | 'list' | 'scalar' | 'truth';

interface Kind {
  readonly is: (value: unknown) => boolean;
  readonly remedy: string;
}

const KINDS: Readonly<Record<FieldKind, Kind>> = {
  text: {
    is: (value) => typeof value === 'string',
    remedy: 'write a text there, in quotes where it looks like a number',
  },
  range: {
    is: (value) => typeof value === 'string' && value.trim() !== '',
    remedy: "write an address with a prefix there, such as '10.0.0.0/16'",
  },
  map: { is: isMap, remedy: 'write a map there, `key: value`' },
  list: { is: Array.isArray, remedy: 'write a list there, `[a, b]` or a line `- a` for each' },
  scalar: {
    is: (value) => !isMap(value) && !Array.isArray(value),
    remedy: 'write one text there, in quotes where it has other signs',
  },
  truth: { is: (value) => typeof value === 'boolean', remedy: 'write true or false there, without quotes' },
};

/** Fields of the wrong type, which readers would take for missing. Null is of each type, as for the API server. */
export function fieldFindings(who: string, json: Json, kinds: FieldKinds): Finding[] {
  return Object.entries(kinds).flatMap(([path, kind]) => {
    const { is, remedy } = KINDS[kind];
    return valuesAt(json, path.split('.'), '')
      .filter(({ value, isEntry }) => (isEntry || (value !== null && value !== undefined)) && !is(value))
      .map((found) => ({
        what: `${who} has ${found.path} ${shown(found.value)}, which the API server refuses`,
        remedy,
      }));
  });
}

interface Found {
  readonly path: string;
  readonly value: unknown;
  /** Whether it is an entry of a list, where nothing is something. */
  readonly isEntry: boolean;
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[], path: string, isEntry = false): Found[] {
  if (step === undefined) {
    return [{ path, value, isEntry }];
  }
  if (step === '[]') {
    const entries: unknown[] = Array.isArray(value) ? value : [];
    return entries.flatMap((entry, i) => valuesAt(entry, rest, `${path}[${i}]`, true));
  }
  const map = isMap(value) ? value : {};
  const keys = step === '*' ? Object.keys(map) : [step];
  return keys.flatMap((key) => valuesAt(map[key], rest, path === '' ? key : `${path}.${key}`));
}

/** Of objects of all kinds. */
export const METADATA_KINDS: FieldKinds = {
  'metadata.namespace': 'text',
  'metadata.annotations': 'map',
  'metadata.annotations.*': 'scalar',
  'metadata.labels': 'map',
  'metadata.labels.*': 'scalar',
  'metadata.finalizers': 'list',
  'metadata.finalizers.[]': 'text',
};

/** Of Services that are to be shared. */
export const SERVICE_KINDS: FieldKinds = {
  'spec.ports': 'list',
  'spec.ports.[]': 'map',
  'spec.ports.[].protocol': 'text',
  'spec.loadBalancerSourceRanges': 'list',
  'spec.loadBalancerSourceRanges.[]': 'range',
  'spec.loadBalancerClass': 'text',
  'spec.loadBalancerIP': 'text',
  'spec.externalTrafficPolicy': 'text',
  'spec.clusterIP': 'text',
  'spec.allocateLoadBalancerNodePorts': 'truth',
};
