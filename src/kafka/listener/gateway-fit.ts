import { isMap, isSet, type Json, shown } from '../../contract/json';
import type { Found } from '../../contract/rule';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  TLS_ROUTE_KIND,
  WITHOUT_SNI_ROUTING,
} from '../../gateway/gateway.facts';
import type { IGateway } from '../../gateway/gateway-class';
import { gatewayTitle, listenersIn, ReferencedGateway } from '../../gateway/gateway-json';
import { GatewayProtocol } from '../../gateway/gateway-listener';
import type { GatewayParentRef } from '../../gateway/options';
import { type GatewayListener, GatewayTlsMode } from '../../gateway/options';
import { routeFault, servesHost } from '../../gateway/route-admission';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { CheckResult, NOTHING_FOUND, RuleSet } from '../../rules/rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  at,
  bootstrapOf,
  brokerField,
  configurationOf,
  listAt,
  listenerTitleOf,
  pointerTo,
  textAt,
} from '../operator/kafka-document';
import { bootstrapServiceName, brokerServiceName, forBroker } from '../operator/operator-services';
import { OPERATOR, rulesOf } from '../rules/document-rules';
import { advertisedPortOf, advertising, hostFor, type ListenerRuleContext } from '../rules/listener-rule';
import { LISTENER_RULES, listenerContextOf } from '../rules/listener-rules';
import { parentIn, referencesTo } from '../rules/tls-route-rules';
import type { RULES } from '../rules.facts';
import { LISTENER_TYPES, NAMELESS_LISTENER, TLS_ROUTE_PORT } from '../strimzi/strimzi.facts';

export class GatewayFit {
  public readonly gateway: GatewayParentRef['gateway'];
  public readonly section?: string;
  public readonly title: string;
  /** The listeners of the Gateway among which the routes find theirs; undefined where they are not known. */
  public readonly known?: readonly GatewayListener[];
  public readonly at: string;

  public constructor(
    private readonly cluster: IKafkaCluster,
    public readonly listener: Json,
    parent: GatewayParentRef,
    public readonly brokerIds: readonly number[] = cluster.brokerIds,
  ) {
    const { gateway, sectionName } = parentIn(listener, parent, cluster.namespace);
    const [reference] = referencesTo(listener, parent, cluster.namespace);
    this.gateway = gateway;
    this.section = sectionName;
    this.title = gatewayTitle(gateway);
    this.known = gateway.listeners?.filter(({ name }) => sectionName === undefined || name === sectionName);
    this.at = `/configuration/parentRefs/${listAt(listener, 'configuration.parentRefs').indexOf(reference)}`;
  }

  public get namespace(): string | undefined {
    return this.cluster.namespace;
  }

  public get ports(): number[] {
    return [...new Set(this.brokerIds.flatMap((id) => this.portsOf(id)))];
  }

  public get hosts(): string[] {
    const brokers = this.brokerIds.map((id) => this.hostOf(id));
    const all = [textAt(bootstrapOf(this.listener), 'host'), ...brokers];
    return [...new Set(all.filter((host) => host !== undefined))];
  }

  private hostOf(id: number): string | undefined {
    return hostFor(this.listener, id, 'host', (template) => forBroker(this.cluster, template, id));
  }

  public portsOf(id: number): number[] {
    const host = this.hostOf(id);
    return host === undefined ? [] : [...new Set(this.serving(host).map(({ port }) => port))];
  }

  public serving(host: string): GatewayListener[] {
    return this.fitting.filter((one) => servesHost(one, host));
  }

  public get taking(): GatewayListener[] {
    return (this.known ?? []).filter((one) => this.faultOf(one) === undefined);
  }

  public get fitting(): GatewayListener[] {
    const needed = this.listener.tls === false ? GatewayTlsMode.TERMINATE : GatewayTlsMode.PASSTHROUGH;
    return this.taking.filter(({ tlsMode }) => tlsMode === needed);
  }

  public faultOf(one: GatewayListener): string | undefined {
    const route = { kind: TLS_ROUTE_KIND, namespace: this.namespace, protocol: GatewayProtocol.TLS.value };
    return routeFault(one, this.gateway.namespace, route);
  }
}

/** True if no port is one of all Gateways whose ports are known: whichever is advertised, the clients of one cannot come. */
export function areApart(fits: readonly GatewayFit[]): boolean {
  const [first, ...others] = fits.map(({ ports }) => ports).filter((ports) => ports.length > 0);
  return others.length > 0 && !first.some((port) => others.every((ports) => ports.includes(port)));
}

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

export interface RouteContext extends ListenerRuleContext {
  readonly gateways?: readonly GatewayFit[];
}

type Look = (fit: GatewayFit, gateways: readonly GatewayFit[]) => Found | readonly Found[] | undefined;

function fitRules(looks: { readonly [id in keyof typeof RULES]?: Look }): Rule<RouteContext>[] {
  const checks = Object.entries(looks).map(([id, look]) => [
    id,
    (listener: Json, { kafka, gateways = [] }: RouteContext) =>
      gateways.flatMap((fit) =>
        [look(fit, gateways) ?? []].flat().map((found) => ({ ...found, at: `${pointerTo(kafka, listener)}${fit.at}` })),
      ),
  ]);
  return rulesOf<RouteContext>(Object.fromEntries(checks));
}

