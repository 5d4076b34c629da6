import type { Construct } from 'constructs';
import { integer } from '../../contract/annotation-codec';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft, wishAsText } from '../../contract/plan-draft';
import type { ControllerDefinition, ControllerVersion } from '../../rules/controller-definition';
import { ensureSideObject, honourTrafficPolicy, refuseProxyProtocol, sideObjectName } from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { answerRollout } from '../shared/rollout';
import { METALLB, METALLB_CATALOGUE, METALLB_CONTROLLER } from './annotations';
import type { MetalLb } from './controller';
import { METALLB_DESCRIPTOR } from './descriptor.facts';
import {
  METALLB_ADVERTISEMENT_LABEL,
  METALLB_ADVERTISEMENTS,
  METALLB_API_VERSION,
  METALLB_NAMESPACE,
  METALLB_PREFIX_SINCE,
  METALLB_SERVICE_SELECTORS_SINCE,
} from './facts';
import { METALLB_EDITED_KINDS } from './kind-edits.facts';
import { claimOf, type MetalLbMode, metalLbModelOf, restrictsNodes, sharing } from './model';
import type { MetalLbBgpOptions, MetalLbLayer2Options } from './options';
import { usesExcludedNodes } from './predicates';
import { editsByLabels, reachedByEdit } from './reached';
import { METALLB_OTHER_ADVERTISEMENTS, METALLB_POOL_DECIDES_SCHEME, REFUSALS } from './refusals.facts';
import { METALLB_RULES } from './rules';
import { METALLB_UPGRADES } from './upgrades.facts';
import { MetalLbVersion } from './version';

type MetalLbSpelling = 'current' | 'deprecated';
type AnyOptions = MetalLbLayer2Options & MetalLbBgpOptions;

export const definition = (own: typeof MetalLb): ControllerDefinition => ({
  ...METALLB_DESCRIPTOR,
  editedKinds: METALLB_EDITED_KINDS,
  reachedByEdit,
  editsByLabels,
  upgrades: METALLB_UPGRADES,
  // packets reach the nodes as the client sent them
  handles: () => [],
  // in the namespace where it is installed
  identities: (controller) =>
    METALLB_DESCRIPTOR.identities().map((one) => ({
      ...one,
      namespace: (controller as Partial<MetalLb> | undefined)?._writer?.options.namespace ?? one.namespace,
    })),
  claim: claimOf,
  schemeOf: () => ({ because: 'the addresses of its pool decide who can reach it' }),
  installed: () => own.layer2(),
  variants: { layer2: () => own.layer2(), bgp: () => own.bgp() },
  versionOf: (controller) => versionOf((controller as Partial<MetalLb> | undefined)?._writer?.options.version),
  restrictsNodes,
  sharing,
  makes: metalLbModelOf,
  madeWith: 'its IPAddressPool, and either L2Advertisements or BGPAdvertisements of it, among the objects',
  // nodes with a pod announce the address, unless an advertisement beside the Service leaves them out
  backendNodes: () => ({ labels: {}, restrictedBy: 'the pods' }),
  // internal/k8s/nodes/nodes.go of v0.14.0, speaker/main.go of v0.14.4
  excludedNodes: {
    byPresence: true,
    since: '0.14.0',
    option: {
      since: '0.14.4',
      isSetIn: usesExcludedNodes,
      remedy: 'run the speaker with --ignore-exclude-lb (chart: speaker.ignoreExcludeLB)',
    },
  },
  reports: [METALLB_POOL_DECIDES_SCHEME, METALLB_OTHER_ADVERTISEMENTS],
  rules: METALLB_RULES,
});

export class MetalLbWriter {
  private readonly annotations: Record<string, string>;
  private readonly spelling: MetalLbSpelling;

  public constructor(
    public readonly mode: MetalLbMode,
    public readonly options: AnyOptions,
  ) {
    this.spelling = has(options.version, METALLB_PREFIX_SINCE) ? 'current' : 'deprecated';
    this.annotations = spelt(encodeOptions(METALLB_CONTROLLER, METALLB_CATALOGUE, options), this.spelling);
    const fault = faultOf(options);
    if (fault) {
      throw new Error(`${METALLB_CONTROLLER}: ${fault}`);
    }
  }

  public shared(key: string): MetalLbWriter {
    const { allowSharedIp } = this.options;
    if (allowSharedIp !== undefined && allowSharedIp !== key) {
      throw new Error(
        `${METALLB_CONTROLLER}: option allowSharedIp is already '${allowSharedIp}', so the address cannot be shared by '${key}'; set it in one place`,
      );
    }
    return new MetalLbWriter(this.mode, { ...this.options, allowSharedIp: key });
  }

  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(METALLB_CONTROLLER, request, this.annotations);

    draft.honourIf({
      protocols: 'kube-proxy serves every protocol',
      sessionAffinity: 'sessionAffinity ClientIP of kube-proxy',
      sourceRanges: 'loadBalancerSourceRanges of kube-proxy',
      ipFamilies: 'addresses of the families of the Service',
    });
    if (request.staticAddresses) {
      draft.annotate(
        LoadBalancerWish.STATIC_ADDRESSES,
        METALLB.loadBalancerIps[this.spelling],
        request.staticAddresses,
      );
    }
    this.answerScheme(draft, request);
    refuseProxyProtocol(draft, request, REFUSALS.proxyProtocol);
    if (request.healthCheck) {
      draft.refuseBy(REFUSALS.healthCheck, { value: wishAsText(request, LoadBalancerWish.HEALTH_CHECK) });
    }
    const externalTrafficPolicy = answerTrafficPolicy(draft, request);
    const advertisement = this.advertise(scope, draft, request);
    const byLabel = advertisement !== undefined && this.selectsServices;

