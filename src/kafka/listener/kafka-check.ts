import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { grouped, type Json, pointedAt, stepsOf } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { FinalizerPolicy, type LoadBalancerFinding, LoadBalancerScheme } from '../../contract/options';
import { findingOf, someOf, type WordedRule } from '../../contract/rule';
import { currentJson, entryOf, indexedObjectOf } from '../../rules/app-objects';
import { type Claim, claimsOf, nodePortClaim } from '../../rules/claims';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { FINALIZER_OF_SERVICE_CONTROLLER, FINALIZER_RULES } from '../../rules/finalizer-rules';
import { knownKinds, type LikelyOwner, likelyOwner, possibleOwners } from '../../rules/known-kinds';
import { MANIFEST_RULES } from '../../rules/manifest-rules';
import { BACKEND_WITHOUT_PODS } from '../../rules/node-rules';
import type { IndexedObject } from '../../rules/objects';
import { CheckResult, changed, RuleSet, type Unknown } from '../../rules/rule-set';
import { finalizersOf, type SchemeReading } from '../../rules/service-json';
import { serviceRulesOf, UNOWNED_RULES } from '../../rules/service-rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  bootstrapOf,
  brokersOf,
  findListener,
  KafkaDocument,
  listenersOf,
  listenerTitleOf,
  namedIds,
  pointerTo,
} from '../operator/kafka-document';
import { type ClusterContext, nodePoolsOf } from '../operator/node-pools';
import { bootstrapServiceName, distinguishesBrokers, servicesOf, unlike } from '../operator/operator-services';
import type { KafkaContext } from '../rules/document-rules';
import { annotationAt } from '../rules/listener-rule';
import { checkDocument, checkListener, listenerContextOf, sameCause } from '../rules/listener-rules';
import { faultsOfCounted } from '../rules/listener-service-rules';
import { checkPools } from '../rules/node-pool-rules';
import {
  FINALIZER_OF_UNKNOWN_OWNER,
  FINALIZER_STRIPPED,
  FINALIZER_UNDECLARED,
  LISTENER_BROKERS_INTERNAL,
  LISTENER_PART_PUBLIC,
} from '../rules.facts';
import { KAFKA_KIND, LISTENER_TYPES, SELECTOR_LABELS, SERVER_SIDE_APPLY_SINCE } from '../strimzi/strimzi.facts';
import { checkRoutes } from './gateway-fit';
import { blocksTheCluster, finalizerFaults, handlingFaults, placedBy, UNKNOWN_FINALIZER } from './listener-faults';

/** Known context of a Kafka of an app or of files. */
export interface KafkaCheckContext {
  readonly controllers?: readonly ILoadBalancerController[];
  readonly kubernetes?: KubernetesVersion;
  /** The Kafka among the other objects. */
  readonly among: IndexedObject;
  /** True if the brokers are not known: Services of bootstrap and of one broker, or of those that are named, stand for all. */
  readonly isUncounted?: boolean;
  readonly context: KafkaContext;
  readonly pools: readonly Json[];
  readonly counted?: ClusterContext['counted'];
  /** The brokers of a listener; undefined if its Services cannot be known. */
  clusterOf(listener: Json): IKafkaCluster | undefined;
  ownerOf(service: Json): LikelyOwner | undefined;
}

/** Validates a Kafka as a whole, whether a construct or a file holds it: its document, its pools and its listeners. */
export function checkKafka(kafka: Json, known: KafkaCheckContext, listeners = listenersOf(kafka)): CheckResult {
  const { context, pools, counted, among, isUncounted } = known;
  const ofDocument = checkDocument(kafka, context).and(checkPools(kafka, { ...context, pools, counted }));
  return listeners.reduce<CheckResult>((sum, listener) => {
    const all = sum.and(checkListener(kafka, listener, context));
    const cluster = known.clusterOf(listener);
    const ids = isUncounted ? namedIds(listener) : cluster?.brokerIds;
    return cluster
      ? all.and(checkServices(cluster, kafka, listener, known)).and(checkRoutes(cluster, kafka, listener, among, ids))
      : all;
  }, ofDocument);
}

/** The document of a cluster of an app, which is validated as a whole from the first call on. */
export function checkedDocument(cluster: IKafkaCluster, host: Construct = cluster.kafka): KafkaDocument {
  const document = KafkaDocument.of(cluster.kafka);
  document.checkWhole(host, {
    check: (kafka) => {
      const found = nodePoolsOf(cluster);
      const known = {
        context: listenerContextOf(cluster),
        pools: found.map(({ object }) => currentJson(object)),
        counted: found.map(({ counted }) => counted),
        among: entryOf(cluster.kafka),
        ownerOf: likelyOwner,
        clusterOf: () => cluster,
      };
      const planned = document.names.map((name) => findListener(kafka, name));
      const others = listenersOf(kafka).filter((listener) => !planned.includes(listener));
      // a check of files has the Services of these listeners among its objects
      const balanced = others.filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
      return balanced.reduce<CheckResult>(
        (sum, listener) => sum.and(checkAsServices(cluster, kafka, listener, sum)),
        checkKafka(kafka, known, others),
      );
    },
  });
  return document;
}

