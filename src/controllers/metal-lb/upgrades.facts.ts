import { isMap, type Json, list, mapIn } from '../../contract/json';
import { type Citation, Confidence, EXCLUDED_FROM_BALANCERS_LABEL } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';
import { podTemplateOf } from '../../contract/workload';

const releaseNotes = (version: string): Citation => ({
  repository: 'metallb/metallb',
  version,
  file: 'website/content/release-notes/_index.md',
});
const isNode = ({ kind, apiVersion }: Json) => kind === 'Node' && apiVersion === 'v1';
const isLabelled = (object: Json) =>
  isNode(object) && mapIn(mapIn(object, 'metadata'), 'labels')[EXCLUDED_FROM_BALANCERS_LABEL] !== undefined;
const NODES_EXCLUDED = { since: '0.14.0', source: releaseNotes('v0.14.0'), confidence: Confidence.DOCS };
const NO_LONGER = {
  what: `nodes with label ${EXCLUDED_FROM_BALANCERS_LABEL} announce no address from then on`,
  first: 'take the label off nodes that shall announce, or run speakers of 0.14.4 or later with --ignore-exclude-lb',
};

/** Whether a speaker among some objects announces from nodes that are excluded from balancers. metallb/metallb v0.16.1, speaker/main.go */
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

/** What versions of MetalLB changed. */
export const METALLB_UPGRADES: readonly UpgradeFact[] = [
  {
    since: '0.13.0',
    up: {
      outcome: 'replaced',
      what: 'its ConfigMap is not read any more: without pools as objects no Service has an address',
      first: 'apply the pools and advertisements that its converter makes of the ConfigMap',
    },
    down: {
      outcome: 'replaced',
      what: 'its objects are not read: without pools in a ConfigMap no Service has an address',
      first: 'write the ConfigMap with the same pools',
    },
    source: releaseNotes('v0.16.1'),
    confidence: Confidence.DOCS,
  },
  {
    ...NODES_EXCLUDED,
    concerns: ({ beside }) => !usesExcludedNodes(beside) && beside.some(isLabelled),
    up: { ...NO_LONGER, outcome: 'interrupted' },
  },
  {
    ...NODES_EXCLUDED,
    concerns: ({ beside }) => !usesExcludedNodes(beside) && !beside.some(isNode),
    up: { ...NO_LONGER, what: `${NO_LONGER.what}; no object shows which nodes have it`, outcome: 'unknown' },
  },
  {
    since: '0.14.0',
    concerns: ({ beside }) =>
      beside.some((one) => one.kind === 'AddressPool' && String(one.apiVersion).startsWith('metallb.io/')),
    up: {
      outcome: 'replaced',
      what: 'AddressPools are not read any more: Services lose addresses that no IPAddressPool has',
      first: 'apply an IPAddressPool with the same addresses, and advertisements of it',
    },
    source: releaseNotes('v0.14.0'),
    confidence: Confidence.DOCS,
  },
];
