import type { Document, RuntimePublisher } from '../../src/tenancy/engines/contract/publishing';
import { PUBLISHERS } from '../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import {
  addressesOf,
  balancerIn,
  conditionOf,
  type Finding,
  hostOf,
  ofKind,
  type SyncAnswer,
  type SyncRequest,
  withCondition,
} from './cluster-state';
import { hostNameRefusal, hostNamesOf } from './host-names';
import { endpointsText, loadBalancerStatus, type PortOutcome, type PortReport, portCondition } from './port-report';
import { outcomeOf, publishByName, publishService } from './publish-service';
import { powersOf, refusalOf, tenantOf, withoutRange } from './refusal';
import { isSuspended } from './suspension';

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
  const known = tenantOf(config, namespace);
  const tenant = known && isSuspended(request) ? { ...known, suspended: true } : known;
  const publisher = PUBLISHERS[config.publisher];
  const isByName = hostNamesOf(service, config) !== undefined;
  const refusal = refusalOf(service, tenant, powersOf(config, publisher), isByName);
  if (!tenant || refusal) {
    return refuse(service, config, refusal as Finding, now);
  }
  if (tenant.published?.includes(name)) {
    return { attachments: [], status: statusOf(service, reportOnPublished(request, config, publisher), config, now) };
  }
  const unnamed = hostNameRefusal(service, tenant, config);
  if (unnamed) {
    return refuse(service, config, unnamed, now);
  }
  const { ports } = tenant;
  if (!ports) {
    return refuse(service, config, withoutRange(tenant) as Finding, now);
  }
  const published = isByName
    ? publishByName(request, config, publisher, tenant)
    : publishService(request, config, publisher, { ...tenant, ports });
  const { addresses, host, placed, documents } = published;
  return {
    attachments: documents,
    status: statusOf(service, published, config, now),
    ...((config.conflict === 'REMAP' || isByName) && host !== undefined
      ? {
          annotations: {
            [config.keys.endpoints]: endpointsText(placed, isByName ? addresses.map(hostOf) : [host]) || null,
          },
        }
      : {}),
  };
}

function statusOf(service: Document, report: PortReport, { keys }: HookConfig, now: string): Document {
  return {
    ...service.status,
    loadBalancer: loadBalancerStatus(service, report, keys),
    conditions: withCondition(service, keys.condition, portCondition(report), now),
  };
}

function refuse(service: Document, { keys }: HookConfig, finding: Finding, now: string): SyncAnswer {
  return {
    attachments: [],
    status: { ...service.status, loadBalancer: {}, conditions: withCondition(service, keys.condition, finding, now) },
  };
}

/** Removes what was made and reported; what others made of the Service stays. */
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
function reportOnPublished(
  { object: service, related }: SyncRequest,
  config: HookConfig,
  publisher: RuntimePublisher,
): PortReport {
  const { name, namespace } = service.metadata;
  const { balancers } = config;
  const isHere = ({ metadata }: Document) => metadata.namespace === namespace;
  const routes = [...ofKind(related, 'TCPRoute'), ...ofKind(related, 'TLSRoute')].filter(isHere);
  const holders = ofKind(related, publisher.holder.kind).filter(isHere);
  let [balancer] = balancers;
  const outcomes = ((service.spec.ports ?? []) as Document[]).map(({ port: servicePort }): PortOutcome => {
    const found = publisher.holder.find(name, servicePort, { holders, routes }, balancers);
    if (!found) {
      return { servicePort, port: servicePort, state: 'pending', why: 'the platform has not published it yet' };
    }
    balancer = balancers.find((one) => one.name === found.at) ?? balancer;
    return outcomeOf(publisher, servicePort, {
      ...found,
      balancer: balancerIn(related, publisher.balancer, balancer),
    });
  });
  const addresses = addressesOf(balancer, balancerIn(related, publisher.balancer, balancer));
  return {
    outcomes,
    addresses,
    isReported: publisher.reportsPorts,
    host: addresses.length > 0 ? hostOf(addresses[0]) : undefined,
  };
}