function checkServices(cluster: IKafkaCluster, kafka: Json, listener: Json, known: KafkaCheckContext): CheckResult {
  const result = new CheckResult();
  if (listener.type === LISTENER_TYPES.nodePort) {
    result.claims = claimsOfNodePorts(cluster, listener);
  }
  if (listener.type !== LISTENER_TYPES.loadBalancer) {
    return result;
  }
  const made = servicesOf(cluster, kafka, listener);
  const isWhole = !known.isUncounted;
  const all = isWhole ? made.services : withUnknownNames(cluster, listener, made.services);
  const services = unlike(isWhole ? made.originals : all);
  const owner = services.map((service) => known.ownerOf(service)).find((one) => one !== undefined);
  const kinds = owner ? [owner.kind] : knownKinds();
  // an annotation that has the id of a broker claims what is not known without it
  const claiming = !isWhole && distinguishesBrokers(listener) && namedIds(listener).length === 0;
  const claims = claimsOfServices(cluster, claiming ? all.filter(isBootstrap) : all, owner?.kind);
  result.claims = claims.map((claim) =>
    owner?.isSure === false && claim.who === owner.kind.name ? { ...claim, isUnsure: true } : claim,
  );
  const handling = services.map((service) => {
    return { name: service.metadata.name, findings: handlingFaults(service, listener, kinds) };
  });
  const finalizers = owner && services.length > 0 ? ofFinalizers(cluster, listener, services[0], owner, known) : [];
  const exposed = owner ? ofSchemes(cluster, listener, all, owner) : [];
  const isOfUnknown = !known.controllers && !owner && services.length > 0;
  const ofUnknown = isOfUnknown ? finalizersOfUnknown(cluster, services[0], isWhole ? String(all.length) : 'its') : [];
  const isWarning = ({ ruleId }: LoadBalancerFinding) =>
    ruleId === FINALIZER_STRIPPED.id ||
    ruleId === FINALIZER_OF_SERVICE_CONTROLLER ||
    // the template of a node pool that is not known may set the scheme
    (!isWhole && SCHEME_RULES.includes(ruleId)) ||
    !owner?.isSure;
  const placed = (finding: LoadBalancerFinding) => ({ ...finding, at: `${pointerTo(kafka, listener)}${finding.at}` });
  const named = (finding: LoadBalancerFinding) =>
    placed({ ...finding, what: `${listenerTitleOf(listener)}: ${finding.what}` });
  const idle = owner ? ofBackends(cluster, kafka, listener, all, owner, known) : [];
  const ofOwner = [...finalizers, ...exposed, ...idle];
  const counted = owner ? faultsOfCounted(cluster, kafka, listener, { ...known, ...owner, services: all }) : [];
  result.errors = [...findingsOfServices(handling), ...ofOwner.filter((finding) => !isWarning(finding))].map(named);
  result.warnings = [
    ...(isWhole ? made.beaten : []).map(placed),
    ...[...ofOwner.filter(isWarning), ...ofUnknown, ...(isWhole ? counted : [])].map(named),
  ];
  const unknown = isWhole ? [] : counted.map(({ ruleId }) => ({ ruleId, needs: ['the KafkaNodePools of the Kafka'] }));
  const open = !cluster.strimzi.keepsForeignFinalizers ? undecidedFinalizers(owner, services[0]) : [];
  return result.and(new CheckResult([], [], [...open, ...unknown]));
}

const OF_SERVICES = new RuleSet(MANIFEST_RULES);

