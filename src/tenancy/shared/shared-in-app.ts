import type { IConstruct } from 'constructs';

/** What a shared load balancer has for itself. */
export interface SharedClaim {
  readonly path: string;
  readonly name: string;
  readonly file: string;
  /** The Gateway, where it exists already. */
  readonly gateway?: string;
}

const CLAIMS = new WeakMap<IConstruct, SharedClaim[]>();

/** Enters a shared load balancer among those of its app, and says why it cannot be beside one of the others. */
export function claimShared(host: IConstruct, claim: SharedClaim): void {
  const others = CLAIMS.get(host.node.root) ?? [];
  CLAIMS.set(host.node.root, [...others, claim]);
  const namesake = others.find(({ name, file }) => name === claim.name && file === claim.file);
  if (namesake) {
    throw new Error(
      `${claim.path}: ${namesake.path} has the name '${claim.name}' in ${claim.file} as well, so that one would get the ports of the other; give one of the two another name, or another lock file (shared-name-twice)`,
    );
  }
  const neighbour = others.find(({ gateway }) => gateway !== undefined && gateway === claim.gateway);
  if (neighbour) {
    throw new Error(
      `${claim.path}: ${neighbour.path} shares Gateway ${claim.gateway} as well, and neither knows the ports of the other; let one of the two have all tenants (shared-gateway-twice)`,
    );
  }
}
