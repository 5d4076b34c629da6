import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { grouped, type Json, pointedAt } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import { FinalizerPolicy, type LoadBalancerFinding, LoadBalancerScheme } from '../../contract/options';
import { findingOf, someOf, type WordedRule } from '../../contract/rule';
import { currentJson, entryOf } from '../../rules/app-objects';
import { type Claim, claimsOf, nodePortClaim } from '../../rules/claims';
import { type ControllerDefinition, definitionOf, unwrapped } from '../../rules/controller-definition';
import { FINALIZER_OF_SERVICE_CONTROLLER, FINALIZER_RULES, finalizerLeft } from '../../rules/finalizer-rules';
import type { ObjectJudge } from '../../rules/judged-object';
import { knownKinds, type LikelyOwner, likelyOwner, possibleOwners } from '../../rules/known-kinds';
import { BACKEND_WITHOUT_PODS } from '../../rules/node-rules';
import type { IndexedObject } from '../../rules/objects';
import type { RuleContext } from '../../rules/rule';
import { Judgement, RuleSet, type Unknown } from '../../rules/rule-set';
import { finalizersOf, type SchemeReading } from '../../rules/service-json';
import { serviceRulesOf } from '../../rules/service-rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  bootstrapOf,
  brokersOf,
  type DocumentListener,
  type KafkaDocument,
  listenerNamed,
  listenersOf,
  listenerTitleOf,
  namedIds,
  pointerTo,
} from '../operator/kafka-document';
import { nodePoolsOf } from '../operator/node-pools';
import {
  addressesLeftOut,
  bootstrapServiceName,
  claimedTwice,
  distinguishesBrokers,
  servicesOf,
  unlike,
} from '../operator/operator-services';
import {
  judgeDocument,
  judgeListener,
  listenerContextOf,
  REPORTED_OF_DOCUMENT,
  sameCause,
} from '../rules/listener-rules';
import { faultsOfCounted, waitsLong } from '../rules/listener-service-rules';
import { judgePools } from '../rules/node-pool-rules';
import {
  FINALIZER_OF_UNKNOWN_OWNER,
  FINALIZER_STRIPPED,
  FINALIZER_UNDECLARED,
  LISTENER_BROKERS_INTERNAL,
  LISTENER_PART_PUBLIC,
  LISTENER_PROXY_PROTOCOL,
  LISTENER_TEMPLATE_CONTRADICTS,
} from '../rules.facts';
import { LISTENER_TYPES, SELECTOR_LABELS, SERVER_SIDE_APPLY_SINCE } from '../strimzi/strimzi.facts';
import {
  blocksTheCluster,
  type FinalizerContext,
  finalizerFaults,
  handlingFaults,
  placedBy,
  UNKNOWN_FINALIZER,
} from './listener-faults';

export interface ListenerJudgeOptions {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
  readonly listener: DocumentListener;
  readonly controller: ILoadBalancerController;
  readonly kubernetes: KubernetesVersion;
  readonly planned?: Readonly<Record<string, string>>;
  readonly faults?: (listener: Json) => readonly LoadBalancerFinding[];
  readonly warnings?: (kafka: Json) => readonly LoadBalancerFinding[];
  /** True if the manifest had the listener before: what is wrong with its balancers today is no reason to refuse a plan. */
  readonly isAdopted?: boolean;
  readonly asksForProxyProtocol?: boolean;
  readonly backendNodes?: NodePool;
  /** Between operator and owner; nothing where the owner did not answer. */
  readonly finalizers?: FinalizerContext;
}

/**
 * Validates a finished listener: by the rules of the operator, and the Services that the operator will make of it by those of
 * the API server and of the owner. The first listener of a document reports what is wrong with the rest of it.
 */
export class ListenerValidator implements ObjectJudge {
  public constructor(private readonly options: ListenerJudgeOptions) {}

