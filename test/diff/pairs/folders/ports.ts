import type { Writer } from '../../../../src/lifecycle/scenario';
import type { Random } from '../../../support/random';
import { casesIn } from '../../../support/yaml-cases';
import {
  type Body,
  balanced,
  copyOf,
  drawnFor,
  type Family,
  KEPT,
  NOT_KEPT,
  PERHAPS_KEPT,
  type Truth,
  type TruthWord,
  textOf,
  truthOf,
} from './folder-pair';

// Ports and their protocols change. What balancers of each kind can serve is in the table here.

type Protocol = 'TCP' | 'UDP' | 'SCTP';

interface Server {
  readonly controller: string;
  readonly class?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Protocols that it serves. */
  readonly serves: readonly Protocol[];
  /** Whether one Service can have ports of several of them. */
  readonly mixes: boolean;
  /** Whether a port that it does not serve is left out, and the others are served on. */
  readonly leavesOut?: true;
  /** Whether two of them can have one number. */
  readonly sharesNumbers: boolean;
  /** What another node port does. */
  readonly nodePort: TruthWord;
  /** What another `appProtocol` does. */
  readonly appProtocol: TruthWord;
}

const CASES = casesIn(__dirname, 'ports.yaml');
const SERVERS: readonly Server[] = CASES.servers;

interface Subject {
  readonly server: Server;
  readonly ports: readonly Body[];
  readonly writer?: Writer;
}

interface Mutation {
  readonly name: string;
  readonly fits?: (subject: Subject) => boolean;
  change(ports: readonly Body[]): readonly Body[];
  truth(subject: Subject): Truth;
}

const first = ([one, ...others]: readonly Body[], change: Body): readonly Body[] => [{ ...one, ...change }, ...others];
const more = (port: Body) => (ports: readonly Body[]) => [...ports, port];
const protocolOf = ({ protocol = 'TCP' }: Body): Protocol => protocol;

function added(port: Body, { server, ports }: Subject): Truth {
  const protocol = protocolOf(port);
  const isMixed = ports.some((one) => protocolOf(one) !== protocol);
  const isShared = ports.some((one) => one.port === port.port);
  const isServed =
    server.serves.includes(protocol) && (server.mixes || !isMixed) && (server.sharesNumbers || !isShared);
  return isServed || server.leavesOut ? KEPT : NOT_KEPT;
}

const comes = (name: string, portOf: (subject: Subject) => Body): Mutation => ({
  name,
  change: (ports) => more(portOf({ ports } as Subject))(ports),
  truth: (subject) => added(portOf(subject), subject),
});

/** Applied, a port keeps what it does not say; who writes the whole object may get another node port. */
const named = ({ server, writer }: Subject): Truth =>
  server.nodePort === 'kept' || writer === 'client-apply' || writer === 'server-apply' || writer === undefined
    ? KEPT
    : [...PERHAPS_KEPT, 'interrupted'];

const MUTATIONS: readonly Mutation[] = [
  { name: 'nothing', change: (ports) => ports, truth: () => KEPT },
  { name: 'another order', change: (ports) => [...ports].reverse(), truth: () => KEPT },
  comes('one more TCP', () => ({ name: 'more', port: 8443, targetPort: 8443 })),
  comes('one more UDP', () => ({ name: 'more', port: 8443, targetPort: 8443, protocol: 'UDP' })),
  comes('one more SCTP', () => ({ name: 'more', port: 8443, targetPort: 8443, protocol: 'SCTP' })),
  comes('UDP beside TCP', ({ ports: [{ port, targetPort }] }) => ({
    name: 'beside',
    port,
    targetPort,
    protocol: 'UDP',
  })),
  {
    name: 'one port less',
    fits: ({ ports }) => ports.length > 1,
    change: (ports) => ports.slice(0, -1),
    truth: () => NOT_KEPT,
  },
  { name: 'another name', change: (ports) => first(ports, { name: 'renamed' }), truth: named },
  {
    name: 'names exchanged',
    fits: ({ ports }) => ports.length === 2,
    change: ([one, other]) => [
      { ...one, name: other.name },
      { ...other, name: one.name },
    ],
    truth: named,
  },
  {
    name: 'numbers exchanged',
    fits: ({ ports }) => ports.length === 2 && ports.every((port) => protocolOf(port) === 'TCP'),
    change: ([one, other]) => [
      { ...one, port: other.port },
      { ...other, port: one.port },
    ],
    truth: () => NOT_KEPT,
  },
  {
    name: 'an application protocol',
    change: (ports) => first(ports, { appProtocol: 'kubernetes.io/h2c' }),
    truth: ({ server }) => truthOf(server.appProtocol),
  },
  {
    name: 'a node port',
    change: (ports) => first(ports, { nodePort: 31234 }),
    truth: ({ server }) => truthOf(server.nodePort),
  },
  {
    name: 'no name beside another',
    fits: ({ ports }) => ports.length > 1,
    change: ([{ name: _, ...one }, ...others]) => [one, ...others],
    truth: () => ['refused'],
  },
  {
    name: 'one number twice',
    change: (ports) => [...ports, { ...ports[0], name: 'twice' }],
    truth: () => ['refused'],
  },
  ...CASES['first port'].map(({ name, alone, change, truth }: Body) => ({
    name,
    fits: ({ ports }: Subject) => !alone || ports.length === 1,
    change: (ports: readonly Body[]) => first(ports, change),
    truth: () => truthOf(truth),
  })),
];

const WRITERS: readonly (Writer | undefined)[] = ['client-apply', 'server-apply', 'put', undefined];

function pairOf(random: Random, number: number) {
  const { mutation, subject } = drawnFor(MUTATIONS, number, (): Subject => {
    const server = random(SERVERS);
    const writer = random(WRITERS);
    const second = { name: 'second', port: 9000, targetPort: 9000 };
    const others = random([[], [second], server.mixes ? [{ ...second, protocol: 'UDP' }] : [second]]);
    const ports = [{ name: 'main', port: random([443, 5432]), targetPort: 8080 }, ...others];
    return { server, ports, ...(writer && { writer }) };
  });
  const { server, ports, writer } = subject;
  const service = balanced({ name: 'echo', class: server.class, annotations: server.annotations, spec: { ports } });
  const changed = copyOf(service);
  changed.spec.ports = mutation.change(copyOf(ports));
  return {
    changes: [`${server.controller}${server.annotations ? '' : ', bare'}, ${writer}: ${mutation.name}`],
    before: { 'echo.yaml': textOf(service) },
    after: { 'echo.yaml': textOf(changed) },
    context: `controllers: [${server.controller}]\n`,
    options: { prune: true, ...(writer && { writer }) },
    truths: new Map([['edge/echo', mutation.truth(subject)]]),
  };
}

/** Pairs in which the ports of a Service change. */
export const PORTS: Family = { name: 'ports', changes: MUTATIONS.map(({ name }) => name), pairOf };
