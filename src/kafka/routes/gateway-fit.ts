import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { TLS_ROUTE_KIND, WITHOUT_SNI_ROUTING } from '../../gateway/gateway.facts';
import type { GatewayListener } from '../../gateway/gateway-listener';
import { GatewayProtocol } from '../../gateway/gateway-protocol';
import { GatewayTlsMode } from '../../gateway/gateway-tls-mode';
import type { IGateway } from '../../gateway/i-gateway';
import { gatewayTitle } from '../../gateway/parent-ref';
import { routeFault, servesHost } from '../../gateway/route-admission';
import { Judgement } from '../../rules/rule';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { bootstrapOf, textAt, titleOf } from '../document/kafka-json';
import { advertising } from '../listener/listener-advertising';
import type { KafkaTlsRouteGateway } from './kafka-tls-route-gateway';
import { routeHostOf } from './route-names';
import { routePortOf, saysPort } from './route-port';
import { TLS_ROUTE_PORT } from './tls-route.facts';

const WHO = 'gateway-api';
const OTHER_WAYS =
  'use a Gateway of an implementation that routes TLS by SNI; or KafkaLoadBalancedListener, with a balancer for each broker';

/** Between a listener of type tlsroute and the Gateway that its routes attach to. */
export class GatewayFit {
  private readonly found = new Judgement();
  private readonly gateway: IGateway;
  private readonly sectionName?: string;
  private readonly title: string;
  private readonly known?: readonly GatewayListener[];

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly listener: Json,
    { gateway, sectionName }: KafkaTlsRouteGateway,
  ) {
    this.gateway = gateway;
    this.sectionName = sectionName;
    this.title = gatewayTitle(gateway);
    this.known = gateway.listeners?.filter(({ name }) => sectionName === undefined || name === sectionName);
  }

  /**
   * What is wrong between the two; where the first thing is wrong, the rest is not looked at.
   *
   * @param isApart whether no port is one of all Gateways of the listener
   */
  public judge(isApart: boolean): Judgement {
    const { controllerName = '' } = this.gateway;
    if (Object.hasOwn(WITHOUT_SNI_ROUTING, controllerName)) {
      this.refuse(
        'gateway-without-sni',
        `${this.title} is served by ${controllerName}, ${WITHOUT_SNI_ROUTING[controllerName]}`,
        OTHER_WAYS,
        controllerName,
      );
    } else if (this.known && this.isFound(this.known) && this.isTaken(this.known) && this.isUnderstood()) {
      this.judgeHosts();
      this.judgePorts(isApart);
    }
    return this.found;
  }

  /** The ports under which the Gateway serves the brokers, as far as they are known. */
  public get ports(): number[] {
    return [...new Set(this.cluster.brokerIds.flatMap((id) => this.portsOf(id)))];
  }

  private isFound(known: readonly GatewayListener[]): boolean {
    if (known.length > 0 || this.sectionName === undefined) {
      return true;
    }
    const present = this.gateway.listeners?.map(({ name }) => name).join(', ');
    return this.refuse(
      'route-section',
      `${this.title} has no listener '${this.sectionName}', but ${present || 'none at all'}`,
      'write the name of one of its listeners as sectionName',
      this.sectionName,
    );
  }

  private isTaken(known: readonly GatewayListener[]): boolean {
    if (this.taking.length > 0) {
      return true;
    }
    const { namespace } = this.cluster;
    const from = namespace === undefined ? '' : ` from namespace '${namespace}'`;
    const why = known.map((one) => `'${one.name}' ${this.faultOf(one)}`).join(', ') || 'it has none';
    return this.refuse(
      'route-not-taken',
      `no listener of ${this.title} takes the TLSRoutes of ${titleOf(this.listener)}: ${why}`,
      `give the Gateway a listener of protocol TLS, with tlsMode PASSTHROUGH and allowedRoutes that admit TLSRoutes${from}`,
    );
  }

  private isUnderstood(): boolean {
    if (this.fitting.length > 0) {
      return true;
    }
    const names = this.taking.map(({ name }) => `'${name}'`).join(', ');
    return this.listener.tls === false
      ? this.refuse(
          'route-tls-mode',
          `listener ${names} of ${this.title} passes TLS through to brokers that do not speak it, since tls is false`,
          'set tls: true, or have the Gateway terminate TLS with a certificate for all hosts',
          GatewayTlsMode.PASSTHROUGH,
        )
      : this.refuse(
          'route-tls-mode',
          `listener ${names} of ${this.title} terminates TLS, and sends plain text to brokers that speak TLS`,
          'use tlsMode PASSTHROUGH; or set tls: false; or refer to the Gateway by Gateway.fromName without its listeners, where a BackendTLSPolicy encrypts the way on',
          GatewayTlsMode.TERMINATE,
        );
  }

  private judgeHosts(): void {
    const lost = this.hosts.filter((host) => this.serving(host).length === 0);
    if (lost.length > 0) {
      const served = this.fitting.map(({ name, hostname }) => `'${name}' serves ${hostname}`).join(', ');
      this.refuse(
        'route-host-not-served',
        `${this.title} takes no route for ${lost.join(', ')}: listener ${served}`,
        'choose hosts below the hostname of the Gateway listener, or widen that',
        lost.join(', '),
      );
    }
  }

  private judgePorts(isApart: boolean): void {
    const beside = this.cluster.brokerIds
      .map((id) => ({ id, port: routePortOf(this.listener, id), ports: this.portsOf(id) }))
      .filter(({ port, ports }) => port !== undefined && ports.length > 0 && !ports.includes(port))
      .map(({ id, port, ports }) => ({ id, port: Number(port), listens: ports.join(', ') }));
    const told = new Set(beside.map(({ id, listens }) => `${saysPort(this.listener, id)} ${listens}`));
    for (const which of told) {
      const alike = beside.filter(({ id, listens }) => `${saysPort(this.listener, id)} ${listens}` === which);
      this.judgePortsBeside(alike, alike[0].listens, isApart);
    }
  }

  /** Some brokers for which the Gateway listens on other ports than they advertise, of which somebody says all or none. */
  private judgePortsBeside(
    brokers: readonly { readonly id: number; readonly port: number }[],
    on: string,
    isApart: boolean,
  ): void {
    const who = advertising(brokers.map(({ id, port }) => [id, port]));
    const value = [...new Set(brokers.map(({ port }) => port))].join(', ');
    const listens = `${this.title} listens on ${on}`;
    const noClients = `one port is told to all clients, so those of ${this.title} cannot come`;
    const ports = 'give the Gateways the same port, or make a listener for each';
    if (saysPort(this.listener, brokers[0].id)) {
      this.warn(
        'route-advertised-port',
        `${who}, and ${listens}: ${isApart ? noClients : 'an advertised port changes no Gateway'}`,
        isApart
          ? `${ports}, unless something in front of ${this.title} listens there`
          : 'leave it out, unless something in front of the Gateway listens there',
        value,
      );
    } else {
      this.refuse(
        'route-advertised-port',
        `${who} unless another one is said, and ${listens}${isApart ? `: ${noClients}` : ''}`,
        isApart ? ports : 'say advertisedPort, or sectionName for one of the listeners',
        value,
      );
    }
  }

  private get hosts(): string[] {
    const brokers = this.cluster.brokerIds.map((id) => routeHostOf(this.cluster, this.listener, id));
    const all = [textAt(bootstrapOf(this.listener), 'host'), ...brokers];
    return [...new Set(all.filter((host) => host !== undefined))];
  }

  /** The ports under which the Gateway serves a broker. */
  private portsOf(id: number): number[] {
    const host = routeHostOf(this.cluster, this.listener, id);
    return host === undefined ? [] : [...new Set(this.serving(host).map(({ port }) => port))];
  }

  private serving(host: string): GatewayListener[] {
    return this.fitting.filter((one) => servesHost(one, host));
  }

  /** The listeners that routes attach to. */
  private get taking(): GatewayListener[] {
    return (this.known ?? []).filter((one) => this.faultOf(one) === undefined);
  }

  /** Those of them that do with TLS what the brokers need. */
  private get fitting(): GatewayListener[] {
    const needed = this.listener.tls === false ? GatewayTlsMode.TERMINATE : GatewayTlsMode.PASSTHROUGH;
    return this.taking.filter(({ tlsMode }) => tlsMode === needed);
  }

  private faultOf(one: GatewayListener): string | undefined {
    const { namespace } = this.cluster;
    const route = { kind: TLS_ROUTE_KIND, namespace, protocol: GatewayProtocol.TLS.value };
    return routeFault(one, this.gateway.namespace, route);
  }

  private refuse(ruleId: string, what: string, remedy: string, value?: string): false {
    this.found.errors = [...this.found.errors, finding(ruleId, what, remedy, value)];
    return false;
  }

  private warn(ruleId: string, what: string, remedy: string, value: string): void {
    this.found.warnings = [...this.found.warnings, finding(ruleId, what, remedy, value)];
  }
}

/** Whether no port is one of all Gateways whose ports are known: whichever is advertised, the clients of one cannot come. */
export function areApart(fits: readonly GatewayFit[]): boolean {
  const [first, ...others] = fits.map(({ ports }) => ports).filter((ports) => ports.length > 0);
  return others.length > 0 && !first.some((port) => others.every((ports) => ports.includes(port)));
}

/** The port to advertise where nobody says one, and the one that the operator takes is not that of the Gateways. */
export function portToAdvertise(
  { brokerIds }: IKafkaCluster,
  listener: Json,
  fits: readonly GatewayFit[],
): number | undefined {
  if (brokerIds.some((id) => saysPort(listener, id))) {
    return undefined;
  }
  const ports = new Set(fits.flatMap((fit) => fit.ports));
  const [port] = ports;
  return ports.size === 1 && port !== TLS_ROUTE_PORT ? port : undefined;
}

function finding(ruleId: string, what: string, remedy: string, value?: string): LoadBalancerFinding {
  return { ruleId, who: WHO, what, remedy, value };
}
