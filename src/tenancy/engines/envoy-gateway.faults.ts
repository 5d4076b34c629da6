import { type Attachment, distinct } from '../attachment/attachment';
import { portsWithSeveralRanges } from './envoy-gateway.objects';
import { impossiblePorts } from './envoy-gateway.ports';
import type { EngineFault } from './shared-engine';

/** What the proxies cannot serve of what is attached to one balancer. */
export function envoyFaults(attachments: readonly Attachment[]): EngineFault[] {
  const ports = distinct(
    attachments.flatMap(({ services }) => services.flatMap((service) => service.ports.map(({ port }) => port))),
  );
  return [
    ...impossiblePorts(ports).map(({ port, why }) => ({
      ruleId: 'port-of-proxies',
      what: `port ${port} cannot be published: ${why}`,
      wayOut: 'publish another port',
    })),
    ...attachments.flatMap((attachment) =>
      portsWithSeveralRanges(attachment).map((port) => ({
        ruleId: 'ranges-of-one-listener',
        what: `Services of tenant ${attachment.namespace} share port ${port} by host names and have different source ranges, and a listener of TLS has one set of clients`,
        wayOut: 'give them the same source ranges, or ports of their own',
      })),
    ),
  ];
}
