import { caseOf, type Edit } from '../../contract/edit';
import type { Json } from '../../contract/json';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { LoadBalancerScheme } from '../../contract/options';
import type { DescribedRule, WordedRule } from '../../contract/rule';
import { type ControllerDefinition, missingHealthCheckOf } from '../../rules/controller-definition';
import { annotationsOf, type SchemeReading } from '../../rules/service-json';
import { findOtherController, InstalledOtherController } from '../other-controller';
import { schemeBy } from '../shared/model';
import { POD_MUST_SPEAK_PROXY_PROTOCOL } from '../shared/refusals.facts';
import { VENDOR_DESCRIPTORS } from './definitions.facts';
import { SIDE_OBJECT_EDITS } from './side-object-edits.facts';
import { ANNOUNCED_RULES, editsByLabelsOf, reachedBySideObject } from './side-objects';
import { modelOfVendor, type VendorModel } from './vendor-model';
import { SCHEME_DECIDED_ELSEWHERE } from './vendor-writer';
import { VENDOR_WRITINGS } from './writings.facts';

// Controllers of vendors: a descriptor is all there is of each.

interface VendorScheme {
  /** The scheme unless an annotation decides; undefined if the Service does not say it. */
  readonly otherwise: LoadBalancerScheme | undefined;
  readonly because: string | undefined;
  /** Values of annotations, by key, that make a balancer internal. */
  readonly internal: Readonly<Record<string, readonly string[]>>;
  readonly public: Readonly<Record<string, readonly string[]>>;
}

