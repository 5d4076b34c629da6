import { compareVersions } from '../contract/compare-versions';
import { isSet, type Json, list, mapOf, pointer, shown } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { editDistance, type Finding, type Found } from '../contract/rule';
import { mapOf as mapField, type SchemaField, Shape } from '../contract/schema/walk';
import { OPERATOR } from '../kafka/strimzi/releases';
import { KAFKA_KIND, SERVER_SIDE_APPLY_SINCE } from '../kafka/strimzi/strimzi.facts';
import { groupOf } from '../rules/objects';
import { wrongTypes } from '../rules/service-fields';
import { releasesIn } from './helm-releases';
import { API_VERSIONS } from './operator-fields.facts';
import {
  balancedTemplates,
  fieldAt,
  isKindOf,
  isOf,
  isOfResource,
  type Operator,
  type OperatorService,
  operatorOf,
  servicesWhere,
  valueAt,
  valuesAt,
} from './operator-services';
import { OPERATORS } from './operators/operators.facts';
import type { ReportedService } from './predicted';

// Losses that the descriptors of operators show in a resource: fields that nothing reads, versions that are not known, and
// attributes of a Service that its operator takes off, by how it writes, and wrong types.

/** The version of an operator, or of its source, for messages: `v1.6.1`. */
export function versionOf({ id, source, seenAt }: Operator, versions: Partial<Record<string, string>> = {}): string {
  return versions[id] ?? seenAt ?? source.version;
}

/** The API version of an object if its kind is known, and only in others; operators do not make Services of it. */
export function unknownVersionOf(object: Json): Found | undefined {
  const group = groupOf(object);
  const version = String(object.apiVersion).slice(group.length + 1);
  const ofOperator = OPERATORS.flatMap(({ name, resources }) =>
    resources.flatMap(({ versions, ...one }) => (versions && isKindOf(object, one) ? [{ name, versions }] : [])),
  );
  const others = API_VERSIONS.filter((one) => one.group === group && (!one.kinds || one.kinds.includes(object.kind)));
  const [{ versions, name } = { versions: [], name: '' }] = [...ofOperator, ...others];
  if (versions.length === 0 || versions.includes(version)) {
    return undefined;
  }
  const [first, last] = [versions[0], versions[versions.length - 1]];
  const known = versions.length === 1 ? `only version ${first} is` : `versions ${first} to ${last} are`;
  return {
    version,
    kind: object.kind,
    known,
    last: `${group}/${last}`,
    of: name ? ` of the ${name}` : '',
    value: version,
  };
}

/** Fields of Services, as templates name them. */
const METADATA = ['annotations', 'labels', 'finalizers'];
const SPEC = [
  ...['loadBalancerClass', 'externalTrafficPolicy', 'internalTrafficPolicy', 'loadBalancerSourceRanges'],
  ...['loadBalancerIP', 'allocateLoadBalancerNodePorts', 'ipFamilies', 'ipFamilyPolicy'],
];

/** Fields of Services in the templates of a resource that its operator does not read there. */
export function unreadFields(object: Json): Found[] {
  const operator = operatorOf(object);
  const services = operator?.resources.find((one) => isKindOf(object, one))?.services ?? [];
  const found = balancedTemplates(object).flatMap(({ service, value, at, root }) => {
    const alike = services.filter((one) => one.at === service.at);
    return root.length > 1 || alike.length === 0
      ? []
      : unreadIn(value, alike).map((path) => ({ path, place: [...at, ...path.split('.')], alike }));
  });
  const byPlace = new Map(found.map((one) => [one.place.join('.'), one]));
  const unread = [...byPlace].map(([path, { place, alike, path: inTemplate }]) => {
    const [name] = inTemplate.split('.').slice(-1);
    const read = readIn(alike).find(([field]) => field === name)?.[1];
    const isAbove = read && isOfResource(read) && !alike[0].shape;
    const elsewhere = read && (isAbove ? fieldAt('', read) : path.replace(inTemplate, read));
    return {
      ...{ path, name, kind: object.kind, operator: operator?.name, version: operator && versionOf(operator) },
      ...(elsewhere && { case: 'elsewhere', elsewhere }),
      ...(!elsewhere && name === 'finalizers' && { case: 'finalizers' }),
      value: name,
      at: placeOf(place),
    };
  });
  return [...unread, ...(operator ? ignoredFields(object, operator) : [])];
}

