import { defined, grouped, isMap, isPart, type Json, mapIn, mapsIn, objectIdOf, printable } from '../../contract/json';
import { podTemplateOf } from '../../contract/pod-placement';
import { UNLISTED, UNLISTED_IMAGE } from '../../controllers/marks.facts';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import type { BalancerChange, Effect } from '../../diff/effect';
import { nameOf, namespaceOf } from '../../diff/pairs';
import {
  holdsTexts,
  type Install,
  isDumped,
  nearestTo,
  pairByFile,
  type Side,
  type SideBalancer,
  serviceOn,
  sharedSteps,
  textsIn,
  titled,
} from '../../diff/side';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws.facts';
import { CLIENT_ID_ANNOTATION, TENANT_ID_ANNOTATION } from '../../identity/azure/azure.facts';
import { SERVICE_ACCOUNT_ANNOTATION } from '../../identity/gcp/gcp.facts';
import { OPERATOR } from '../../kafka/strimzi/releases';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { balancedGateways, isGateway } from '../../predicted/gateway-balancers';
import { commandForClass } from '../../predicted/gateway-services';
import { podNameOf } from '../../predicted/kafka-services';
import { makerTitle, type ReportedService, titleOf } from '../../predicted/predicted';
import { unknownInWords } from '../../report/make-report';
import type { BalancerToReport } from '../../report/paths';
import { definitionOf, unwrapped } from '../../rules/controller-definition';
import { knownKinds } from '../../rules/known-kinds';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { type Manifest, ManifestIndex } from '../../rules/manifest-objects';
import { isService } from '../../rules/service-json';
import { type BalancedFiles, balancedIn, type FoundBalancer } from '../balancers';
import type { UnreadableDocument } from '../check-report';
import type { CheckContext } from '../context/check-context';
import { runsImage } from '../context/observed-cluster';
import { installsOfCharts, partsOfControllers, runningControllers } from '../context/observed-controllers';
import { lackOf } from '../formats/words';
import { SET_MARKS } from './live.facts';
import type { ReadSide, ReadSides } from './read-sides';

export interface DiffedSide {
  readonly side: Side;
  readonly read: ReadSide;
  readonly files: BalancedFiles;
  readonly reported: ReadonlyMap<SideBalancer, BalancerToReport>;
}

export type Both = Readonly<Record<'before' | 'after', DiffedSide>>;

export function sideOf(read: ReadSide, older?: DiffedSide): DiffedSide {
  const files = balancedIn(
    {
      ...read.read,
      manifests: read.read.manifests.map((manifest) => ({ ...manifest, file: read.common(manifest.file) })),
    },
    read.context,
    older?.side.manifests,
  );
  const { manifests, context } = files;
  const isLive =
    isDumped(manifests.filter(({ object }) => KINDS.includes(object.kind))) ||
    (manifests.length === 0 && (read.read.emptyLists ?? []).length > 0);
  // a cluster has what was made under the name that was generated; its maker would be there for it once more
  const isWritten = ({ object, madeOf }: ReportedService) => !isLive || !madeOf || object.metadata.name !== undefined;
  const found = files.services.filter(isWritten).flatMap((service) => files.find(service));
  const reported = new Map(found.map((one) => [balancerOf(one), one.balancer]));
  return {
    side: {
      name: read.name,
      shown: read.shown,
      manifests,
      balancers: [...reported.keys()],
      ...(isLive && { isLive }),
      isDeclared: read.read.isDeclared,
      // what is inferred shows some controllers, and never that no other one runs
      ...(context.controllers &&
        context.areControllersInferred !== true && { controllers: context.controllers.map(({ name }) => name) }),
      installs: installsIn(manifests).map((one, _, all) => ({ ...one, beside: besideOf(one, manifests, all) })),
      versions: versionsIn(context),
      keeper: context.keeper,
      ...(context.nodePools && { nodePools: Object.values(context.nodePools) }),
      gaps: read.read.unreadable.map((one) =>
        printable(`${read.shown(read.common(one.place.file))}:${one.place.line} ${lackOf(one)}: ${one.what}`),
      ),
    },
    read,
    files,
    reported,
  };
}