/** The annotation whose value names the group of annotations that are read beside those without a group. */
interface ReadBy {
  readonly key: string;
  readonly otherwise: string;
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

export type VendorDescriptor = Pick<
  ControllerDefinition,
  | 'name'
  | 'facts'
  | 'catalogue'
  | 'fieldEdits'
  | 'sameAddress'
  | 'aliases'
  | 'oneFamily'
  | 'keptAddresses'
  | 'readFrom'
  | 'classes'
  | 'finalizers'
  | 'untouchableFinalizers'
  | 'provisioningTime'
> & {
  readonly annotationEdits?: ReadonlyMap<string, Edit>;
  readonly foundBy?: ReadonlyMap<string, Edit>;
  readonly identities?: () => ReturnType<ControllerDefinition['identities']>;
  readonly scheme: VendorScheme;
  /** The client address that pods see. */
  readonly client?: string;
  readonly readBy?: ReadBy;
  readonly models?: readonly VendorModel[];
  /** Objects or settings that decide the model. */
  readonly modelNeeds?: string;
};

export function vendorKinds(names = Object.keys(VENDOR_DESCRIPTORS)): readonly ControllerDefinition[] {
  return names.filter((name) => Object.hasOwn(VENDOR_DESCRIPTORS, name)).map(vendorKind);
}

const KINDS = new Map<string, ControllerDefinition>();

export function vendorKind(name: string): ControllerDefinition {
  const kind = KINDS.get(name) ?? definitionOfVendor(VENDOR_DESCRIPTORS[name]());
  KINDS.set(name, kind);
  return kind;
}

function definitionOfVendor({
  scheme,
  client = 'not known here',
  identities = () => [],
  readBy,
  models,
  modelNeeds,
  ...known
}: VendorDescriptor): ControllerDefinition {
  const { takesClassless = false, basedOn } = findOtherController(known.name) ?? {};
  const kind: ControllerDefinition = {
    ...known,
    ...(readBy && readingBy(readBy, known)),
    basedOn,
    identities,
    rules: Object.values(VENDOR_WRITINGS[known.name] ?? {}).some((way) => way.sideObjects) ? ANNOUNCED_RULES : [],
    ...(SIDE_OBJECT_EDITS[known.name] && {
      editedKinds: SIDE_OBJECT_EDITS[known.name],
      reachedByEdit: reachedBySideObject(known.name),
      editsByLabels: editsByLabelsOf(known.name),
    }),
    ...(VENDOR_WRITINGS[known.name] && {
      reports: [SCHEME_DECIDED_ELSEWHERE, POD_MUST_SPEAK_PROXY_PROTOCOL, ...warningsOf(VENDOR_WRITINGS[known.name])],
    }),
    clientAddressOf: () => client,
    madeWith: modelNeeds,
    ...(models && {
      makes: (service, _, objects = []) =>
        modelOfVendor(models, service, objects, {
          scheme: kind.schemeOf(service).scheme,
          healthCheckSwitch: missingHealthCheckOf(service, kind)?.key(),
          confidence: known.facts.confidence,
        }),
    }),
    schemeOf: (service) => schemeOf(service, kind, scheme),
    claim: (service, controller) => asInstalled(controller, kind).claim(service),
    installed: () => new InstalledOtherController(known.name, known.classes, takesClassless, kind),
  };
  return kind;
}

function warningsOf(ways: (typeof VENDOR_WRITINGS)[string]): DescribedRule[] {
  const answers = Object.values(ways).flatMap((way) => Object.values(way.answers));
  return answers.flatMap((answer) => ('warning' in answer ? [answer.warning as WordedRule] : []));
}

function readingBy(
  { key, otherwise, groups }: ReadBy,
  { catalogue, annotationEdits = new Map() }: Pick<VendorDescriptor, 'catalogue' | 'annotationEdits'>,
): Pick<ControllerDefinition, 'readBy' | 'ignores' | 'annotationEdits'> {
  const ignores = (service: Json) => {
    const text: unknown = annotationsOf(service)[key];
    const read = typeof text === 'string' ? catalogue.find(key)?.decode(text) : undefined;
    const group = read && 'value' in read ? String(read.value) : otherwise;
    return Object.entries(groups).flatMap(([name, keys]) => (name === group ? [] : keys));
  };
  const edits = [...annotationEdits].map(([name, edit]): [string, Edit] => {
    const isUnread = caseOf({
      where: 'another type reads it',
      services: (service) => ignores(service).includes(name),
      ignored: `not read beside this value of ${key}`,
    });
    const isOfGroup = Object.values(groups).some((keys) => keys.includes(name));
    return [name, isOfGroup ? { ...edit, unless: [isUnread, ...(edit.unless ?? [])] } : edit];
  });
  return { readBy: key, ignores, annotationEdits: new Map(edits) };
}

function asInstalled(controller: ILoadBalancerController | undefined, kind: ControllerDefinition) {
  return controller instanceof InstalledOtherController ? controller : (kind.installed() as InstalledOtherController);
}

function schemeOf(service: Json, kind: ControllerDefinition, scheme: VendorScheme): SchemeReading {
  const { catalogue } = kind;
  const ignored = kind.ignores?.(service) ?? [];
  const annotations = Object.fromEntries(
    Object.entries(annotationsOf(service)).filter(([key]) => !ignored.includes(key)),
  );
  const says = (values: VendorScheme['internal']) =>
    Object.keys(values).filter((key) => {
      const entry = annotations[key] === undefined ? undefined : catalogue.find(key);
      const read = entry?.decode(annotations[key]);
      const wanted = values[key];
      return read !== undefined && (wanted.includes('*') || ('value' in read && wanted.includes(String(read.value))));
    });
  const [open] = says(scheme.public);
  const [internal] = says(scheme.internal).filter((key) => key !== open);
  const deciding =
    internal ??
    open ??
    Object.keys({ ...scheme.internal, ...scheme.public }).find((key) => annotations[key] !== undefined);
  const isInternal = internal !== undefined || (open === undefined && scheme.otherwise === LoadBalancerScheme.INTERNAL);
  const entry = deciding === undefined ? undefined : catalogue.find(deciding);
  if (entry && (internal ?? open ?? scheme.otherwise) !== undefined) {
    return schemeBy(service, [entry], isInternal);
  }
  return { isSet: false, scheme: scheme.otherwise, because: scheme.because ?? 'the default of the controller' };
}
