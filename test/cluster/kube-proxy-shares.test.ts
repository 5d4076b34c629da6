import { Confidence } from '../../src/contract/kubernetes.facts';
import {
  BalancerChoice,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../src/contract/load-balancer-model';
import { TrafficPolicy } from '../../src/contract/options';
import { isUnknown } from '../../src/traffic/fraction';
import { clientAddressOf } from '../../src/traffic/path';
import { Endpoints } from '../../src/traffic/routes';
import { type Shares, sharesOf } from '../../src/traffic/shares';
import { count } from '../real/program';
import {
  CLIENT,
  clusterOf,
  type GeneratedPort,
  type GeneratedService,
  generatedServices,
  idlePodOn,
  NODES,
  OTHER_CLIENT,
  plainService,
} from './rules/generated-cluster';
import { MODES, type Mode, readRules, type WrittenRules, writtenRules } from './rules/network';
import {
  chainIn,
  chancesOf,
  countsOf,
  type Fate,
  fateOf,
  oneOf,
  outcomesOf,
  type Packet,
  type Rules,
  seeded,
} from './rules/packet';

// The shares that the model computes, held against the rules that kube-proxy's own generators write: their text is walked through.

const SERVICES = 200;
/** Drawn for each Service. */
const CONNECTIONS = 100_000;
const CONNECTIONS_OF_A_STORY = 1_000_000;
const SEED = 16;

const EVEN: LoadBalancerModel = {
  product: 'acme/balancer',
  name: 'Acme Balancer',
  target: BalancerTarget.NODE_PORT,
  choice: BalancerChoice.EVEN,
  clientAddress: ClientAddressMeans.SOURCE,
  listeners: 1,
  publicAddresses: { count: 1, perZone: false },
  limits: [],
  source: { repository: 'acme/balancer', version: 'v1', file: 'README.md' },
  confidence: Confidence.SOURCE,
};

type Node = (typeof NODES)[number];

const services = generatedServices(SERVICES, SEED);

const { CLUSTER, LOCAL } = TrafficPolicy;
const FIVE = plainService(0, CLUSTER, ['node-1', 'node-2', 'node-3', 'node-4', 'node-5']);
const UNEVEN = plainService(1, LOCAL, ['node-1', 'node-2', 'node-2']);
const ONE_EACH = plainService(2, LOCAL, ['node-1', 'node-2', 'node-3']);
const STORIES = [FIVE, UNEVEN, ONE_EACH];
let written: Record<string, WrittenRules>;
/** Of a cluster of their own: over a thousand endpoints kube-proxy writes no comments. */
let ofStories: Record<string, WrittenRules>;

beforeAll(() => {
  written = writtenRules(clusterOf(services));
  ofStories = writtenRules(clusterOf(STORIES));
});

/** The rules of all nodes, read once. */
const read = new Map<string, Rules>();

function rulesOn(node: Node, mode: Mode): Rules {
  const key = `${mode} ${node.name}`;
  const rules = read.get(key) ?? readRules(written[node.name], mode, node);
  read.set(key, rules);
  return rules;
}

function fateOn(node: Node, mode: Mode, packet: Packet, rules = rulesOn(node, mode)): Fate {
  return fateOf((choose) => rules.walk(packet, choose));
}

/** A client of the node port. */
function atNodePort(node: Node, { protocol, nodePort }: GeneratedPort): Packet {
  return { from: 'outside', source: CLIENT, destination: node.ip, protocol, port: nodePort };
}

/** The chances of pods, by their names; of another end, by its own. */
function chancesByPod({ pods }: GeneratedService, { targetPort }: GeneratedPort, fate: Fate): Record<string, number> {
  const names = new Map(pods.map(({ name, ip }) => [`${ip}:${targetPort}`, name]));
  return Object.fromEntries([...chancesOf(fate)].map(([end, chance]) => [names.get(end) ?? end, chance]));
}

function evenly(pods: ReadonlyArray<{ name: string }>): Record<string, number> {
  return Object.fromEntries(pods.map(({ name }) => [name, 1 / pods.length]));
}

/** The same keys, and values that differ by no more than what eleven digits leave out. */
function expectSame(seen: Record<string, number>, expected: Record<string, number>, what: object): void {
  const digits = (shares: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(shares)
        .sort()
        .map(([name, share]) => [name, share.toFixed(8)]),
    );
  expect({ ...what, shares: digits(seen) }).toEqual({ ...what, shares: digits(expected) });
}

function endpointsOf({ traffic, pods }: GeneratedService): Endpoints {
  return new Endpoints(traffic, NODES, pods);
}

function modelOf(service: GeneratedService, more: Partial<LoadBalancerModel> = {}): Shares {
  const { traffic, pods } = service;
  const shares = sharesOf({ service: traffic, balancer: { ...EVEN, ...more }, nodes: NODES, pods });
  if (isUnknown(shares)) {
    throw new Error(shares.unknown);
  }
  return shares;
}

/** The pods for pods and nodes that connect to an address of the balancer: policy Local does not bind them. */
function shortCircuitOn({ traffic, pods }: GeneratedService, node: Node) {
  const cluster = { ...traffic, externalTrafficPolicy: TrafficPolicy.CLUSTER };
  return new Endpoints(cluster, NODES, pods).choiceOn(node, 'external').pods;
}

/** No pod on the node, none at all, or some: what a connection comes to where no rule leads to a pod. */
function deadEnd(service: GeneratedService, node: Node): Record<string, number> {
  return { [shortCircuitOn(service, node).length === 0 ? 'refused' : 'dropped']: 1 };
}

describe.each(MODES)('%s', (mode) => {
  test('a connection from outside has the chances of the model, on each node, at each port and address', () => {
    for (const service of services) {
      const endpoints = endpointsOf(service);
      for (const node of NODES) {
        const { pods } = endpoints.choiceOn(node, 'external');
        const expected = pods.length > 0 ? evenly(pods) : deadEnd(service, node);
        for (const port of service.ports) {
          const what = { service: service.traffic.name, node: node.name, port: port.name };
          const seen = (packet: Packet) => chancesByPod(service, port, fateOn(node, mode, packet));
          expectSame(seen(atNodePort(node, port)), expected, what);
          const { protocol } = port;
          for (const destination of [...service.externalIPs, ...(service.address ? [service.address] : [])]) {
            const packet: Packet = { from: 'outside', source: CLIENT, destination, protocol, port: port.port };
            expectSame(seen(packet), expected, { ...what, destination });
          }
          if (service.address && service.sourceRanges.length > 0) {
            const destination = service.address;
            const other: Packet = { from: 'outside', source: OTHER_CLIENT, destination, protocol, port: port.port };
            expect(Object.keys(seen(other))).toEqual([expect.stringMatching(/dropped|refused/)]);
            // ports of nodes know no ranges
            expectSame(seen({ ...atNodePort(node, port), source: OTHER_CLIENT }), expected, what);
          }
        }
      }
    }
  });

  test('a pod and a node have the chances of the model at the cluster address, and at that of the balancer', () => {
    for (const service of services) {
      const endpoints = endpointsOf(service);
      const [port] = service.ports;
      for (const node of NODES) {
        for (const from of ['pod', 'host'] as const) {
          const source = from === 'pod' ? idlePodOn(node) : node.ip;
          const { protocol } = port;
          const packet = { from, source, protocol, port: port.port };
          const seen = (destination: string) =>
            chancesByPod(service, port, fateOn(node, mode, { ...packet, destination }));
          const what = { service: service.traffic.name, node: node.name, from };
          const { pods } = endpoints.choiceOn(node, 'internal');
          expectSame(seen(service.clusterIP), pods.length > 0 ? evenly(pods) : deadEnd(service, node), what);
          const short = shortCircuitOn(service, node);
          const isBarred = service.sourceRanges.length > 0;
          if (service.address && !isBarred) {
            expectSame(seen(service.address), short.length > 0 ? evenly(short) : { refused: 1 }, what);
          }
        }
      }
    }
  });

  test('the address of a client survives policy Local, and no other', () => {
    const kept = { [TrafficPolicy.LOCAL]: 0, [TrafficPolicy.CLUSTER]: 0 };
    for (const service of services) {
      const [port] = service.ports;
      for (const node of NODES) {
        const outcomes = outcomesOf(fateOn(node, mode, atNodePort(node, port)));
        for (const { masqueraded } of outcomes.filter(({ end }) => end.includes(':'))) {
          expect(masqueraded).toBe(!clientAddressOf(service.traffic, EVEN).survives);
          kept[service.traffic.externalTrafficPolicy]++;
        }
        const { protocol } = port;
        const packet = { destination: service.clusterIP, protocol, port: port.port };
        const inside = outcomesOf(fateOn(node, mode, { ...packet, from: 'pod', source: idlePodOn(node) }));
        expect(inside.filter(({ masqueraded }) => masqueraded)).toEqual([]);
      }
    }
    expect(Math.min(...Object.values(kept))).toBeGreaterThan(100);
  });

  test('a pod that reaches itself through its Service sees the address of its node', () => {
    let seen = 0;
    for (const service of services) {
      const [{ protocol, port, targetPort }] = service.ports;
      for (const pod of service.pods) {
        const node = NODES.find(({ name }) => name === pod.node) as Node;
        const packet = { source: pod.ip, destination: service.clusterIP, protocol, port };
        for (const outcome of outcomesOf(fateOn(node, mode, { ...packet, from: 'pod' }))) {
          const isItself = outcome.end === `${pod.ip}:${targetPort}`;
          expect(outcome.masqueraded).toBe(isItself);
          seen += Number(isItself);
        }
      }
    }
    expect(seen).toBeGreaterThan(100);
  });

  test('the second connection of a client goes to the same pod where affinity is on, and to any where it is off', () => {
    const others = { on: 0, off: 0 };
    const random = seeded(SEED);
    const choose = (probabilities: readonly number[]) => oneOf(probabilities, random);
    for (const service of services) {
      const [port] = service.ports;
      for (const node of NODES) {
        const seen = new Set<string>();
        const packet = atNodePort(node, port);
        const [one, other] = [0, 1].map(() => rulesOn(node, mode).walk(packet, choose, seen).end);
        others[service.traffic.sessionAffinity ? 'on' : 'off'] += Number(one !== other);
      }
    }
    expect(others.on).toBe(0);
    expect(others.off).toBeGreaterThan(50);
  });

  test(`${SERVICES} × ${CONNECTIONS} connections through a balancer are spread as the model says, within 1 %`, () => {
    const random = seeded(SEED);
    let connections = 0;
    for (const service of services) {
      const [port] = service.ports;
      const fates = NODES.map((node) => fateOn(node, mode, atNodePort(node, port)));
      const answering = fates.filter((fate) => outcomesOf(fate).some(({ end }) => end.includes(':')));
      const model = modelOf(service);
      const healthy = model.targets.filter(({ state }) => state === 'healthy').length;
      expect({ service: service.traffic.name, healthy: answering.length }).toEqual({
        service: service.traffic.name,
        healthy,
      });
      if (healthy > 0) {
        const counts = countsOf(answering, CONNECTIONS, random);
        connections += CONNECTIONS;
        for (const { name, ip } of service.pods) {
          const counted = (counts.get(`${ip}:${port.targetPort}`) ?? 0) / CONNECTIONS;
          const share = model.pods.find((each) => each.name === name)?.share;
          expect({ pod: name, off: Math.abs(counted - (share ?? Number.NaN)) < 0.01 }).toEqual({
            pod: name,
            off: true,
          });
        }
      } else {
        expect(model.dropped.value).toBe(1);
      }
    }
    count(`connections drawn from the rules of kube-proxy`, connections);
  });
});

test('kube-proxy answers the health check of a Service on the nodes that the model sends connections to', () => {
  for (const service of services) {
    const answered = NODES.filter(({ name }) => written[name].readyPods[service.traffic.name] > 0);
    const healthCheck = { answeredBy: 'kube-proxy-of-service', protocol: 'HTTP', port: 'healthCheckNodePort' } as const;
    const targets = modelOf(service, { healthCheck }).targets.filter(({ state }) => state === 'healthy');
    expect({ service: service.traffic.name, nodes: targets.map(({ name }) => name) }).toEqual({
      service: service.traffic.name,
      nodes: answered.map(({ name }) => name),
    });
  }
});

function fateOfStory(node: Node, mode: Mode, { ports }: GeneratedService): Fate {
  return fateOn(node, mode, atNodePort(node, ports[0]), readRules(ofStories[node.name], mode, node));
}

describe('the figures of the stories come out of the text itself', () => {
  const probabilities = (text: string, service: GeneratedService) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('-A KUBE-SVC-') && line.includes(`"${service.traffic.name}:http -> `))
      .map((line) => Number(/--probability (\S+)/.exec(line)?.[1] ?? 1));

  test('five pods: rules with 0.2, 0.25, 0.33, 0.5 and 1, and a fifth for each pod', () => {
    for (const node of NODES) {
      const chain = probabilities(ofStories[node.name].iptables, FIVE);
      expect(chain.map((each) => each.toFixed(2))).toEqual(['0.20', '0.25', '0.33', '0.50', '1.00']);
      const fate = fateOfStory(node, 'iptables', FIVE);
      expect(chainIn(fate)).toEqual(chain);
      // each rule is of what the rules before it left
      chain.forEach((each, index) => {
        expect(each).toBeCloseTo(1 / (5 - index), 9);
      });
      expect(ofStories[node.name].nftables).toMatch(/plain\/service-0\/tcp\/http .*numgen random mod 5 map \{ 0 : /);
    }
  });

  /** What a balancer that chooses evenly among nodes with a pod brings to each pod. */
  function spread(mode: Mode, service: GeneratedService, nodes: readonly Node[]): number[] {
    const [port] = service.ports;
    const chances = nodes.map((node) => chancesByPod(service, port, fateOfStory(node, mode, service)));
    return service.pods.map(({ name }) => chances.reduce((sum, each) => sum + (each[name] ?? 0), 0) / nodes.length);
  }

  test.each(MODES)(`${CONNECTIONS_OF_A_STORY} connections are spread as the model says, within 1 % (%s)`, (mode) => {
    const random = seeded(SEED);
    for (const service of STORIES) {
      const nodes = NODES.filter(({ name }) => service === FIVE || ofStories[name].readyPods[service.traffic.name] > 0);
      const fates = nodes.map((node) => fateOfStory(node, mode, service));
      const counts = countsOf(fates, CONNECTIONS_OF_A_STORY, random);
      for (const { name, share } of modelOf(service).pods) {
        const { ip } = service.pods.find((pod) => pod.name === name) as (typeof service.pods)[number];
        const counted = counts.get(`${ip}:${service.ports[0].targetPort}`) ?? 0;
        expect(counted / CONNECTIONS_OF_A_STORY).toBeCloseTo(share, 2);
      }
      count('connections drawn from the rules of kube-proxy', CONNECTIONS_OF_A_STORY);
    }
  });

  test.each(MODES)('policy Local, two pods of three on one node: 50, 25 and 25 in a hundred (%s)', (mode) => {
    const withPods = NODES.filter(({ name }) => ofStories[name].readyPods['plain/service-1'] > 0);
    expect(spread(mode, UNEVEN, withPods)).toEqual([0.5, 0.25, 0.25]);
    expect(modelOf(UNEVEN).pods.map(({ share }) => share)).toEqual([0.5, 0.25, 0.25]);
  });

  test.each(MODES)('policy Local, one node has the address: 100, 0 and 0 (%s)', (mode) => {
    expect(spread(mode, ONE_EACH, NODES.slice(0, 1))).toEqual([1, 0, 0]);
    const one = { target: BalancerTarget.NODE_WITH_ADDRESS, choice: BalancerChoice.ONE };
    expect(modelOf(ONE_EACH, one).pods.map(({ share }) => share)).toEqual([1, 0, 0]);
  });

  test.each(MODES)('policy Local, one pod on each node of its pool: even (%s)', (mode) => {
    const pool = NODES.slice(0, 3);
    const third = expect.closeTo(1 / 3, 9);
    expect(spread(mode, ONE_EACH, pool)).toEqual([third, third, third]);
    expect(modelOf(ONE_EACH).pods.map(({ share }) => share)).toEqual([third, third, third]);
  });
});

describe('other rules are noticed', () => {
  const [node] = NODES;
  const [port] = FIVE.ports;
  const expected = Object.fromEntries(FIVE.pods.map(({ name }) => [name, 0.2]));

  /** The chances at the node port of five pods, with text in place of other text. */
  function changed(mode: Mode, from: RegExp, to: string): Fate {
    const text = ofStories[node.name][mode];
    const other = text.replace(from, to);
    expect(other).not.toBe(text);
    const rules = readRules({ ...ofStories[node.name], [mode]: other }, mode, node);
    return fateOf((choose) => rules.walk(atNodePort(node, port), choose));
  }

  const ofFive = (rest: string) => new RegExp(`(plain/service-0.*)${rest}`);

  test.each<[string, Mode, RegExp, string]>([
    ['another probability', 'iptables', ofFive('--probability 0\\.25'), '$1--probability 0.26'],
    ['no probability', 'iptables', ofFive('-m statistic --mode random --probability 0\\.2000000000'), '$1'],
    ['another pod', 'iptables', ofFive('--to-destination 10\\.244\\.1\\.1:'), '$1--to-destination 10.244.2.2:'],
    ['another port of the node', 'iptables', ofFive(`--dport ${port.nodePort}`), '$1--dport 1'],
    ['a pod twice', 'nftables', ofFive('0 : 10\\.244\\.\\d\\.\\d'), '$10 : 10.244.3.3'],
    ['another port of the node', 'nftables', new RegExp(`tcp \\. ${port.nodePort} :`), 'tcp . 1 :'],
  ])('%s in %s', (_, mode, from, to) => {
    const rightly = fateOfStory(node, mode, FIVE);
    expectSame(chancesByPod(FIVE, port, rightly), expected, {});
    expect(() => expectSame(chancesByPod(FIVE, port, changed(mode, from, to)), expected, {})).toThrow(/pod-/);
  });

  test.each<[Mode, RegExp]>([
    ['iptables', /-A KUBE-MARK-MASQ -j MARK --or-mark \S+/],
    ['nftables', /(add rule \S+ \S+ external-\S+plain\/service-0\S+) mark set mark or \S+.*/],
  ])('a mark that is not set in %s: the address of the client survives', (mode, from) => {
    const outcomes = outcomesOf(changed(mode, from, ''));
    expect(new Set(outcomes.map(({ masqueraded }) => masqueraded))).toEqual(new Set([false]));
    const rightly = outcomesOf(fateOfStory(node, mode, FIVE));
    expect(new Set(rightly.map(({ masqueraded }) => masqueraded))).toEqual(new Set([true]));
  });

  test.each(MODES)('a word that nobody taught the interpreter of %s', (mode) => {
    const added = {
      iptables: '*nat\n:A - [0:0]\n-A A -m ttl --ttl-eq 1 -j DROP',
      nftables: 'add chain ip t a\nadd rule ip t a ip ttl 1',
    };
    expect(() => readRules({ ...ofStories[node.name], ...added }, mode, node)).toThrow(/"(ip )?ttl" is not known/);
  });
});
