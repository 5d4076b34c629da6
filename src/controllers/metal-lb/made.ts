import { isMap, type Json, list, mapsIn } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { BalancerChoice, BalancerTarget, ClientAddressMeans, type MadeBalancer } from '../../contract/made-balancer';
import { isLocal, portsOf } from '../../rules/service-json';
import { labelsUnlessNone } from '../shared/made';
import { METALLB_SOURCE } from './annotations';
import { METALLB_ADVERTISEMENTS, type MetalLbMode } from './facts';
import { advertisementsOf, sharing } from './reading';

const SPEAKER: Readonly<Record<MetalLbMode, string>> = {
  layer2: 'speaker/layer2_controller.go',
  bgp: 'speaker/bgp_controller.go',
};

/**
 * What MetalLB makes of a finished Service: an address that one node has in layer 2, and that routers share out among the nodes that
 * announce it by BGP. Nothing where neither the controller nor the advertisements say which of them.
 */
export function madeByMetalLb(
  service: Json,
  controller: ILoadBalancerController | undefined,
  objects: readonly Json[] = [],
): MadeBalancer | undefined {
  const advertisements = advertisementsOf(service, objects);
  const mode = modeOf(advertisements) ?? (controller as { _mode?: MetalLbMode } | undefined)?._mode;
  return (
    mode && {
      product: 'none',
      name: mode === 'layer2' ? 'address of one node (layer 2)' : 'address announced to routers (BGP)',
      target: BalancerTarget.NODE_WITH_ADDRESS,
      choice: mode === 'layer2' ? BalancerChoice.ONE : BalancerChoice.EVEN,
      clientAddress: ClientAddressMeans.SOURCE,
      nodeLabels: labelsUnlessNone(nodeLabelsOf(advertisements)),
      ...(isLocal(service) ? { onlyNodesWithPods: true } : {}),
      listeners: portsOf(service).length,
      // the addresses are of a pool: nothing says whether they are public, and nobody bills them
      publicAddresses: { count: 0, perZone: false },
      sharedBy: sharing(service),
      limits: [],
      source: { ...METALLB_SOURCE, file: SPEAKER[mode] },
      confidence: Confidence.SOURCE,
    }
  );
}

function modeOf(advertisements: readonly Json[]): MetalLbMode | undefined {
  const modes = (Object.keys(METALLB_ADVERTISEMENTS) as MetalLbMode[]).filter((mode) =>
    advertisements.some(({ kind }) => kind === METALLB_ADVERTISEMENTS[mode]),
  );
  return modes.length === 1 ? modes[0] : undefined;
}

function nodeLabelsOf(advertisements: readonly Json[]): Record<string, string> | undefined {
  const [selector, ...others] = advertisements.length === 1 ? mapsIn(advertisements[0].spec, 'nodeSelectors') : [];
  return selector && others.length === 0 && list(selector.matchExpressions).length === 0 && isMap(selector.matchLabels)
    ? selector.matchLabels
    : undefined;
}