function balancerOf({ service: written, balancer, state, guess, hasOwner }: FoundBalancer): SideBalancer {
  const { owner, controller, unknown, because, made, namespace, name, service } = balancer;
  const id = `${namespace}/${name}`;
  return {
    id,
    title: printable(calledAs(written, id)),
    service,
    written,
    ...(controller && { owner, controller }),
    ...(guess !== undefined && { guess }),
    ...(!controller && unknown !== undefined && { unowned: unknownInWords({ unknown, because }) }),
    ...(!controller && hasOwner && { otherOwner: owner }),
    ownership: state,
    ...(made && { made }),
  };
}

function calledAs({ madeOf, listener, object }: ReportedService, id: string): string {
  if (!madeOf) {
    return id;
  }
  const { kind } = madeOf.object;
  if (listener === undefined) {
    return `${kind} ${titleOf(madeOf.object)}`;
  }
  const pod = podNameOf(object);
  const broker = /(?<!\d)\d+$/.exec(pod ?? '')?.[0];
  return `${titleOf(madeOf.object)}, listener '${listener}', ${broker === undefined ? (pod ?? 'bootstrap') : `broker ${broker}`}`;
}

function installsIn(manifests: readonly Manifest[]): Install[] {
  const byObject = new Map<Json, Manifest>(manifests.map((manifest) => [manifest.object, manifest]));
  const index = new ManifestIndex(manifests);
  const workloads = [...runningControllers(index), ...partsOfControllers(index)].flatMap(({ value, by }) =>
    by.flatMap(({ json }) => {
      const manifest = byObject.get(json);
      return manifest ? [{ controller: value.name, manifest }] : [];
    }),
  );
  return [
    ...workloads,
    ...installsOfOthers(manifests.filter((one) => !workloads.some(({ manifest }) => manifest === one))),
    ...installsOfCharts(manifests),
  ];
}

/** Objects that an installation names; of several of one name, the nearest one that no other installation is nearer to. */
function besideOf(
  { controller, manifest: { object, file } }: Install,
  among: readonly Manifest[],
  all: readonly Install[],
) {
  const { name, namespace } = mapIn(object, 'metadata');
  const { serviceAccountName = 'default' } = mapIn(podTemplateOf(object), 'spec');
  const texts = textsOf(object.spec, new Set<unknown>([serviceAccountName]));
  const others = all.filter((one) => one.controller === controller).map(({ manifest }) => manifest.file);
  const found = among.filter(({ object: beside, file: own }) => {
    const other = mapIn(beside, 'metadata');
    const isConfig = holdsTexts(beside) && !isCloudConfig(beside);
    const isNamed =
      beside.kind === 'HelmChartConfig'
        ? other.name === name
        : (isConfig || beside.kind === 'ServiceAccount') && texts.has(other.name);
    const isNearer = others.some((one) => sharedSteps(one, own) > sharedSteps(file, own));
    return isNamed && other.namespace === namespace && !isNearer;
  });
  const named = grouped(found, (one) => `${one.object.kind} ${titleOf(one.object)}`);
  return [...named.values()]
    .flatMap((some) => nearestTo(file, some, (one) => one.file))
    .map((manifest) => ({ manifest, value: decisive(manifest.object) }));
}

function isCloudConfig(object: Json): boolean {
  return knownKinds().some(({ cloudConfigKeys }) =>
    Object.keys(textsIn(object)).some((key) => cloudConfigKeys?.test(key)),
  );
}

/** The part of an object beside an installation that decides: certificates are renewed, and others write more annotations. */
function decisive(object: Json): Json {
  const { annotations = {} } = mapIn(object, 'metadata');
  const identities = Object.entries(annotations).filter(([key]) => IDS.includes(key));
  const data = Object.entries(textsIn(object)).filter(([key]) => !CERTIFICATE.test(key));
  const { valuesContent } = mapIn(object, 'spec');
  return { ...Object.fromEntries([...data, ...identities]), valuesContent };
}