/** Annotations and labels of templates that an operator only writes to Services that do not exist yet. */
function ignoredFields(object: Json, { name: operator, ignores = {} }: Operator): Found[] {
  return Object.entries(ignores).flatMap(([field, keysAt]) =>
    balancedTemplates(object).flatMap(({ service, value, at }) =>
      readIn([service])
        .filter(([of, path]) => of === field && !isOfResource(path))
        .flatMap(([, path]) => ignoredKeys(object, field).map((key) => [...path.split('.'), key]))
        .filter((steps) => isSet(valuesAt(value, steps)[0]?.value))
        .map((steps) => [...at, ...steps])
        .map((place) => ({
          ...{ case: 'ignored', path: place.join('.'), operator, ignores: keysAt, value: place[place.length - 1] },
          at: placeOf(place),
        })),
    ),
  );
}

const placeOf = (place: YamlPath) => place.reduce<string>((to, step) => pointer(to, String(step)), '');

function unreadIn(template: Json, alike: readonly OperatorService[]): string[] {
  const [{ at, shape }] = alike;
  const read = readIn(alike).map(([, path]) => path);
  const types = alike.flatMap(({ type = ['type'] }) => type);
  const ofTemplate = [...read, ...types].filter((path) => shape || !isOfResource(path));
  const parents = new Set(
    ofTemplate.flatMap((path) => path.split('.').map((_, i, steps) => steps.slice(0, i).join('.'))),
  );
  return [...parents]
    .flatMap((parent) =>
      [...(at === 'spec' && parent === '' ? [] : METADATA), ...SPEC].map((name) =>
        parent ? `${parent}.${name}` : name,
      ),
    )
    .filter((path) => !read.includes(path) && isSet(valueAt(template, path)));
}

/** The fields of a Service, each with a path that the operator reads it at. */
function readIn(alike: readonly OperatorService[]): [field: string, path: string][] {
  const ofShape = [...['annotations', 'labels'].map((one) => `metadata.${one}`), ...SPEC.map((one) => `spec.${one}`)];
  return alike.flatMap(({ shape, fields = {} }): [string, string][] => [
    ...Object.entries(fields).flatMap(([field, paths]) => paths.map((path): [string, string] => [field, path])),
    ...(shape ? ofShape.map((path): [string, string] => [path.split('.')[1], path]) : []),
  ]);
}

/** The template that a Service is made of. */
function templateOf({ madeOf }: Pick<ReportedService, 'madeOf'>): OperatorService | undefined {
  return madeOf && balancedTemplates(madeOf.object).find((one) => one.path.join() === madeOf.path.join())?.service;
}

/** Attributes of others that an operator takes off a Service that it makes of a template. */
export function dropsOf({ drops, keepsUnset }: Operator, made: ReportedService): Operator['drops'] {
  const { annotations, labels } = made.object.metadata;
  const isUnset = [annotations, labels].every((one) => Object.keys(one ?? {}).length === 0);
  const keeps = templateOf(made)?.keeps ?? [];
  return drops.filter((one) => !keeps.includes(one) && (one !== 'annotations' || !keepsUnset || !isUnset));
}

/** Keys that the operator of a resource leaves as they are on its Services, by the resource. */
export function ignoredKeys(object: Json, field: string): string[] {
  const at = operatorOf(object)?.ignores?.[field];
  return at ? list<unknown>(valueAt(object, at)).filter((key) => typeof key === 'string') : [];
}

/** Attributes that others set on a Service and its operator takes off, each with the field of its template, if it has one. */
export function removedAttributes(made: ReportedService, isKept: boolean | undefined) {
  const { object, madeOf } = made;
  const operator = madeOf && operatorOf(madeOf.object);
  const drops = operator ? dropsOf(operator, made) : [];
  const { fixedIn, fixed = ['finalizers'] } = operator ?? {};
  const lost = new Set([...drops, ...(fixedIn !== undefined && isKept === false ? fixed : [])]);
  const path = madeOf?.path.join('.');
  const template = templateOf(made);
  return [...lost]
    .filter((one) => one !== 'class' || !isSet(object.spec.loadBalancerClass))
    .map((attribute) => {
      const name = attribute === 'class' ? 'loadBalancerClass' : attribute;
      const read = readIn(template ? [template] : []).find(([field]) => field === name)?.[1];
      return { attribute, field: read && (template?.shape ? `${path}.${read}` : fieldAt(`${path}`, read)) };
    });
}

