import { isMap, type Json, list } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { PlacesOfFields } from '../../contract/kubernetes-yaml';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { LoadBalancerFinding } from '../../contract/options';
import { type DescribedNote, findingOf } from '../../contract/rule';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { ownerSigns } from '../../controllers/other-controller';
import { type ControllerDefinition, definitionOf } from '../../rules/controller-definition';
import { allKinds, likelyClaimants } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { ObjectContext, Rule } from '../../rules/rule';
import { annotationsOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { EXPORTED_MANIFEST } from '../../services/rules.facts';
import type { CheckContext } from '../context/check-context';
import { classWithoutFinalizer, ownerNotes } from '../owners-in-words';
import { noteOf } from './messages';
import { RULES } from './rules.facts';
import { FATES, OF_CLUSTERS } from './written.facts';

export interface WrittenContext extends ObjectContext {
  readonly owner: LoadBalancerOwner;
  /** All controllers that run in the cluster; unset where that is not known. */
  readonly controllers?: readonly ILoadBalancerController[];
  /** All workloads that the Service selects; unset where these are not known. */
  readonly workloads?: readonly Json[];
}

export type WrittenRule = Rule<WrittenContext>;

export function kindOf({ owner }: WrittenContext): ControllerDefinition | undefined {
  return owner.controller && definitionOf(owner.controller);
}

export function likelyKinds(service: Json, context: WrittenContext): readonly ControllerDefinition[] {
  const kind = kindOf(context);
  return kind ? [kind] : context.owner.controller ? [] : likelyClaimants(service).map((claimant) => claimant.kind);
}

/** The kinds that may read an annotation: the owner, those that are likely, or any. */
export function readers(service: Json, context: WrittenContext): readonly ControllerDefinition[] {
  const kinds = likelyKinds(service, context);
  return kinds.length > 0 || context.owner.controller ? kinds : allKinds();
}

export const PLAIN_TARGET_OF_HTTPS: DescribedNote = RULES['plain-target-of-https'];

export const MIXES_PROTOCOLS: DescribedNote = RULES['mixed-protocols'];

/** The first version of Kubernetes that takes them without a feature gate. */
const MIXES_SINCE = KubernetesVersion.of('1.24');

const TERMINATES = /cert|ssl|tls|https|backend-protocol/i;

export function serviceNotes(
  service: Json,
  owner: LoadBalancerOwner,
  { controllers, kubernetes }: Pick<CheckContext, 'controllers' | 'kubernetes'>,
): LoadBalancerFinding[] {
  return [
    ...ownerNotes(service, owner, controllers !== undefined),
    ...classWithoutFinalizer(service, owner),
    ...plainTargetsOfHttps(service, owner),
    ...mixedProtocols(service, owner, kubernetes),
  ];
}

/** Ports 443 that lead to a port for plain HTTP, if no annotation has the balancer terminate TLS. */
function plainTargetsOfHttps(service: Json, owner: LoadBalancerOwner): LoadBalancerFinding[] {
  const kinds = likelyKinds(service, { owner });
  const ends = kinds.flatMap(({ handles }) => handles?.(service) ?? []).filter(({ does }) => does === 'terminates-tls');
  const mayEnd =
    kinds.some(({ handles }) => handles === undefined) ||
    Object.keys(annotationsOf(service)).some((key) => TERMINATES.test(key) && kinds.every(isUnread(key)));
  if (!wantsLoadBalancer(service) || mayEnd) {
    return [];
  }
  return portsOf(service).flatMap(({ port, targetPort }, i) => {
    const isPlain = port === 443 && (targetPort === 'http' || targetPort === 80);
    const place = { value: String(targetPort), at: `/spec/ports/${i}/targetPort` };
    return isPlain && !ends.some((one) => one.port === port) ? [noteOf(RULES['plain-target-of-https'], place)] : [];
  });
}

/** Ports of TCP and UDP, unless rules of the owner judge them. */
function mixedProtocols(service: Json, owner: LoadBalancerOwner, kubernetes?: KubernetesVersion) {
  const protocols = new Set(portsOf(service).map(({ protocol = 'TCP' }) => protocol));
  const isOld = kubernetes?.isAtLeast(MIXES_SINCE) === false;
  const isKnown =
    owner.controller !== undefined || likelyKinds(service, { owner }).length === 1 || ownerSigns(service).length > 0;
  if (!wantsLoadBalancer(service) || !protocols.has('TCP') || !protocols.has('UDP') || (isKnown && !isOld)) {
    return [];
  }
  const what = isOld
    ? `Kubernetes ${kubernetes.version} refuses ports of TCP and UDP in one load balanced Service, unless its feature gate MixedProtocolLBService is on`
    : 'the ports mix TCP and UDP: some controllers refuse that, such as cloud-provider-aws, and others serve it';
  return [noteOf(RULES['mixed-protocols'], { what, value: 'TCP and UDP', at: '/spec/ports' })];
}

const isUnread =
  (key: string) =>
  ({ catalogue }: { readonly catalogue: { find(key: string): unknown } }): boolean =>
    catalogue.find(key) === undefined;

function dumpsIn(index: ObjectIndex): ReadonlySet<unknown> {
  const isOfCluster = ({ kind, json }: IndexedObject) => OF_CLUSTERS.includes(kind) && isMap(json.status);
  return index.once(dumpsIn, ({ all }) => new Set(all.filter(isOfCluster).map(({ unit }) => unit)));
}

function hasValue(object: Json, path: string): boolean {
  if (path === 'status') {
    return list(object.status?.loadBalancer?.ingress).length > 0;
  }
  const [map, field] = path.split('.');
  const value: unknown = isMap(object[map]) ? object[map][field] : undefined;
  return value !== undefined && value !== null && value !== '' && value !== 'None';
}

/** Fields that an export left in a manifest; nothing in what is read of a cluster. */
export function exportLeftovers({ json, index, unit }: IndexedObject, source?: PlacesOfFields): LoadBalancerFinding[] {
  const isOfCluster = source === undefined || source.isItem || unit === 'standard input' || dumpsIn(index).has(unit);
  const found = isOfCluster ? [] : FATES.filter(([path]) => hasValue(json, path));
  // an address of its own is a choice, and a status alone is what generators write
  const isExport = found.some(([path]) => path.startsWith('metadata.')) || found.length > 1;
  if (!isExport) {
    return [];
  }
  const [[first, fate]] = found;
  const fields = found.map(([path]) => path);
  const finding = {
    what: `${fate}: the manifest has ${fields.join(', ')}, which an export of a live object left`,
    remedy: `remove ${fields.join(', ')}, or pass what is read of a cluster as a List or on standard input`,
    value: fields.join(', '),
    at: `/${first.replace('.', '/')}`,
  };
  return [findingOf(EXPORTED_MANIFEST, finding, 'kubernetes')];
}
