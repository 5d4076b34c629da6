import { unlessLive } from '../contract/hand-over';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { LoadBalancerWish as WISH } from '../contract/load-balancer-wish';
import type { DescribedRule } from '../contract/rule';
import { LoadBalancerOwner, type OwnershipContext, OwnershipState } from '../controllers/load-balancer-owner';
import type { ReportedService } from '../later/later';
import { isGraveForAllReaders } from '../rules/annotation-rules';
import { type Claim, claimsOf, likelyClaimsOf } from '../rules/claims';
import type { Fights } from '../rules/claims-in-app';
import { type ControllerDefinition, definitionOf, unwrapped } from '../rules/controller-definition';
import { exclusionInWords } from '../rules/excluded-nodes';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import { RuleSet } from '../rules/rule-set';
import { Workloads } from '../rules/selected-workloads';
import { typedService } from '../rules/service-fields';
import { annotationsOf, classOf, finalizersOf } from '../rules/service-json';
import { UNOWNED_RULES } from '../rules/service-rule-set';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';
import type { CheckContext } from './context/check-context';
import { deletion, finalizerReason } from './finalizers-in-words';
import { unlessTaken, webhookUnsaid } from './owners-in-words';
import { fieldOf } from './places';
import { judgeService } from './service-judgement';
import { clientAddressOf, policyOf } from './service-words';
import { gapIn } from './variables';
import { requiredNodes } from './workloads';
import { WRITTEN_SERVICE_RULES } from './written/service-rules';

/** What a finished Service says of its load balancer. */
export interface ServiceReport {
  readonly file: string;
  readonly line: number;
  /** What makes the Service later, where it is no manifest itself. */
  readonly madeBy?: string;
  /** Other Services that are made beside it and differ by their names and pods alone. */
  readonly alike?: string[];
  readonly namespace?: string;
  readonly name: string;
  /** The owner, or why it is not known. */
  readonly owner: string;
  readonly because: string;
  readonly state: OwnershipState;
  /** Since when it is being deleted, and what it waits for. */
  readonly deleting?: string;
  readonly finalizers: string[];
  readonly finalizersBecause: string;
  readonly loadBalancerClass?: string;
  /** Who can reach it, and what decides it. */
  readonly scheme: string;
  readonly policy: string;
  readonly policyMeans: string;
  /** What pods see of the address of clients. */
  readonly clientAddress: string;
  /** The clients that may connect. */
  readonly sourceRanges: string;
  /** What decides on which nodes traffic arrives, as text. */
  readonly nodes: string;
  /** What other annotations mean for wishes: `proxyProtocol: aws-load-balancer-proxy-protocol *`. */
  readonly settings: Record<string, string>;
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
  /** Findings that are no mistake of a manifest. */
  readonly notes: LoadBalancerFinding[];
}

/** Reports on Services, as far as a balancer is made of them, beside the objects of their set; what they claim is left to `check`. */
export function reportServices(
  services: readonly ReportedService[],
  manifests: readonly Manifest[],
  context: OwnershipContext & Pick<CheckContext, 'areControllersInferred'>,
): ServiceReport[] {
  const objects = manifests.map(({ object }) => object);
  const surroundings: Surroundings = {
    workloads: new Workloads(objects),
    // of a large set most are Services, which restrict no nodes
    objects: objects.filter(({ kind }) => kind !== 'Service'),
    index: new ManifestIndex(manifests),
    controllers: context.controllers,
  };
  return services.flatMap((service) => {
    const typed = typedService(service.object).service;
    const owner = LoadBalancerOwner.of(typed, context);
    if (owner.state === OwnershipState.NOT_APPLICABLE) {
      return [];
    }
    const report = reportService(service, typed, owner, surroundings);
    const guessed = report.errors.filter((finding) => restsOnInferredOwner(typed, owner, finding, context));
    const errors = report.errors.filter((finding) => !guessed.includes(finding));
    const warnings = [...guessed, ...report.warnings];
    const webhook = webhookUnsaid(typed, owner.name, context.controllers);
    const leveled =
      webhook === undefined ? { ...report, errors, warnings } : asGuess({ ...report, errors, warnings }, webhook);
    return [
      {
        ...leveled,
        warnings: leveled.warnings.filter((finding) => !isNote(finding)),
        notes: leveled.warnings.filter(isNote),
      },
    ];
  });
}