/** True if the template of a Service has a field for one of some attributes; also if no operator makes the Service. */
export function canSet(made: Pick<ReportedService, 'madeOf'>, names: readonly string[]): boolean {
  const found = made.madeOf && operatorOf(made.madeOf.object) && templateOf(made);
  return !found || readIn([found]).some(([field]) => names.includes(field));
}

/** Faults of the types of Service templates, and of the fields that ask for a load balancer: no Service is predicted of these. */
export function wrongTemplateTypes(object: Json): Finding[] {
  const ofReleases = releasesIn(object).flatMap(({ chart, resource, path, isText }) => {
    const at = `/${path.join('/')}`;
    const found = wrongTypesIn(resource, (one) => one.chart === chart);
    return found.map((one) => ({
      ...one,
      what: one.what.replace(/^spec/, path.join('.')).replace('the API server', `chart ${chart}`),
      at: isText ? at : one.at?.replace('/spec', at),
    }));
  });
  return [...wrongTypesIn(object, (one) => isOf(object, one)), ...ofReleases];
}

function wrongTypesIn(resource: Json, isMeant: Parameters<typeof servicesWhere>[0]): Finding[] {
  return servicesWhere(isMeant).flatMap(({ at, shape, value, type = [shape ? 'spec.type' : 'type'] }) => {
    const asks = { shape: typeof value === 'boolean' ? Shape.BOOLEAN : Shape.TEXT };
    const paths = type.map((field) => (shape ? `${at}.${field}` : fieldAt(at, field)));
    const fields = [above(at, mapField({}), resource), ...paths.map((path) => above(path, asks, resource))];
    const misspelt = paths
      .flatMap((path) => valuesAt(resource, path.split('.')))
      .filter((one) => [1, 2, 3].includes(editDistance(`${one.value}`.toLowerCase(), 'loadbalancer')))
      .map(({ value: one, path }) => ({
        what: `${path.join('.')} is ${shown(one)}, but the API server expects LoadBalancer`,
        ...{ remedy: 'write LoadBalancer', at: placeOf(path) },
      }));
    return [...fields.flatMap((field) => wrongTypes(resource, field)), ...misspelt];
  });
}

/** A field at a path below a resource, in which `*` is each entry of a list and `{}` each value of a map. */
function above(path: string, leaf: SchemaField, resource: Json): SchemaField {
  const steps = path.split('.');
  const around = (field: SchemaField, step: string, i: number) => {
    const keys = step === '{}' ? Object.keys(mapOf(valueAt(resource, steps.slice(0, i).join('.')))) : [step];
    return step === '*'
      ? { ...field, shape: Shape.MAPS }
      : mapField(Object.fromEntries(keys.map((key) => [key, field])));
  };
  return steps.reduceRight(around, leaf);
}

type Versions = Partial<Record<string, string>>;

/** True if an operator leaves finalizers of others on its Services; undefined if its version decides, which is not known. */
export function keepsFinalizers(
  { id, drops, fixedIn, versionAt }: Operator,
  resource: Json,
  versions: Versions = {},
): boolean | undefined {
  if (drops.includes('finalizers') || fixedIn === undefined) {
    return !drops.includes('finalizers');
  }
  const isFixed = (version: unknown) => compareVersions(String(version), fixedIn) >= 0;
  // an operator may be newer than the version of its resource
  const isLeastFixed = versionAt !== undefined && isFixed(valueAt(resource, versionAt)) ? true : undefined;
  return Object.hasOwn(versions, id) ? isFixed(versions[id]) : isLeastFixed;
}

/**
 * Write methods of an operator for its Services: all ways that it may be where that is not known, and none for a Service that is
 * written in a manifest.
 */
export function makerWrites({ madeOf }: ReportedService, versions: Versions): readonly ('put' | 'server-apply')[] {
  if (!madeOf) {
    return [];
  }
  const operator = operatorOf(madeOf.object);
  if (operator) {
    const keeps = operator.writes === 'unknown' ? undefined : keepsFinalizers(operator, madeOf.object, versions);
    return keeps === undefined ? ['put', 'server-apply'] : [keeps ? 'server-apply' : 'put'];
  }
  if (madeOf.object.kind !== KAFKA_KIND) {
    // envoyproxy/gateway v1.9.1, internal/infrastructure/kubernetes/infra_client.go
    return ['server-apply'];
  }
  const version = versions[OPERATOR.name];
  const isOld = version !== undefined && compareVersions(version, SERVER_SIDE_APPLY_SINCE) < 0;
  return version === undefined ? ['put', 'server-apply'] : [isOld ? 'put' : 'server-apply'];
}
