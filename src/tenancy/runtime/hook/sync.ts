import { type Document, routeName } from '../../engines/contract/attachment';
import { PUBLISHERS } from '../../engines/publishers';
import {
  addressesOf,
  conditionOf,
  type Finding,
  gatewayOf,
  hostOf,
  isConflicted,
  ofKind,
  pendingOf,
  type SyncAnswer,
  type SyncRequest,
  withCondition,
} from './cluster-state';
import type { HookConfig } from './hook-config';
import { endpointsText, loadBalancerStatus, type PortOutcome, type PortReport, verdictOn } from './port-report';
import { publishService } from './publish-service';
import { refusalOf, withoutRange } from './refusal';

/**
 * What is to be there for a Service, and what its status says: the same for the same state, so that nothing is written
 * where nothing has changed.
 *
 * @param now the time that a condition gets whose status has changed
 */
export function sync(request: SyncRequest, config: HookConfig, now: string): SyncAnswer {
  const { object: service } = request;
  if (service.metadata.deletionTimestamp !== undefined) {
    return { status: null, attachments: [] };
  }
  if (service.spec.type !== 'LoadBalancer' || service.spec.loadBalancerClass !== config.loadBalancerClass) {
    return release(service, config);
  }
  const { name, namespace } = service.metadata;
  const tenant = Object.hasOwn(config.tenants, namespace) ? config.tenants[namespace] : undefined;
  const publisher = PUBLISHERS[config.publisher];
  const refusal = refusalOf(service, tenant, {
    canRestrictClients: config.sourceRanges,
    isIpv4Alone: publisher.isIpv4Alone === true,
  });
  if (!tenant || refusal) {
    return refuse(service, config, refusal as Finding, now);
  }
  if (tenant.published?.includes(name)) {
    return { attachments: [], status: statusOf(service, reportOnPublished(request, config), config, now) };
  }
  const { ports } = tenant;
  if (!ports) {
    return refuse(service, config, withoutRange(tenant) as Finding, now);
  }
  const published = publishService(request, config, publisher, { ...tenant, ports });
  const { host, placed, documents } = published;
  return {
    attachments: documents,
    status: statusOf(service, published, config, now),
    ...(config.conflict === 'REMAP' && host !== undefined
      ? { annotations: { [config.keys.endpoints]: endpointsText(placed, host) || null } }
      : {}),
  };
}

function statusOf(service: Document, report: PortReport, { keys }: HookConfig, now: string): Document {
  return {
    ...service.status,
    loadBalancer: loadBalancerStatus(service, report, keys),
    conditions: withCondition(service, keys.condition, verdictOn(report), now),
  };
}

function refuse(service: Document, { keys }: HookConfig, verdict: Finding, now: string): SyncAnswer {
  return {
    attachments: [],
    status: { ...service.status, loadBalancer: {}, conditions: withCondition(service, keys.condition, verdict, now) },
  };
}

/** Takes back what was made and said; what others made of the Service stays. */
function release(service: Document, { keys }: HookConfig): SyncAnswer {
  const own = conditionOf(service, keys.condition);
  if (!own) {
    return { status: null, attachments: [] };
  }
  const conditions = (service.status.conditions as Document[]).filter((condition) => condition !== own);
  return {
    attachments: [],
    status: { ...service.status, conditions },
    annotations: { [keys.endpoints]: null },
  };
}

/** How the ports of a Service fare that the platform publishes itself: nothing is made for it, and its status is written. */
function reportOnPublished({ object: service, related }: SyncRequest, config: HookConfig): PortReport {
  const { name, namespace } = service.metadata;
  const isHere = ({ metadata }: Document) => metadata.namespace === namespace;
  const routes = [...ofKind(related, 'TCPRoute'), ...ofKind(related, 'TLSRoute')].filter(isHere);
  const sets = ofKind(related, 'ListenerSet').filter(isHere);
  let balancer = config.balancers[0];
  const outcomes = ((service.spec.ports ?? []) as Document[]).map(({ port: servicePort }): PortOutcome => {
    const called = routeName({ name, ports: [] }, { port: servicePort, servicePort });
    const route = routes.find(({ metadata, spec }) => metadata.name === called && leadsTo(spec, name, servicePort));
    const parent = route?.spec.parentRefs?.[0];
    const at = config.balancers.find((one) => one.name === parent?.name);
    const set = at && sets.find(({ metadata }) => metadata.name === at.name);
    const listener = ((set?.spec?.listeners ?? []) as Document[]).find((one) => one.name === parent?.sectionName);
    if (!at || !listener) {
      return { servicePort, port: servicePort, state: 'pending', why: 'the platform has not published it yet' };
    }
    balancer = at;
    const state = { gateway: gatewayOf(related, at), set, route, listener: listener.name };
    const why = pendingOf(state);
    return {
      servicePort,
      port: listener.port,
      state: isConflicted(state) ? 'conflict' : why === undefined ? 'served' : 'pending',
      why,
    };
  });
  const addresses = addressesOf(balancer, gatewayOf(related, balancer));
  return { outcomes, addresses, host: addresses.length > 0 ? hostOf(addresses[0]) : undefined };
}

function leadsTo(spec: Document, name: string, port: number): boolean {
  const backends: Document[] = spec.rules?.[0]?.backendRefs ?? [];
  return backends.length === 1 && backends[0].name === name && backends[0].port === port;
}