/** Whether a finding is no mistake of a manifest. */
export function isNote({ ruleId }: LoadBalancerFinding): boolean {
  return RuleSet.withId(ruleId).some(({ levelInFiles }) => levelInFiles === 'note');
}

/** Whether a finding rests on controllers that were inferred, without which another one might own the balancer. */
function restsOnInferredOwner(
  service: Json,
  owner: LoadBalancerOwner,
  finding: LoadBalancerFinding,
  { areControllersInferred }: Pick<CheckContext, 'areControllersInferred'>,
): boolean {
  if (!areControllersInferred || finding.who === 'kubernetes' || isTrueOfAnyOwner(service, finding)) {
    return false;
  }
  const sure = LoadBalancerOwner.of(service);
  return sure.name === undefined || sure.name !== owner.name;
}

/** Whether a finding is true whichever controller owns the balancer. */
export function isTrueOfAnyOwner(service: Json, finding: LoadBalancerFinding): boolean {
  const key = finding.ruleId === ANNOTATION_VALUE ? fieldOf(finding, service).at(-1) : undefined;
  return UNOWNED_IDS.has(finding.ruleId) || (typeof key === 'string' && isGraveForAllReaders(service, key));
}

const ANNOTATION_VALUE = 'annotation-value';

const UNOWNED_IDS: ReadonlySet<string> = new Set([
  ...UNOWNED_RULES.rules.map(({ id }) => id),
  ...WRITTEN_SERVICE_RULES.filter(({ who }) => who === 'kubernetes').map(({ id }) => id),
]);

/** A report on a Service that is of another owner if a webhook takes it; only the API server is sure. */
function asGuess(report: Omit<ServiceReport, 'notes'>, webhook: string): Omit<ServiceReport, 'notes'> {
  const { because, errors, warnings } = report;
  const isSure = ({ who }: LoadBalancerFinding) => who === 'kubernetes';
  const unsure = (findings: readonly LoadBalancerFinding[]) =>
    findings.filter((one) => !isSure(one)).map((one) => unlessTaken(one, webhook));
  return {
    ...report,
    because: `a guess, unless the webhook of ${webhook} gives it its class: ${because}`,
    errors: errors.filter(isSure),
    warnings: [...unsure(errors), ...warnings.filter(isSure), ...unsure(warnings)],
  };
}

export const NO_FIGHTS: Fights = { errors: [], warnings: [] };

/** What a Service claims by a value that is written, and not filled in later. */
export function claimsIn(service: Json, { controller }: LoadBalancerOwner): readonly Claim[] {
  const kind = controller && definitionOf(controller);
  const claims = controller
    ? claimsOf(service, kind, kind?.versionOf?.(unwrapped(controller)))
    : likelyClaimsOf(service);
  return claims.filter(({ value }) => gapIn(value) === undefined);
}

/** What is beside a Service. */
interface Surroundings {
  readonly workloads: Workloads;
  readonly objects: readonly Json[];
  readonly index: ManifestIndex;
  readonly controllers: OwnershipContext['controllers'];
}

