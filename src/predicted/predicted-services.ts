import { isMap, isSet, type Json } from '../contract/json';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { groupOf } from '../rules/objects';
import { gatewayMakerEdits, isGateway } from './gateway-balancers';
import { balancersOfGateways } from './gateway-services';
import {
  findReferencedCharts,
  overriddenReleases,
  releaseNotes,
  unknownChartsNote,
  unnamedChartNotes,
} from './helm-releases';
import { isKafka, kafkaMakerEdits, servicesOfKafkas } from './kafka-services';
import { unknownVersionOf } from './operator-faults';
import { OPERATOR_FIELDS } from './operator-fields.facts';
import {
  isChart,
  operatorMakerEdits,
  servicesOfOperator,
  typeFieldsIn,
  uncounted,
  valuesAt,
} from './operator-services';
import {
  type MakerEdit,
  type MakerSide,
  type PredictedObjects,
  type ReportedService,
  titleWithPlace,
} from './predicted';

/**
 * Balancers that operators and controllers make of objects other than Services.
 *
 * @param isEach whether those that are alike are all there, and not the first one with the names of the others
 * @param older what is applied before them: what lives of it keeps its names
 */
export function predictServices(
  all: readonly Manifest[],
  isEach = false,
  older?: readonly Manifest[],
): PredictedObjects {
  const manifests = all.filter(({ object }) => !unknownVersionOf(object));
  findReferencedCharts(manifests);
  const [kafkas, gateways] = [servicesOfKafkas(manifests, isEach, older), balancersOfGateways(manifests)];
  const templates = all.flatMap((manifest) => {
    const note = inOtherObject(manifest);
    return note === undefined ? [] : [{ manifest, note }];
  });
  const overridden = overriddenReleases(manifests, isChart);
  const rest = manifests.filter((manifest) => !overridden.has(manifest));
  const ofOperators = rest.flatMap((manifest) => servicesOfOperator(manifest, isEach));
  const notes = [
    ...rest.flatMap((manifest) => releaseNotes(manifest, isChart)),
    ...[...overridden.values()].flatMap((note) => note ?? []),
    ...unnamedChartNotes(manifests, isChart),
    ...unknownChartsNote(rest, isChart),
    ...rest.flatMap(podNotes),
  ];
  return {
    services: [...kafkas.services, ...gateways.services, ...ofOperators],
    possible: gateways.possible,
    nlbs: gateways.nlbs,
    notes: [...kafkas.notes, ...gateways.notes, ...templates.map(({ note }) => note), ...notes],
    unlisted: [...(kafkas.unlisted ?? []), ...(gateways.unlisted ?? []), ...templates.map(({ manifest }) => manifest)],
    others: kafkas.others + gateways.others,
  };
}

function podNotes(manifest: Manifest): string[] {
  return uncounted(manifest.object).map(({ names, fields }) => {
    const reason = fields.length === 0 ? 'those of pods that go may stay' : `it has no number at ${fields.join(', ')}`;
    return `${titleWithPlace(manifest)}: the number of Services ${names} is not known, since ${reason}, so each name is counted once`;
  });
}

/** Kinds of Kubernetes itself make no Services; `Kafka` and the kinds of Gateways are looked at by themselves. */
const OF_KUBERNETES = /^(v1|(apps|batch|autoscaling|policy)\/.*|([a-z.]+\.)?k8s\.io\/.*)$/;
const KNOWN_KINDS = ['Kafka', 'EnvoyProxy'];

function inOtherObject(manifest: Manifest): string | undefined {
  const { object } = manifest;
  const { kind, apiVersion } = object;
  if (OF_KUBERNETES.test(apiVersion) || KNOWN_KINDS.includes(kind)) {
    return undefined;
  }
  const type = typeIn(object, typeFieldsIn(object));
  const reasons = type ? [type] : operatorReasons(object);
  return reasons.length === 0
    ? undefined
    : `${titleWithPlace(manifest)}: ${reasons.join(', ')}, so its controller may make a load balancer; it is not listed`;
}

function operatorReasons(object: Json): string[] {
  return OPERATOR_FIELDS.filter(({ group, kind }) => kind === object.kind && group === groupOf(object)).flatMap(
    ({ fields, value, isDefault }) =>
      fields
        .flatMap((field) => valuesAt(object, field.split('.')))
        .filter((one) => one.value === value || (isDefault && !isSet(one.value)))
        .map((one) => ({ ...one, path: one.path.join('.') }))
        .map((one) =>
          isSet(one.value) ? `${one.path} is ${value}` : `${one.path} is not set, and its default is ${value}`,
        ),
  );
}

/** @param read the fields of which Services are predicted */
function typeIn(value: unknown, read: ReadonlySet<string>, path: readonly string[] = []): string | undefined {
  const fields = isMap(value) || Array.isArray(value) ? Object.entries<unknown>(value) : [];
  for (const [key, one] of fields) {
    const field = [...path, key].join('.');
    if (TYPE_FIELD.test(key) && isBalanced(one) && !read.has(field)) {
      return `${field} is ${one}`;
    }
  }
  for (const [key, inner] of fields) {
    const found = typeIn(inner, read, [...path, key]);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

const TYPE_FIELD = /type$/i;

/** Contour and OpenShift call it LoadBalancerService. projectcontour/contour v1.33.6, apis/projectcontour/v1alpha1/contourdeployment.go. */
function isBalanced(value: unknown): boolean {
  return typeof value === 'string' && /^loadbalancer(service)?$/i.test(value);
}

/**
 * Effects of edits of the source of a Service on its balancer; none for Services that are written as they are.
 *
 * @param service the Service on one side
 * @param before the older side
 * @param after the newer side
 * @param owner who makes the balancer, where that is known
 */
export function makerEdits(
  service: ReportedService,
  before: MakerSide,
  after: MakerSide,
  owner?: ControllerDefinition,
): readonly MakerEdit[] {
  const { object, madeOf } = service;
  if (madeOf === undefined) {
    return [];
  }
  if (isKafka(madeOf.object)) {
    return kafkaMakerEdits(madeOf.object, object, before, after, owner);
  }
  return isGateway(madeOf.object)
    ? gatewayMakerEdits(madeOf.object, before, after, owner)
    : operatorMakerEdits(service, before, after);
}
