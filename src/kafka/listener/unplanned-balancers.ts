import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { grouped, type Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { FinalizerPolicy, type LoadBalancerFinding, LoadBalancerScheme } from '../../contract/options';
import { findingOf, type WordedRule } from '../../contract/rule';
import { type Claim, claimsOf, nodePortClaim } from '../../rules/claims';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { FINALIZER_OF_SERVICE_CONTROLLER, FINALIZER_RULES } from '../../rules/finalizer-rules';
import { knownKinds, type LikelyOwner, likelyOwner, possibleOwners } from '../../rules/known-kinds';
import { BACKEND_WITHOUT_PODS } from '../../rules/node-rules';
import { Judgement, RuleSet } from '../../rules/rule-set';
import { finalizersOf, type SchemeReading } from '../../rules/service-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { bootstrapOf, brokersOf, listenerTitleOf, namedIds } from '../operator/kafka-document';
import { nodePoolsOf } from '../operator/node-pools';
import { bootstrapServiceName, distinguishesBrokers, servicesOf } from '../operator/operator-services';
import {
  FINALIZER_OF_UNKNOWN_OWNER,
  FINALIZER_STRIPPED,
  LISTENER_BROKERS_INTERNAL,
  LISTENER_PART_PUBLIC,
} from '../rules.facts';
import { LISTENER_TYPES, SELECTOR_LABELS } from '../strimzi/strimzi.facts';
import { placedBy } from './listener-faults';
import { blocksTheCluster, finalizerFaults, handlingFaults, UNKNOWN_FINALIZER } from './listener-judge';

// Listeners with balancers that are in a manifest of the user, and that no construct plans: who owns their balancers is reported
// by what their Services say.

export interface ClusterKnown {
  readonly ownerOf: (service: Json) => LikelyOwner | undefined;
  readonly controllers?: readonly ILoadBalancerController[];
  readonly kubernetes?: KubernetesVersion;
  /** True if the brokers are not known; then a Service of bootstrap and of one broker, or of those that the listener names, are judged for all. */
  readonly isUncounted?: boolean;
}

/**
 * Validates what the owner of its balancers does with a listener that no construct plans.
 *
 * @param known what is known of the cluster; without it, the Services alone show their owner
 */
export function judgeUnplanned(cluster: IKafkaCluster, kafka: Json, listener: Json, known?: ClusterKnown): Judgement {
  const judgement = new Judgement();
  if (listener.type === LISTENER_TYPES.nodePort) {
    judgement.claims = claimsOfNodePorts(cluster, listener);
  }
  if (listener.type !== LISTENER_TYPES.loadBalancer) {
    return judgement;
  }
  const made = servicesOf(cluster, kafka, listener);
  const all = known?.isUncounted ? withUnknownNames(cluster, listener, made.services) : made.services;
  const services = unlike(known?.isUncounted ? all : made.originals);
  const owner = services.map(known?.ownerOf ?? likelyOwner).find((one) => one !== undefined);
  const kinds = owner ? [owner.kind] : knownKinds();
  // an annotation that has the id of a broker claims what is not known without it
  const claiming = known?.isUncounted && distinguishesBrokers(listener) && namedIds(listener).length === 0;
  judgement.claims = claimsOfUnplanned(cluster, claiming ? all.filter(isBootstrap) : all, owner);
  const handling = services.map((service) => ({
    name: service.metadata.name,
    findings: handlingFaults(service, listener, kinds),
  }));
  const finalizers = owner && services.length > 0 ? ofFinalizers(cluster, listener, services[0], owner, known) : [];
  const exposed = owner ? ofSchemes(cluster, listener, all, owner) : [];
  const ofUnknown =
    known && !known.controllers && !owner && services.length > 0
      ? finalizersOfUnknown(cluster, services[0], known.isUncounted ? 'its' : String(all.length))
      : [];
  const isWarning = ({ ruleId }: LoadBalancerFinding) =>
    ruleId === FINALIZER_STRIPPED.id ||
    ruleId === FINALIZER_OF_SERVICE_CONTROLLER ||
    // the template of a node pool that is not known may set the scheme
    (known?.isUncounted && SCHEME_RULES.includes(ruleId)) ||
    !owner?.isSure;
  const named = (finding: LoadBalancerFinding) => ({
    ...finding,
    what: `${listenerTitleOf(listener)}: ${finding.what}`,
  });
  const idle = owner ? ofBackends(cluster, kafka, all, owner, known) : [];
  const ofOwner = [...finalizers, ...exposed, ...idle];
  judgement.errors = [...findingsOfServices(handling), ...ofOwner.filter((finding) => !isWarning(finding))].map(named);
  judgement.warnings = [...ofOwner.filter(isWarning), ...ofUnknown].map(named);
  return judgement;
}

function isBootstrap({ spec }: Json): boolean {
  return spec.selector[SELECTOR_LABELS.pod] === undefined;
}

/** Services of brokers whose node pools are not known, and their ids only if the listener names them: their names say so. */
function withUnknownNames(cluster: IKafkaCluster, listener: Json, services: readonly Json[]): Json[] {
  const ids = namedIds(listener);
  const brokers = services.filter((service) => !isBootstrap(service));
  return services.map((service) => {
    const id = ids.length > 0 ? cluster.brokerIds[brokers.indexOf(service)] : '*';
    const name = `${cluster.clusterName}-*-${listener.name ?? '*'}-${id}`;
    return isBootstrap(service) ? service : { ...service, metadata: { ...service.metadata, name } };
  });
}

const SHOWN = 3;

const SCHEME_RULES: readonly string[] = [LISTENER_PART_PUBLIC.id, LISTENER_BROKERS_INTERNAL.id];

interface ReadScheme extends SchemeReading {
  readonly name: string;
}

function ofSchemes(
  cluster: IKafkaCluster,
  listener: Json,
  services: readonly Json[],
  { kind }: LikelyOwner,
): LoadBalancerFinding[] {
  const read = services.map((service) => ({ name: String(service.metadata.name), ...kind.schemeOf(service) }));
  const nameOfBootstrap = bootstrapServiceName(cluster, listener.name);
  const bootstrap = read.find(({ name }) => name === nameOfBootstrap);
  const brokers = read.filter((one) => one !== bootstrap);
  const [internal] = read.filter(({ scheme, isSet }) => isSet && scheme === LoadBalancerScheme.INTERNAL);
  const open = read.filter(({ scheme, isSet }) => !isSet && scheme === LoadBalancerScheme.INTERNET_FACING);
  const hidden = brokers.filter(({ scheme }) => scheme === LoadBalancerScheme.INTERNAL);
  const isPublic = bootstrap?.isSet && bootstrap.scheme === LoadBalancerScheme.INTERNET_FACING;
  const found = (rule: WordedRule, some: readonly ReadScheme[], services: string) =>
    findingOf(rule, { internal: internal?.name, services, because: some[0].because }, kind.name);
  const of = hidden.length > 1 ? 'Services' : 'Service';
  return [
    ...(internal && open.length > 0 ? [found(LISTENER_PART_PUBLIC, open, `${namesOf(open)} ${isOrAre(open)}`)] : []),
    ...(isPublic && hidden.length > 0
      ? [found(LISTENER_BROKERS_INTERNAL, hidden, `${of} ${namesOf(hidden)} of its brokers ${isOrAre(hidden)}`)]
      : []),
  ];
}

const isOrAre = ({ length }: readonly ReadScheme[]) => (length > 1 ? 'are' : 'is');

function namesOf(read: readonly ReadScheme[]): string {
  const more = read.length > SHOWN ? ` and ${read.length - SHOWN} more` : '';
  return `${read
    .slice(0, SHOWN)
    .map(({ name }) => name)
    .join(', ')}${more}`;
}

const BACKENDS = new RuleSet([BACKEND_WITHOUT_PODS]);

/** Brokers that run on no node of the backend of their balancers: a Service has those of one pool, and bootstrap has all. */
function ofBackends(
  cluster: IKafkaCluster,
  kafka: Json,
  services: readonly Json[],
  { kind }: LikelyOwner,
  { kubernetes = DEFAULT_KUBERNETES }: Partial<ClusterKnown> = {},
): LoadBalancerFinding[] {
  const pools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
  const unlikePools = grouped(services, ({ metadata, spec }) =>
    JSON.stringify([metadata.annotations, spec.selector[SELECTOR_LABELS.pool]]),
  );
  return findingsOfServices(
    [...unlikePools.values()].map(([service]) => {
      const context = { kind, kubernetes, ...placedBy(pools, kafka, service, undefined) };
      return { name: service.metadata.name, findings: BACKENDS.judge(service, context, kind.name).errors };
    }),
  );
}

const FINALIZERS = new RuleSet(FINALIZER_RULES);

function ofFinalizers(
  { strimzi }: IKafkaCluster,
  listener: Json,
  service: Json,
  { kind }: LikelyOwner,
  { controllers, kubernetes = DEFAULT_KUBERNETES }: Partial<ClusterKnown> = {},
): LoadBalancerFinding[] {
  const { keepsForeignFinalizers } = strimzi;
  const seen = { kind, controllers, kubernetes, keepsForeignFinalizers };
  const { errors, warnings } = FINALIZERS.judge(service, seen, kind.name);
  const surprises = warnings.map((finding) =>
    finding.ruleId === UNKNOWN_FINALIZER ? blocksTheCluster(finding) : finding,
  );
  const context = { strimzi, owner: kind.name, kind, planned: [], policy: FinalizerPolicy.DECLARE, isPlanned: false };
  return [...errors, ...surprises, ...finalizerFaults(listener, context, service)];
}

function finalizersOfUnknown({ strimzi }: IKafkaCluster, service: Json, balancers: string): LoadBalancerFinding[] {
  const declared = finalizersOf(service);
  const might = possibleOwners(service);
  const of = (finalizer: string) => might.filter(({ finalizers }) => finalizers.includes(finalizer));
  const others = might.filter(
    ({ finalizers }) => finalizers.length > 0 && !finalizers.some((own) => declared.includes(own)),
  );
  // one that a single controller removes says whose the balancers are
  return declared.some((finalizer) => of(finalizer).length === 1) || others.length === 0
    ? []
    : declared
        .filter((finalizer) => of(finalizer).length > 1)
        .map((value) => {
          const owners = others.map(({ name, finalizers }) => `${name} (which removes ${finalizers.join(' and ')})`);
          const fate = strimzi.keepsForeignFinalizers
            ? 'deletion hangs where no service controller runs'
            : `Strimzi ${strimzi.version} strips theirs, and deletion leaves ${balancers} balancers behind`;
          return findingOf(FINALIZER_OF_UNKNOWN_OWNER, { owners: owners.join(' or '), fate, value }, 'strimzi');
        });
}

// Of the Services of one listener most say the same, and it is reported once.

/** One Service of all that differ in their names and pods alone. */
export function unlike(services: readonly Json[]): Json[] {
  return alike(services).map(([first]) => first);
}

/** The Services that differ in their names and pods alone, together. */
export function alike(services: readonly Json[]): Json[][] {
  const found = new Map<string, Json[]>();
  for (const service of services) {
    const { annotations, labels } = service.metadata;
    const { ports, loadBalancerIP } = service.spec;
    const key = JSON.stringify([annotations, labels, ports, loadBalancerIP]);
    const others = found.get(key);
    if (others) {
      others.push(service);
    } else {
      found.set(key, [service]);
    }
  }
  return [...found.values()];
}

export interface FoundInService {
  readonly name: string;
  readonly findings: readonly LoadBalancerFinding[];
}

export function ofService(name: string, finding: LoadBalancerFinding): LoadBalancerFinding {
  return { ...finding, what: `Service ${name}: ${finding.what}` };
}

/** Every finding once; with the name of the Service where not all of them have it. */
export function findingsOfServices(services: readonly FoundInService[]): LoadBalancerFinding[] {
  const keyOf = ({ ruleId, what }: LoadBalancerFinding) => `${ruleId}\n${what}`;
  const all = services.map(({ findings }) => new Set(findings.map(keyOf)));
  const everywhere = (finding: LoadBalancerFinding) => all.every((keys) => keys.has(keyOf(finding)));
  return services.flatMap(({ name, findings }, place) =>
    findings
      .filter((finding) => place === 0 || !everywhere(finding))
      .map((finding) => (everywhere(finding) ? finding : ofService(name, finding))),
  );
}

/**
 * What the Services of one listener claim beside other objects. Names in DNS within one Kafka are validated by a rule of the
 * document, which knows what brokers advertise.
 */
export function claimsOfServices(
  { kafka }: IKafkaCluster,
  services: readonly Json[],
  kind: ControllerDefinition | undefined,
): Claim[] {
  return services.flatMap((service) => claimsOf(service, kind)).map((claim) => ({ ...claim, document: kafka }));
}

export function claimsOfUnplanned(
  cluster: IKafkaCluster,
  services: readonly Json[],
  owner: LikelyOwner | undefined,
): Claim[] {
  return claimsOfServices(cluster, services, owner?.kind).map((claim) =>
    owner?.isSure === false && claim.who === owner.kind.name ? { ...claim, isUnsure: true } : claim,
  );
}

export function claimsOfNodePorts({ clusterName, namespace }: IKafkaCluster, listener: Json): Claim[] {
  const ports = [bootstrapOf(listener), ...brokersOf(listener)]
    .map(({ nodePort }) => nodePort)
    .filter(Number.isInteger);
  const kafka = namespace === undefined ? clusterName : `${namespace}/${clusterName}`;
  return [...new Set(ports)].map((port) => ({
    of: `${listenerTitleOf(listener)} of Kafka ${kafka}`,
    ...nodePortClaim(`${port}`),
  }));
}
