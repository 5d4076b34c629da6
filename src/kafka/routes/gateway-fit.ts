import type { Json } from '../../contract/json';
import { TLS_ROUTE_KIND } from '../../gateway/gateway.facts';
import type { GatewayListener } from '../../gateway/gateway-listener';
import { GatewayProtocol } from '../../gateway/gateway-protocol';
import { GatewayTlsMode } from '../../gateway/gateway-tls-mode';
import { gatewayTitle } from '../../gateway/parent-ref';
import { routeFault, servesHost } from '../../gateway/route-admission';
import { bootstrapOf, listAt, textAt } from '../document/kafka-json';
import type { KafkaTlsRouteGateway } from '../listener/kafka-tls-route-gateway';
import { parentIn, referencesTo } from '../listener/route-parents';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { routeHostOf } from './route-names';
import { setsPort } from './route-port';
import { TLS_ROUTE_PORT } from './tls-route.facts';

/** A listener of type tlsroute, and one Gateway that its routes attach to. */
export class GatewayFit {
  public readonly gateway: KafkaTlsRouteGateway['gateway'];
  /** The section that the routes name. */
  public readonly section?: string;
  /** How messages call the Gateway. */
  public readonly title: string;
  /** The listeners of the Gateway among which the routes find theirs; undefined where they are not known. */
  public readonly known?: readonly GatewayListener[];
  /** The place of the Gateway in the listener, as a JSON pointer. */
  public readonly at: string;

  public constructor(
    private readonly cluster: IKafkaCluster,
    public readonly listener: Json,
    parent: KafkaTlsRouteGateway,
  ) {
    const { gateway, sectionName } = parentIn(listener, parent, cluster.namespace);
    const [reference] = referencesTo(listener, parent, cluster.namespace);
    this.gateway = gateway;
    this.section = sectionName;
    this.title = gatewayTitle(gateway);
    this.known = gateway.listeners?.filter(({ name }) => sectionName === undefined || name === sectionName);
    this.at = `/configuration/parentRefs/${listAt(listener, 'configuration.parentRefs').indexOf(reference)}`;
  }

  /** Where the routes are. */
  public get namespace(): string | undefined {
    return this.cluster.namespace;
  }

  /** The ids of the brokers. */
  public get brokerIds(): readonly number[] {
    return this.cluster.brokerIds;
  }

  /** The ports under which the Gateway serves the brokers, as far as they are known. */
  public get ports(): number[] {
    return [...new Set(this.cluster.brokerIds.flatMap((id) => this.portsOf(id)))];
  }

  /** The hosts of bootstrap and brokers. */
  public get hosts(): string[] {
    const brokers = this.cluster.brokerIds.map((id) => routeHostOf(this.cluster, this.listener, id));
    const all = [textAt(bootstrapOf(this.listener), 'host'), ...brokers];
    return [...new Set(all.filter((host) => host !== undefined))];
  }

  /** The ports under which the Gateway serves a broker. */
  public portsOf(id: number): number[] {
    const host = routeHostOf(this.cluster, this.listener, id);
    return host === undefined ? [] : [...new Set(this.serving(host).map(({ port }) => port))];
  }

  /** The listeners of the Gateway that serve a host. */
  public serving(host: string): GatewayListener[] {
    return this.fitting.filter((one) => servesHost(one, host));
  }

  /** The listeners of the Gateway that routes attach to. */
  public get taking(): GatewayListener[] {
    return (this.known ?? []).filter((one) => this.faultOf(one) === undefined);
  }

  /** Those of them that do with TLS what the brokers need. */
  public get fitting(): GatewayListener[] {
    const needed = this.listener.tls === false ? GatewayTlsMode.TERMINATE : GatewayTlsMode.PASSTHROUGH;
    return this.taking.filter(({ tlsMode }) => tlsMode === needed);
  }

  /** Why a listener of the Gateway takes no route. */
  public faultOf(one: GatewayListener): string | undefined {
    const route = { kind: TLS_ROUTE_KIND, namespace: this.namespace, protocol: GatewayProtocol.TLS.value };
    return routeFault(one, this.gateway.namespace, route);
  }
}

/** Whether no port is one of all Gateways whose ports are known: whichever is advertised, the clients of one cannot come. */
export function areApart(fits: readonly GatewayFit[]): boolean {
  const [first, ...others] = fits.map(({ ports }) => ports).filter((ports) => ports.length > 0);
  return others.length > 0 && !first.some((port) => others.every((ports) => ports.includes(port)));
}

/** The port to advertise where none is set, and the one that the operator takes is not that of the Gateways. */
export function portToAdvertise(
  { brokerIds }: IKafkaCluster,
  listener: Json,
  fits: readonly GatewayFit[],
): number | undefined {
  if (brokerIds.some((id) => setsPort(listener, id))) {
    return undefined;
  }
  const ports = new Set(fits.flatMap((fit) => fit.ports));
  const [port] = ports;
  return ports.size === 1 && port !== TLS_ROUTE_PORT ? port : undefined;
}
