import { editFrom } from '../contract/edit';
import { defined, isMap, isSet, type Json, list, mapIn, mapOf } from '../contract/json';
import { type Citation, LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { Manifest } from '../rules/manifest-objects';
import { groupOf } from '../rules/objects';
import { type HelmRelease, isOfRepository, REPLACING, releasesIn } from './helm-releases';
import { OPERATORS } from './operators/operators.facts';
import { keyOf, type MakerEdit, type MakerSide, type ObjectOrigin, type ReportedService, titleOf } from './predicted';

// Load balanced Services that operators make of templates in their resources, by a descriptor for each operator.

/** The descriptor of an operator: `scripts/descriptors/operator.schema.json` describes each field. */
export interface Operator {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly source: Citation;
  readonly confidence: string;
  readonly writes: 'whole object' | 'patch' | 'server-side apply' | 'unknown';
  readonly drops: readonly ('finalizers' | 'annotations' | 'class')[];
  readonly updates?: readonly string[];
  readonly keepsUnset?: true;
  readonly ignores?: Readonly<Record<string, string>>;
  readonly fixedIn?: string;
  readonly fixed?: readonly string[];
  readonly images?: readonly string[];
  readonly versionAt?: string;
  readonly seenAt?: string;
  readonly recreates?: {
    readonly if: string;
    readonly fields?: Readonly<Record<string, 'changed' | 'set'>>;
    readonly onlyIf?: { readonly field: string; readonly value: string };
  };
  readonly owner?: {
    readonly reference: boolean;
    readonly of?: string;
    readonly onlyIf?: string;
    readonly file: string;
  };
  readonly predictedBy?: string;
  readonly gatewayController?: string;
  readonly gatewayClasses?: Readonly<Record<string, string>>;
  readonly crds?: Citation;
  readonly resources: readonly {
    readonly group?: string;
    readonly kind?: string;
    readonly versions?: readonly string[];
    readonly chart?: string;
    readonly services: readonly OperatorService[];
  }[];
}

/** A template of a Service in a resource; operator.schema.json explains each field. */
export interface OperatorService {
  readonly at: string;
  readonly gatewayController?: string;
  readonly type?: readonly string[];
  readonly value?: string | boolean | readonly string[];
  readonly isDefault?: true;
  readonly isAlways?: true;
  readonly isDefaultIn?: readonly string[];
  readonly onlyIf?: readonly (readonly string[])[];
  readonly onlyWith?: Readonly<Record<string, string>>;
  readonly unless?: Readonly<Record<string, boolean | string>>;
  readonly usedBy?: readonly string[];
  readonly shape?: 'Service';
  readonly name: string;
  readonly ownNames?: readonly string[];
  readonly nameMacro?: string;
  readonly namespace?: string;
  readonly each?: 'pod';
  readonly pods?: readonly Readonly<{
    at: string;
    default?: number;
    elseAt?: string;
    onlyIf?: string;
    name?: string;
  }>[];
  readonly ports: readonly number[];
  readonly addsPorts?: true;
  readonly portsAs?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly takesFirst?: true;
  readonly adds?: { readonly annotations: Readonly<Record<string, string>>; readonly unless?: Json };
  readonly defaults?: Json;
  readonly keeps?: Operator['drops'];
  readonly source?: Citation;
}

export function operatorOf(object: Json): Operator | undefined {
  const charts = releasesIn(object).map(({ chart }) => chart);
  return OPERATORS.find(
    ({ predictedBy, resources }) =>
      !predictedBy && resources.some((one) => isOf(object, one) || (one.chart && charts.includes(one.chart))),
  );
}

export function operatorOfSource(madeOf: ObjectOrigin | undefined): Operator | undefined {
  return OPERATORS.find(({ id }) => id === madeOf?.operator) ?? (madeOf && operatorOf(madeOf.object));
}

/** Changes for which the operator of a Service deletes it and creates it again, as its template is. */
export function recreationOf(madeOf: ObjectOrigin | undefined) {
  const { name: tool = '', source, recreates } = operatorOfSource(madeOf) ?? {};
  const { onlyIf } = recreates ?? {};
  const template = madeOf && valueAt(madeOf.object, madeOf.path.join('.'));
  const isOn = !onlyIf || valueAt(template, onlyIf.field) === onlyIf.value;
  return recreates && isOn ? { ...recreates, annotation: '', tool, source: source as Citation } : undefined;
}

export function isChart(name: string): boolean {
  return servicesWhere(({ chart }) => chart === name).length > 0;
}

export const isOfResource = (path: string) => /^(spec)?\./.test(path);
/** A path of a descriptor as one in the resource. */
export const fieldAt = (at: string, path: string) => (isOfResource(path) ? path.replace(/^\./, '') : `${at}.${path}`);

/** The first field that asks for the load balancer of a template, as a path in the resource. */
export function typeFieldOf({ at, shape, type: [field] = ['type'] }: OperatorService): string {
  return shape ? `${at}.spec.type` : fieldAt(at, field);
}

export interface ServiceTemplate extends Found {
  readonly service: OperatorService;
  readonly resource: Json;
  readonly value: Json;
  /** The steps to the spec of the resource, or to the values of a chart. */
  readonly root: YamlPath;
  /** The steps to the template, also if they are in a text. */
  readonly at: YamlPath;
  readonly isOnly: boolean;
  readonly isDefault?: boolean;
}

/** The Service templates of an object; those that are named after it only if it has a name. */
function templatesOf(object: Json): ServiceTemplate[] {
  const isNamed = typeof mapIn(object, 'metadata').name === 'string';
  return [
    ...servicesWhere((one) => isOf(object, one))
      .filter(({ name }) => isNamed || !name.includes('{name}'))
      .flatMap((service) => templatesIn(object, service)),
    ...releasesIn(object).flatMap((release) =>
      servicesWhere(({ chart }) => chart === release.chart).flatMap((service) =>
        templatesIn(release.resource, service, release),
      ),
    ),
  ];
}

export function servicesWhere(isMeant: (one: Operator['resources'][number]) => boolean): OperatorService[] {
  return OPERATORS.filter(({ predictedBy }) => !predictedBy)
    .flatMap(({ resources }) => resources.filter(isMeant))
    .flatMap(({ services }) => services);
}

/** @param release whose chart has values of its own for what is not written */
function templatesIn(resource: Json, service: OperatorService, release?: HelmRelease): ServiceTemplate[] {
  const steps = service.at.split('.');
  const written = valuesAt(resource, steps).filter(({ value }) => isSet(value));
  const { isDefault = release && isOfRepository(release, service.isDefaultIn ?? []) } = service;
  const isMade = (release ? isDefault : service.isAlways) && written.length === 0 && !steps.includes('*');
  const found: readonly Found[] = isMade ? [{ value: {}, path: steps }] : written;
  const isOnly = written.filter(({ value }) => isMap(value) && value.enabled !== false).length === 1;
  return found.flatMap(({ value, path, item }) => {
    const root = release?.path ?? ['spec'];
    const at = [...root, ...path.slice(1)];
    const known = { service, resource, root, at, path: release?.isText ? root : at, item, isOnly, isDefault };
    return isMap(value) ? [{ ...known, value }] : [];
  });
}

/** The paths of the fields in an object that ask its operator for a load balancer; others may do so as well. */
export function typeFieldsIn(object: Json): ReadonlySet<string> {
  return new Set(templatesOf(object).flatMap((template) => typesOf(template).map(({ path }) => path.join('.'))));
}

/** The fields that ask for the load balancer of a template, of which the first one that is set counts. */
function typesOf({ service, resource, value, root, at }: ServiceTemplate) {
  const { shape, type = [shape ? 'spec.type' : 'type'] } = service;
  return type.map((field) => {
    const isAbove = !shape && isOfResource(field);
    return {
      path: [...(isAbove ? root : at), ...field.split('.').slice(isAbove ? 1 : 0)],
      type: valueAt(isAbove ? resource : value, field),
    };
  });
}

/** The type that a template asks for, as its operator writes it; undefined if it is not known. */
function typeOf(template: ServiceTemplate): unknown {
  const { value = 'LoadBalancer', isDefault } = template.service;
  const [byDefault] = template.isDefault || isDefault ? [value].flat() : [];
  return typesOf(template).find(({ type }) => isSet(type))?.type ?? byDefault;
}

/** The Service templates of an object that ask for a load balancer. */
export function balancedTemplates(object: Json): ServiceTemplate[] {
  return templatesOf(object).filter(isBalanced);
}

/** @param isEach whether the Services of all pods are there, and not the first one with the names of the others */
export function servicesOfOperator({ object, ...place }: Manifest, isEach = false): ReportedService[] {
  return balancedTemplates(object).flatMap((template) => {
    const { path, service } = template;
    const madeBy = `${object.kind} ${titleOf(object)}, ${path.join('.')}${service.each ? `, for each ${service.each}` : ''}`;
    const made = servicesOf(template).map((one) => ({ ...place, object: one, madeOf: { object, path }, madeBy }));
    return isEach || made.length < 2
      ? made
      : [{ ...made[0], alike: made.slice(1).map((one) => one.object.metadata.name) }];
  });
}

/** The names of Services for each pod in a resource without the number of pods, and the fields that have no number. */
export function uncounted(object: Json): { names: string; fields: string[] }[] {
  const found = balancedTemplates(object).filter((one) => one.service.each && !podNames(one));
  return found.map((one) => {
    const fields = podCounts(one).flatMap(({ names, path }) => (names ? [] : [path.join('.')]));
    return { names: `${serviceOf(one).metadata.generateName}*`, fields };
  });
}

/** The Service of a template, or those of its pods; one with a generated name if the number of pods is not known. */
function servicesOf(template: ServiceTemplate): Json[] {
  const service = serviceOf(template);
  const { generateName: _, ...metadata } = service.metadata;
  return podNames(template)?.map((name) => ({ ...service, metadata: { name, ...metadata } })) ?? [service];
}

/** The names of the Services for each pod; undefined if a number of pods is not known. */
function podNames(template: ServiceTemplate): string[] | undefined {
  const names = template.service.pods && podCounts(template).map((count) => count.names);
  return names?.every((of) => of !== undefined) ? names.flat() : undefined;
}

/** The numbers of the pods that have a Service of a template each, with the names of these Services. */
function podCounts(template: ServiceTemplate): { path: YamlPath; value: unknown; names: string[] | undefined }[] {
  const { service, resource, path: place, root } = template;
  const { generateName: begin } = serviceOf(template).metadata;
  return (service.pods ?? []).flatMap(({ at, default: count, elseAt, onlyIf, name = '' }) => {
    if (onlyIf !== undefined && besideTemplate(template, onlyIf).every(({ value }) => value !== true)) {
      return [];
    }
    const found = besideTemplate(template, at);
    const all: Found[] = found.length === 0 ? [{ value: undefined, path: at.split('.') }] : found;
    return all.map(({ value, path, item = '' }) => {
      // more pods than a database can have are a mistake
      const isLost = found.length === 0 && at.includes('*');
      const length = isLost ? undefined : (value ?? (elseAt && valueAt(resource, elseAt)) ?? count);
      const isKnown = typeof length === 'number' && length % 1 === 0 && length >= 0 && length <= 1000;
      const ofPods = `${begin}${name.replace('{item}', item)}`;
      const names = isKnown ? Array.from({ length }, (_, i) => `${ofPods}${i}`) : undefined;
      return { path: place === root ? root : [...root, ...path.slice(1)], value, names };
    });
  });
}

/** The values at a path in the resource of a template: of the items above the template, only the own one. */
function besideTemplate({ service, resource, root, at }: ServiceTemplate, path: string): Found[] {
  const [own, steps] = [service.at.split('.'), path.split('.')];
  const end = steps.findIndex((step, i) => step !== own[i]);
  const above = at.slice(root.length, root.length - 1 + end);
  return valuesAt(resource, steps).filter((one) => above.every((step, i) => one.path[i + 1] === step));
}

/** The field that gives the Service of a template another type, which keeps its name. */
export function operatorMakerEdits(made: ReportedService, before: MakerSide, after: MakerSide): MakerEdit[] {
  const { object: service, madeOf } = made;
  const operator = madeOf && operatorOf(madeOf.object);
  const [old, now] = [before, after].map(({ manifests }) =>
    manifests.find(({ object }) => object.kind === madeOf?.object.kind && isSameObject(object, madeOf?.object)),
  );
  if (!operator || !old || !now) {
    return [];
  }
  const edit = editFrom({ deleted: 'the operator gives the Service another type' }, operator.source);
  const [from, to] = [old, now].map(({ object }) => list(mapIn(mapIn(object, 'spec'), 'syncPolicy').syncOptions));
  const comes = REPLACING.options.some((option) => to.includes(option) && !from.includes(option));
  const replaced = { ...REPLACING, from: from.join() || undefined, to: to.join() };
  const isSameService = (template: ServiceTemplate) => servicesOf(template).map(keyOf).includes(keyOf(service));
  const later = templatesOf(now.object).filter(isSameService);
  const ofTypes = templatesOf(old.object)
    .filter(isSameService)
    .flatMap((template) => {
      const other = later.find(({ service: one }) => one === template.service);
      const [from, to] = [typeOf(template), other && typeOf(other)];
      if (!other || from === undefined || to === undefined || from === to) {
        return [];
      }
      const [{ path }] = [other, template].flatMap(typesOf).filter(({ type }) => isSet(type));
      const places = { before: { manifest: old, path: template.path }, after: { manifest: now, path } };
      return [{ edit, path, becomes: 'spec.type', from, to, ...places }];
    });
  return [...ofTypes, ...fewerPods(operator, service, old, now), ...(comes ? [replaced] : [])];
}

/** The number of pods that no longer has the pod of a Service. */
function fewerPods(operator: Operator, { metadata }: Json, old: Manifest, now: Manifest): MakerEdit[] {
  const [before, after] = [old, now].map(({ object }) => templatesOf(object).flatMap(podCounts));
  const gone = before.find(({ names }) => names?.includes(metadata.name));
  const left = after.find(({ path }) => path.join('.') === gone?.path.join('.'));
  if (!gone || !left?.names || left.names.includes(metadata.name)) {
    return [];
  }
  const { path, value: from } = gone;
  const edit = editFrom({ deleted: 'the operator deletes the Services of pods that go' }, operator.source);
  return [{ edit, path, from, to: left.value, before: { manifest: old, path }, after: { manifest: now, path } }];
}

const isSameObject = (one: Json, other: Json | undefined) =>
  other !== undefined && groupOf(one) === groupOf(other) && keyOf(one) === keyOf(other);

export const isKindOf = (object: Json, { group, kind }: Operator['resources'][number]) =>
  object.kind === kind && groupOf(object) === group;

export const isOf = (object: Json, { versions, ...one }: Operator['resources'][number]) =>
  isKindOf(object, one as Operator['resources'][number]) &&
  (!versions || versions.includes(String(object.apiVersion).slice(groupOf(object).length + 1)));

interface Found {
  readonly value: unknown;
  readonly path: YamlPath;
  /** The name, or the key, of the innermost item. */
  readonly item?: string;
}

/** The values of a field of an object; a field whose parent is not there has none. */
export function valuesAt(value: unknown, steps: readonly string[], path: YamlPath = [], item?: string): Found[] {
  const [step, ...inner] = steps;
  if (step === undefined) {
    return [{ value, path, item }];
  }
  if (step !== '*' && step !== '{}') {
    return isMap(value) ? valuesAt(value[step], inner, [...path, step], item) : [];
  }
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(mapOf(value));
  return entries.flatMap(([key, one]) => {
    const { name } = mapOf(one);
    return valuesAt(one, inner, [...path, key], typeof name === 'string' ? name : String(key));
  });
}

export function isBalanced(template: ServiceTemplate): boolean {
  const { service, resource, value: fields, item } = template;
  const { value = 'LoadBalancer', onlyIf = [], onlyWith = {}, unless = {}, usedBy } = service;
  return (
    [value].flat().some((one) => `${one}`.toLowerCase() === `${typeOf(template)}`.toLowerCase()) &&
    onlyIf.map((paths) => firstAt(resource, fields, paths)).every((one) => one === true || isMap(one)) &&
    Object.entries(onlyWith).every(([path, one]) => firstAt(resource, fields, [path]) === one) &&
    Object.entries(unless).every(([path, not]) => firstAt(resource, fields, [path]) !== not) &&
    (!usedBy || usedBy.some((path) => [valueAt(resource, path)].flat().includes(item)))
  );
}

const firstAt = (resource: Json, template: Json, paths: readonly string[]): unknown =>
  allAt(resource, template, paths)[0];

const allAt = (resource: Json, template: Json, paths: readonly string[]): unknown[] =>
  paths
    .map((path) => valueAt(isOfResource(path) ? resource : template, path))
    .map((one, i) =>
      paths[i].startsWith('.') && isMap(one) ? defined({ ...one, [LAST_APPLIED_ANNOTATION]: undefined }) : one,
    )
    .filter((one) => isSet(one));

/** The value at a path, in which a step into a list is an index, or the name of an item, and the last one may be a key in brackets. */
export function valueAt(value: unknown, path: string): unknown {
  const [fields, ...key] = path.replace(/^\./, '').split(/\['|'\]/, 2);
  return [...fields.split('.'), ...key].reduce<unknown>((at, step) => {
    const found = (at as Json | undefined)?.[step];
    return found === undefined && Array.isArray(at) ? at.find((one) => mapOf(one).name === step) : found;
  }, value);
}

const OF_METADATA = ['name', 'namespace', 'annotations', 'labels', 'finalizers'];

export function serviceOf({ resource, value: template, service, item = '', isOnly }: ServiceTemplate): Json {
  const { name = '', namespace = service.namespace } = mapIn(resource, 'metadata');
  const { adds, ownNames = [], nameMacro, portsAs = 'ports' } = service;
  const fields = Object.entries(service.fields ?? {}).flatMap(([field, paths]): [string, unknown][] => {
    const all = allAt(resource, template, paths).slice(0, service.takesFirst && 1);
    const found = nameMacro ? all.map((one) => (field === 'name' ? `${one}`.replaceAll(nameMacro, name) : one)) : all;
    const [first] = found;
    return first === undefined ? [] : [[field, found.every(isMap) ? Object.assign({}, ...found.reverse()) : first]];
  });
  const of = (isWanted: boolean) =>
    Object.fromEntries(fields.filter(([field]) => OF_METADATA.includes(field) === isWanted));
  const { metadata, spec }: Json = service.shape ? template : {};
  const { labels, ...ofShape } = mapOf(metadata);
  const { annotations = ofShape.annotations, ...ofMetadata } = of(true);
  const isAdded = Object.entries(adds?.unless ?? {}).every(([key, not]) => mapOf(annotations)[key] !== not);
  const isOwnName = ownNames.some((part) => name.includes(part)) && !isSet(valueAt(resource, 'spec.fullnameOverride'));
  const { [portsAs]: given, ...written } = mapOf(spec);
  const { ports: ofFields, ...others } = of(false);
  const ports =
    portsOfMap(ofFields) ?? (Array.isArray(ofFields) ? ofFields : [ofFields ?? service.ports].flat().map(portOf));
  const own = Array.isArray(given) ? given : [];
  const added = ports.filter(({ port }) => !own.some((one) => mapOf(one).port === port));
  const called = service.name.replaceAll(/\{([^}]+)\}/g, (_, key) => {
    const isName = key === 'name' || (key === 'fullname' && isOwnName);
    const dashed = isOnly || `-${name}`.endsWith(`-${item}`) ? '' : `-${item}`;
    const own = key.startsWith('-.') ? valueAt(template, key.slice(1)) : undefined;
    const [path, isElseName] = key.split('|');
    const ofField = own ? `-${own}` : (valueAt(resource, path) ?? (isElseName && name));
    const part = { item, '-item': dashed }[String(key)] ?? (isName ? name : ofField);
    return typeof part === 'string' ? part : '';
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...(called.endsWith('-') ? { generateName: called } : { name: called }),
      ...(isSet(namespace) && { namespace }),
      ...(isSet(annotations) && { annotations }),
      ...(adds && isAdded && { annotations: { ...adds.annotations, ...mapOf(annotations) } }),
      ...(isSet(labels) && { labels }),
      ...ofMetadata,
    },
    spec: {
      ...written,
      type: 'LoadBalancer',
      ports: own.length === 0 || service.addsPorts ? [...own, ...added] : own,
      ...service.defaults,
      ...others,
    },
  };
}

const portOf = (port: unknown) => (Number.isInteger(port) ? { name: `port-${port}`, port } : { port });

/** The ports of a map by their names, without those that are off; an application protocol is one of TCP. */
function portsOfMap(map: unknown): Json[] | undefined {
  const ports = isMap(map) ? Object.entries(map) : undefined;
  return ports?.flatMap(([name, port]) => {
    const { enabled, protocol = 'TCP', ...others } = mapOf(port);
    const transport = /^https?$/i.test(protocol) ? 'TCP' : protocol;
    return isMap(port) && enabled !== false ? [{ name, ...others, protocol: transport }] : [];
  });
}
