import { type Document, routeName } from '../../attachment/attachment';
import { addressesOf, hostOf } from './address';
import { gatewayOf } from './gateway-of';
import type { HookConfig } from './hook-config';
import { ofKind, type SyncRequest } from './hook-messages';
import type { PortOutcome, PortReport } from './port-verdict';
import { isConflicted, pendingOf } from './programmed';

/** How the ports of a Service fare that the platform publishes itself: nothing is made for it, and its status is written. */
export function reportOnPublished({ object: service, related }: SyncRequest, config: HookConfig): PortReport {
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