function reportService(
  reported: ReportedService,
  service: Json,
  owner: LoadBalancerOwner,
  surroundings: Surroundings,
): Omit<ServiceReport, 'notes'> {
  const { file, line, madeBy, alike } = reported;
  const { workloads, objects } = surroundings;
  const behind = workloads.of(service);
  const kind = owner.controller && definitionOf(owner.controller);
  const isShared = classOf(service) === SHARED_CLASS;
  const judgement = judgeService(surroundings.index.entryOf(reported), {
    service,
    owner,
    behind,
    controllers: surroundings.controllers,
  });
  const { policy, means } = policyOf(service);
  const {
    [WISH.SCHEME]: scheme,
    [WISH.SOURCE_RANGES]: ranges,
    [WISH.BACKEND_NODES]: nodes,
    ...settings
  } = settingsOf(service, kind);
  return {
    file,
    line,
    ...(madeBy !== undefined && { madeBy }),
    ...(alike && { alike }),
    namespace: service.metadata?.namespace,
    name: service.metadata?.name ?? (service.metadata?.generateName ? `${service.metadata.generateName}*` : ''),
    owner: isShared ? 'a shared load balancer' : (owner.name ?? owner.state),
    because: isShared
      ? `the program that publishes Services of class ${SHARED_CLASS}; no balancer is made for this one`
      : owner.because,
    state: owner.state,
    deleting: deletion(service),
    finalizers: finalizersOf(service),
    finalizersBecause:
      owner.name !== undefined && !kind
        ? `what ${owner.name} does with them is not known here`
        : finalizerReason(service, kind, judgement),
    loadBalancerClass: classOf(service),
    scheme: schemeInWords(service, kind, scheme),
    policy,
    policyMeans: kind?.policyMeans?.(service) ?? means,
    clientAddress: kind?.clientAddressOf?.(service) ?? clientAddressOf(service),
    sourceRanges: service.spec?.loadBalancerSourceRanges?.join(', ') || ranges || 'none: any client',
    nodes: nodesOf(service, owner, nodes, behind, objects),
    settings,
    errors: [...(isShared ? [] : ownershipErrors(owner)), ...judgement.errors],
    // what makes it chooses the rest of its name once
    warnings: judgement.warnings.filter(({ ruleId }) => !madeBy || ruleId !== 'generated-name'),
  };
}

/** A balancer that no controller will make, or that two will. */
export function ownershipErrors({ state, because }: LoadBalancerOwner): LoadBalancerFinding[] {
  if (state === OwnershipState.UNCLAIMED) {
    const what = `no controller that runs here makes this balancer, so the Service stays pending: ${because}`;
    const remedy = unlessLive('give it the class or the annotations of one that runs here');
    return [{ ruleId: UNCLAIMED.id, who: 'list', what, remedy }];
  }
  if (state === OwnershipState.CONTESTED) {
    const what = `more than one controller takes this Service: ${because}`;
    return [{ ruleId: CONTESTED.id, who: 'list', what, remedy: unlessLive('give it the class of one of them') }];
  }
  return [];
}

/** The annotations that answer wishes, by wish, without their prefixes. */
function settingsOf(service: Json, kind: ControllerDefinition | undefined): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [key, text] of Object.entries(annotationsOf(service))) {
    const wish = kind?.catalogue.find(key)?.fact.wish;
    if (wish) {
      const setting = `${key.slice(key.lastIndexOf('/') + 1)} ${text}`;
      settings[wish] = settings[wish] === undefined ? setting : `${settings[wish]}, ${setting}`;
    }
  }
  return settings;
}

function schemeInWords(service: Json, kind: ControllerDefinition | undefined, written: string | undefined): string {
  if (!kind) {
    return `unknown: its owner decides${written ? `, by ${written}` : ''}`;
  }
  const { scheme, because } = kind.schemeOf(service);
  return `${scheme ?? 'unknown'}: ${because}`;
}

/** On which nodes traffic can arrive: the balancer's own restriction, then that of the pods. */
function nodesOf(
  service: Json,
  { controller }: LoadBalancerOwner,
  restriction: string | undefined,
  behind: readonly Json[],
  objects: readonly Json[],
): string {
  const kind = controller && definitionOf(controller);
  const demands = [
    exclusionInWords(service, kind, controller, objects),
    restriction && `backend on ${restriction}`,
    kind?.restrictsNodes?.(service, objects),
    ...behind.map(requiredNodes),
  ];
  // a dump or a folder of several clusters has namesakes
  return [...new Set(demands.filter(Boolean))].join('; ') || 'any';
}

// Rules of the command `list` alone.

export const UNCLAIMED: DescribedRule = {
  id: 'unclaimed',
  severity: 'error',
  says: 'some controller that runs here makes the balancer of a Service',
  source: 'ours',
};

export const CONTESTED: DescribedRule = {
  id: 'contested',
  severity: 'error',
  says: 'no more than one controller takes a Service',
  source: 'ours',
};
