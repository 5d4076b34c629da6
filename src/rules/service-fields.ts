import { isMap, type Json, printable, shown } from '../contract/json';
import type { Finding } from '../contract/rule';
import { nearest } from '../contract/rule';
import { refuses } from './api-server-rule';
import type { Rule } from './rule';

// Of which type the fields of a Service are. kubernetes/api v0.36, core/v1/types.go

type Shape = Scalar | { readonly list: Shape } | { readonly each: Shape } | Fields;
type Scalar = keyof typeof SCALARS;

interface Fields {
  readonly fields: Readonly<Record<string, Shape>>;
  /** A field without which the rest means nothing. */
  readonly needs?: string;
}

const SCALARS = {
  text: {
    is: (value: unknown) => typeof value === 'string',
    takes: 'a string',
    remedy: 'write a string, in quotes where it looks like a number or like true or false',
  },
  number: {
    is: (value: unknown) => Number.isInteger(value),
    takes: 'a whole number',
    remedy: 'write a whole number, without quotes',
  },
  target: {
    is: (value: unknown) => Number.isInteger(value) || typeof value === 'string',
    takes: 'a number or a name',
    remedy: 'write the number of a port, or its name',
  },
  truth: {
    is: (value: unknown) => typeof value === 'boolean',
    takes: 'true or false',
    remedy: 'write true or false, without quotes',
  },
};

const TEXTS: Shape = { list: 'text' };
const MAP_OF_TEXTS: Shape = { each: 'text' };

const METADATA_FIELDS: Fields = {
  fields: {
    name: 'text',
    generateName: 'text',
    namespace: 'text',
    deletionTimestamp: 'text',
    labels: MAP_OF_TEXTS,
    annotations: MAP_OF_TEXTS,
    finalizers: TEXTS,
  },
};

const SERVICE: Fields = {
  fields: {
    metadata: METADATA_FIELDS,
    spec: {
      fields: {
        type: 'text',
        ports: {
          list: {
            fields: {
              port: 'number',
              name: 'text',
              protocol: 'text',
              appProtocol: 'text',
              nodePort: 'number',
              targetPort: 'target',
            },
            needs: 'port',
          },
        },
        selector: MAP_OF_TEXTS,
        clusterIP: 'text',
        clusterIPs: TEXTS,
        externalIPs: TEXTS,
        externalName: 'text',
        externalTrafficPolicy: 'text',
        internalTrafficPolicy: 'text',
        trafficDistribution: 'text',
        sessionAffinity: 'text',
        sessionAffinityConfig: { fields: { clientIP: { fields: { timeoutSeconds: 'number' } } } },
        loadBalancerIP: 'text',
        loadBalancerClass: 'text',
        loadBalancerSourceRanges: TEXTS,
        allocateLoadBalancerNodePorts: 'truth',
        healthCheckNodePort: 'number',
        publishNotReadyAddresses: 'truth',
        ipFamilies: TEXTS,
        ipFamilyPolicy: 'text',
      },
    },
  },
};

/** What rules may rely on: every field of the type that it has, or not there. */
interface TypedService {
  /** The Service itself where all is right; otherwise a copy without the fields that are wrong. */
  readonly service: Json;
  readonly wrong: readonly Finding[];
}

const NONE: readonly Finding[] = [];

/** An object without the fields of its metadata that are of a wrong type. */
export function withTypedMetadata(object: Json): Json {
  return fits(object.metadata, METADATA_FIELDS)
    ? object
    : { ...object, metadata: read(object.metadata, METADATA_FIELDS, 'metadata', []) };
}

/** Sorts out the fields of a Service that are of a wrong type. Nothing is of every type, as for the API server. */
export function typedService(service: Json): TypedService {
  if (fits(service, SERVICE)) {
    return { service, wrong: NONE };
  }
  const wrong: Finding[] = [];
  const typed = read(service, SERVICE, '', wrong);
  return { service: typed === undefined ? {} : (typed as Json), wrong: wrong.length > 0 ? wrong : NONE };
}

/** Whether all is right, as it mostly is: this is cheaper to say than what is wrong, and where. */
function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') {
    return SCALARS[shape].is(value);
  }
  if ('list' in shape) {
    return Array.isArray(value) && value.every((entry) => fits(entry, shape.list));
  }
  if (!isMap(value)) {
    return false;
  }
  if ('each' in shape) {
    return Object.values(value).every((entry) => fits(entry, shape.each));
  }
  for (const key in value) {
    const known = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (known !== undefined && value[key] !== undefined && !fits(value[key], known)) {
      return false;
    }
  }
  return shape.needs === undefined || value[shape.needs] !== undefined;
}

function read(value: unknown, shape: Shape, path: string, wrong: Finding[]): unknown {
  if (value === null || value === undefined) {
    return undefined;
  }
  if (typeof shape === 'string') {
    const { is, takes, remedy } = SCALARS[shape];
    return is(value) ? value : refused(value, path, takes, remedy, wrong);
  }
  if ('list' in shape) {
    return Array.isArray(value)
      ? listOf(value, shape.list, path, wrong)
      : refused(value, path, 'a list', 'write a list, a line `- a` for each entry', wrong);
  }
  if (!isMap(value)) {
    return refused(value, path, 'a map', 'write a map, `key: value`', wrong);
  }
  return 'each' in shape ? mapOf(value, shape.each, path, wrong) : fieldsOf(value, shape, path, wrong);
}

