import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../../contract/rule';
import type { ControllerDefinition } from '../../rules/controller-definition';
import type { Handling } from '../../rules/port-handling';
import { textAt } from '../document/kafka-json';

export const LISTENER_PROXY_PROTOCOL: DescribedRule = {
  id: 'listener-proxy-protocol',
  severity: 'error',
  says: 'no balancer sends the PROXY protocol to brokers',
  source: 'ours',
};

export const LISTENER_TLS_TERMINATED: DescribedRule = {
  id: 'listener-tls-terminated',
  severity: 'error',
  says: 'TLS ends where the listener sets it',
  source: 'ours',
};

export const LISTENER_HTTP: DescribedRule = {
  id: 'listener-http',
  severity: 'error',
  says: 'no balancer speaks HTTP with brokers',
  source: 'ours',
};

/** What a balancer does to the connections of a listener, which brokers or clients do not understand. */
interface Handled {
  readonly listener: Json;
  readonly port: number;
  readonly annotation: string;
  /** Everything that is done to the port. */
  readonly all: readonly Handling[];
}

type Fault = readonly [rule: DescribedRule, what: string, remedy: string];

const FAULTS: { readonly [H in Handling]: (handled: Handled) => Fault | undefined } = {
  'proxy-protocol': ({ annotation, port }) => [
    LISTENER_PROXY_PROTOCOL,
    `${annotation} has the balancer send a header of the PROXY protocol to port ${port}, which Kafka brokers do not understand`,
    'leave it out: clientAddress PRESERVE keeps the address of the client without it, where the balancer can',
  ],
  'terminates-tls': terminated,
  'encrypts-again': ({ listener, annotation, port }) =>
    listener.tls === false
      ? [
          LISTENER_TLS_TERMINATED,
          `${annotation} sends TLS to port ${port} of brokers that do not speak it, since tls is false`,
          'leave it out, or set tls: true',
        ]
      : undefined,
  'speaks-http': ({ annotation, port }) => [
    LISTENER_HTTP,
    `${annotation} has the balancer treat port ${port} as HTTP, which no client of Kafka speaks`,
    'leave it out, so that it passes TCP on',
  ],
  'checks-by-http': ({ annotation, port }) => [
    LISTENER_HTTP,
    `${annotation} has the balancer check port ${port} of brokers by HTTP, so no target is healthy`,
    'check by TCP',
  ],
};

function terminated({ listener, annotation, port, all }: Handled): Fault | undefined {
  if (listener.tls !== true) {
    return undefined;
  }
  if (!all.includes('encrypts-again')) {
    return [
      LISTENER_TLS_TERMINATED,
      `${annotation} ends TLS at the balancer, which sends plain text to brokers that speak TLS on port ${port}`,
      'leave it out, and give the brokers a certificate by brokerCertificate; or set tls: false',
    ];
  }
  return textAt(listener, 'authentication.type') === 'tls'
    ? [
        LISTENER_TLS_TERMINATED,
        `${annotation} ends TLS at the balancer, so the certificates of clients never reach the brokers`,
        'leave it out, or use another type of authentication',
      ]
    : undefined;
}

/**
 * What is wrong between a listener and what its balancer does to connections.
 *
 * @param service one of its Services
 * @param listener the listener
 * @param kinds the definition of its owner; all of them where that is unknown
 */
export function handlingFaults(
  service: Json,
  listener: Json,
  kinds: readonly ControllerDefinition[],
): LoadBalancerFinding[] {
  const found = new Map<string, LoadBalancerFinding>();
  for (const { name, handles } of kinds) {
    const handlings = handles?.(service) ?? [];
    for (const { does, port, annotation, text } of handlings) {
      const all = handlings.filter((other) => other.port === port).map((other) => other.does);
      const fault = FAULTS[does]({ listener, port, annotation: `annotation ${annotation} '${text}'`, all });
      const key = `${does}\n${annotation}`;
      if (fault && !found.has(key)) {
        const [rule, what, remedy] = fault;
        found.set(key, findingOf(rule, { what, remedy, value: text }, name));
      }
    }
  }
  return [...found.values()];
}
