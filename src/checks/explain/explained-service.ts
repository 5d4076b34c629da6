import { isMap, type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { namespaceIn } from '../../contract/object-title';
import { shown, unquoted } from '../../contract/printable';
import { LEFT_BEHIND } from '../../controllers/left-behind.facts';
import { LoadBalancerOwner, OwnershipState } from '../../controllers/load-balancer-owner';
import { InstalledOtherController } from '../../controllers/other-controller';
import type { ReportedService } from '../../predicted/predicted';
import { addedFinalizers, expectedFinalizers } from '../../rules/added-finalizers';
import { claimants } from '../../rules/claimants';
import { definitionOf, knownKinds } from '../../rules/controller-definition';
import { typedService } from '../../rules/service-fields';
import { finalizersOf } from '../../rules/service-json';
import type { CheckedObjects } from '../check';
import type { CheckContext } from '../context/check-context';
import { isLive } from '../duplicates';
import { reportServices, type ServiceReport } from '../service-report';
import { finalizerFact } from './finalizers';
import { type LikelyCause, whyPending, whyTerminating } from './likely-causes';
import { type Reported, reportedInWords, reportedOf } from './reported';
import { cited } from './sources';

export type ServiceState =
  | 'manifest'
  | 'unbalanced'
  | 'served'
  | 'pending'
  /** It was deleted, and is still there. */
  | 'terminating';

export interface ExplainedClaim {
  readonly controller: string;
  readonly claimed: 'yes' | 'no' | 'maybe';
  readonly because: string;
}

export interface ExplainedService {
  readonly kind: 'Service';
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** What makes the Service later, where it is in no file itself. */
  readonly madeBy?: string;
  readonly state: ServiceState;
  /** Where it is served: its address. */
  readonly address?: string;
  /** Where it is pending: since when it exists, and how long an address takes with its owner. */
  readonly waits?: string;
  readonly owner: string;
  /** The source of what is known of the owner. */
  readonly ownerSource?: string;
  readonly because: string;
  /** Every controller that was asked: those that run in the cluster, or all that are known. */
  readonly claims: readonly ExplainedClaim[];
  /** Whether it is known which controllers run in the cluster; what files show of them is a guess. */
  readonly areControllersKnown: boolean;
  /** What is known of the cluster, and from where, a clause each. */
  readonly context: readonly string[];
  /** What its manifest decides; nothing where it asks for no balancer. */
  readonly report?: ServiceReport;
  /** Who wrote its finalizers, class and address, where the dump says it. */
  readonly writers: Readonly<Record<string, string>>;
  /** What becomes of it, and of its balancer, when it is deleted, a clause each. */
  readonly onDelete: readonly string[];
  readonly reported: readonly string[];
  /** Where it is stuck: why, the likeliest cause first. */
  readonly causes: readonly LikelyCause[];
}

/** A name, or how one begins that is made up later. */
export function nameOf({ metadata }: Json): string {
  const { name, generateName } = metadata ?? {};
  return name === undefined && generateName !== undefined ? `${unquoted(generateName)}*` : unquoted(name ?? '');
}

export function explainService(reported: ReportedService, checked: CheckedObjects): ExplainedService {
  const { manifests, context } = checked;
  const { object, file, line, madeBy } = reported;
  const controllers = context.controllers && [...context.controllers];
  const service = typedService(object).service;
  const owner = LoadBalancerOwner.of(service, { controllers });
  const [report] = reportServices(checked, [reported]);
  const objects = manifests.map((one) => one.object);
  const said = reportedOf(object, objects);
  const state = stateOf(service, owner);
  const facts = owner.controller && definitionOf(owner.controller)?.facts;
  return {
    kind: 'Service',
    namespace: namespaceIn(object),
    name: nameOf(object),
    file,
    line,
    ...(madeBy !== undefined && { madeBy }),
    state,
    ...(state === 'served' && { address: addressOf(service) }),
    ...(state === 'pending' && { waits: waitsOf(service, owner) }),
    owner: report?.owner ?? owner.name ?? owner.state,
    ...(facts && { ownerSource: cited(facts.source, facts.confidence) }),
    because: report?.because ?? owner.because,
    claims: owner.state === OwnershipState.NOT_APPLICABLE ? [] : claimsOn(service, context),
    areControllersKnown: controllers !== undefined && !context.areControllersInferred,
    context: context.known.map(({ what, from }) => `${what}: from ${from}`),
    ...(report !== undefined && { report }),
    writers: writersOf(service),
    onDelete: onDelete(service, owner),
    reported: said.map(reportedInWords),
    causes: causesOf(state, service, owner, said, report, objects, context),
  };
}

function stateOf(service: Json, { state }: LoadBalancerOwner): ServiceState {
  if (service.metadata?.deletionTimestamp) {
    return 'terminating';
  }
  if (state === OwnershipState.NOT_APPLICABLE) {
    return 'unbalanced';
  }
  return addressOf(service) !== '' ? 'served' : isLive(service) ? 'pending' : 'manifest';
}

function addressOf(service: Json): string {
  const ingress: unknown = service.status?.loadBalancer?.ingress;
  const addresses = Array.isArray(ingress) ? ingress.map((one) => one?.hostname ?? one?.ip) : [];
  return addresses.filter((address) => typeof address === 'string').join(', ');
}

/** What is told of the time it takes, since no program here knows what time it is in the cluster. */
function waitsOf({ metadata }: Json, { controller }: LoadBalancerOwner): string {
  const { creationTimestamp: since } = metadata ?? {};
  const time = (controller && definitionOf(controller))?.provisioningTime;
  const usual = time
    ? `, and one comes ${time.seconds === 0 ? 'at once' : `after about ${time.seconds} s`} as a rule`
    : '';
  return `it has no address${typeof since === 'string' ? `, was created at ${since}` : ''}${usual}`;
}

/** Those that take it first, then those that might. */
function claimsOn(service: Json, { controllers }: CheckContext): ExplainedClaim[] {
  const order = ['yes', 'maybe', 'no'];
  const all = controllers ?? knownKinds().map((kind) => kind.installed());
  const others = all.filter((one) => one instanceof InstalledOtherController);
  return [...claimants(service, all), ...others.map((controller) => ({ controller, claim: controller.claim(service) }))]
    .map(({ controller, claim: { claimed, because } }) => ({ controller: controller.name, claimed, because }))
    .sort((a, b) => order.indexOf(a.claimed) - order.indexOf(b.claimed));
}

function onDelete(service: Json, owner: LoadBalancerOwner): string[] {
  const kind = owner.controller && definitionOf(owner.controller);
  const finalizers = finalizersOf(service);
  const waits = finalizers.map((finalizer) => {
    const fact = finalizerFact(finalizer);
    return fact
      ? `waits for ${fact.who} to remove ${finalizer}, which guards ${fact.guards}`
      : `waits for a controller that is not known here to remove ${finalizer}`;
  });
  if (owner.state === OwnershipState.NOT_APPLICABLE) {
    return waits;
  }
  if (!kind) {
    const who =
      owner.name === undefined ? 'its owner, which is not known' : `${owner.name}, whose rules are not known here`;
    return [...waits, `what becomes of its balancer depends on ${who}`];
  }
  const own = addedFinalizers(service, kind);
  if (finalizers.some((finalizer) => own.includes(finalizer))) {
    const { says } = LEFT_BEHIND[kind.name] ?? {};
    return [
      ...waits,
      `its balancer is deleted by ${kind.name} first; where ${kind.name} does not run, deletion hangs`,
      ...(says ? [says] : []),
    ];
  }
  if (own.length === 0) {
    return [...waits, `${kind.name} has no finalizer: it gives the address back when it sees that the Service is gone`];
  }
  const expected = expectedFinalizers(service, kind).join(' or ');
  const fate = `no finalizer of ${kind.name} is on it: deleted before ${kind.name} adds ${expected}, or after a writer of whole objects took that off, it goes at once and its balancer stays`;
  return [...waits, fate];
}

function causesOf(
  state: ServiceState,
  service: Json,
  owner: LoadBalancerOwner,
  reported: readonly Reported[],
  report: ServiceReport | undefined,
  objects: readonly Json[],
  context: CheckContext,
): LikelyCause[] {
  const none: readonly LoadBalancerFinding[] = [];
  const { errors = none, warnings = none } = report ?? {};
  const controllers = context.areControllersInferred ? undefined : context.controllers;
  const stuck = { service, owner, reported, errors, warnings, objects, controllers };
  return state === 'pending' ? whyPending(stuck) : state === 'terminating' ? whyTerminating(stuck) : [];
}

/**
 * Who wrote what decides about a balancer, as far as a dump has `managedFields` (kubectl get … --show-managed-fields): each
 * finalizer, the class, and the address.
 */
function writersOf(service: Json): Record<string, string> {
  const entries = list<Json>(service.metadata?.managedFields).filter(isMap);
  const fields: [string, string[]][] = [
    ...finalizersOf(service).map((finalizer): [string, string[]] => [
      finalizer,
      ['f:metadata', 'f:finalizers', `v:${JSON.stringify(finalizer)}`],
    ]),
    ['class', ['f:spec', 'f:loadBalancerClass']],
    ['address', ['f:status', 'f:loadBalancer']],
  ];
  const found = fields.map(([label, path]) => [label, writersAt(entries, path)] as const);
  return Object.fromEntries(found.filter(([, writers]) => writers !== ''));
}

function writersAt(entries: readonly Json[], path: readonly string[]): string {
  return entries
    .filter(({ fieldsV1 }) => has(fieldsV1, path))
    .map(
      ({ manager, operation, time }) =>
        `${shown(manager)} (${[operation, time].filter((one) => typeof one === 'string').join(', ')})`,
    )
    .join(' and ');
}

function has(value: unknown, [step, ...rest]: readonly string[]): boolean {
  return isMap(value) && Object.hasOwn(value, step) && (rest.length === 0 || has(value[step], rest));
}
