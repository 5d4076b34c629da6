import type { Citation } from '../contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import { PACKET_FACTS } from './traffic.facts';
import type { ServiceTraffic } from './traffic-input';

/** Whether pods can see the address of a client, by which means, or where it is lost. */
export interface ClientAddressOnPath {
  readonly survives: boolean;
  readonly means: ClientAddressMeans;
  readonly lostAt?: 'balancer' | 'node';
  readonly why: string;
  readonly source: Citation;
}

/** The address of clients outside the cluster on the way to a pod. */
export function clientAddressOf(service: ServiceTraffic, balancer: MadeBalancer): ClientAddressOnPath {
  const { clientAddress: means, target, source } = balancer;
  if (means === ClientAddressMeans.NONE) {
    return { survives: false, means, lostAt: 'balancer', why: 'the balancer connects from its own address', source };
  }
  if (means === ClientAddressMeans.PROXY_PROTOCOL) {
    const why = 'it is in the PROXY protocol header, which the pods must read';
    return { survives: true, means, why, source };
  }
  if (target === BalancerTarget.POD) {
    return { survives: true, means, why: 'the balancer keeps the source of packets', source };
  }
  return service.externalTrafficPolicy === TrafficPolicy.LOCAL
    ? { survives: true, means, why: 'policy Local masquerades nothing from outside', source: PACKET_FACTS.masquerade }
    : {
        survives: false,
        means,
        lostAt: 'node',
        why: 'policy Cluster replaces it by the address of the node, even for pods of that node',
        source: PACKET_FACTS.masquerade,
      };
}
