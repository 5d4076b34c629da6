import { HOSTLESS_PROTOCOLS } from './gateway.facts';
import { claimsOf, type JoinedGateway, type ListenerClaim } from './gateways-in-app';

/** Two listeners that want one port of a Gateway, and cannot share it. */
export interface PortConflict {
  readonly earlier: ListenerClaim;
  readonly later: ListenerClaim;
}

const UDP = 'UDP';

/** Who has a port already, by what another one would have to differ in. */
class TakenPort {
  private readonly places = new Map<string, ListenerClaim>();
  private hostless?: ListenerClaim;
  private any?: ListenerClaim;

  /** The one with which a claim conflicts, if there is one; TLS and HTTP share a port by their host names. */
  public conflictOf(claim: ListenerClaim): ListenerClaim | undefined {
    const { protocol, hostname } = claim.listener;
    const isHostless = HOSTLESS_PROTOCOLS.includes(protocol);
    const place = `${protocol} ${hostname || ''}`;
    const found = this.hostless ?? (isHostless ? this.any : this.places.get(place));
    this.places.set(place, this.places.get(place) ?? claim);
    this.hostless ??= isHostless ? claim : undefined;
    this.any ??= claim;
    return found;
  }
}

/** The conflicts over the ports of a Gateway. Those that the API server itself sees in one object are left to it. */
export function portConflicts(gateway: JoinedGateway): PortConflict[] {
  const ports = new Map<string, TakenPort>();
  return claimsOf(gateway).flatMap((later) => {
    const { port, protocol } = later.listener;
    const key = `${protocol === UDP ? UDP : ''} ${port}`;
    const taken = ports.get(key) ?? new TakenPort();
    ports.set(key, taken);
    const earlier = taken.conflictOf(later);
    return earlier && !(earlier.object === later.object && earlier.listener.protocol === protocol)
      ? [{ earlier, later }]
      : [];
  });
}