  public judge(listener: Json): Judgement {
    const { cluster, document } = this.options;
    const context = listenerContextOf(cluster);
    const kafka = document.with(this.options.listener, listener);
    let judgement = this.judgeServices(kafka, listener);
    // a document that has no place for listeners is validated without them
    if (listenersOf(kafka).includes(listener)) {
      const ofListener = judgeListener(kafka, listener, context);
      const again = sameCause(ofListener);
      judgement.errors = judgement.errors.filter(({ ruleId }) => !again.has(ruleId));
      judgement = ofListener.and(judgement);
    }
    judgement = judgement.and(Judgement.of([...(this.options.faults?.(listener) ?? [])]));
    judgement.warnings = [...judgement.warnings, ...(this.options.warnings?.(kafka) ?? [])];
    if (document.isReportedBy(this.options.listener)) {
      judgement = judgement.and(judgeUnmanagedListeners(kafka, cluster, document));
    }
    return judgement;
  }

  private judgeServices(kafka: Json, listener: Json): Judgement {
    const { cluster, controller, kubernetes, finalizers, planned = {} } = this.options;
    const rules: RuleContext = {
      kind: finalizers && definitionOf(controller),
      controller: finalizers && unwrapped(controller),
      kubernetes,
      ownFinalizers: finalizers?.planned,
      keepsForeignFinalizers: finalizers?.strimzi.keepsForeignFinalizers,
    };
    const ruleSet = serviceRulesOf(rules.kind);
    const { services, originals, beaten, overruled } = servicesOf(cluster, kafka, listener);
    const found = new Judgement();
    found.claims = claimsOfServices(cluster, services, rules.kind);
    const who = finalizers?.owner ?? 'kubernetes';
    const pools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
    const judged = unlike(originals).map((service) => ({
      name: service.metadata.name,
      isBroker: service.spec.selector[SELECTOR_LABELS.pod] !== undefined,
      judgement: ruleSet
        .judge(service, { ...rules, ...placedBy(pools, kafka, service, this.options.backendNodes) }, who)
        .and(this.handling(service, listener, rules.kind)),
    }));
    found.errors = findingsOfServices(judged.map(({ name, judgement }) => ({ name, findings: judgement.errors })));
    found.warnings = [
      ...findingsOfServices(
        judged.map(({ name, judgement }) => ({
          name,
          findings: judgement.warnings.filter(({ ruleId }) => ruleId !== OF_MANY_PODS),
        })),
      ),
      ...judged
        .filter(({ isBroker }) => !isBroker)
        .flatMap(({ name, judgement: { warnings } }) =>
          warnings.filter(({ ruleId }) => ruleId === OF_MANY_PODS).map((finding) => ofService(name, finding)),
        ),
    ];
    const isBlocking = ({ ruleId }: LoadBalancerFinding) => ruleId === UNKNOWN_FINALIZER;
    const claimed = claimedTwice(services, rules.kind?.catalogue, who);
    const blocking = found.warnings.filter(isBlocking).map(blocksTheCluster);
    const undeclared = finalizers ? finalizerFaults(listener, finalizers, services[0], unwrapped(controller)) : [];
    const isWarning = ({ ruleId }: LoadBalancerFinding) => this.options.isAdopted && ruleId === FINALIZER_STRIPPED.id;
    const refused = undeclared.filter((finding) => !isWarning(finding));
    found.errors = [
      ...overruled
        .filter(({ key }) => planned[key] !== undefined)
        .map((one) => findingOf(LISTENER_TEMPLATE_CONTRADICTS, one, who)),
      ...found.errors.filter(({ ruleId }) => !REPORTED_OF_DOCUMENT.has(ruleId)),
      ...claimed,
      ...blocking,
      ...refused,
    ];
    found.warnings = [
      ...beaten,
      ...found.warnings.filter((finding) => !isBlocking(finding)),
      ...undeclared.filter(isWarning),
      ...(finalizers?.strimzi.keepsForeignFinalizers
        ? finalizerLeft(finalizers.kind, who, finalizers.policy, 'server-apply')
        : []),
      ...addressesLeftOut(services, rules.kind?.catalogue, who),
      ...this.waits(kafka, listener, who),
    ];
    return found;
  }

  /** Connection handling by the owner; every known controller is checked when the owner is unknown. */
  private handling(service: Json, listener: Json, kind: ControllerDefinition | undefined): Judgement {
    const faults = handlingFaults(service, listener, kind ? [kind] : knownKinds());
    const isReportedOfWish = ({ ruleId }: LoadBalancerFinding) =>
      ruleId === LISTENER_PROXY_PROTOCOL.id && this.options.asksForProxyProtocol;
    return Judgement.of(faults.filter((finding) => !isReportedOfWish(finding)));
  }

