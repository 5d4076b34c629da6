import {
  grouped,
  isMap,
  type Json,
  list,
  namespaceIn,
  printable,
  shown,
  unquoted,
  valueBySteps,
} from '../../contract/json';
import { citationInWords } from '../../contract/rule';
import { LEFT_BEHIND } from '../../controllers/left-behind.facts';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { OwnershipState } from '../../controllers/options';
import { InstalledOtherController } from '../../controllers/other-controller';
import type { ReportedService } from '../../predicted/predicted';
import type { Line } from '../../report/document';
import { addedFinalizers, definitionOf, expectedFinalizers } from '../../rules/controller-definition';
import { claimants, knownKinds } from '../../rules/known-kinds';
import { type Manifest, sourcePlaceOf } from '../../rules/manifest-objects';
import { finalizersOf, isService } from '../../rules/service-json';
import type { CheckedObjects } from '../check';
import type { CheckContext } from '../context/check-context';
import { lineOf, pageUrl } from '../formats/words';
import { isLive, ownedService } from '../service-checks';
import { reportServices, type ServiceReport } from '../service-report';
import { describedRules } from './described-rules';
import { explained, factLines, items, known, nameOf, pathOf, section } from './explanation';
import {
  type ControllerReport,
  fullQuota,
  type LikelyCause,
  reportedInWords,
  reportedOf,
  whyPending,
  whyTerminating,
} from './likely-causes';
import { finalizerFact } from './words';

export type ExplainedMaker = ReturnType<typeof explainMaker>;

export function explainMaker(maker: Manifest, services: readonly ReportedService[], checked: CheckedObjects) {
  const { object } = maker;
  const { manifests, context } = checked;
  const objects = manifests.map((one) => one.object);
  const reported = reportedOf(object, objects);
  const missing =
    isLive(object) && objects.some(isService) ? services.filter(({ madeBy }) => madeBy !== undefined) : [];
  const { kind, metadata = {} } = object;
  return {
    kind: String(kind),
    namespace: namespaceIn(object),
    name: unquoted(metadata.name),
    ...sourcePlaceOf(maker),
    reported: reported.map(reportedInWords),
    missing: missing.map((service) => nameOf(service.object)),
    causes: missing.length > 0 ? whyMissing(missing[0].object, reported, objects, context) : [],
    services: services.map((service) => explainService(service, checked)),
  };
}

/** A Service that an operator could not create was denied, unless the operator reports something else. */
function whyMissing(
  missing: Json,
  reported: readonly ControllerReport[],
  objects: readonly Json[],
  { controllers }: CheckContext,
): LikelyCause[] {
  const { service, owner } = ownedService(missing, { controllers });
  const evidence = `Service ${nameOf(service)} is not in these files: its operator waits, or the API server refused it`;
  const denial = [fullQuota(service.metadata?.namespace, objects) ?? evidence];
  const causes = whyPending({ service, owner, reported, errors: [], warnings: [] });
  return causes
    .filter(({ id, isReported }) => id === 'denied' || isReported)
    .map((cause) => ({ ...cause, evidence: [...cause.evidence, ...(cause.id === 'denied' ? denial : [])] }));
}

type ServiceState = 'manifest' | 'unbalanced' | 'served' | 'pending' | 'terminating';

export type ExplainedService = ReturnType<typeof explainService>;

