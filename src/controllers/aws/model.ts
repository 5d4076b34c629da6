import type { Json } from '../../contract/json';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  type BalancerLimit,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import { HealthCheckProtocol, LoadBalancerScheme, PortProtocol } from '../../contract/options';
import { isLocal, portsOf } from '../../rules/service-json';
import type { HealthCheckAnnotations } from '../shared/answers';
import { CLIENT_IN_HEADER, clientAddressByPorts, limitsBy } from '../shared/model';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/model.facts';
import { RULES_PER_SECURITY_GROUP, SECURITY_GROUP_QUOTAS } from './facts';
import { NLB_AFTER_FAILED_CHECK, NLB_AFTER_REMOVAL } from './notices.facts';
import { CLASSIC_LIMITS, NLB_LIMITS, NLB_LIMITS_ACROSS_ZONES, NLB_LIMITS_OF_ZONES } from './quotas.facts';
import { rulesOfGroup } from './rules';

// The balancers of AWS, alike for all controllers that make them.

type Known = Pick<
  LoadBalancerModel,
  'listeners' | 'zones' | 'healthCheck' | 'nodeLabels' | 'crossZone' | 'source' | 'confidence'
> & {
  readonly scheme: LoadBalancerScheme | undefined;
  /** The security group whose rules the controller writes. */
  readonly group?: BalancerLimit;
};

export interface KnownNlb extends Known {
  readonly clients: NlbClients;
  /** Labels of a Namespace whose pods wait for the balancer, where pods are its targets. */
  readonly gates?: Readonly<Record<string, string>>;
  /**
   * The way out where the target group of a port ends connections to a node whose check fails, which AWS does unless an attribute
   * says otherwise. AWS Elastic Load Balancing User Guide, 2026-11-21: network/edit-target-group-attributes.html
   */
  endsHeld?(port: Json): string | undefined;
  hasHeader(port: Json): boolean;
}

/** A Network Load Balancer: it stands in zones with one address each, and has a target group for each listener. */
export function nlbModel(service: Json, nlb: KnownNlb): LoadBalancerModel {
  const { clients, hasHeader, group, gates, endsHeld: endsHeldOf, ...known } = nlb;
  const connected = portsOf(service).filter(({ protocol }) => protocol !== PortProtocol.UDP);
  const [endsHeld] = connected.flatMap((port) => endsHeldOf?.(port) ?? []);
  return {
    product: 'aws/nlb',
    name: 'Network Load Balancer',
    target: clients.toPods ? BalancerTarget.POD : BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    ...clientAddressByPorts(service, (port) => {
      if (hasHeader(port)) {
        return ClientAddressMeans.PROXY_PROTOCOL;
      }
      return keepsClient(port, clients) ? ClientAddressMeans.SOURCE : ClientAddressMeans.NONE;
    }),
    notices: clients.toPods
      ? { afterRemoval: NLB_AFTER_REMOVAL, ...(gates ? { gates } : {}) }
      : { afterFailedCheck: NLB_AFTER_FAILED_CHECK, ...(endsHeld === undefined ? {} : { endsHeld }) },
    publicAddresses: addressPerZone(known.scheme),
    limits: [
      ...limitsBy(NLB_LIMITS, known.listeners),
      ...limitsBy(known.crossZone ? NLB_LIMITS_ACROSS_ZONES : NLB_LIMITS_OF_ZONES, known.listeners),
      ...(group ? [group] : []),
    ],
    ...known,
  };
}

export interface KnownClassic extends Known {
  readonly header: boolean;
}

/** A Classic Load Balancer: it ends connections and makes new ones, with instances as targets. */
export function classicModel({ header, group, ...known }: KnownClassic): LoadBalancerModel {
  return {
    product: 'aws/clb',
    name: 'Classic Load Balancer',
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress: header ? ClientAddressMeans.PROXY_PROTOCOL : ClientAddressMeans.NONE,
    publicAddresses: addressPerZone(known.scheme),
    limits: [...limitsBy(CLASSIC_LIMITS, known.listeners), ...(group ? [group] : [])],
    ...known,
  };
}