  private waits(kafka: Json, listener: Json, owner: string): LoadBalancerFinding[] {
    const { cluster, controller, document, finalizers } = this.options;
    const provisioningTime = definitionOf(controller)?.provisioningTime;
    const among = entryOf(cluster.kafka);
    const waiting = { owner, provisioningTime, planned: document.names, among };
    return finalizers ? waitsLong(cluster, kafka, listener, waiting) : [];
  }
}

const OF_MANY_PODS = 'local-policy-without-pool';

export function judgeUnmanagedListeners(kafka: Json, cluster: IKafkaCluster, document: KafkaDocument): Judgement {
  const context = listenerContextOf(cluster);
  const planned = document.names.map((name) => listenerNamed(kafka, name));
  const others = listenersOf(kafka).filter((listener) => !planned.includes(listener));
  const known = nodePoolsOf(cluster);
  const pools = known.map(({ object }) => currentJson(object));
  const beside = {
    strimzi: context.strimzi,
    pools,
    counted: known.map(({ counted }) => counted),
  };
  return others.reduce<Judgement>(
    (sum, listener) => sum.and(judgeListener(kafka, listener, context)).and(judgeExternal(cluster, kafka, listener)),
    judgeDocument(kafka, context).and(judgePools(kafka, beside)),
  );
}

export interface ClusterKnown {
  readonly ownerOf: (service: Json) => LikelyOwner | undefined;
  readonly controllers?: readonly ILoadBalancerController[];
  readonly kubernetes?: KubernetesVersion;
  /** The Kafka among the objects of the files. */
  readonly among: IndexedObject;
  /** True if the brokers are not known: Services of bootstrap and of one broker, or of those that are named, are judged for all. */
  readonly isUncounted?: boolean;
}

/** @param known what is known of the cluster; without it, the Services alone show their owner */
export function judgeExternal(cluster: IKafkaCluster, kafka: Json, listener: Json, known?: ClusterKnown): Judgement {
  const judgement = new Judgement();
  if (listener.type === LISTENER_TYPES.nodePort) {
    judgement.claims = claimsOfNodePorts(cluster, listener);
  }
  if (listener.type !== LISTENER_TYPES.loadBalancer) {
    return judgement;
  }
  const made = servicesOf(cluster, kafka, listener);
  const isWhole = !known?.isUncounted;
  const all = isWhole ? made.services : withUnknownNames(cluster, listener, made.services);
  const services = unlike(isWhole ? made.originals : all);
  const owner = services.map(known?.ownerOf ?? likelyOwner).find((one) => one !== undefined);
  const kinds = owner ? [owner.kind] : knownKinds();
  // an annotation that has the id of a broker claims what is not known without it
  const claiming = !isWhole && distinguishesBrokers(listener) && namedIds(listener).length === 0;
  const claims = claimsOfServices(cluster, claiming ? all.filter(isBootstrap) : all, owner?.kind);
  judgement.claims = claims.map((claim) =>
    owner?.isSure === false && claim.who === owner.kind.name ? { ...claim, isUnsure: true } : claim,
  );
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
    (!isWhole && SCHEME_RULES.includes(ruleId)) ||
    !owner?.isSure;
  const named = ({ what, at, ...finding }: LoadBalancerFinding) => ({
    ...finding,
    ...{ what: `${listenerTitleOf(listener)}: ${what}`, at: `${pointerTo(kafka, listener)}${at}` },
  });
  const idle = owner ? ofBackends(cluster, kafka, listener, all, owner, known) : [];
  const ofOwner = [...finalizers, ...exposed, ...idle];
  const counted =
    owner && known ? faultsOfCounted(cluster, kafka, listener, { ...known, ...owner, services: all }) : [];
  judgement.errors = [...findingsOfServices(handling), ...ofOwner.filter((finding) => !isWarning(finding))].map(named);
  judgement.warnings = [...ofOwner.filter(isWarning), ...ofUnknown, ...(isWhole ? counted : [])].map(named);
  const unknown = isWhole ? [] : counted.map(({ ruleId }) => ({ ruleId, needs: ['the KafkaNodePools of the Kafka'] }));
  const open = known && !cluster.strimzi.keepsForeignFinalizers ? undecidedFinalizers(owner, services[0]) : [];
  return judgement.and(new Judgement([], [], [...open, ...unknown]));
}

