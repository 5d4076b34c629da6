/**
 * The fields of a request that a controller must answer when they are set: with fields of its plan, with a problem
 * or with a warning. What is left unanswered becomes a problem, so nothing is dropped in silence.
 */
export enum LoadBalancerWish {
  /** `LoadBalancerRequest.scheme` */
  SCHEME = 'scheme',

  /** Ports of a protocol other than TCP. */
  PROTOCOLS = 'protocols',

  /** `LoadBalancerRequest.trafficPolicy` */
  TRAFFIC_POLICY = 'trafficPolicy',

  /** `LoadBalancerRequest.clientAddress` */
  CLIENT_ADDRESS = 'clientAddress',

  /** `LoadBalancerRequest.sessionAffinity` */
  SESSION_AFFINITY = 'sessionAffinity',

  /** `LoadBalancerRequest.ipFamilies` */
  IP_FAMILIES = 'ipFamilies',

  /** `LoadBalancerRequest.backendNodes` */
  BACKEND_NODES = 'backendNodes',

  /** `LoadBalancerRequest.sourceRanges` */
  SOURCE_RANGES = 'sourceRanges',

  /** `LoadBalancerRequest.staticAddresses` */
  STATIC_ADDRESSES = 'staticAddresses',

  /** `LoadBalancerRequest.proxyProtocol` */
  PROXY_PROTOCOL = 'proxyProtocol',

  /** `LoadBalancerRequest.healthCheck` */
  HEALTH_CHECK = 'healthCheck',

  /** `LoadBalancerRequest.rollout` */
  ROLLOUT = 'rollout',
}