const IDS: string[] = [ROLE_ARN_ANNOTATION, SERVICE_ACCOUNT_ANNOTATION, CLIENT_ID_ANNOTATION, TENANT_ID_ANNOTATION];

const CERTIFICATE = /\.(crt|key|pem|p12|jks)$/;

function textsOf(value: unknown, found: Set<unknown>): ReadonlySet<unknown> {
  for (const one of typeof value === 'object' && value !== null ? Object.values(value) : []) {
    if (typeof one === 'string') {
      found.add(one);
    }
    textsOf(one, found);
  }
  return found;
}

function installsOfOthers(manifests: readonly Manifest[]): Install[] {
  return manifests.flatMap((manifest) => {
    const containers = mapsIn(mapIn(podTemplateOf(manifest.object), 'spec'), 'containers');
    const others = VENDOR_MARKS.filter(({ images = [] }) =>
      containers.some((container) => images.some((image) => runsImage(container, image))),
    ).map(({ id }) => id);
    const isUnlisted = containers.some(({ image }) => UNLISTED_IMAGE.test(String(image)));
    const names = others.length > 0 ? others : isUnlisted ? [UNLISTED] : [];
    return names.map((controller) => ({ controller, manifest }));
  });
}

function versionsIn({ kubernetes, strimzi, controllers = [], operators, versions }: CheckContext) {
  const installed = controllers.map((controller) => [
    controller.name,
    definitionOf(controller)?.versionOf?.(unwrapped(controller))?.version,
  ]);
  return {
    ...defined({ [KUBERNETES]: kubernetes?.version, [OPERATOR.name]: strimzi?.version }),
    ...defined(Object.fromEntries(installed)),
    ...operators,
    ...versions,
  };
}

const KINDS = ['Service', 'Kafka', 'KafkaNodePool', 'Gateway'];

/**
 * Parts the balancers of a whole cluster by whether some manifests are about them: by name, by what makes them, or since they were
 * applied as one set with one that they are about.
 */
export function comparedWith(balancers: readonly SideBalancer[], after: Pick<Side, 'balancers' | 'manifests'>) {
  const isAbout = aboutIn(after);
  const named = new Set(balancers.filter(isAbout));
  const sets = new Set([...named].flatMap(setsOf));
  const isCompared = (one: SideBalancer) => named.has(one) || setsOf(one).some((set) => sets.has(set));
  return { balancers: balancers.filter(isCompared), others: balancers.filter((one) => !isCompared(one)) };
}

function aboutIn({ balancers, manifests }: Pick<Side, 'balancers' | 'manifests'>): (balancer: SideBalancer) => boolean {
  const services = manifests.filter(({ object }) => object.kind === 'Service').map(({ object }) => object);
  const ids = new Set([...balancers.map(({ id }) => id), ...services.map(objectIdOf)]);
  const starts = [...ids].filter((id) => id.endsWith('*')).map((id) => id.slice(0, -1));
  const isNameless = ({ metadata }: Json) => !isMap(metadata) || !metadata.namespace;
  const nameless = new Set(services.filter(isNameless).map((one) => nameOf({ id: objectIdOf(one) })));
  const objects = new Set(manifests.map(({ object }) => keyOf(object)));
  return ({ id, service, written: { madeOf } }) => {
    const { namespace, ...metadata } = mapIn(service, 'metadata');
    return (
      ids.has(id) ||
      nameless.has(nameOf({ id })) ||
      starts.some((start) => id.startsWith(start)) ||
      (madeOf !== undefined && objects.has(keyOf(madeOf.object))) ||
      mapsIn(metadata, 'ownerReferences').some(({ kind, name }) =>
        objects.has(keyOf({ kind, metadata: { name, namespace } })),
      )
    );
  };
}

