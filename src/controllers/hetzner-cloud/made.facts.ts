import type { Citation } from '../../contract/kubernetes.facts';

/** The type of a balancer where neither the Service nor the controller names one. internal/hcops/load_balancer.go, v1.35.0 */
export const HCLOUD_DEFAULT_TYPE = 'lb11';

/**
 * What a balancer of a type has no more of. A target is a node, whatever its ports; the controller leaves out those that are too
 * many, with an event on the node. internal/hcops/load_balancer.go, v1.35.0
 */
export const HCLOUD_TYPES: Readonly<Record<string, { readonly services: number; readonly targets: number }>> = {
  lb11: { services: 5, targets: 25 },
  lb21: { services: 15, targets: 75 },
  lb31: { services: 30, targets: 150 },
};

/** Where Hetzner documents its types; the smaller two are also in the tests of hetznercloud/hcloud-python. */
export const HCLOUD_TYPES_SOURCE: Citation = {
  repository: 'Hetzner Cloud API reference',
  version: '2026-11-22',
  file: 'load-balancer-types',
};

/** How targets are asked where no annotation says otherwise. */
export const HCLOUD_CHECK = { interval: 15, failures: 3 };