export function explainService(reported: ReportedService, checked: CheckedObjects) {
  const { manifests, context } = checked;
  const { object, madeBy } = reported;
  const { service, owner } = ownedService(object, context);
  const [report] = reportServices(checked, [reported]);
  const objects = manifests.map((one) => one.object);
  const said = reportedOf(object, objects);
  const state = stateOf(service, owner);
  const facts = owner.controller && definitionOf(owner.controller)?.facts;
  const controllers = context.areControllersInferred ? undefined : context.controllers;
  const { errors = [], warnings = [] } = report ?? {};
  const stuck = { service, owner, reported: said, errors, warnings, objects, controllers };
  return {
    kind: 'Service' as const,
    namespace: namespaceIn(object),
    name: nameOf(object),
    ...sourcePlaceOf(reported),
    ...(madeBy !== undefined && { madeBy }),
    state,
    ...(state === 'served' && { address: addressOf(service) }),
    ...(state === 'pending' && { waits: waitsOf(service, owner) }),
    owner: report?.owner ?? owner.name ?? owner.state,
    ...(facts && { ownerSource: citationInWords(facts.source, facts.confidence) }),
    because: report?.because ?? owner.because,
    claims: owner.state === OwnershipState.NOT_APPLICABLE ? [] : claimsOn(service, context),
    areControllersKnown: context.controllers !== undefined && !context.areControllersInferred,
    context: context.known.map(({ what, from }) => `${what}: from ${from}`),
    ...(report !== undefined && { report }),
    writers: writersOf(service),
    onDelete: onDelete(service, owner),
    reported: said.map(reportedInWords),
    causes: state === 'pending' ? whyPending(stuck) : state === 'terminating' ? whyTerminating(stuck) : [],
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

function waitsOf({ metadata }: Json, { controller }: LoadBalancerOwner): string {
  const { creationTimestamp: since } = metadata ?? {};
  const time = (controller && definitionOf(controller))?.provisioningTime;
  const usual = time
    ? `, and one comes ${time.seconds === 0 ? 'at once' : `after about ${time.seconds} s`} as a rule`
    : '';
  return `it has no address${typeof since === 'string' ? `, was created at ${since}` : ''}${usual}`;
}

function claimsOn(service: Json, { controllers }: CheckContext) {
  const order = ['yes', 'maybe', 'no'];
  const all = controllers ?? knownKinds().map((kind) => kind.installed());
  const others = all.filter(
    (one): one is InstalledOtherController => one instanceof InstalledOtherController && !definitionOf(one),
  );
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
  const fate = `no finalizer of ${kind.name} is on it: if it is deleted before ${kind.name} adds ${expected}, or after a client replaced the whole object, it is removed at once and its balancer stays`;
  return [...waits, fate];
}

/**
 * Writers of the fields that decide about a balancer, if a dump has `managedFields` (kubectl get … --show-managed-fields): each
 * finalizer, the class, and the address.
 */
function writersOf(service: Json): Record<string, string> {
  const entries = list<Json>(service.metadata?.managedFields).filter(isMap);
  const ofFinalizers = finalizersOf(service).map((finalizer) => [
    finalizer,
    ['f:metadata', 'f:finalizers', `v:${JSON.stringify(finalizer)}`],
  ]);
  const fields: Readonly<Record<string, string[]>> = {
    ...Object.fromEntries(ofFinalizers),
    class: ['f:spec', 'f:loadBalancerClass'],
    address: ['f:status', 'f:loadBalancer'],
  };
  const writersAt = (path: readonly string[]) =>
    entries
      .filter(({ fieldsV1 }) => valueBySteps(fieldsV1, path) !== undefined)
      .map(({ manager, operation, time }) => {
        const when = [operation, time].filter((one) => typeof one === 'string').join(', ');
        return `${shown(manager)} (${when})`;
      });
  return known(
    Object.fromEntries(Object.entries(fields).map(([label, path]) => [label, writersAt(path).join(' and ')])),
  );
}

// The same for people.

export function makerText(maker: ExplainedMaker, isVerbose = false): string {
  const { kind, file, line, reported, missing, causes, services } = maker;
  const head: Line[] = [
    [0, `${kind} ${pathOf(maker)}  (${lineOf(file, line)})`],
    ...reported.map((one): Line => [2, `reported   ${one}`]),
    ...(missing.length > 0 ? [[2, `missing    ${missing.join(', ')}`] as const] : []),
  ];
  const why = causeSections(causes, 'Why Services are missing, the likeliest cause first', maker, isVerbose);
  return [explained([head, ...why]), ...alike(services, isVerbose)].join('\n');
}

function alike(services: readonly ExplainedService[], isVerbose: boolean): string[] {
  const groups = grouped(services, (service) => serviceText({ ...service, name: '' }, isVerbose));
  return [...groups.values()].map(([first, ...others]) => {
    const more =
      others.length > 0 ? `\n  The same holds of ${others.map(({ name }) => printable(name)).join(', ')}\n` : '';
    return serviceText(first, isVerbose) + more;
  });
}

export function serviceText(service: ExplainedService, isVerbose = false): string {
  const { file, line, madeBy, state, owner, because, claims, report, writers, reported } = service;
  const [others, says] = service.areControllersKnown
    ? ['the controllers of this cluster', CLAIMED]
    : ['all known controllers; others may run', MIGHT_CLAIM];
  return explained([
    [
      [
        0,
        `Service ${pathOf(service)}  (${madeBy ? `made by ${madeBy}, ` : ''}${lineOf(file, line)}): ${stateInWords(service)}`,
      ],
    ],
    section('Who makes its balancer', [
      ['owner', `${owner}: ${because}`],
      ['  source', isVerbose ? service.ownerSource : undefined],
      ...claims
        .filter((claim) => claim.controller !== owner || claim.because !== because)
        .map((claim): Line => [says[claim.claimed], `${claim.controller}: ${claim.because}`]),
      ['asked', claims.length > 0 ? [others, ...service.context].join('; ') : undefined],
    ]),
    section('What it is', report ? reportLines(report, isVerbose) : []),
    section('Who wrote it', factLines(writers)),
    section('When it is deleted', items(service.onDelete.length > 0 ? service.onDelete : ['it goes at once'])),
    section('What was reported', items(reported)),
    ...causeSections(service.causes, TITLES[state] ?? '', service, isVerbose),
    state === 'pending' || state === 'terminating' ? [[2, `read on: ${pageUrl(`docs/stuck-in-${state}.md`)}`]] : [],
  ]);
}

const CLAIMED = { yes: 'takes it', no: 'does not', maybe: 'might' };
const MIGHT_CLAIM = { yes: 'would take it', no: 'would not', maybe: 'might' };

const TITLES: Readonly<Record<string, string>> = {
  pending: 'Why it has no address, the likeliest cause first',
  terminating: 'Why it does not go, the likeliest cause first',
};

function stateInWords({ state, address, waits, report }: ExplainedService): string {
  return {
    manifest: 'not from a cluster',
    unbalanced: 'asks for no load balancer',
    served: `has address ${address}`,
    pending: `Pending: ${waits}`,
    terminating: `Terminating${report?.deleting ? ` ${report.deleting}` : ''}`,
  }[state];
}

function reportLines(report: ServiceReport, isVerbose: boolean): Line[] {
  const { errors, warnings, notes } = report;
  const findings = Object.entries({ error: errors, warning: warnings, note: notes }).flatMap(([severity, all]) =>
    all.map((finding) => ({ severity, ...finding })),
  );
  const sourceOf = (id: string) => (isVerbose ? describedRules().find((rule) => rule.id === id)?.source : undefined);
  return [
    ['class', report.loadBalancerClass ?? 'none'],
    ['scheme', `${report.scheme}: ${report.schemeBecause}`],
    ['finalizers', `${report.finalizers.join(', ') || 'none declared'}: ${report.finalizersBecause}`],
    ['policy', `${report.policy}: ${report.policyMeans}`],
    ['source ranges', report.sourceRanges],
    ['nodes', report.nodes],
    ...findings.flatMap(({ severity, what, remedy, ruleId }): Line[] => [
      [severity, `${what} (${ruleId})`],
      ['  remedy', remedy],
      ['  source', sourceOf(ruleId)],
    ]),
  ];
}

const MOST = 4;

function causeSections(
  causes: readonly LikelyCause[],
  title: string,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  isVerbose: boolean,
): Line[][] {
  if (causes.length === 0) {
    return [];
  }
  const reported = causes.filter(({ isReported }) => isReported);
  const likely = isVerbose ? causes : (reported.length > 0 ? reported : causes).slice(0, MOST);
  const others = causes.filter((cause) => !likely.includes(cause)).map((cause) => cause.title.toLowerCase());
  const shown = new Set<string>();
  return [
    [[2, title]],
    ...likely.map(({ title: cause, what, evidence, checks, remedy }, i): Line[] => [
      [2, `${i + 1}. ${cause}`],
      [5, what],
      ...evidence.map((one): Line => [5, `because  ${one}`]),
      ...checks.flatMap(({ command, shows }): Line[] =>
        shown.has(command)
          ? []
          : [
              [5, `$ ${filledIn(command, namespace ?? 'default', name)}`],
              [7, shown.add(command) && shows],
            ],
      ),
      [5, `remedy   ${remedy}`],
    ]),
    others.length > 0 ? [[2, `Less likely: ${others.join('; ')}`]] : [],
  ];
}

const PLAIN = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/**
 * A command for one Service. A name that no API server would take stays a variable: in a file of others it may be a command of
 * its own.
 */
function filledIn(command: string, namespace: string, service: string): string {
  const values = { NAMESPACE: namespace, SERVICE: service };
  return Object.entries(values)
    .filter(([, value]) => PLAIN.test(value))
    .reduce((text, [name, value]) => text.replaceAll(`"$${name}"`, value).replaceAll(`$${name}`, value), command);
}