function keyOf(object: Json): string {
  return `${object.kind} ${objectIdOf(object)}`;
}

export function setsOf({ service }: SideBalancer): string[] {
  return SET_MARKS.flatMap(({ of, keys, until, called }) => {
    const marks = mapIn(mapIn(service, 'metadata'), of);
    const parts = keys.map((key) => marks[key]);
    if (!parts.every((part) => typeof part === 'string' && part !== '')) {
      return [];
    }
    const name = parts.join('/');
    return [printable(`${called} ${until === undefined ? name : name.split(until)[0]}`)];
  });
}

export function unreadOf(side: DiffedSide, { isSame }: ReadSides): readonly UnreadableDocument[] {
  const { read, common } = side.read;
  return read.unreadable.filter(({ place, isSource }) => isSource || !isSame(common(place.file)));
}

/** Makers of balancers of which it is not known which balancers they make: a Kafka without brokers, a Gateway of an unknown class. */
const unlistedOn = ({ files }: DiffedSide) => grouped(files.later.unlisted ?? [], ({ object }) => makerTitle(object));

export function withUnknownSources(change: BalancerChange, sides: Both, read: ReadSides): BalancerChange {
  const { before, after, outcome } = change;
  const [balancer, side] = before && !after ? [before, sides.after] : [after, sides.before];
  const reason =
    balancer && (!before || !after) && outcome !== 'kept'
      ? unknownSource(balancer, side, unreadOf(side, read))
      : undefined;
  const at = { outcome: 'unknown', field: 'metadata.name', path: ['metadata', 'name'] } as const;
  return reason
    ? { ...change, movedTo: undefined, movedFrom: undefined, outcome: 'unknown', effects: [{ ...at, ...reason }] }
    : change;
}

function unknownSource(
  balancer: SideBalancer,
  diffed: DiffedSide,
  [first, ...others]: readonly UnreadableDocument[],
): Pick<Effect, 'why' | 'needs' | 'remedy'> | undefined {
  const { side, read } = diffed;
  if (serviceOn(side, balancer.id, balancer.written)) {
    return undefined; // it is there, with another type
  }
  if (first) {
    const { file, line } = first.place;
    const more = others.length > 0 ? `, and neither can ${others.length} more` : '';
    const shown = printable(file === '-' ? 'standard input' : read.shown(read.common(file)));
    const where = file === '-' ? `line ${line}` : `${shown}:${line}`;
    return {
      why: `it is not to be seen in ${side.name}, where ${where} ${lackOf(first)}${more}`,
      needs: [first.isSource ? `what ${where} renders` : `a readable ${shown}`],
      remedy: first.remedy,
    };
  }
  const unlisted = unlistedOn(diffed);
  const metadata = mapIn(balancer.service, 'metadata');
  const owners = mapsIn(metadata, 'ownerReferences').map(
    ({ kind, name }): Json => ({ kind, metadata: { name, namespace: metadata.namespace } }),
  );
  const maker = [balancer.written.madeOf?.object, ...owners].find((one) => one && unlisted.has(makerTitle(one)));
  if (maker) {
    const why = `the Services of ${titled(maker)} are not in ${side.name}`;
    return { why, needs: [neededFor(maker)] };
  }
  const lack = side.isLive ? lackOfDump(side.manifests, balancer) : undefined;
  return lack === undefined ? undefined : { why: `${side.name} may have it all the same`, needs: [lack] };
}

function lackOfDump(manifests: readonly Manifest[], { id, service, written }: SideBalancer): string | undefined {
  const maker = written.madeOf && makerTitle(written.madeOf.object);
  if (maker !== undefined && manifests.some(({ object }) => makerTitle(object) === maker)) {
    return undefined;
  }
  if (written.madeOf && !isService(service)) {
    const { kind } = written.object;
    return manifests.some(({ object }) => object.kind === kind) ? undefined : `the ${kind}s of the cluster in the dump`;
  }
  const ids = manifests.filter(({ object }) => isService(object)).map(({ object }) => objectIdOf(object));
  const namespace = namespaceOf({ id });
  const isThere = ids.some((one) => one === 'default/kubernetes' || one.startsWith(`${namespace}/`));
  const lack = `namespace ${printable(namespace)} in the dump, as kubectl get -A has it`;
  return ids.length === 0 ? 'the Services of the cluster in the dump' : isThere ? undefined : lack;
}

