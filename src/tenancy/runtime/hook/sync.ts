import type { Document } from '../../attachment/attachment';
import { PUBLISHERS } from '../../engines/publishers';
import { conditionOf, type Finding, withCondition } from './condition';
import { endpointsText } from './endpoints-text';
import type { HookConfig } from './hook-config';
import type { SyncAnswer, SyncRequest } from './hook-messages';
import { loadBalancerStatus, type PortReport, verdictOn } from './port-verdict';
import { publishService } from './publish-service';
import { reportOnPublished } from './published-at-synth';
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
