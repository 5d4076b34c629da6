import type { ClassDefaultWay } from './class-default-way';
import { classFault } from './class-faults';
import { refuse, refuseFirst } from './refuse';

/**
 * By the webhook of a controller, which knows one class.
 *
 * @param webhookClass the class that it gives
 */
export function byWebhook(webhookClass: string): ClassDefaultWay {
  return (host, { namespaceLabels, loadBalancerClass }) => {
    refuseFirst(host, [classFault(webhookClass)]);
    const isOwn = webhookClass === loadBalancerClass;
    const labels = Object.entries(namespaceLabels);
    if (!isOwn && labels.length > 1) {
      refuse(host, {
        ruleId: 'class-default-webhook',
        what: `namespaceLabels has ${labels.length} labels, and no selector leaves out just the namespaces that have all of them`,
        remedy: 'use one label for the namespaces of tenants',
      });
    }
    const webhookNamespaceSelector = labels.map(([key, value]) => ({
      key,
      relation: isOwn ? 'In' : 'NotIn',
      values: [value],
    }));
    return { webhookNamespaceSelector };
  };
}
