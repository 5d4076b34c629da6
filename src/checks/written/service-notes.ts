import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../../contract/rule';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { ownerSigns } from '../../controllers/other-controller';
import { annotationsOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import type { CheckContext } from '../context/check-context';
import { classWithoutFinalizer } from '../known-classes';
import { ownerNotes } from '../owners-in-words';
import { MIXED_PROTOCOLS } from './written.facts';
import { likelyKinds } from './written-service';

export const PLAIN_TARGET_OF_HTTPS: DescribedNote = {
  id: 'plain-target-of-https',
  who: 'check',
  severity: 'note',
  says: 'port 443 leads to a plain HTTP port',
  source: 'ours',
};

export const MIXES_PROTOCOLS: DescribedNote = {
  id: 'mixed-protocols',
  who: 'kubernetes',
  severity: 'note',
  says: 'TCP and UDP in one Service of an unknown owner',
  source: MIXED_PROTOCOLS,
};

/** The first version of Kubernetes that takes them without a feature gate. */
const MIXES_SINCE = KubernetesVersion.of('1.24');

/** Annotations of controllers without rules here that have a balancer terminate TLS. */
const TERMINATES = /cert|ssl|tls|https|backend-protocol/i;

/** What is worth knowing of a Service with which nothing is wrong. */
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
    const finding = {
      what: `clients of HTTPS may get plain HTTP: port 443 leads to port ${targetPort} of the pods, and no annotation has the balancer terminate TLS`,
      remedy: 'lead it to the port of the pods for HTTPS, or give the balancer a certificate',
      value: String(targetPort),
      at: `/spec/ports/${i}/targetPort`,
    };
    return isPlain && !ends.some((one) => one.port === port)
      ? [findingOf(PLAIN_TARGET_OF_HTTPS, finding, 'check')]
      : [];
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
  const finding = {
    what: isOld
      ? `Kubernetes ${kubernetes.version} refuses ports of TCP and UDP in one load balanced Service, unless its feature gate MixedProtocolLBService is on`
      : 'the ports mix TCP and UDP: some controllers refuse that, such as cloud-provider-aws, and others serve it',
    remedy: 'make one Service for each protocol, or name the controllers of the cluster in the context',
    value: 'TCP and UDP',
    at: '/spec/ports',
  };
  return [findingOf(MIXES_PROTOCOLS, finding, 'check')];
}

const isUnread =
  (key: string) =>
  ({ catalogue }: { readonly catalogue: { find(key: string): unknown } }): boolean =>
    catalogue.find(key) === undefined;