function addressPerZone(scheme: LoadBalancerScheme | undefined): LoadBalancerModel['publicAddresses'] {
  return { count: scheme === LoadBalancerScheme.INTERNET_FACING ? 1 : 0, perZone: true };
}

export function groupOfRules(
  ports: number,
  sources: readonly string[],
  of: 'the balancer' | 'the nodes' = 'the balancer',
): BalancerLimit {
  return {
    counts: 'rules',
    name: `Inbound rules of the security group of ${of}`,
    limit: RULES_PER_SECURITY_GROUP,
    used: rulesOfGroup(ports, sources),
    ...(of === 'the nodes' ? { scope: 'cluster' as const } : {}),
    source: SECURITY_GROUP_QUOTAS,
  };
}

/** In how many zones a balancer stands, by the first of some lists that name its subnets, or addresses in them. */
export function zonesBy(...lists: readonly (readonly string[] | undefined)[]): number | undefined {
  return lists.find((list) => list !== undefined && list.length > 0)?.length;
}

export const isHttp = (protocol: HealthCheckProtocol | undefined) =>
  protocol === HealthCheckProtocol.HTTP || protocol === HealthCheckProtocol.HTTPS;

/** Health check of the targets of the first listener: what annotations leave open follows from the policy. */
export function healthCheckBy(
  entries: HealthCheckAnnotations,
  annotations: Readonly<Record<string, string>>,
  { answeredBy, port }: Pick<BalancerHealthCheck, 'answeredBy' | 'port'>,
  byDefault: {
    readonly protocol: HealthCheckProtocol;
    readonly isLocal: boolean;
    readonly interval: number;
    readonly failures: number;
  },
): BalancerHealthCheck {
  const protocol = entries.healthCheckProtocol.on(annotations) ?? byDefault.protocol;
  const path = entries.healthCheckPath.on(annotations) ?? (byDefault.isLocal ? HEALTH_CHECK_NODE_PORT_PATH : '/');
  const successes = entries.healthCheckHealthyThreshold.on(annotations);
  return {
    answeredBy,
    protocol: protocol.toUpperCase(),
    port,
    ...(isHttp(protocol) ? { path } : {}),
    interval: entries.healthCheckInterval.on(annotations)?.toSeconds() ?? byDefault.interval,
    failures: entries.healthCheckUnhealthyThreshold.on(annotations) ?? byDefault.failures,
    ...(successes === undefined ? {} : { successes }),
  };
}

// Client addresses that targets of a Network Load Balancer see. AWS Elastic Load Balancing User Guide, 2026-11-21,
// network/edit-target-group-attributes.html

export interface NlbClients {
  readonly toPods: boolean;
  readonly header?: boolean;
  preserves(port: Json): boolean | undefined;
}

/** True if targets see the client of a port: that of UDP always, and that of TCP by default where they are nodes. */
export function keepsClient(port: Json, { toPods, preserves }: NlbClients): boolean {
  return port.protocol === 'UDP' || (preserves(port) ?? !toPods);
}

export function clientsOfNlb(service: Json, clients: NlbClients): string {
  const { toPods, header } = clients;
  if (header) {
    return CLIENT_IN_HEADER;
  }
  const ports = portsOf(service);
  const kept = ports.filter((port) => keepsClient(port, clients));
  if (kept.length === 0) {
    return 'replaced by the balancer';
  }
  const isLost = !toPods && !isLocal(service);
  const fate = isLost ? 'kept by the balancer, and replaced by a node with policy Cluster' : 'kept';
  return kept.length === ports.length
    ? fate
    : `${fate} for port ${kept.map(({ port }) => port).join(', ')}; replaced by the balancer for others`;
}
