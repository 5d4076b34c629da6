import { isMap, type Json, list, mapIn, textsAt } from '../../contract/json';
import { flagsAmong, wordsOf } from '../../contract/program-flags';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AwsCloudProvider } from '../../controllers/aws-cloud-provider/controller';
import { AWS_LBC_CATALOGUE, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { EKS_CONTROLLER } from '../../controllers/eks-auto-mode/annotations';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { MetalLb } from '../../controllers/metal-lb/controller';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import {
  findOtherController,
  type OtherController,
  otherOfKey,
  ownerEvidence,
} from '../../controllers/other-controller';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { compareTexts } from '../../cost/balancers';
import type { Install } from '../../diff/side';
import { cloudControllersIn } from '../../installations/aws-cloud-controller-manager/controllers';
import {
  containerOf,
  controllersIn,
  flagsOf,
  hasServiceWebhook,
} from '../../installations/aws-load-balancer-controller/controllers';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import { VERSION_TAG } from '../../installations/objects';
import { isRemovedBy } from '../../rules/controller-definition';
import { allKinds, likelyOwner } from '../../rules/known-kinds';
import type { Manifest } from '../../rules/manifest-objects';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { typedService } from '../../rules/service-fields';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { SERVICE_PREFIXES } from '../../tenancy/manifests/tenant-manifests.facts';
import type { InstalledController } from './check-context';
import { areSame, inWords, joinWords, leavingClassless } from './context-controllers';
import {
  AUTO_MODE_NODE,
  BALANCERS_OFF,
  CHART_SOURCES,
  CHARTS,
  CLOUDS,
  METALLB_CLASS_FLAG,
  NO_SERVICE_CONTROLLER,
  PARTS,
  PROGRAMS,
  RELEASES,
} from './evidence.facts';
import { containersOf, isOneFolder, type Observation, observe, providerIdOf, runsImage } from './observed-cluster';

/** The controllers that objects of GitOps install by their charts: no workload of them is among the objects. */
export function installsOfCharts(manifests: readonly Manifest[]): Install[] {
  const sources = manifests.filter(({ object }) => CHART_SOURCES.some(({ kind }) => kind === object.kind));
  return manifests.flatMap((manifest) => {
    const { object } = manifest;
    const charts = [...chartsIn(object, RELEASES), ...chartsOfSource(object, sources)];
    return controllersOf(charts).map((controller) => ({ controller, manifest }));
  });
}

function controllersOf(charts: readonly string[]): string[] {
  return CHARTS.filter(({ chart }) => charts.includes(chart)).map(({ controller }) => controller);
}

function chartsIn(object: Json, facts: typeof RELEASES | typeof CHART_SOURCES): string[] {
  const fact = facts.find(
    ({ group, kind }) => kind === object.kind && String(object.apiVersion).startsWith(`${group}/`),
  );
  return (fact?.paths ?? [])
    .flatMap((path) => textsAt(object, path))
    .map((chart) => chart.slice(chart.lastIndexOf('/') + 1));
}

function chartsOfSource(release: Json, sources: readonly Manifest[]): string[] {
  const { kind, name, namespace = mapIn(release, 'metadata').namespace } = mapIn(mapIn(release, 'spec'), 'chartRef');
  const found = sources.filter(({ object }) => {
    const metadata = mapIn(object, 'metadata');
    return kind !== undefined && object.kind === kind && metadata.name === name && metadata.namespace === namespace;
  });
  return found.flatMap(({ object }) => chartsIn(object, CHART_SOURCES));
}

type CloudFact = (typeof CLOUDS)[number];

export interface ObservedControllers {
  readonly controllers: readonly Observation<InstalledController>[];
  /** Reason why the controllers that claim Services are not known, in one clause; unset where nothing speaks against these. */
  readonly doubt?: string;
}

/**
 * The controllers of a cluster, as far as its objects show them.
 *
 * A controller that a workload runs is certain, with its class and its webhook. The cloud's own controller runs in no workload that
 * one sees: it is added where Nodes or other controllers show the cloud. A Service shows the controller that alone serves its
 * class, or that alone reads its annotations. Nothing is concluded of objects of several clouds, of annotations of a
 * controller that is not known here, and if a webhook that the objects leave open may give a class to Services without one.
 */
export function observeControllers(index: ObjectIndex, later: readonly IndexedObject[] = []): ObservedControllers {
  const services = alike([...index.of('', 'Service'), ...later].filter(({ json }) => wantsLoadBalancer(json)));
  const running = [...runningControllers(index), ...leavingClassless(index)].filter(
    ({ by }) => !by.every(makesNoBalancers),
  );
  const ofNodes = observe(index.of('', 'Node'), cloudOfNode, ({ cloud }) => cloud);
  const automatic = observe(index.of('', 'Node'), autoModeOfNode, keyOf);
  const named = services.flatMap((by) => {
    const name = likelyOwner(typedService(by[0].json).service)?.kind.name;
    // of a vendor a class shows no more than that it is served
    return name === undefined || findOtherController(name) ? [] : [{ value: installed(name), by }];
  });
  const bare = metalLbSeen(index, services);
  const isShown = [...running, ...ofNodes, ...automatic, ...bare].some(({ by }) => by.some(isNoService));
  const others = othersSeen(index, services, isShown);
  const known = unlisted(merged([...automatic, ...bare, ...named, ...others]), running);
  const clouds = merge([
    ...ofNodes,
    ...[...running, ...known].flatMap(({ value, by }) => {
      const cloud = cloudOf(value.name);
      return cloud ? [{ value: cloud, by }] : [];
    }),
  ]);
  const own = clouds.map(({ value, by }) => ({ value: installed(value.own), by }));
  const controllers = [...running, ...known, ...unlisted(own, [...running, ...known])].sort(
    ({ value: one }, { value: other }) => compareTexts(one.name, other.name),
  );
  const isByServices = !controllers.some(({ by }) => by.some(isNoService));
  const doubt =
    doubtOf(merge([...clouds, ...services.flatMap(cloudsOfFinalizers)]), controllers, running, index, services) ??
    (isByServices ? (foreignAnnotation(services) ?? annotationOfCloud(services, clouds)) : undefined);
  return { controllers, doubt: controllers.length === 0 ? undefined : doubt };
}

export function runningControllers(index: ObjectIndex): readonly Observation<InstalledController>[] {
  return merged([
    ...observe(controllersIn(index), awsController, keyOf),
    ...observe(cloudControllersIn(index), cloudController, keyOf),
    ...PROGRAMS.flatMap(({ controller, image }) => programsSeen(index, controller, image)),
  ]);
}

export const partsOfControllers = (index: ObjectIndex): readonly Observation<InstalledController>[] =>
  PARTS.flatMap(({ controller, image }) => programsSeen(index, controller, image));

function cloudOf(controller: string): CloudFact | undefined {
  return CLOUDS.find(({ own, others }) => own === controller || others.includes(controller));
}

/** A finalizer that one controller alone removes is of its cloud, although it is no sign that this controller owns the Service. */
function cloudsOfFinalizers(by: readonly IndexedObject[]): Observation<CloudFact>[] {
  return finalizersOf(by[0].json).flatMap((finalizer) => {
    const [kind, ...others] = allKinds().filter((one) => isRemovedBy(finalizer, one));
    const cloud = others.length === 0 && kind ? cloudOf(kind.name) : undefined;
    return cloud ? [{ value: cloud, by }] : [];
  });
}

/** Services that every controller claims or leaves alike: of thousands, few differ in their class and in words of annotations. */
function alike(services: readonly IndexedObject[]): (readonly IndexedObject[])[] {
  const word = (value: unknown) => (typeof value === 'string' && value.length <= LONGEST_WORD ? value : '');
  return observe(services, ({ json }) =>
    JSON.stringify([
      classOf(json),
      finalizersOf(json),
      ownerEvidence(json).map(({ sign }) => sign),
      Object.entries(annotationsOf(json)).map(([key, value]) => [key, word(value)]),
    ]),
  ).map(({ by }) => by);
}

/** A longer value of an annotation is no word by which a controller claims a Service. */
const LONGEST_WORD = 20;

function doubtOf(
  clouds: readonly Observation<CloudFact>[],
  controllers: readonly Observation<InstalledController>[],
  running: readonly Observation<InstalledController>[],
  index: ObjectIndex,
  services: readonly (readonly IndexedObject[])[],
): string | undefined {
  const others = controllers.flatMap(({ value }) => findOtherController(value.name) ?? []);
  const names = [...clouds.map(({ value }) => value.cloud), ...others.filter(isOfCloud).map(({ name }) => name)];
  if (names.length > 1) {
    return `objects here are of ${joinWords(names)}`;
  }
  const taking = controllers.filter(
    ({ value: { name, options } }) =>
      (name === METALLB_CONTROLLER && options.loadBalancerClass === undefined) ||
      clouds.some(({ value }) => value.own === name) ||
      (findOtherController(name)?.takesClassless === true && options.classes === undefined),
  );
  const isFight = taking.every((one) => running.includes(one)) && isOneFolder(taking.flatMap(({ by }) => by));
  if (taking.length > 1 && !isFight) {
    return `${joinWords(taking.map(({ value }) => inWords(unversioned(value))))} ${taking.length === 2 ? 'both' : 'all'} take Services without a class`;
  }
  const claimsClassless = controllers.some(({ value }) => value.name === AWS_CLOUD_CONTROLLER);
  const hasClassless =
    claimsClassless && services.some(([{ json }]) => isOpen(typedService(json).service, controllers));
  return hasClassless && !isWebhookKnown(index)
    ? `whether the webhook of ${AWS_LBC_CONTROLLER} takes Services without a class is not to be seen`
    : undefined;
}

/** An annotation of a balancer that no controller known here reads: there is another one, in this cluster or in another. */
function foreignAnnotation(services: readonly (readonly IndexedObject[])[]): string | undefined {
  const keys = services.flatMap(([{ json }]) => (classOf(json) === undefined ? Object.keys(annotationsOf(json)) : []));
  const foreign = [...new Set(keys)].find(isForeign);
  return foreign && `no controller that is known here reads the annotation ${foreign}`;
}

/** An annotation that controllers of another cloud alone read, where no Service shows that cloud otherwise. */
function annotationOfCloud(
  services: readonly (readonly IndexedObject[])[],
  clouds: readonly Observation<CloudFact>[],
): string | undefined {
  for (const [{ json }] of services) {
    for (const key of classOf(json) === undefined ? Object.keys(annotationsOf(json)) : []) {
      const others = allKinds().flatMap(({ name, catalogue }) => (catalogue.find(key) ? [cloudOf(name)] : []));
      const [first] = others;
      if (first && others.every((cloud) => cloud && !clouds.some(({ value }) => value === cloud))) {
        return `the annotation ${key} is for controllers of ${first.cloud}`;
      }
    }
  }
  return undefined;
}

function isForeign(key: string): boolean {
  return (
    SERVICE_PREFIXES.some((prefix) => key.startsWith(prefix)) &&
    otherOfKey(key) === undefined &&
    !allKinds().some(({ catalogue }) => catalogue.claims(key) || catalogue.nearest(key) !== undefined)
  );
}

/** True if a webhook that is not to be seen decides who has a Service: there is its controller, or what that alone reads. */
function isOpen(service: Json, controllers: readonly Observation<InstalledController>[]): boolean {
  const names = controllers.map(({ value }) => value.name);
  if (names.includes(EKS_CONTROLLER) || AwsCloudProvider._kind.definition.claim(service, undefined).claimed !== 'yes') {
    return false;
  }
  return (
    names.includes(AWS_LBC_CONTROLLER) ||
    Object.keys(annotationsOf(service)).some(
      (key) => AWS_LBC_CATALOGUE.find(key) && !AwsCloudProvider._kind.definition.catalogue.find(key),
    )
  );
}

/** True if the webhooks of all controllers that run are among the objects: the one for pods is always beside that for Services. */
function isWebhookKnown(index: ObjectIndex): boolean {
  const all = controllersIn(index);
  const namespaces = index
    .of('admissionregistration.k8s.io', 'MutatingWebhookConfiguration')
    .flatMap(({ json }) => list<Json>(json.webhooks))
    .filter((webhook) => isMap(webhook) && String(webhook.name).endsWith(WEBHOOKS))
    .map((webhook) => mapIn(webhook.clientConfig, 'service').namespace);
  return all.length > 0 && all.every(({ namespace }) => namespaces.includes(namespace));
}

/** Suffix of the names of webhooks of the AWS Load Balancer Controller. v3.5.0, config/webhook/manifests.yaml */
const WEBHOOKS = '.elbv2.k8s.aws';

function awsController(object: IndexedObject): InstalledController {
  const { image } = containerOf(object.json);
  const version = VERSION_TAG.exec(String(image ?? ''))?.[1];
  const loadBalancerClass = flagsOf(object.json)['load-balancer-class'] || undefined;
  const serviceMutatorWebhook = hasServiceWebhook(object) || undefined;
  return installed(AWS_LBC_CONTROLLER, { version, loadBalancerClass, serviceMutatorWebhook });
}

function cloudController({ json }: IndexedObject): InstalledController {
  return installed(AWS_CLOUD_CONTROLLER, { version: versionOf(containersOf(json)) });
}

function programsSeen(index: ObjectIndex, controller: string, image: string): Observation<InstalledController>[] {
  const workloads = [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')];
  return observe(
    workloads,
    ({ json }) => {
      const own = containersOf(json).filter((container) => runsImage(container, image));
      return own.length === 0
        ? undefined
        : installed(controller, {
            version: versionOf(own),
            ...(controller === METALLB_CONTROLLER ? metalLbOptions(own, index) : undefined),
          });
    },
    keyOf,
  );
}

function versionOf(containers: readonly Json[]): string | undefined {
  return containers.map(({ image }) => VERSION_TAG.exec(String(image ?? ''))?.[1]).find((tag) => tag !== undefined);
}

function cloudOfNode({ json }: IndexedObject): CloudFact | undefined {
  const id = providerIdOf({ json });
  return CLOUDS.find(({ providerId }) => id.startsWith(providerId));
}

function autoModeOfNode(node: IndexedObject): InstalledController | undefined {
  return node.label(AUTO_MODE_NODE.label) === AUTO_MODE_NODE.value ? installed(EKS_CONTROLLER) : undefined;
}

function installed(name: string, options: Json = {}): InstalledController {
  return { name, options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
}

function keyOf({ name, options }: InstalledController): string {
  return JSON.stringify([name, options]);
}

function merged(all: readonly Observation<InstalledController>[]): Observation<InstalledController>[] {
  const found: Observation<InstalledController>[] = [];
  for (const { value, by } of all) {
    const place = found.findIndex((other) => areSame(unversioned(other.value), unversioned(value)));
    if (place < 0) {
      found.push({ value, by });
    } else {
      found[place] = { value: unversioned(value), by: [...found[place].by, ...by] };
    }
  }
  return found;
}

function unversioned({ name, options: { version: _, ...options } }: InstalledController): InstalledController {
  return { name, options };
}

function merge(clouds: readonly Observation<CloudFact>[]): Observation<CloudFact>[] {
  return clouds.filter(({ value }, i) => clouds.findIndex((other) => other.value === value) === i);
}

function unlisted(
  all: readonly Observation<InstalledController>[],
  listed: readonly Observation<InstalledController>[],
): Observation<InstalledController>[] {
  return all.filter(
    ({ value }, i) =>
      !listed.some((other) => other.value.name === value.name) &&
      all.findIndex((other) => other.value.name === value.name) === i,
  );
}

const isNoService = ({ kind }: IndexedObject) => kind !== 'Service';

function metalLbSeen(
  index: ObjectIndex,
  services: readonly (readonly IndexedObject[])[],
): readonly Observation<InstalledController>[] {
  const { catalogue } = MetalLb._kind.definition;
  const mode = modeSeen(index);
  const by = [
    ...[METALLB_POOL, ...Object.values(METALLB_ADVERTISEMENTS)].flatMap((kind) => index.of(METALLB_GROUP, kind)),
    ...services.flatMap((group) =>
      classOf(group[0].json) === undefined &&
      Object.keys(annotationsOf(group[0].json)).some((key) => catalogue.claims(key))
        ? group
        : [],
    ),
  ];
  return by.length === 0 ? [] : [{ value: installed(METALLB_CONTROLLER, { mode }), by }];
}

function metalLbOptions(containers: readonly Json[], index: ObjectIndex): Json {
  const flag = flagsAmong(containers.flatMap(wordsOf)).find(({ name }) => name === METALLB_CLASS_FLAG);
  return { loadBalancerClass: flag?.value || undefined, mode: modeSeen(index) };
}

function modeSeen(index: ObjectIndex): string | undefined {
  const modes = Object.entries(METALLB_ADVERTISEMENTS).filter(([, kind]) => index.of(METALLB_GROUP, kind).length > 0);
  return modes.length === 1 ? modes[0][0] : undefined;
}

/**
 * Controllers without rules here, by workloads, Nodes and kinds that are theirs alone, and by the signs on Services.
 */
function othersSeen(
  index: ObjectIndex,
  services: readonly (readonly IndexedObject[])[],
  isShown: boolean,
): readonly Observation<InstalledController>[] {
  const workloads = [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')];
  const nodes = index.of('', 'Node');
  const ofObjects = VENDOR_MARKS.flatMap((other) => {
    const { workloadLabels, images = [], providerIds = [], kinds = [], hasOtherTasks = false } = other;
    const by = [
      ...workloads.filter(
        (workload) =>
          (workloadLabels && workload.label(workloadLabels.name) !== undefined) ||
          (!hasOtherTasks &&
            containersOf(workload.json).some((container) => images.some((image) => runsImage(container, image)))),
      ),
      ...(hasOtherTasks
        ? []
        : nodes.filter((node) => providerIds.some((start) => providerIdOf(node).startsWith(start)))),
      ...kinds.flatMap(({ group, kind }) => index.of(group, kind)),
    ];
    return by.length === 0 ? [] : [{ value: installed(other.id), by }];
  });
  const ofServices = services.flatMap((by) => {
    const loadBalancerClass = classOf(by[0].json);
    // a class shows no more than that it is served
    const options = loadBalancerClass === undefined ? {} : { classes: [loadBalancerClass] };
    return ownerEvidence(by[0].json)
      .filter(
        ({ isWritten = false }) => loadBalancerClass !== undefined || isWritten || (!isShown && ofObjects.length === 0),
      )
      .map(({ other }) => ({ value: { name: other.id, options }, by }));
  });
  // a class tells nothing where more is seen
  const isWhole = ({ value }: Observation<InstalledController>) => value.options.classes === undefined;
  const whole = [...ofObjects, ...ofServices].filter(isWhole);
  return [
    ...whole,
    ...ofServices.filter((one) => !isWhole(one) && whole.every(({ value }) => value.name !== one.value.name)),
  ];
}

function isOfCloud({ takesClassless, hasOtherTasks, id }: OtherController): boolean {
  return takesClassless && hasOtherTasks !== true && id.endsWith(CLOUD_CONTROLLER);
}

const CLOUD_CONTROLLER = '-cloud-controller-manager';

function makesNoBalancers({ json }: IndexedObject): boolean {
  const containers = containersOf(json);
  const words = containers.flatMap(({ command, args }) => [...list(command), ...list(args)].map(String));
  const off = words.some((word) => NO_SERVICE_CONTROLLER.test(word));
  return (
    off ||
    containers.some(({ env }) =>
      list<Json>(env).some(
        (one) => isMap(one) && one.name === BALANCERS_OFF.variable && one.value === BALANCERS_OFF.value,
      ),
    )
  );
}