function undecidedFinalizers(owner: LikelyOwner | undefined, service: Json = {}): Unknown[] {
  const decides = owner?.kind.finalizersDependOn?.(service, owner.controller);
  const needs = [`${decides}, or run Strimzi ${SERVER_SIDE_APPLY_SINCE} or newer`];
  return decides === undefined ? [] : [{ ruleId: FINALIZER_UNDECLARED.id, needs }];
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

const namesOf = (read: readonly ReadScheme[]) => someOf(read.map(({ name }) => name));
const BACKENDS = new RuleSet([BACKEND_WITHOUT_PODS]);

/** Brokers that run on no node of the backend of their balancers: a Service has those of one pool, and bootstrap has all. */
function ofBackends(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
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
      const findings = BACKENDS.judge(service, context, kind.name).errors.map((one) => inListener(listener, one));
      return { name: service.metadata.name, findings };
    }),
  );
}

const FINALIZERS = new RuleSet(FINALIZER_RULES);

function ofFinalizers(
  { strimzi }: IKafkaCluster,
  listener: Json,
  service: Json,
  owner: LikelyOwner,
  known?: ClusterKnown,
): LoadBalancerFinding[] {
  const { kind } = owner;
  const { controllers, kubernetes = DEFAULT_KUBERNETES } = known ?? {};
  const { keepsForeignFinalizers } = strimzi;
  const seen = { kind, controllers, kubernetes, keepsForeignFinalizers };
  const { errors, warnings } = FINALIZERS.judge(service, seen, kind.name);
  const surprises = warnings.map((finding) =>
    finding.ruleId === UNKNOWN_FINALIZER ? blocksTheCluster(finding) : finding,
  );
  const context = { strimzi, owner: kind.name, kind, planned: [], policy: FinalizerPolicy.DECLARE, isPlanned: false };
  const own = [...errors, ...surprises].map((one) => inListener(listener, one));
  return known && undecidedFinalizers(owner, service).length > 0
    ? own
    : [...own, ...finalizerFaults(listener, context, service)];
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
          const found = {
            owners: owners.join(' or '),
            fate,
            value,
            at: `/configuration/finalizers/${declared.indexOf(value)}`,
          };
          return findingOf(FINALIZER_OF_UNKNOWN_OWNER, found, 'strimzi');
        });
}

/** A finding at the field of its listener that the Service has it from, or at the whole listener. */
function inListener(listener: Json, finding: LoadBalancerFinding): LoadBalancerFinding {
  const own = finding.at.replace(/^\/(metadata|spec)\//, '/configuration/');
  return { ...finding, at: own !== finding.at && pointedAt(listener, own) !== undefined ? own : '' };
}

function ofService(name: string, finding: LoadBalancerFinding): LoadBalancerFinding {
  return { ...finding, what: `Service ${name}: ${finding.what}` };
}

/** Every finding once, named where not all Services have it. */
function findingsOfServices(
  services: readonly { readonly name: string; readonly findings: readonly LoadBalancerFinding[] }[],
): LoadBalancerFinding[] {
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
 * Claims of the Services of one listener beside other objects. Names in DNS within one Kafka are validated by a rule of the
 * document, which knows what brokers advertise.
 */
function claimsOfServices(
  { kafka }: IKafkaCluster,
  services: readonly Json[],
  kind: ControllerDefinition | undefined,
): Claim[] {
  return services.flatMap((service) => claimsOf(service, kind)).map((claim) => ({ ...claim, at: '', document: kafka }));
}

function claimsOfNodePorts({ clusterName, namespace }: IKafkaCluster, listener: Json): Claim[] {
  const ports = [bootstrapOf(listener), ...brokersOf(listener)]
    .map(({ nodePort }) => nodePort)
    .filter(Number.isInteger);
  const kafka = namespace === undefined ? clusterName : `${namespace}/${clusterName}`;
  return [...new Set(ports)].map((port) => ({
    of: `${listenerTitleOf(listener)} of Kafka ${kafka}`,
    ...nodePortClaim(`${port}`),
  }));
}
