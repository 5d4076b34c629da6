import { isMap, type Json, list, objectNameOf, ownValue, unquoted } from '../contract/json';
import { LoadBalancerWish as WISH } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { OwnershipState } from '../controllers/options';
import type { ReportedService } from '../predicted/predicted';
import { type ControllerDefinition, definitionOf, missingHealthCheckOf } from '../rules/controller-definition';
import { sourcePlaceOf } from '../rules/manifest-objects';
import { exclusionInWords } from '../rules/node-rules';
import { annotationsOf, classOf, finalizersOf } from '../rules/service-json';
import { Workloads } from '../rules/workload-rules';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';
import type { CheckedObjects } from './check';
import type { CheckFinding, Level } from './check-report';
import type { CheckContext } from './context/check-context';
import { deletion, finalizerReason, unknownWebhook } from './owners-in-words';
import { ownedService } from './service-checks';

export type ServiceReport = ReturnType<typeof reportService>;

export function reportServices(checked: CheckedObjects, services: readonly ReportedService[]): ServiceReport[] {
  const { manifests, context } = checked;
  const objects = manifests.map(({ object }) => object);
  const surroundings: Surroundings = {
    workloads: new Workloads(objects),
    // of a large set most are Services, which restrict no nodes
    objects: objects.filter(({ kind }) => kind !== 'Service'),
    context,
  };
  return services.flatMap((service) => {
    const { service: typed, owner } = ownedService(service.object, context);
    return owner.state === OwnershipState.NOT_APPLICABLE
      ? []
      : [reportService(service, typed, owner, checked.findingsOf(service), surroundings)];
  });
}

interface Surroundings {
  readonly workloads: Workloads;
  readonly objects: readonly Json[];
  readonly context: CheckContext;
}

function reportService(
  reported: ReportedService,
  service: Json,
  owner: LoadBalancerOwner,
  found: readonly CheckFinding[],
  { workloads, objects, context }: Surroundings,
) {
  const { madeBy, alike } = reported;
  const behind = workloads.of(service);
  const kind = owner.controller && definitionOf(owner.controller);
  const isShared = classOf(service) === SHARED_CLASS;
  const webhook = unknownWebhook(service, owner.name, context.controllers);
  const policy: string = service.spec?.externalTrafficPolicy ?? 'Cluster';
  const { means = 'unknown', client = 'unknown' } = ownValue(POLICIES, policy) ?? {};
  const at = (level: Level) =>
    found
      .filter((one) => one.level === level)
      .map(({ ruleId, who, what, remedy, value, pointer }) => ({ ruleId, who, what, remedy, value, at: pointer }));
  const {
    [WISH.SCHEME]: scheme,
    [WISH.SOURCE_RANGES]: ranges,
    [WISH.BACKEND_NODES]: nodes,
    ...settings
  } = settingsOf(service, kind);
  return {
    ...sourcePlaceOf(reported),
    ...(madeBy !== undefined && { madeBy }),
    ...(alike && { alike }),
    namespace: service.metadata?.namespace,
    name: service.metadata?.name ?? (service.metadata?.generateName ? `${service.metadata.generateName}*` : ''),
    owner: isShared ? 'a shared load balancer' : (owner.name ?? owner.state),
    because: isShared
      ? `the program that publishes Services of class ${SHARED_CLASS}; no balancer is made for this one`
      : webhook === undefined
        ? owner.because
        : `a guess, unless the webhook of ${webhook} gives it its class: ${owner.because}`,
    ...(webhook !== undefined && { isGuess: true as const }),
    state: owner.state,
    deleting: deletion(service),
    finalizers: finalizersOf(service),
    finalizersBecause:
      owner.name !== undefined && !kind
        ? `what ${owner.name} does with them is not known here`
        : finalizerReason(service, kind, found),
    loadBalancerClass: classOf(service),
    ...schemeOf(service, kind, scheme),
    policy,
    policyMeans: kind?.policyMeans?.(service) ?? meansOf(policy, service, kind) ?? means,
    clientAddress: kind?.clientAddressOf?.(service) ?? client,
    sourceRanges: service.spec?.loadBalancerSourceRanges?.join(', ') || ranges || 'none: any client',
    nodes: nodesOf(service, owner, nodes, behind, objects),
    settings,
    errors: at('error'),
    warnings: at('warning'),
    notes: at('note'),
  };
}

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

function schemeOf(service: Json, kind: ControllerDefinition | undefined, written: string | undefined) {
  const { scheme, because } = kind?.schemeOf(service) ?? {
    because: `its owner decides${written ? `, by ${written}` : ''}`,
  };
  return { scheme: scheme ?? UNKNOWN_SCHEME, schemeBecause: because };
}

/** The scheme in reports if it is not known. */
export const UNKNOWN_SCHEME = 'unknown';

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

const POLICIES: Readonly<Record<string, { readonly means: string; readonly client: string }>> = {
  Cluster: {
    means: 'a node that gets traffic forwards it to any pod',
    client: 'replaced by a node, where it forwards to a pod of another one',
  },
  Local: {
    means: 'a node that gets traffic forwards it to its own pods only, and fails the health check without one',
    client: 'kept',
  },
};

/** Meaning of policy Local if the balancer has no health check. */
function meansOf(policy: string, service: Json, kind: ControllerDefinition | undefined): string | undefined {
  const missing = policy === 'Local' ? missingHealthCheckOf(service, kind) : undefined;
  return (
    missing &&
    `a node that gets traffic forwards it to its own pods only; there is no health check unless ${missing.key()} is true, and a node without a pod drops its traffic`
  );
}

/** Node requirements of a workload, as text: labels that must all match, and terms of which one must. */
function requiredNodes(workload: Json): string | undefined {
  const pod = podTemplateOf(workload)?.spec;
  const labels = Object.entries(isMap(pod?.nodeSelector) ? pod.nodeSelector : {}).map(
    ([key, value]) => `${key}=${unquoted(value)}`,
  );
  const terms = list<Json>(
    pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
  ).map((term) =>
    [...list<Json>(term?.matchExpressions), ...list<Json>(term?.matchFields)]
      .filter(isMap)
      .map(
        ({ key, operator, values }) =>
          `${unquoted(key)} ${unquoted(operator)} [${list(values).map(unquoted).join(', ')}]`,
      )
      .join(' and '),
  );
  const demands = [...labels, terms.filter((term) => term !== '').join(' or ')].filter((words) => words !== '');
  return demands.length > 0
    ? `pods of ${unquoted(workload.kind)} ${objectNameOf(workload)} only on ${demands.join(' and ')}`
    : undefined;
}
