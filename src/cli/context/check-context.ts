import type { Outcome } from '../../contract/edit';
import { type Json, printable } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import type { SchemaField } from '../../contract/schema/walk';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { KeptServices } from '../../policies/policy-objects';
import { isOver } from '../../rules/ignored-findings';
import type { Acceptance, CheckedObject, CheckFinding, KnownContext, Place, UnknownAnswer } from '../check-report';

export interface ContextField extends SchemaField {
  readonly says: string;
  readonly example: string;
  readonly isVersion?: true;
  readonly entries?: ContextFields;
  readonly within?: ContextFields;
  readonly amounts?: RegExp;
  /** True if each entry is a controller: its name, or a map with its name and options. */
  readonly ofControllers?: true;
}

export type ContextFields = Readonly<Record<string, ContextField>>;

export interface InstalledController {
  readonly name: string;
  /** Its options by the keys of the context file; versions are texts. */
  readonly options: Readonly<Json>;
}

export interface AcceptedFinding extends Acceptance {
  readonly isForAll?: true;
  readonly rule: string;
  /** `namespace/name`, or `Kind namespace/name`; without it, the finding is accepted at every object. */
  readonly object?: string;
  readonly place: Place;
}

export interface AcceptedLoss extends Acceptance {
  readonly isForAll?: true;
  readonly outcome: Outcome;
  /** `namespace/name`, or `Kind namespace/name`: the Service, or what it is made of. */
  readonly object: string;
  /** Place in the context file; undefined if it is from the command line. */
  readonly place?: Place;
}

export interface BudgetEntry {
  readonly maxMonthlyCost?: Readonly<Record<string, number>>;
  readonly maxQuotaPercent?: number;
  readonly zones?: number;
  readonly gbPerMonth?: number;
  readonly connections?: number;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly place: Place;
  readonly places: Readonly<Record<string, Place>>;
}

export type ControllerSelection = Pick<CheckContext, 'controllers' | 'installed'>;

/** Known context of the cluster to which manifests are applied; what is left out is unknown. */
export interface CheckContext {
  readonly known: readonly KnownContext[];
  readonly controllers?: readonly ILoadBalancerController[];
  readonly installed?: readonly InstalledController[];
  /** Controllers that the files show if which of them claims a Service is open: `controllers` is unset then. */
  readonly shown?: readonly ILoadBalancerController[];
  readonly versions?: Readonly<Record<string, string>>;
  /** True if the controllers are a guess: errors that rest on it are warnings. */
  readonly areControllersInferred?: boolean;
  /** The controllers that have a pool of addresses for a Service among the objects. */
  readonly withPoolFor?: (service: Json) => readonly string[];
  readonly kubernetes?: KubernetesVersion;
  readonly strimzi?: StrimziVersion;
  readonly isStrimziInferred?: boolean;
  /** True if Strimzi is older than all versions that are known here; its version is unset then. */
  readonly isStrimziOlder?: boolean;
  /** Versions of operators by id, as their images show them. */
  readonly operators?: Readonly<Record<string, string>>;
  readonly keeper?: KeptServices;
  readonly nodePools?: Readonly<Record<string, NodePool>>;
  readonly region?: string;
  /** True if the region is a guess: errors that rest on it are warnings. */
  readonly isRegionInferred?: boolean;
  readonly accepted: readonly AcceptedFinding[];
  readonly acceptedLosses?: readonly AcceptedLoss[];
  readonly budget?: BudgetEntry;
}

export const NO_CONTEXT: CheckContext = { known: [], accepted: [] };

export interface HelmSource {
  readonly chart: string;
  readonly release?: string;
  readonly namespace?: string;
  readonly values?: readonly string[];
}

/** A source of a cluster as the context file has it; paths are from the folder of the file. */
export type SourceEntry = { readonly place: Place } & (
  | HelmSource
  | { readonly kustomize: string }
  | { readonly files: readonly string[] }
);

export interface ClusterEntry {
  readonly name: string;
  readonly context: CheckContext;
  readonly sources: readonly SourceEntry[];
}

/**
 * Marks findings that the context file accepts and their objects do not ignore. An entry counts up to its last day; a finding that it accepted says so when the
 * day is over. Entries that no finding fits are told, unless a rule has no answer where they would.
 */
export function accept(
  findings: readonly CheckFinding[],
  { accepted }: Pick<CheckContext, 'accepted'>,
  today?: string,
  unknown: readonly UnknownAnswer[] = [],
) {
  const valid = accepted.filter((entry) => !isOver(entry, today));
  const over = accepted.filter((entry) => isOver(entry, today));
  const marked = findings.map((finding) => {
    const entry = valid.find((one) => isFor(one, finding));
    if (entry && !finding.accepted) {
      const { reason, until } = entry;
      return { ...finding, accepted: { reason, ...(until !== undefined && { until }) } };
    }
    const past = over.find((one) => isFor(one, finding));
    return past && !finding.accepted ? { ...finding, remedy: `${finding.remedy}; ${wasAccepted(past)}` } : finding;
  });
  const idle = accepted.filter(
    (entry) => !findings.some((finding) => isFor(entry, finding)) && !unknown.some((answer) => isFor(entry, answer)),
  );
  const idleForAll = idle.filter(({ isForAll }) => isForAll).map(noLonger);
  return { findings: marked, notes: idle.map(noLonger), idleForAll };
}

function wasAccepted({ until, reason, place }: AcceptedFinding): string {
  return printable(`it was accepted until ${until} (${place.file}:${place.line}: ${reason})`);
}

function noLonger({ rule, object, place }: AcceptedFinding): string {
  const where = object === undefined ? '' : ` at ${object}`;
  const at = `${place.file}:${place.line}:${place.column}`;
  return printable(`${at}: ${rule}${where} is accepted and no longer found; remove the entry`);
}

function isFor({ rule, object }: AcceptedFinding, { ruleId, object: found }: CheckFinding | UnknownAnswer): boolean {
  return rule === ruleId && (object === undefined || titlesOf(found).includes(object));
}

function titlesOf({ kind, namespace, name, madeBy }: CheckedObject): string[] {
  const title = namespace === undefined ? name : `${namespace}/${name}`;
  const [maker] = (madeBy ?? '').split(',');
  return [title, `${kind} ${title}`, ...(maker === '' ? [] : [maker, maker.slice(maker.indexOf(' ') + 1)])];
}