function refused(value: unknown, path: string, takes: string, remedy: string, wrong: Finding[]): undefined {
  wrong.push({
    what: `${path} is ${value === undefined ? 'missing' : shown(value)}, and the API server takes ${takes}`,
    remedy,
    at: pointerTo(path),
  });
  return undefined;
}

function pointerTo(path: string): string {
  return `/${path.split('[')[0].replace(/\./g, '/')}`;
}

function listOf(list: readonly unknown[], shape: Shape, path: string, wrong: Finding[]): unknown[] {
  let typed: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const entry = read(list[i] ?? (shape === 'text' ? '' : {}), shape, `${path}[${i}]`, wrong);
    if (entry !== list[i]) {
      typed ??= list.slice(0, i);
    }
    if (typed && entry !== undefined) {
      typed.push(entry);
    }
  }
  return typed ?? (list as unknown[]);
}

function mapOf(map: Json, shape: Shape, path: string, wrong: Finding[]): Json {
  let typed: Json | undefined;
  for (const key of Object.keys(map)) {
    const value = read(map[key] ?? '', shape, `${path}['${printable(key)}']`, wrong);
    if (value !== map[key]) {
      typed ??= { ...map };
      put(typed, key, value);
    }
  }
  return typed ?? map;
}

function fieldsOf(map: Json, { fields, needs }: Fields, path: string, wrong: Finding[]): Json | undefined {
  let typed: Json | undefined;
  for (const key of Object.keys(map)) {
    const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const value = shape ? read(map[key], shape, path === '' ? key : `${path}.${key}`, wrong) : map[key];
    if (value !== map[key]) {
      typed ??= { ...map };
      put(typed, key, value);
    }
  }
  const found = typed ?? map;
  if (needs !== undefined && found[needs] === undefined) {
    const isMissing = (map[needs] ?? undefined) === undefined;
    return isMissing ? refused(undefined, `${path}.${needs}`, 'a whole number', 'write it', wrong) : undefined;
  }
  return found;
}

function put(map: Json, key: string, value: unknown): void {
  if (value === undefined) {
    delete map[key];
  } else {
    map[key] = value;
  }
}

/** What the API server refuses before it looks at values. */
export const FIELD_TYPE: Rule = {
  ...refuses('field-type', 'field of the wrong type', (service, { wrongFields }) => {
    const wrong = wrongFields ?? typedService(service).wrong;
    return wrong.length === 0 ? undefined : wrong;
  }),
  // what is there with a wrong type is not missing
  supersedes: ['service-name', 'service-ports'],
};

const { id, severity, says, source } = FIELD_TYPE;

/** The same rule for the metadata of objects of any other kind. */
export const METADATA_FIELD_TYPE: Rule<object> = {
  id,
  severity,
  says,
  source,
  judge: ({ kind, metadata }) => {
    if (kind === 'Service' || !isMap(metadata) || fits(metadata, METADATA_FIELDS)) {
      return undefined;
    }
    const wrong: Finding[] = [];
    read(metadata, METADATA_FIELDS, 'metadata', wrong);
    return wrong;
  },
};

const SPEC = (SERVICE.fields.spec as Fields).fields;
const METADATA = {
  ...METADATA_FIELDS.fields,
  uid: 'text',
  selfLink: 'text',
  resourceVersion: 'text',
  creationTimestamp: 'text',
  generation: 'number',
  deletionGracePeriodSeconds: 'number',
  ownerReferences: { list: { fields: {} } },
  managedFields: { list: { fields: {} } },
} as const;
const OBJECT = { apiVersion: 'text', kind: 'text', metadata: 'text', spec: 'text', status: 'text' } as const;
const PORT = ((SPEC.ports as { readonly list: Shape }).list as Fields).fields;

/** Where a field belongs that is in the other one of the two maps: taken out, what it says would be lost. */
function otherPlaceOf(key: string, [map, ...more]: readonly string[]): string | undefined {
  const [other, fields] = map === 'spec' ? ['metadata', METADATA] : ['spec', SPEC];
  return more.length === 0 && map !== undefined && Object.hasOwn(fields, key) ? `${other}.${key}` : undefined;
}

function unknownIn(map: unknown, known: Readonly<Record<string, Shape>>, path: readonly string[]): Finding[] {
  return isMap(map)
    ? Object.keys(map)
        .filter((key) => !Object.hasOwn(known, key))
        .map((key) => {
          const [like, elsewhere] = [nearest(key, Object.keys(known)), otherPlaceOf(key, path)];
          return {
            what: `kubectl refuses the Service: it has no field ${[...path, printable(key)].join('.')}`,
            remedy:
              elsewhere !== undefined
                ? `move it to ${elsewhere}`
                : like === undefined
                  ? 'remove it'
                  : `write ${like}, or remove it`,
            value: printable(key),
            ...(path.length > 0 && { at: `/${path.map((one) => one.split('[')[0]).join('/')}` }),
          };
        })
    : [];
}

/** What the API server refuses where it is asked to be strict, as kubectl asks it. */
export const UNKNOWN_FIELD: Rule = refuses('service-field-unknown', 'unknown field', (service) => {
  const { metadata, spec } = service;
  const ports: unknown[] = Array.isArray(spec?.ports) ? spec.ports : [];
  return [
    ...unknownIn(service, OBJECT, []),
    ...unknownIn(metadata, METADATA, ['metadata']),
    ...unknownIn(spec, SPEC, ['spec']),
    ...ports.flatMap((port, i) => unknownIn(port, PORT, ['spec', `ports[${i}]`])),
  ];
});
