import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../../contract/rule';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { annotationsOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import type { CheckContext } from '../context/check-context';
import { classWithoutFinalizer } from '../known-classes';
import { ownerNotes } from '../owners-in-words';
import { likelyKinds } from './written-service';

export const PLAIN_TARGET_OF_HTTPS: DescribedNote = {
  id: 'plain-target-of-https',
  who: 'check',
  severity: 'note',
  says: 'port 443 leads to a port of the pods for plain HTTP only if the balancer terminates TLS',
  source: 'ours',
};

/** Annotations of controllers without rules here that have a balancer terminate TLS. */
const TERMINATES = /cert|ssl|tls|https|backend-protocol/i;

/** What is worth knowing of a Service with which nothing is wrong. */
export function serviceNotes(
  service: Json,
  owner: LoadBalancerOwner,
  { controllers }: Pick<CheckContext, 'controllers'>,
): LoadBalancerFinding[] {
  return [
    ...ownerNotes(service, owner, controllers !== undefined),
    ...classWithoutFinalizer(service, owner),
    ...plainTargetsOfHttps(service, owner),
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

const isUnread =
  (key: string) =>
  ({ catalogue }: { readonly catalogue: { find(key: string): unknown } }): boolean =>
    catalogue.find(key) === undefined;
