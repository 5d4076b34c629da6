import { isIPv6 } from 'node:net';
import { addressesOf, type EditedValue, type UpgradedBalancer } from '../../contract/edit';
import { isMap, isSet, type Json, list, mapIn, sameValue } from '../../contract/json';
import { EXCLUDED_FROM_BALANCERS_LABEL } from '../../contract/kubernetes.facts';
import { podTemplateOf } from '../../contract/pod-placement';
import { annotationsOf, isLocal } from '../../rules/service-json';
import { METALLB_GROUP } from './facts';
import { shareOf } from './reached';

// Conditions of changes that look at the whole Service. Both spellings of an annotation count.

export function sharesNone(service: Json): boolean {
  return annotationsWith('/allow-shared-ip', service).length === 0;
}

function annotationsWith(end: string, service: Json): [string, unknown][] {
  return Object.entries(annotationsOf(service)).filter(([key]) => key.endsWith(end));
}

export function sharesNoneOrIsCluster(service: Json): boolean {
  return sharesNone(service) || !isLocal(service);
}

/** MetalLB writes which pool it is. */
export function isItsPool({ after, objects }: EditedValue): boolean {
  const [[, pool = undefined] = []] = annotationsWith('/ip-allocated-from-pool', objects.before);
  return pool !== undefined && pool === after;
}

export function hadNoKey({ before, objects }: EditedValue): boolean {
  return !isSet(before) && sharesNone(objects.before);
}

/** The addresses that a Service asks for, whichever way. controller/service.go, getDesiredLbIPs */
function askedFor(service: Json): string[] | undefined {
  const [[, listed = undefined] = []] = annotationsWith('/loadBalancerIPs', service);
  const asked = listed ?? mapIn(service, 'spec').loadBalancerIP;
  return asked === undefined || asked === null ? undefined : sorted(String(asked).split(','));
}

function hadBy(service: Json): string[] | undefined {
  const given = addressesOf(service);
  return given.length > 0 ? sorted(given) : askedFor(service);
}

function sorted(addresses: readonly string[]): string[] {
  const plain = (text: string) => (isIPv6(text) ? new URL(`http://[${text}]`).hostname : text);
  return addresses.map((one) => plain(one.trim())).sort();
}

export function asksForItsAddress({ objects }: EditedValue): boolean {
  const had = hadBy(objects.before);
  return had !== undefined && sameValue(had, askedFor(objects.after));
}

/** Written otherwise, or with more of them: pools are compared as sets of addresses. */
export const allStay = ({ before, after }: EditedValue) =>
  shareOf(list<unknown>(before).map(String), list<unknown>(after).map(String)) === 'all';

const isNode = ({ kind, apiVersion }: Json) => kind === 'Node' && apiVersion === 'v1';
const isLabelled = (object: Json) =>
  isNode(object) && mapIn(mapIn(object, 'metadata'), 'labels')[EXCLUDED_FROM_BALANCERS_LABEL] !== undefined;

/** True if a speaker among some objects announces from nodes that are excluded from balancers. metallb/metallb v0.16.1, speaker/main.go */
export function usesExcludedNodes(objects: readonly Json[]): boolean {
  return objects
    .filter(({ kind }) => kind === 'DaemonSet')
    .flatMap((object) => list<Json>(podTemplateOf(object)?.spec?.containers).filter(isMap))
    .some(
      ({ image, args }) =>
        /\bmetallb[/-]speaker\b/.test(String(image)) &&
        list<unknown>(args).some((arg) => /^--?ignore-exclude-lb(=(1|t|T|true|TRUE|True))?$/.test(String(arg))),
    );
}

export const hasExcludedNodes = ({ beside }: UpgradedBalancer) => !usesExcludedNodes(beside) && beside.some(isLabelled);
export const mayHaveExcludedNodes = ({ beside }: UpgradedBalancer) =>
  !usesExcludedNodes(beside) && !beside.some(isNode);

export const hasAddressPools = ({ beside }: UpgradedBalancer) =>
  beside.some((one) => one.kind === 'AddressPool' && String(one.apiVersion).startsWith(METALLB_GROUP));