    return draft.done({
      loadBalancerClass: this.options.loadBalancerClass,
      labels: byLabel ? { [METALLB_ADVERTISEMENT_LABEL]: advertisement } : undefined,
      rollout: answerRollout(draft, request, externalTrafficPolicy, (service) =>
        metalLbModelOf(service, { _writer: this }),
      ),
      externalTrafficPolicy,
      sessionAffinity: request.sessionAffinity,
      sourceRanges: request.sourceRanges,
      ipFamilies: request.ipFamilies,
      nodeRestriction: advertisement === undefined ? NodeRestriction.NONE : NodeRestriction.ON_SIDE_OBJECT,
    });
  }

  /** The pool decides the scheme; where the options name none, any pool may serve. */
  private answerScheme(draft: PlanDraft, { scheme }: LoadBalancerRequest): void {
    if (scheme === undefined) {
      return;
    }
    draft.honour(LoadBalancerWish.SCHEME, 'the address pool decides');
    if (!draft.has(METALLB.addressPool[this.spelling]) && !draft.has(METALLB.loadBalancerIps[this.spelling])) {
      draft.warn(LoadBalancerWish.SCHEME, METALLB_POOL_DECIDES_SCHEME, { value: scheme, mode: this.mode });
    }
  }

  private get selectsServices(): boolean {
    return this.options.serviceSelectors ?? has(this.options.version, METALLB_SERVICE_SELECTORS_SINCE);
  }

  /** The advertisement of the request's node pool, by name; nothing where none is wished or possible. */
  private advertise(scope: Construct, draft: PlanDraft, request: LoadBalancerRequest): string | undefined {
    const nodes = request.backendNodes;
    const { addressPool } = this.options;
    if (!nodes) {
      return undefined;
    }
    const isShared = this.mode === 'layer2' && this.selectsServices && draft.has(METALLB.allowSharedIp[this.spelling]);
    if (!addressPool || isShared) {
      const refusal = addressPool ? REFUSALS.nodesOfShared : REFUSALS.nodesWithoutPool;
      draft.refuseBy(refusal, { value: nodes.name, mode: this.mode });
      return undefined;
    }
    const name = sideObjectName(scope);
    const { interfaces, peers, communities, localPref } = this.options;
    const spec = {
      ipAddressPools: [addressPool],
      nodeSelectors: [{ matchLabels: { ...nodes.labels } }],
      ...(this.selectsServices
        ? { serviceSelectors: [{ matchLabels: { [METALLB_ADVERTISEMENT_LABEL]: name } }] }
        : undefined),
      ...(this.mode === 'layer2' ? { interfaces } : { peers, communities, localPref }),
    };
    const kind = METALLB_ADVERTISEMENTS[this.mode];
    const metadata = { name, namespace: this.options.namespace ?? METALLB_NAMESPACE };
    ensureSideObject(scope, { apiVersion: METALLB_API_VERSION, kind, metadata, spec });
    draft.honour(LoadBalancerWish.BACKEND_NODES, `${kind} ${name}`);
    draft.warn(LoadBalancerWish.BACKEND_NODES, METALLB_OTHER_ADVERTISEMENTS, {
      case: this.selectsServices ? 'selecting' : 'whole',
      value: addressPool,
      since: METALLB_SERVICE_SELECTORS_SINCE,
    });
    return name;
  }
}

function has(version: MetalLbVersion | undefined, since: string): boolean {
  return version === undefined || version.isAtLeast(MetalLbVersion.of(since));
}

function versionOf(version: MetalLbVersion | undefined): ControllerVersion | undefined {
  return version && { version: version.version, reaches: (since) => has(version, since) };
}

function spelt(annotations: Record<string, string>, spelling: MetalLbSpelling): Record<string, string> {
  const keys = new Map(Object.values(METALLB).map((entry) => [entry.current.key(), entry[spelling].key()]));
  return Object.fromEntries(Object.entries(annotations).map(([key, value]) => [keys.get(key) ?? key, value]));
}

function faultOf({ namespace, localPref, serviceSelectors, version }: AnyOptions): string | undefined {
  if (serviceSelectors && !has(version, METALLB_SERVICE_SELECTORS_SINCE)) {
    return `option serviceSelectors: advertisements have them from ${METALLB_SERVICE_SELECTORS_SINCE} on, and version is ${version?.version}; leave it out`;
  }
  const namespaceFault = namespace === undefined ? undefined : dnsLabelFault(namespace);
  if (namespaceFault) {
    return `option namespace: ${namespaceFault}; use the namespace of MetalLB`;
  }
  const preference = localPref === undefined ? { value: 0 } : integer(0, 0xffffffff).decode(String(localPref));
  return 'fault' in preference ? `option localPref: ${preference.fault}; use a number that BGP knows` : undefined;
}

/** The client's address survives with policy Local and only with it. */
function answerTrafficPolicy(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, trafficPolicy } = request;
  const implied =
    clientAddress &&
    { [ClientAddress.PRESERVE]: TrafficPolicy.LOCAL, [ClientAddress.REPLACE]: TrafficPolicy.CLUSTER }[clientAddress];
  honourTrafficPolicy(draft, request);
  if (implied && trafficPolicy && implied !== trafficPolicy) {
    draft.refuseBy(REFUSALS.clientAddress, { value: clientAddress, policy: trafficPolicy, implied });
  } else if (implied) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, `externalTrafficPolicy ${implied}`);
  }
  return trafficPolicy ?? implied;
}
