import type { Json } from '../contract/json';

/** A port of a Service, and its place in the list. */
export interface PortAt {
  readonly port: Json;
  readonly index: number;
}

/** A port on both sides, or on one. */
export interface PortPair {
  readonly before?: PortAt;
  readonly after?: PortAt;
}

/** The ports of two sides, each with itself: by number and protocol, as apply knows and clients use it, and those that are left by name. */
export function matchedPorts(before: readonly Json[], after: readonly Json[]): PortPair[] {
  const left = after.map((port, index): PortAt => ({ port, index }));
  const take = (isSame: (port: Json) => boolean): PortAt | undefined => {
    const at = left.findIndex(({ port }) => isSame(port));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const old = before.map((port, index): PortAt => ({ port, index }));
  const numbered = old.map((one) => take((port) => numberOf(port) === numberOf(one.port)));
  const pairs = old.map(
    (one, i): PortPair => ({
      before: one,
      after: numbered[i] ?? take((port) => nameOf(port) === nameOf(one.port)),
    }),
  );
  return [...pairs, ...left.map((one): PortPair => ({ after: one }))];
}

/** The name of a port; one that is alone needs none. */
export function nameOf({ name }: Json): string {
  return typeof name === 'string' ? name : '';
}

/** The protocol of a port. */
export function protocolOf({ protocol }: Json): string {
  return typeof protocol === 'string' && protocol !== '' ? protocol : 'TCP';
}

/** By what the API server knows a port in a list. */
function numberOf(port: Json): string {
  return `${port.port}/${protocolOf(port)}`;
}
