import type { Json } from '../../contract/json';
import { METALLB_CONTROLLER, METALLB_NAMESPACE } from '../../controllers/metal-lb/annotations';
import type { MetalLbAdvertisementProps } from './options';
import { nodeSelectors, selectors } from './selectors';

/** The fields that all advertisements have. */
export function advertisementSpec(props: MetalLbAdvertisementProps): Json {
  const { pools, poolNames } = props;
  const names = [...(pools ?? []).map(({ poolName }) => poolName), ...(poolNames ?? [])];
  if ((pools ?? poolNames) && names.length === 0) {
    throw new Error(
      `${METALLB_CONTROLLER}: an advertisement of an empty list of pools announces all; name pools, or leave the list out (advertisement-without-pools)`,
    );
  }
  return {
    ipAddressPools: names.length > 0 ? names : undefined,
    nodeSelectors: nodeSelectors(props.nodePools),
    serviceSelectors: selectors('serviceSelectors', props.serviceSelectors),
  };
}

/** The namespace of an advertisement: that of its pools. */
export function advertisementNamespace({ namespace, pools = [] }: MetalLbAdvertisementProps): string {
  const own = namespace ?? pools[0]?.namespace ?? METALLB_NAMESPACE;
  const other = pools.find((pool) => pool.namespace !== own);
  if (other) {
    throw new Error(
      `${METALLB_CONTROLLER}: an advertisement in namespace '${own}' cannot announce pool '${other.poolName}' in '${other.namespace}'; put both into the namespace of MetalLB (advertisement-namespace)`,
    );
  }
  return own;
}
