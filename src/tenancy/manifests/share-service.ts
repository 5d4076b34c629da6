import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { judgeObject } from '../../rules/judge-object';
import { MomentRendering } from '../../rules/moment-rendering';
import { Judgement } from '../../rules/rule';
import { portsOf } from '../../rules/service-json';
import { bookOf } from '../runtime/hook-settings';
import type { SharedEndpoint } from '../shared/shared-endpoint';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import { lostInSharing } from './lost-in-sharing';
import { sharedService, sourceRangesOf } from './shared-service';

/** How a Service is to be shared. */
export interface ServiceSharing {
  /** Where it stands: file and line. */
  readonly at: string;
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  /** Whether it stays a LoadBalancer. */
  readonly keepType: boolean;
}

/** Puts a Service of type LoadBalancer behind the shared balancer. */
export function shareService(host: Construct, object: ApiObject, sharing: ServiceSharing): SharedEndpoint[] {
  const { tenant, shared, keepType } = sharing;
  const raw = new MomentRendering(object, renderingOf(object, RenderStage.SHARE));
  const manifest = object.toJson() as Json;
  const wished = wishOf(manifest);
  const endpoints = shared.attach(host, { tenant, service: object.name, ...wished });
  const annotations = bookOf(shared).isSuspended(tenant) ? {} : shared.annotationsFor(endpoints);
  const keptClass = keepType ? shared.loadBalancerClass : undefined;
  renderBy(object, RenderStage.SHARE, () => sharedService(raw.json(), { annotations, keptClass }));
  judgeObject(host, object, { judge: () => judge(raw.json(), wished, sharing) });
  return endpoints;
}

interface ServiceWish {
  readonly ports: { readonly port: number }[];
  readonly sourceRanges?: string[];
}

function wishOf(service: Json): ServiceWish {
  return { ports: portsOf(service).map(({ port }) => ({ port })), sourceRanges: sourceRangesOf(service) };
}

function judge(service: Json, attached: ServiceWish, sharing: ServiceSharing): Judgement {
  const { shared, at, keepType } = sharing;
  const { engine, hostname } = bookOf(shared).settings;
  const title = `Service ${sharing.tenant}/${service.metadata.name} (${at})`;
  const say = (ruleId: string, what: string, remedy: string, value?: string): LoadBalancerFinding => ({
    ruleId,
    who: engine.name,
    what: `${title} ${what}`,
    remedy,
    value,
  });
  const judgement = new Judgement();
  if (JSON.stringify(wishOf(service)) !== JSON.stringify(attached)) {
    const remedy = 'change it in the file, where ports are read before patches';
    judgement.errors = [say('shared-service-patched', 'has other ports or source ranges than its file says', remedy)];
  }
  judgement.warnings = lostInSharing(service, hostname).map(({ field, value, now }) =>
    say('lost-in-sharing', `says ${field} '${value}', and ${now}`, 'tell the tenant, and acknowledge it', value),
  );
  if (keepType) {
    const what = 'stays a LoadBalancer, and waits for an address until somebody writes its status';
    const kept = say('status-at-run-time', what, 'add SharedServicesAtRunTime to the app, or leave keepType out');
    judgement.warnings = [...judgement.warnings, kept];
  }
  return judgement;
}