const GATEWAY_FIT_RULES: readonly Rule<RouteContext>[] = fitRules({
  'gateway-without-sni': ({ gateway: { controllerName: value = '' }, title }) =>
    Object.hasOwn(WITHOUT_SNI_ROUTING, value) ? { title, why: WITHOUT_SNI_ROUTING[value], value } : undefined,
  'route-section-unknown': ({ gateway, known, section, title }) => {
    const present = gateway.listeners?.map(({ name }) => name).join(', ') || 'none at all';
    return known?.length === 0 && section !== undefined
      ? { title, present, shown: shown(section), value: section }
      : undefined;
  },
  'route-without-listener': (fit) => {
    const { known, listener, namespace, taking, title } = fit;
    const from = namespace === undefined ? '' : ` from namespace '${namespace}'`;
    const why = known?.map((one) => `'${one.name}' ${fit.faultOf(one)}`).join(', ') || 'it has none';
    return known && taking.length === 0 ? { title, listener: listenerTitleOf(listener), why, from } : undefined;
  },
  'route-tls-mode-mismatch': ({ known, fitting, listener, taking, title }) => {
    const names = taking.map(({ name }) => `'${name}'`).join(', ');
    const mode = listener.tls === false ? GatewayTlsMode.PASSTHROUGH : GatewayTlsMode.TERMINATE;
    return known && fitting.length === 0 ? { case: mode, names, title, value: mode } : undefined;
  },
  'route-host-not-in-gateway': (fit) => {
    const lost = fit.known ? fit.hosts.filter((host) => fit.serving(host).length === 0) : [];
    const served = fit.fitting.map(({ name, hostname }) => `'${name}' serves ${hostname}`).join(', ');
    return lost.length === 0 ? undefined : { title: fit.title, served, value: lost.join(', ') };
  },
  'route-advertised-port-mismatch': (fit, gateways) => portsBeside(fit, gateways, true),
  'route-port-not-advertised': (fit, gateways) => portsBeside(fit, gateways, false),
});

function portsBeside(fit: GatewayFit, gateways: readonly GatewayFit[], isSet: boolean): Found[] {
  const { brokerIds, listener, title } = fit;
  const beside = brokerIds
    .filter((id) => setsPort(listener, id) === isSet)
    .map((id) => ({ id, port: advertisedPortOf(listener, id), ports: fit.portsOf(id) }))
    .filter(({ port, ports }) => port !== undefined && ports.length > 0 && !ports.includes(port))
    .map(({ id, port, ports }) => ({ id, port: Number(port), listens: ports.join(', ') }));
  return [...new Set(beside.map(({ listens }) => listens))].map((listens) => {
    const alike = beside.filter((one) => one.listens === listens);
    return {
      case: areApart(gateways) ? 'apart' : 'one',
      who: advertising(alike.map(({ id, port }) => [id, port])),
      title,
      listens,
      value: [...new Set(alike.map(({ port }) => port))].join(', '),
    };
  });
}

// The routes that the operator makes of a listener of type tlsroute.

/** The names of the routes, bootstrap first; each broker's is the one of its Service. */
export function routeNamesOf(cluster: IKafkaCluster, { name, port }: Json): string[] {
  const isNameless = name === NAMELESS_LISTENER.name && port === NAMELESS_LISTENER.port;
  return [
    isNameless ? `${cluster.clusterName}-kafka-bootstrap` : bootstrapServiceName(cluster, name),
    ...cluster.brokerIds.map((id) => brokerServiceName(cluster, name, port, id)),
  ];
}

export function setsPort(listener: Json, id: number): boolean {
  return isSet(brokerField(listener, id, 'advertisedPort')) || isSet(configurationOf(listener).advertisedPortTemplate);
}

const FIT_RULES = new RuleSet<RouteContext>(GATEWAY_FIT_RULES, OPERATOR);

/**
 * Validates a listener that no construct plans against the Gateways of its routes, which are among the objects.
 *
 * @param brokerIds the brokers whose hosts are known
 */
export function checkRoutes(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
  among: IndexedObject,
  brokerIds = cluster.brokerIds,
): CheckResult {
  if (listener.type !== LISTENER_TYPES.tlsRoute) {
    return NOTHING_FOUND;
  }
  const parents = listAt<Json>(listener, 'configuration.parentRefs').filter(isMap);
  const gateways = parents.flatMap((parent) => {
    const gateway = gatewayAt(parent, among);
    return gateway ? [new GatewayFit(cluster, listener, { gateway, sectionName: parent.sectionName }, brokerIds)] : [];
  });
  const isOpen = gateways.length < parents.length;
  const unknown = isOpen
    ? [{ ruleId: 'route-without-listener', needs: ['the Gateway of its routes among the files'] }]
    : [];
  const context = { ...listenerContextOf(cluster), kafka, gateways };
  return FIT_RULES.check(listener, context).and(new CheckResult([], [], unknown));
}

function gatewayAt(parent: Json, among: IndexedObject): IGateway | undefined {
  const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, name, namespace = among.namespace } = parent;
  const found = among.index.nearest(among, group, kind, { name, namespace });
  const classes = found
    ? among.index.named(GATEWAY_GROUP, GATEWAY_CLASS_KIND, { name: at(found.json, 'spec.gatewayClassName') })
    : [];
  const controllers = classes.map(({ json }) => textAt(json, 'spec.controllerName'));
  return (
    found &&
    new ReferencedGateway(
      String(name),
      namespace,
      () => listenersIn(found.json),
      controllers.length === 1 ? controllers[0] : undefined,
      kind === GATEWAY_KIND ? undefined : kind,
    )
  );
}

export const ROUTE_RULES = new RuleSet<RouteContext>([...LISTENER_RULES, ...GATEWAY_FIT_RULES], OPERATOR);
