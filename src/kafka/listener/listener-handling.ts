import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { ControllerDefinition } from '../../rules/controller-definition';
import type { Handling, PortHandling } from '../../rules/port-handling';
import { textAt } from '../document/kafka-json';

/** The rule about headers that brokers do not understand. */
export const PROXY_PROTOCOL = 'listener-proxy-protocol';

type Said = Pick<LoadBalancerFinding, 'ruleId' | 'what' | 'remedy'>;

/** What a balancer makes of the connections of a listener, of which brokers or clients understand nothing. */
interface Handled {
  readonly listener: Json;
  readonly port: number;
  /** The annotation and its text. */
  readonly saying: string;
  /** Everything that is done to the port. */
  readonly all: readonly Handling[];
}

const SAID: { readonly [H in Handling]: (handled: Handled) => Said | undefined } = {
  'proxy-protocol': ({ saying, port }) => ({
    ruleId: PROXY_PROTOCOL,
    what: `${saying} has the balancer send a header of the PROXY protocol before every connection to port ${port}, which Kafka brokers do not understand`,
    remedy: 'leave it out: clientAddress PRESERVE keeps the address of the client without it, where the balancer can',
  }),
  'terminates-tls': terminated,
  'encrypts-again': ({ listener, saying, port }) =>
    listener.tls === false
      ? {
          ruleId: 'listener-tls-terminated',
          what: `${saying} sends TLS to brokers that do not speak it on port ${port}, since tls is false`,
          remedy: 'leave it out, or set tls: true',
        }
      : undefined,
  'speaks-http': ({ saying, port }) => ({
    ruleId: 'listener-http',
    what: `${saying} has the balancer take what comes for port ${port} for HTTP, which no client of Kafka speaks`,
    remedy: 'leave it out, so that it passes TCP on',
  }),
  'checks-by-http': ({ saying, port }) => ({
    ruleId: 'listener-http',
    what: `${saying} has the balancer ask brokers for a page on port ${port}, who never answer 200, so that no target is healthy`,
    remedy: 'check by TCP',
  }),
};

function terminated({ listener, saying, port, all }: Handled): Said | undefined {
  const ruleId = 'listener-tls-terminated';
  const ends = `${saying} ends TLS at the balancer`;
  if (listener.tls !== true) {
    return undefined;
  }
  if (!all.includes('encrypts-again')) {
    return {
      ruleId,
      what: `${ends}, which sends plain text to brokers that speak TLS on port ${port}`,
      remedy: 'leave it out, and give the brokers a certificate by brokerCertificate; or set tls: false',
    };
  }
  return textAt(listener, 'authentication.type') === 'tls'
    ? {
        ruleId,
        what: `${ends}, so the certificates by which clients prove themselves never reach the brokers`,
        remedy: 'leave it out, or use another type of authentication',
      }
    : undefined;
}

/**
 * What is wrong between a listener and what its balancer does to connections.
 *
 * @param service one of its Services
 * @param listener the listener
 * @param kinds the kind of its owner; all of them where that is unknown
 */
export function handlingFaults(
  service: Json,
  listener: Json,
  kinds: readonly ControllerDefinition[],
): LoadBalancerFinding[] {
  const found = new Map<string, LoadBalancerFinding>();
  for (const { name, handles } of kinds) {
    const handlings = handles?.(service) ?? [];
    for (const one of handlings) {
      const said = SAID[one.does](handledIn(listener, one, handlings));
      const key = `${one.does}\n${one.annotation}`;
      if (said && !found.has(key)) {
        found.set(key, { ...said, who: name, value: one.text });
      }
    }
  }
  return [...found.values()];
}

function handledIn(
  listener: Json,
  { port, annotation, text }: PortHandling,
  handlings: readonly PortHandling[],
): Handled {
  const all = handlings.filter((other) => other.port === port).map(({ does }) => does);
  return { listener, port, saying: `annotation ${annotation} '${text}'`, all };
}