function neededFor(maker: Json): string {
  if (maker.kind === KAFKA_KIND) {
    return printable(`the KafkaNodePools of ${titleOf(maker)} with the ids of their brokers`);
  }
  const { gatewayClassName: name } = mapIn(maker, 'spec');
  if (!isGateway(maker)) {
    return 'what its controller makes of it';
  }
  return typeof name === 'string' && name !== ''
    ? printable(
        `GatewayClass ${name} of a controller that is known here, and its parameters, on both sides: ${commandForClass(name)}`,
      )
    : 'its class in spec.gatewayClassName, on both sides';
}

export function changesOfUnlisted(before: DiffedSide, after: DiffedSide): BalancerChange[] {
  const [old, now] = [unlistedOn(before), unlistedOn(after)];
  // the bootstrap Service of a Kafka is there whatever its brokers are
  const listed = [before, after].flatMap(({ side }) =>
    side.balancers
      .filter(({ written, service }) => written.madeOf?.object.kind !== KAFKA_KIND || podNameOf(service))
      .flatMap(({ written: { madeOf } }) => (madeOf ? [makerTitle(madeOf.object)] : [])),
  );
  const gateways = balancedGateways(before.side, after.side).map((one) =>
    makerTitle((one.after ?? one.before)?.object ?? {}),
  );
  const known = new Set([...listed, ...gateways]);
  const isLive = before.side.isLive === true;
  const isAlike = (one: Manifest, other: Manifest) =>
    isPart(comparable(other), comparable(one)) && (isLive || isPart(comparable(one), comparable(other)));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => !known.has(key))
    .sort()
    .flatMap((key) =>
      pairByFile(old.get(key) ?? [], now.get(key) ?? [], ({ file }) => file, isAlike).flatMap(([one, other]) => {
        const isSame = one && other && isAlike(one, other);
        const version = one && other && versionChange(other, before, after);
        // a live cluster has more than the files
        return (isSame && !version) || (isLive && !other)
          ? []
          : [unlistedChange(one, other, isSame ? version : undefined)];
      }),
    );
}

function comparable({ object }: Manifest): Json {
  return { spec: object.spec, annotations: mapIn(object.metadata, 'annotations') };
}

function versionChange({ object }: Manifest, ...sides: readonly DiffedSide[]): string | undefined {
  const [from, to] = sides.map(({ side }) => side.versions?.[OPERATOR.name]);
  const isChanged = object.kind === KAFKA_KIND && from !== undefined && to !== undefined && from !== to;
  return isChanged ? `${OPERATOR.name} ${from} -> ${to}` : undefined;
}

function unlistedChange(before: Manifest | undefined, after: Manifest | undefined, version?: string): BalancerChange {
  const { object } = (after ?? before) as Manifest;
  const title = titled(object);
  const balancers = object.kind === KAFKA_KIND ? 'of its brokers' : 'that are made of it';
  const how =
    version ?? (before ? (after ? 'it changes' : 'it is gone, or no longer asks for a load balancer') : 'it is new');
  const why = `${how}: what becomes of the balancers ${balancers} is not known here`;
  const sideOf = (written: Manifest): SideBalancer => ({ id: title, title, service: written.object, written });
  return {
    ...(before && { before: sideOf(before) }),
    ...(after && { after: sideOf(after) }),
    outcome: 'unknown',
    effects: [{ outcome: 'unknown', field: 'spec', path: [], why, needs: [neededFor(object)] }],
  };
}
