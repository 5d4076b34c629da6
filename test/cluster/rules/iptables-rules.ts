import { type Choose, type Outcome, type Packet, type Rules, rangeOf, UnknownRule, wordsOf } from './packet';

/** What is known of a packet under way. */
interface State {
  readonly packet: Packet;
  destination: string;
  port: number;
  isTranslated: boolean;
  isMasqueraded: boolean;
  mark: number;
  readonly choose: Choose;
  readonly seen: Set<string>;
}

type Verdict = 'ACCEPT' | 'DROP' | 'REJECT';

type Match = (state: State) => boolean;

type Target = (state: State) => Verdict | 'RETURN' | undefined;

interface Rule {
  readonly matches: readonly Match[];
  readonly target: Target;
}

/** Words of modules that only say which options come next. */
const MODULES = ['comment', 'tcp', 'udp', 'addrtype', 'conntrack', 'mark', 'statistic', 'recent'];

const isLoopback = rangeOf('127.0.0.0/8');

/** The text of iptables-restore of one node: connections walk through it as through the kernel. */
export class IptablesRules implements Rules {
  private readonly tables = new Map<string, Map<string, Rule[]>>();

  /** @param addresses those of the node itself */
  public constructor(
    text: string,
    private readonly addresses: readonly string[],
  ) {
    let chains = new Map<string, Rule[]>();
    for (const line of text.split('\n')) {
      if (line.startsWith('*')) {
        chains = new Map();
        this.tables.set(line.slice(1), chains);
      } else if (line.startsWith(':')) {
        chains.set(line.slice(1).split(' ')[0], []);
      } else if (line.startsWith('-A')) {
        const [, chain, ...words] = wordsOf(line);
        this.chain(chains, chain).push(this.ruleOf(words, chains, line));
      } else if (!['', 'COMMIT'].includes(line)) {
        throw new UnknownRule(line, line);
      }
    }
  }

  public walk(packet: Packet, choose: Choose, seen = new Set<string>()): Outcome {
    const { destination, port } = packet;
    const state: State = {
      packet,
      destination,
      port,
      isTranslated: false,
      isMasqueraded: false,
      mark: 0,
      choose,
      seen,
    };
    const isSent = packet.from === 'host';
    this.run('nat', isSent ? 'OUTPUT' : 'PREROUTING', state);
    const through = isSent ? 'OUTPUT' : this.isOwn(state.destination) ? 'INPUT' : 'FORWARD';
    const filtered = this.run('filter', through, state);
    if (filtered === 'DROP' || filtered === 'REJECT') {
      return { end: filtered === 'DROP' ? 'dropped' : 'refused', masqueraded: false };
    }
    if (!state.isTranslated) {
      return { end: 'untouched', masqueraded: false };
    }
    this.run('nat', 'POSTROUTING', state);
    return { end: `${state.destination}:${state.port}`, masqueraded: state.isMasqueraded };
  }

  private isOwn(address: string): boolean {
    return this.addresses.includes(address) || isLoopback(address);
  }

  private chain(chains: Map<string, Rule[]>, name: string): Rule[] {
    const chain = chains.get(name);
    if (!chain) {
      throw new Error(`there is no chain ${name}`);
    }
    return chain;
  }

  private run(table: string, name: string, state: State): Verdict | undefined {
    const verdict = this.runChain(this.chain(this.tables.get(table) ?? new Map(), name), state);
    return verdict === 'RETURN' ? undefined : verdict;
  }

  private runChain(chain: readonly Rule[], state: State): Verdict | 'RETURN' | undefined {
    for (const { matches, target } of chain) {
      const verdict = matches.every((match) => match(state)) ? target(state) : undefined;
      if (verdict) {
        return verdict;
      }
    }
    return undefined;
  }

  private ruleOf(words: string[], chains: Map<string, Rule[]>, line: string): Rule {
    const matches: Match[] = [];
    let target: Target = () => undefined;
    let isNegated = false;
    const take = () => words.shift() ?? '';
    const must = (match: Match) => {
      const negated = isNegated;
      isNegated = false;
      matches.push(negated ? (state) => !match(state) : match);
    };
    let recent = '';
    while (words.length > 0) {
      const word = take();
      switch (word) {
        case '!':
          isNegated = true;
          break;
        case '-m':
          if (!MODULES.includes(words[0])) {
            throw new UnknownRule(words[0], line);
          }
          take();
          break;
        case '--comment':
        case '--seconds':
          take();
          break;
        case '--reap':
          break;
        case '--mode':
          if (take() !== 'random') {
            throw new UnknownRule(word, line);
          }
          break;
        case '--name':
          recent = take();
          break;
        case '-p': {
          const protocol = take();
          must(({ packet }) => packet.protocol === protocol);
          break;
        }
        case '-s': {
          const range = rangeOf(take());
          must(({ packet }) => range(packet.source));
          break;
        }
        case '-d': {
          const range = rangeOf(take());
          must(({ destination }) => range(destination));
          break;
        }
        case '--dport': {
          const port = Number(take());
          must((state) => state.port === port);
          break;
        }
        case '--dst-type':
        case '--src-type': {
          const isSource = word === '--src-type';
          if (take() !== 'LOCAL') {
            throw new UnknownRule(word, line);
          }
          must(({ packet, destination }) => this.isOwn(isSource ? packet.source : destination));
          break;
        }
        case '--ctstate': {
          const states = take().split(',');
          must(({ isTranslated }) => states.includes('NEW') || (isTranslated && states.includes('DNAT')));
          break;
        }
        case '--mark': {
          const [mark, mask] = take().split('/').map(Number);
          must((state) => (state.mark & mask) === mark);
          break;
        }
        case '--probability': {
          const probability = Number(take());
          must(({ choose }) => choose([probability, 1 - probability]) === 0);
          break;
        }
        case '--rcheck': {
          const name = recent;
          must(({ packet, seen }) => seen.has(`${name} ${packet.source}`));
          break;
        }
        case '--set': {
          const name = recent;
          must(({ packet, seen }) => seen.add(`${name} ${packet.source}`).size > 0);
          break;
        }
        case '-j':
          target = this.targetOf(take(), words.splice(0), chains, line);
          break;
        default:
          throw new UnknownRule(word, line);
      }
    }
    return { matches, target };
  }

  private targetOf(name: string, options: string[], chains: Map<string, Rule[]>, line: string): Target {
    const [option, value] = options;
    const known = `${name} ${option ?? ''}`.trim();
    switch (known) {
      case 'ACCEPT':
      case 'DROP':
      case 'REJECT':
      case 'RETURN':
        return () => known;
      case 'MARK --or-mark':
        return (state) => {
          state.mark |= Number(value);
          return undefined;
        };
      case 'MARK --xor-mark':
        return (state) => {
          state.mark ^= Number(value);
          return undefined;
        };
      case 'MASQUERADE --random-fully':
        return (state) => {
          state.isMasqueraded = true;
          return 'ACCEPT';
        };
      case 'DNAT --to-destination':
        return (state) => {
          const [address, port] = value.split(':');
          state.destination = address;
          state.port = Number(port);
          state.isTranslated = true;
          return 'ACCEPT';
        };
      default:
        if (option !== undefined) {
          throw new UnknownRule(known, line);
        }
        return (state) => {
          const verdict = this.runChain(this.chain(chains, name), state);
          return verdict === 'RETURN' ? undefined : verdict;
        };
    }
  }
}
