import type { Json } from '../contract/json';
import { annotationsOf } from './service-json';

/**
 * What a balancer does to the connections of a port, or to the pods behind it, that not every server understands:
 * - `proxy-protocol`: it sends a header before the first byte of the client
 * - `terminates-tls`: it ends the TLS of the client
 * - `encrypts-again`: it speaks TLS of its own to the pods, where it ends that of the client
 * - `speaks-http`: it takes what the client sends for HTTP
 * - `checks-by-http`: it asks the port itself by HTTP whether a target is healthy
 */
export type Handling = 'proxy-protocol' | 'terminates-tls' | 'encrypts-again' | 'speaks-http' | 'checks-by-http';

/** How the port of a finished Service is handled, and what says so. */
export interface PortHandling {
  readonly port: number;
  readonly does: Handling;
  /** The key of the annotation. */
  readonly annotation: string;
  /** Its text. */
  readonly text: string;
}

/** Notes down that an annotation of a Service says how a port is handled. */
export function handled(service: Json, port: unknown, does: Handling, annotation: string): PortHandling {
  return { port: Number(port), does, annotation, text: String(annotationsOf(service)[annotation]) };
}
