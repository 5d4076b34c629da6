import { labelsIn } from '../../contract/annotation-codecs-lists';
import type { Json } from '../../contract/json';
import type { Citation, Confidence } from '../../contract/kubernetes.facts';
import {
  type BalancerChoice,
  type BalancerHealthCheck,
  type BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import { LoadBalancerScheme } from '../../contract/options';
import { annotationsOf, classOf, isLocal, portsOf } from '../../rules/service-json';
import { answererOnNode, healthCheckNodePortOf, labelsUnlessNone, nodePortOf, oneAddress } from '../shared/model';
import { HEALTH_CHECK_NODE_PORT_PATH, KUBE_PROXY_HEALTH } from '../shared/model.facts';

/** A number of a health check: its annotation, the default, and how many of it are one. */
type CheckNumber = readonly [key: string, otherwise: number, each?: number];

/** Product of a vendor for a Service, as data of its descriptor; the first of several whose condition holds. */
export interface VendorModel {
  readonly class?: string;
  readonly annotation?: readonly [key: string | undefined, ...values: string[]];
  /** Kinds of which an object is there, and kinds of which none may be. */
  readonly objects?: readonly string[];
  readonly withoutObjects?: readonly string[];
  readonly product: string;
  readonly name: string;
  readonly target: 'node-port' | 'node-with-address';
  readonly choice: 'even' | 'one';
  /** Client address at a node; the annotation is that of the PROXY protocol. */
  readonly client: 'source' | 'none' | { readonly proxy: string };
  readonly nodes?: string;
  readonly sharedBy?: string;
  readonly onlyNodesWithPods?: true;
  readonly check?: {
    readonly unless?: string;
    readonly asks: 'node-port' | 'kube-proxy';
    readonly interval: CheckNumber;
    readonly failures: CheckNumber;
    readonly successes?: CheckNumber;
  };
  readonly source: Citation;
}

export function modelOfVendor(
  models: readonly VendorModel[],
  service: Json,
  objects: readonly Json[],
  {
    scheme,
    confidence,
    healthCheckSwitch,
  }: { readonly scheme?: LoadBalancerScheme; readonly confidence: Confidence; readonly healthCheckSwitch?: string },
): LoadBalancerModel | undefined {
  const annotations = annotationsOf(service);
  const has = (kinds: readonly string[]) => kinds.some((kind) => kindsAmong(objects).has(kind));
  const model = models.find(
    ({ class: of, annotation: [key, ...values] = [undefined], objects: kinds, withoutObjects = [] }) =>
      (of === undefined || classOf(service) === of) &&
      (key === undefined || values.includes(String(annotations[key]))) &&
      (kinds === undefined || (has(kinds) && !has(withoutObjects))),
  );
  if (!model) {
    return undefined;
  }
  const { product, name, client, nodes, sharedBy, onlyNodesWithPods, source } = model;
  const isProxied = typeof client === 'object' && isOn(annotations[client.proxy]);
  const means = isProxied ? ClientAddressMeans.PROXY_PROTOCOL : ClientAddressMeans.NONE;
  const isPublic = product !== 'none' && scheme === LoadBalancerScheme.INTERNET_FACING;
  return {
    ...{ product, name, scheme, source, confidence },
    target: model.target as BalancerTarget,
    choice: model.choice as BalancerChoice,
    clientAddress: client === 'source' ? ClientAddressMeans.SOURCE : means,
    healthCheck: healthCheckSwitch === undefined ? healthCheckOf(model, service) : undefined,
    ...(healthCheckSwitch !== undefined && { healthCheckSwitch }),
    nodeLabels: labelsUnlessNone(nodes === undefined ? undefined : labelsIn(annotations[nodes])),
    ...(onlyNodesWithPods && isLocal(service) && { onlyNodesWithPods }),
    listeners: portsOf(service).length,
    publicAddresses: oneAddress(service, isPublic),
    ...(sharedBy !== undefined && annotations[sharedBy] && { sharedBy: String(annotations[sharedBy]) }),
    limits: [],
  };
}

const KINDS = new WeakMap<readonly Json[], ReadonlySet<unknown>>();

/** The kinds of some objects, once for all Services beside them. */
function kindsAmong(objects: readonly Json[]): ReadonlySet<unknown> {
  const kinds = KINDS.get(objects) ?? new Set(objects.map(({ kind }) => kind));
  KINDS.set(objects, kinds);
  return kinds;
}

const isOn = (value: unknown) => value !== undefined && !['', 'false', '0'].includes(String(value));

function healthCheckOf({ check }: VendorModel, service: Json): BalancerHealthCheck | undefined {
  const annotations = annotationsOf(service);
  const { unless } = check ?? {};
  if (!check || (unless && annotations[unless] !== undefined)) {
    return undefined;
  }
  const numberOf = ([key, otherwise, each = 1]: CheckNumber) => {
    const written = Number(annotations[key] ?? otherwise * each);
    return Number.isFinite(written) ? written / each : undefined;
  };
  const ofKubeProxy = isLocal(service) ? healthCheckNodePortOf(service) : String(KUBE_PROXY_HEALTH.port);
  const isPage = isLocal(service) || check.asks === 'kube-proxy';
  const port = isPage ? ofKubeProxy : nodePortOf(portsOf(service)[0]);
  return {
    answeredBy: answererOnNode(service, port),
    ...(isPage ? { protocol: 'HTTP', path: HEALTH_CHECK_NODE_PORT_PATH } : { protocol: 'TCP' }),
    port,
    interval: numberOf(check.interval),
    failures: numberOf(check.failures),
    ...(check.successes && { successes: numberOf(check.successes) }),
  };
}
