import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import {
  ClientAddress,
  FinalizerPolicy,
  type HealthCheck,
  HealthCheckProtocol,
  IpFamily,
  KubernetesVersion,
  type LoadBalancerPort,
  LoadBalancerRequest,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  type LoadBalancerWishes,
  NodePool,
  NodeRemoval,
  NodeTaint,
  PortProtocol,
  type Rollout,
  type SessionAffinity,
  TrafficPolicy,
} from '../../src';

// Requests that anybody may make: every value is legal by itself, whether or not a controller can honour it.

const word = <T>(words: Record<string, T>) => fc.constantFrom(...Object.values(words));
const seconds = (min: number, max: number) => fc.integer({ min, max }).map((count) => Duration.seconds(count));

export const CONTAINER_PORTS = { web: 8080, dns: 5353 } as const;

interface PortDraft {
  readonly port: number;
  readonly protocol?: PortProtocol;
  readonly target?: Pick<LoadBalancerPort, 'targetPort' | 'targetPortName'>;
  readonly appProtocol?: string;
}

const protocol = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(PortProtocol.TCP) },
  { weight: 2, arbitrary: fc.constant(PortProtocol.UDP) },
  { weight: 1, arbitrary: fc.constant(PortProtocol.SCTP) },
);

const target = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 65535 }).map((targetPort) => ({ targetPort })),
  fc.constantFrom(...Object.keys(CONTAINER_PORTS)).map((targetPortName) => ({ targetPortName })),
);

const port: fc.Arbitrary<PortDraft> = fc.record({
  port: fc.oneof(fc.constantFrom(53, 80, 443), fc.integer({ min: 1, max: 65535 })),
  protocol,
  target,
  appProtocol: rarely(fc.constantFrom('http', 'https', 'tcp', 'kubernetes.io/h2c')),
});

const ports: fc.Arbitrary<LoadBalancerPort[]> = fc
  .record({
    drafts: fc.uniqueArray(port, {
      minLength: 1,
      maxLength: 4,
      selector: (draft) => `${draft.port}/${draft.protocol ?? PortProtocol.TCP}`,
    }),
    named: fc.boolean(),
    nodePorts: rarely(fc.integer({ min: 30000, max: 32000 })),
  })
  .map(({ drafts, named, nodePorts }) =>
    drafts.map(({ target: where, ...draft }, index) => ({
      ...draft,
      ...where,
      name: named ? `port-${index}` : undefined,
      nodePort: nodePorts === undefined ? undefined : nodePorts + index,
    })),
  );

const sessionAffinity: fc.Arbitrary<SessionAffinity> = fc.record({ timeout: seconds(1, 86400) }, { requiredKeys: [] });

const ipFamilies = fc.shuffledSubarray(Object.values(IpFamily), { minLength: 1 });

const pools = [
  NodePool.labeled({ pool: 'edge' }),
  NodePool.labeled({ pool: 'edge', 'example.com/tier': 'gold' }, { name: 'edge', zones: ['a', 'b'] }),
  NodePool.labeled({ 'kubernetes.azure.com/agentpool': 'pool1' }, { name: 'pool1' }),
  NodePool.labeled({ 'eks.amazonaws.com/nodegroup': 'edge' }, { taints: [NodeTaint.noSchedule('dedicated', 'edge')] }),
];

const ipv4 = fc.ipV4();
const ipv6 = fc.constantFrom('2001:db8::1', '2001:db8::2', 'fd00::7');

const sourceRanges = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '192.168.0.0/16', '10.0.0.1/8', '::/0', '2001:db8::/32'),
    ipv4.map((address) => `${address}/32`),
  ),
  { minLength: 1, maxLength: 4 },
);

const staticAddresses = fc.oneof(
  fc.uniqueArray(ipv4, { minLength: 1, maxLength: 3 }),
  fc.tuple(ipv4, ipv6),
  fc.uniqueArray(ipv6, { minLength: 1, maxLength: 2 }),
  fc.uniqueArray(fc.constantFrom('eipalloc-0aa', 'eipalloc-0bb', 'eipalloc-0cc'), { minLength: 1 }),
  fc.uniqueArray(fc.constantFrom('edge-address', 'Second_Address'), { minLength: 1 }),
);

const healthCheck: fc.Arbitrary<HealthCheck> = fc.record(
  {
    protocol: word(HealthCheckProtocol),
    port: fc.oneof(fc.constantFrom(80, 8080), fc.integer({ min: 1, max: 65535 })),
    path: fc.constantFrom('/', '/healthz', '/a/b?c=d'),
    interval: fc.oneof(seconds(1, 400), fc.constant(Duration.millis(1500)), fc.constant(Duration.minutes(1))),
    timeout: seconds(1, 150),
    healthyThreshold: fc.integer({ min: 1, max: 12 }),
    unhealthyThreshold: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: [] },
);

const rollout: fc.Arbitrary<Rollout> = fc.record(
  {
    drainTime: seconds(0, 600),
    nodeRemoval: word(NodeRemoval),
    balancerTime: rarely(seconds(0, 300)),
    healthCheckNodePort: fc.constantFrom(undefined, 32100),
    disruptionBudget: fc.boolean(),
  },
  { requiredKeys: [] },
);

const kubernetes = fc.constantFrom(
  ...Object.values(KubernetesVersion).filter((version): version is KubernetesVersion => typeof version === 'object'),
);

/** Wishes, each said or not; mostly few at once, since many at once are mostly refused. */
const wishes: fc.Arbitrary<LoadBalancerWishes> = fc.record({
  scheme: rarely(word(LoadBalancerScheme)),
  trafficPolicy: rarely(word(TrafficPolicy)),
  clientAddress: rarely(word(ClientAddress)),
  sessionAffinity: rarely(sessionAffinity),
  ipFamilies: rarely(ipFamilies),
  backendNodes: rarely(fc.constantFrom(...pools)),
  sourceRanges: rarely(sourceRanges),
  staticAddresses: rarely(staticAddresses),
  dnsName: rarely(fc.constantFrom('db.example.com', '*.example.com')),
  proxyProtocol: rarely(fc.boolean()),
  healthCheck: rarely(healthCheck),
  rollout: rarely(rollout),
  publishNotReadyAddresses: rarely(fc.boolean()),
  finalizerPolicy: rarely(word(FinalizerPolicy)),
  kubernetes: rarely(kubernetes),
});

export const requests: fc.Arbitrary<LoadBalancerRequest> = fc
  .record({ ports, wishes })
  .map(
    ({ ports: said, wishes: wished }): LoadBalancerRequestProps => ({
      ports: said,
      ...wished,
      // pods that count before they are ready are refused beside a rollout
      publishNotReadyAddresses: wished.rollout ? undefined : wished.publishNotReadyAddresses,
    }),
  )
  .map((props) =>
    Object.defineProperty(new LoadBalancerRequest(props), fc.toStringMethod, { value: () => shown(props) }),
  );

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A request as somebody would write it, without what was not said. */
function shown(props: LoadBalancerRequestProps): string {
  return JSON.stringify(props, (_, value) => {
    if (value instanceof NodePool) return value.labels;
    if (value instanceof Duration) return value.toHumanString();
    return value instanceof KubernetesVersion ? value.version : value;
  });
}
