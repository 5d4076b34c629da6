import { ENVOY_OWN_PORTS, ENVOY_PORT_SHIFT } from './envoy-gateway.facts';

/** A port that the proxies cannot have, and why. */
export interface ImpossiblePort {
  readonly port: number;
  readonly why: string;
}

/** The port at which the pods of the proxies listen for a listener. */
export function podPort(port: number): number {
  return port < ENVOY_PORT_SHIFT.below ? port + ENVOY_PORT_SHIFT.by : port;
}

/**
 * Of some ports, those that the proxies cannot have: those that they use themselves, and those that meet another one in the
 * pods, where the lower one stays.
 */
export function impossiblePorts(ports: readonly number[]): ImpossiblePort[] {
  const shifted = new Map(ports.filter((port) => podPort(port) !== port).map((port) => [podPort(port), port]));
  return ports.flatMap((port) => {
    const own = ENVOY_OWN_PORTS[port];
    const lower = shifted.get(port);
    if (own !== undefined) {
      return [{ port, why: `the pods of the proxies use it for ${own}` }];
    }
    return lower === undefined ? [] : [{ port, why: `the pods of the proxies listen there for port ${lower}` }];
  });
}