/** Validates the Services of a listener by the rules of all Services, but for what is reported of the listener. */
function checkAsServices(cluster: IKafkaCluster, kafka: Json, listener: Json, reported: CheckResult): CheckResult {
  const place = pointerTo(kafka, listener);
  const own = [...reported.errors, ...reported.warnings].filter(
    ({ at }) => !at.includes('/listeners/') || `${at}/`.startsWith(`${place}/`),
  );
  const again = new Set([...own.map(({ ruleId }) => ruleId), ...sameCause(own)]);
  const services = unlike(servicesOf(cluster, kafka, listener).originals).map((service) => {
    const owner = likelyOwner(service);
    const seen = indexedObjectOf(cluster.kafka, service);
    const among = seen && { ...seen, madeOf: KAFKA_KIND };
    const { keepsForeignFinalizers } = cluster.strimzi;
    const context = { kind: owner?.kind, kubernetes: DEFAULT_KUBERNETES, keepsForeignFinalizers, among };
    const [who, rules] = owner ? [owner.kind.name, serviceRulesOf(owner.kind)] : ['kubernetes', UNOWNED_RULES];
    const result = rules.check(service, context, who).and(OF_SERVICES.check(service, context, who));
    const { errors, warnings } = changed(result, (finding) => {
      const { at, ...found } = inListener(listener, finding);
      return again.has(found.ruleId) ? undefined : { ...found, at: `${place}${at}` };
    });
    const { name } = service.metadata;
    return owner?.isSure === false
      ? { name, errors: [], warnings: [...errors, ...warnings] }
      : { name, errors, warnings };
  });
  const [errors, warnings] = (['errors', 'warnings'] as const).map((which) =>
    findingsOfServices(services.map(({ name, [which]: findings }) => ({ name, findings }))),
  );
  return CheckResult.of(errors, warnings);
}

function undecidedFinalizers(owner: LikelyOwner | undefined, service: Json = {}): Unknown[] {
  const decides = owner?.kind.finalizersDependOn?.(service, owner.controller);
  const needs = [`${decides}, or run Strimzi ${SERVER_SIDE_APPLY_SINCE} or newer`];
  return decides === undefined ? [] : [{ ruleId: FINALIZER_UNDECLARED.id, needs }];
}

export function isBootstrap({ spec }: Json): boolean {
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
  { kubernetes = DEFAULT_KUBERNETES }: KafkaCheckContext,
): LoadBalancerFinding[] {
  const pools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
  const unlikePools = grouped(services, ({ metadata, spec }) =>
    JSON.stringify([metadata.annotations, spec.selector[SELECTOR_LABELS.pool]]),
  );
  return findingsOfServices(
    [...unlikePools.values()].map(([service]) => {
      const context = { kind, kubernetes, ...placedBy(pools, kafka, service, undefined) };
      const findings = BACKENDS.check(service, context, kind.name).errors.map((one) => inListener(listener, one));
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
  { controllers, kubernetes = DEFAULT_KUBERNETES }: KafkaCheckContext,
): LoadBalancerFinding[] {
  const { kind } = owner;
  const { keepsForeignFinalizers } = strimzi;
  const seen = { kind, controllers, kubernetes, keepsForeignFinalizers };
  const { errors, warnings } = FINALIZERS.check(service, seen, kind.name);
  const surprises = warnings.map((finding) =>
    finding.ruleId === UNKNOWN_FINALIZER ? blocksTheCluster(finding) : finding,
  );
  const context = { strimzi, owner: kind.name, kind, planned: [], policy: FinalizerPolicy.DECLARE, isPlanned: false };
  const own = [...errors, ...surprises].map((one) => inListener(listener, one));
  return undecidedFinalizers(owner, service).length > 0
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
export function inListener(listener: Json, finding: LoadBalancerFinding): LoadBalancerFinding {
  const [, field, key] = stepsOf(finding.at);
  const own =
    (field === 'annotations' ? annotationAt(listener, key) : undefined) ??
    finding.at.replace(/^[/]spec[/]ports\b.*/, '/port').replace(/^[/](metadata|spec)[/]/, '/configuration/');
  return { ...finding, at: own !== finding.at && pointedAt(listener, own) !== undefined ? own : '' };
}

/**
 * Every finding once, named where not all Services have it.
 * @param isOfOne true for a finding that is of one Service even if there are no others
 */
export function findingsOfServices(
  services: readonly { readonly name: string; readonly findings: readonly LoadBalancerFinding[] }[],
  isOfOne: (finding: LoadBalancerFinding) => boolean = () => false,
): LoadBalancerFinding[] {
  const keyOf = ({ ruleId, what }: LoadBalancerFinding) => `${ruleId}\n${what}`;
  const all = services.map(({ findings }) => new Set(findings.map(keyOf)));
  const everywhere = (finding: LoadBalancerFinding) =>
    !isOfOne(finding) && all.every((keys) => keys.has(keyOf(finding)));
  return services.flatMap(({ name, findings }, place) =>
    findings
      .filter((finding) => place === 0 || !everywhere(finding))
      .map((finding) => (everywhere(finding) ? finding : { ...finding, what: `Service ${name}: ${finding.what}` })),
  );
}

/**
 * Claims of the Services of one listener beside other objects. Names in DNS within one Kafka are validated by a rule of the
 * document, which knows what brokers advertise.
 */
export function claimsOfServices(
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
