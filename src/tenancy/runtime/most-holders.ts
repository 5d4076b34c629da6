/**
 * How many objects that hold ports a namespace may have: one for each port that its Services may get at run time, and one of the
 * platform at each balancer. A quota keeps it, and the hook tells it.
 */
export function mostHolders(
  { first, last }: { readonly first: number; readonly last: number },
  balancers: number,
): number {
  return last - first + 1 + balancers;
}
