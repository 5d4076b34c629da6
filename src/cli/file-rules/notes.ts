import { basename } from 'node:path';
import { grouped, inKeyOrder, isMap, isSet, type Json, list, mapIn, shown } from '../../contract/json';
import { gapIn } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/options';
import { findingOf } from '../../contract/rule';
import { AUTO_MODE_BINDING_API_VERSION } from '../../controllers/aws-load-balancer-controller/kinds.facts';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { ownerEvidence } from '../../controllers/other-controller';
import {
  KAFKA_KIND,
  STRIMZI_API,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
} from '../../kafka/strimzi/strimzi.facts';
import { ignoredKeys, keepsFinalizers, removedAttributes, versionOf } from '../../predicted/operator-faults';
import { operatorOf, operatorOfSource, recreationOf, valueAt } from '../../predicted/operator-services';
import { namesOf, type ReportedService, titleOf } from '../../predicted/predicted';
import { expectedFinalizers } from '../../rules/controller-definition';
import { clusterOf, isForOneCluster } from '../../rules/manifest-objects';
import { groupOf, type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../../rules/objects';
import { annotationsOf, finalizersOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { EXPORTED_MANIFEST } from '../../services/rules.facts';
import { isOfCluster } from '../../tenancy/manifests/tenant-file';
import type { CheckContext } from '../context/check-context';
import { joinWords } from '../context/context-controllers';
import { keepsForeignFinalizers } from '../kafka-of-files';
import { classWithoutFinalizer, ownerNotes } from '../owners-in-words';
import { KIND_CHECKS } from '../rule-sets';
import { isLive, likelyKinds, type OwnedService } from '../service-checks';
import { FATES, OF_CLUSTERS, RULES } from './rules.facts';

export interface Subject extends ReportedService {
  readonly entry: IndexedObject;
  readonly owned?: OwnedService;
  readonly isOfUnknownGateway?: boolean;
}

export function notesAbout(subject: Subject, context: CheckContext) {
  const { object, entry, owned, madeOf } = subject;
  const { service, owner } = owned ?? {};
  return {
    warnings: [...exportLeftovers(subject), ...dropsFinalizer(subject, context)],
    notes: [
      ...(service && owner
        ? [
            ...ownerNotes(service, owner, context),
            ...classWithoutFinalizer(service, owner),
            ...plainTargetsOfHttps(service, owner),
            ...mixedProtocols(service, owner, context.kubernetes),
          ]
        : []),
      ...(service && owner && madeOf ? lateFinalizers(madeOf.object, service, { entry, owner }, context) : []),
      ...recreatesService(subject, context),
      ...removesFields(subject, context),
      ...unreadAutoModeKind(object),
      ...(entry.group === STRIMZI_GROUP && !context.strimzi && !context.isStrimziOlder ? leavingApi(object) : []),
    ],
  };
}

/** The first version of Kubernetes that takes them without a feature gate. */
const MIXES_SINCE = KubernetesVersion.of('1.24');

const TERMINATES = /cert|ssl|tls|https|backend-protocol/i;

/** Ports 443 that lead to a port for plain HTTP, if no annotation has the balancer terminate TLS. */
function plainTargetsOfHttps(service: Json, owner: LoadBalancerOwner): LoadBalancerFinding[] {
  const isPlain = ({ port, targetPort }: Json) => port === 443 && (targetPort === 'http' || targetPort === 80);
  if (!wantsLoadBalancer(service) || !portsOf(service).some(isPlain)) {
    return [];
  }
  const kinds = likelyKinds(service, { owner });
  const ends = kinds.flatMap(({ handles }) => handles?.(service) ?? []).filter(({ does }) => does === 'terminates-tls');
  const isUnread = (key: string) => kinds.every(({ catalogue }) => catalogue.find(key) === undefined);
  const mayEnd =
    kinds.some(({ handles }) => handles === undefined) ||
    Object.keys(annotationsOf(service)).some((key) => TERMINATES.test(key) && isUnread(key));
  const found = mayEnd || ends.some(({ port }) => port === 443) ? [] : portsOf(service);
  return found.flatMap((port, i) => {
    const mistake = { value: port.targetPort, at: `/spec/ports/${i}/targetPort` };
    return isPlain(port) ? [findingOf(RULES['https-port-to-http-target'], mistake)] : [];
  });
}

/** Ports of TCP and UDP, unless rules of the owner check them. */
function mixedProtocols(service: Json, owner: LoadBalancerOwner, kubernetes?: KubernetesVersion) {
  const protocols = new Set(portsOf(service).map(({ protocol = 'TCP' }) => protocol));
  const isOld = kubernetes?.isAtLeast(MIXES_SINCE) === false;
  const isKnown = () =>
    owner.controller !== undefined || likelyKinds(service, { owner }).length === 1 || ownerEvidence(service).length > 0;
  if (!wantsLoadBalancer(service) || !protocols.has('TCP') || !protocols.has('UDP') || (!isOld && isKnown())) {
    return [];
  }
  const found = { ...(isOld && { case: 'refused' }), version: kubernetes?.version, value: 'TCP and UDP' };
  return [findingOf(RULES['mixed-protocols'], found)];
}

function dumpsIn(index: ObjectIndex): ReadonlySet<unknown> {
  const isOfCluster = ({ kind, json }: IndexedObject) => OF_CLUSTERS.includes(kind) && isMap(json.status);
  return index.once(dumpsIn, ({ all }) => new Set(all.filter(isOfCluster).map(({ unit }) => unit)));
}

function hasValue(object: Json, [map, field]: readonly string[]): boolean {
  if (map === 'status') {
    return list(object.status?.loadBalancer?.ingress).length > 0;
  }
  const value: unknown = isMap(object[map]) ? object[map][field] : undefined;
  return value !== undefined && value !== null && value !== '' && value !== 'None';
}

const LEFTOVERS = FATES.map(([path, fate]) => ({ path, fate, steps: path.split('.') }));

/** Fields that an export left in a manifest; nothing in what is read of a cluster. */
function exportLeftovers({ madeBy, entry, source }: Subject): LoadBalancerFinding[] {
  const { json, unit } = entry;
  const found = madeBy !== undefined ? [] : LEFTOVERS.filter(({ steps }) => hasValue(json, steps));
  // an address of its own is a choice, and a status alone is what generators write
  const isExport = found.some(({ path }) => path.startsWith('metadata.')) || found.length > 1;
  // the other objects are looked at last: for each file they may be others
  if (
    !isExport ||
    source === undefined ||
    source.isItem ||
    unit === 'standard input' ||
    dumpsIn(entry.index).has(unit)
  ) {
    return [];
  }
  const [{ path: first, fate }] = found;
  const value = found.map(({ path }) => path).join(', ');
  const finding = {
    what: `${fate}: the manifest has ${value}, left over from an export of a live object`,
    remedy: `remove ${value}, or pass a dump of a cluster as a List or on standard input`,
    value,
    at: `/${first.replace('.', '/')}`,
  };
  return [findingOf(EXPORTED_MANIFEST, finding, 'kubernetes')];
}

/** A Service whose operator removes the finalizer of its owner by the way it writes. */
function dropsFinalizer({ madeOf, owned }: Subject, { keeper, operators = {} }: CheckContext): LoadBalancerFinding[] {
  const operator = madeOf && operatorOf(madeOf.object);
  if (!operator || !owned || keeper || finalizersOf(owned.service).length > 0) {
    return [];
  }
  const { id, name, fixedIn } = operator;
  const keeps = keepsFinalizers(operator, madeOf.object, operators);
  const [kind, ...others] = likelyKinds(owned.service, owned);
  const lost = kind && others.length === 0 ? expectedFinalizers(owned.service, kind).join(' or ') : '';
  if (lost === '' || keeps) {
    return [];
  }
  const until =
    keeps === undefined ? ` before ${fixedIn}` : fixedIn === undefined ? '' : ` in version ${operators[id]}`;
  const version = versionOf(operator, operators);
  const found = { operator: name, version, until, finalizers: lost, owner: kind.name };
  return [findingOf(RULES['operator-removes-finalizer'], found)];
}

function recreatesService({ madeOf, owned }: Subject, { operators }: CheckContext): LoadBalancerFinding[] {
  const recreation = owned && recreationOf(madeOf);
  const operator = operatorOfSource(madeOf);
  const version = operator && versionOf(operator, operators);
  const found = { recreates: recreation?.if, operator: recreation?.tool, version };
  return recreation ? [findingOf(RULES['operator-recreates-service'], found)] : [];
}

/** Annotations, class and finalizers that others may set on a Service, and its operator takes off. */
function removesFields(subject: Subject, context: CheckContext): LoadBalancerFinding[] {
  const { object, madeOf, owned } = subject;
  const operator = madeOf && operatorOf(madeOf.object);
  if (!operator || !owned) {
    return [];
  }
  const isTold = context.keeper || dropsFinalizer(subject, context).length > 0;
  const lost = removedAttributes(subject, keepsFinalizers(operator, madeOf.object, context.operators)).filter(
    ({ attribute: one }) => one === 'annotations' || (one === 'class' ? !context.keeper : !isTold),
  );
  const fields = lost.flatMap(({ field }) => field ?? []);
  const kept = lost.some((one) => one.attribute === 'annotations') ? ignoredKeys(madeOf.object, 'annotations') : [];
  const found = {
    ...{ operator: operator.name, version: versionOf(operator, context.operators), name: titleOf(object) },
    except: kept.length === 0 ? '' : `, except ${kept.join(', ')}`,
    ...(fields.length === lost.length && { case: 'template', fields: fields.join(' and ') }),
    value: joinWords(lost.map(({ attribute }) => (attribute === 'class' ? 'a class' : attribute))),
  };
  return lost.length === 0 ? [] : [findingOf(RULES['operator-removes-fields'], found)];
}

const AUTO_MODE_KINDS: readonly unknown[] = ['TargetGroupBinding', 'IngressClassParams'];

/** Kinds of EKS Auto Mode that have to do with balancers, of which only what the older kinds have as well is validated. */
function unreadAutoModeKind({ apiVersion, kind }: Json): LoadBalancerFinding[] {
  return groupOf({ apiVersion }) === groupOf({ apiVersion: AUTO_MODE_BINDING_API_VERSION }) &&
    AUTO_MODE_KINDS.includes(kind)
    ? [findingOf(RULES['auto-mode-kind-not-checked'], { kind, shown: shown(apiVersion), value: apiVersion })]
    : [];
}

const OLD_FIELDS = ['kafka.replicas', 'kafka.storage', 'zookeeper'];

function leavingApi({ apiVersion, spec }: Json): LoadBalancerFinding[] {
  if (apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_OLD_API}`) {
    return [];
  }
  const gone = OLD_FIELDS.filter((field) => valueAt(spec, field) !== undefined).map((field) => `spec.${field}`);
  const fields = gone.length === 0 ? '' : `, which has no ${gone.join(', ')}`;
  const found = { old: STRIMZI_OLD_API, until: STRIMZI_OLD_API_UNTIL, api: STRIMZI_API, fields, value: apiVersion };
  return [findingOf(RULES['kafka-api-deprecated'], found)];
}

function lateFinalizers(
  kafka: Json,
  service: Json,
  { entry, owner }: { readonly entry: IndexedObject; readonly owner: LoadBalancerOwner },
  context: CheckContext,
): LoadBalancerFinding[] {
  const resource = entry.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => json === kafka);
  const [kind, ...others] = likelyKinds(service, { owner });
  if (!resource || !kind || others.length > 0 || !keepsForeignFinalizers(resource, context)) {
    return [];
  }
  const { controller } = owner;
  const own = kind.declarable ? (controller ? kind.declarable(service, controller) : []) : kind.finalizers;
  return own.length === 0 || finalizersOf(service).length > 0
    ? []
    : [findingOf(RULES['finalizer-not-declared-on-listener'], { finalizers: own.join(' or '), owner: kind.name })];
}

/**
 * Objects of which several files for one cluster have one each, and not alike: applied together, the last one wins. Each that decides
 * load balancers is reported once, at its last file; the others have one finding. A dump shows what others wrote.
 */
export function differingCopies<T extends Subject>(
  subjects: readonly T[],
  isDeclared?: boolean,
): Map<T, LoadBalancerFinding[]> {
  const namesakes = [...grouped(subjects, ({ entry }) => `${entry.group}/${kindAndTitleOf(entry)}`).values()];
  const meant = namesakes
    .flatMap((all) => (all.length > 1 ? all : []))
    .filter((one) => isMeant(one) && (isDeclared || !isForOneCluster(basename(one.file))));
  const same = grouped(meant, (one) =>
    JSON.stringify([one.renderedFrom ? '' : clusterOf(one, isDeclared), one.entry.group, kindAndTitleOf(one.entry)]),
  );
  const differing = [...same.values()].flatMap((copies) => {
    const last = copies[copies.length - 1];
    const others = new Map(
      copies.filter(({ file }) => file !== last.file).map((one) => [one.file, one.renderedFrom ?? one.entry.path]),
    );
    const isDifferent = others.size > 0 && new Set(copies.map(({ object }) => decided(object))).size > 1;
    return isDifferent ? [{ last, others: [...others.values()].join(' and ') }] : [];
  });
  // one cause has one finding, except for what decides load balancers
  const reported = grouped(differing, (one) =>
    decidesBalancers(one.last) ? one : one.last.renderedFrom === undefined,
  );
  const ofOne = ([{ last, others }, ...more]: readonly (typeof differing)[number][]): [T, LoadBalancerFinding[]] => {
    const row = RULES[last.renderedFrom === undefined ? 'object-duplicate-in-files' : 'object-duplicate-in-sources'];
    const title = kindAndTitleOf(last.entry);
    const several = more.length > 0 && {
      case: 'several',
      more: `${more.length} more ${more.length === 1 ? 'object' : 'objects'}`,
    };
    return [last, [findingOf(row, { title, others, value: last.entry.name, ...several })]];
  };
  return new Map([...reported.values()].map(ofOne));
}

function decidesBalancers({ object, entry: { group, kind } }: Subject): boolean {
  const isRead = !['', 'apps'].includes(group) && KIND_CHECKS.has(`${group}/${kind}`);
  return isRead || wantsLoadBalancer(object) || operatorOf(object) !== undefined;
}

/**
 * Services that several objects of one cluster make, or that an object makes and a file has as well. Each is reported once, at the last
 * object that makes it. A live Service is what one of them made.
 */
export function competingWriters<T extends Subject>(subjects: readonly T[], isDeclared?: boolean) {
  const written = subjects
    .filter(
      ({ entry: { group, kind }, isOfUnknownGateway }) => group === '' && kind === 'Service' && !isOfUnknownGateway,
    )
    .filter(({ object, source }) => !source?.template && !isLive(object) && !isSet(object.metadata?.ownerReferences))
    .flatMap((one) =>
      namesOf(one).map((name) => ({
        ...{ one, name, maker: one.madeOf ? `${one.madeOf.object.kind} ${titleOf(one.madeOf.object)}` : '' },
        title: titleOf({ metadata: { ...one.object.metadata, name } }),
        cluster: one.renderedFrom ? '' : clusterOf(one, isDeclared),
      })),
    )
    .filter(({ title }) => gapIn(title) === undefined);
  const found = new Map<T, LoadBalancerFinding[]>();
  for (const all of grouped(written, ({ cluster, title }) => `${cluster}\n${title}`).values()) {
    const last = all.filter(({ maker }) => maker !== '').at(-1);
    const writers = new Map(all.map(({ one, maker }) => [maker, `${maker || 'the manifest'} (${one.entry.path})`]));
    if (last && writers.size > 1) {
      const { one, name, title } = last;
      const mistake = { title, writers: [...writers.values()].join(' and '), value: name };
      found.set(one, [...(found.get(one) ?? []), findingOf(RULES['service-writers-conflict'], mistake)]);
    }
  }
  return found;
}

/** An object without a namespace may be of any; one with a variable in its name, of a template or of a source that is rendered may be another. */
function isMeant({ entry, madeBy, object, source }: Subject): boolean {
  return (
    madeBy === undefined &&
    source?.template === undefined &&
    typeof entry.name === 'string' &&
    (typeof entry.namespace === 'string' || isOfCluster({ ...object, metadata: mapIn(object, 'metadata') })) &&
    gapIn(`${entry.namespace} ${entry.name}`) === undefined &&
    !isLive(object)
  );
}

function decided({ metadata, status, ...fields }: Json): string {
  return JSON.stringify([inKeyOrder(annotationsOf({ metadata })), inKeyOrder(fields)]);
}
