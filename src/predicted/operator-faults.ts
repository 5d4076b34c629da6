import { isSet, type Json, pointer } from '../contract/json';
import type { Found } from '../contract/rule';
import { groupOf } from '../rules/objects';
import { API_VERSIONS } from './operator-fields.facts';
import {
  balancedTemplates,
  isKindOf,
  type Operator,
  type OperatorService,
  operatorOf,
  valueAt,
} from './operator-services';
import { OPERATORS } from './operators/operators.facts';
import type { ReportedService } from './predicted';

// Losses that the descriptors of operators show in a resource: fields that nothing reads, versions that are not known, and
// attributes of a Service that its operator takes off.

/** The version of an operator, or of its source, for messages: `v1.6.1`. */
export function versionOf({ id, source, seenAt }: Operator, versions: Partial<Record<string, string>> = {}): string {
  return versions[id] ?? seenAt ?? source.version;
}

/** The API version of an object if its kind is known, and only in others; operators do not make Services of it. */
export function unknownVersionOf(object: Json): Found | undefined {
  const group = groupOf(object);
  const version = String(object.apiVersion).slice(group.length + 1);
  const ofOperator = OPERATORS.flatMap(({ name, resources }) =>
    resources.filter((one) => isKindOf(object, one)).map(({ versions = [] }) => ({ name, versions })),
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
  return [...byPlace].map(([path, { place, alike, path: inTemplate }]) => {
    const [name] = inTemplate.split('.').slice(-1);
    const read = readIn(alike).find(([field]) => field === name)?.[1];
    const isOfResource = read?.startsWith('spec.') && !alike[0].shape;
    const elsewhere = read && (isOfResource ? read : path.replace(inTemplate, read));
    return {
      ...{ path, name, kind: object.kind, operator: operator?.name, version: operator && versionOf(operator) },
      ...(elsewhere && { case: 'elsewhere', elsewhere }),
      ...(!elsewhere && name === 'finalizers' && { case: 'finalizers' }),
      value: name,
      at: place.reduce<string>((to, step) => pointer(to, String(step)), ''),
    };
  });
}

function unreadIn(template: Json, alike: readonly OperatorService[]): string[] {
  const [{ at, shape }] = alike;
  const read = readIn(alike).map(([, path]) => path);
  const types = alike.flatMap(({ type = ['type'] }) => type);
  const ofTemplate = [...read, ...types].filter((path) => shape || !path.startsWith('spec.'));
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

/** Attributes that others set on a Service and its operator takes off, each with the field of its template, if it has one. */
export function removedAttributes({ object, madeOf }: ReportedService, keepsFinalizers: boolean | undefined) {
  const { drops = [], fixedIn, fixed = ['finalizers'] } = (madeOf && operatorOf(madeOf.object)) ?? {};
  const lost = new Set([...drops, ...(fixedIn !== undefined && keepsFinalizers === false ? fixed : [])]);
  const path = madeOf?.path.join('.');
  const template = madeOf && balancedTemplates(madeOf.object).find((one) => one.path.join('.') === path);
  return [...lost]
    .filter((one) => one !== 'class' || !isSet(object.spec.loadBalancerClass))
    .map((attribute) => {
      const name = attribute === 'class' ? 'loadBalancerClass' : attribute;
      const read = readIn(template ? [template.service] : []).find(([field]) => field === name)?.[1];
      const isOfResource = read?.startsWith('spec.') && !template?.service.shape;
      return { attribute, field: read && (isOfResource ? read : `${path}.${read}`) };
    });
}

/** True if the template of a Service has a field for one of some attributes; also if no operator makes the Service. */
export function canSet({ madeOf }: Pick<ReportedService, 'madeOf'>, names: readonly string[]): boolean {
  const operator = madeOf && operatorOf(madeOf.object);
  const path = madeOf?.path.join('.');
  const found = operator && balancedTemplates(madeOf.object).find((one) => one.path.join('.') === path);
  return !found || readIn([found.service]).some(([field]) => names.includes(field));
}
