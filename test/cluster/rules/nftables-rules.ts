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

/** Ends the walk through the chains of a hook; a chain that was gone to comes to its end without one. */
type Verdict = 'accept' | 'drop' | 'reject' | 'over';

/** One part of a rule: whether the next one is looked at, or what becomes of the packet. */
type Part = (state: State) => boolean | Verdict;

interface BaseChain {
  readonly name: string;
  readonly hook: string;
  readonly priority: number;
}

const FIELDS: Readonly<Record<string, (state: State) => string>> = {
  'ip saddr': ({ packet }) => packet.source,
  'ip daddr': ({ destination }) => destination,
  'meta l4proto': ({ packet }) => packet.protocol,
  'th dport': ({ port }) => String(port),
};

const isLoopback = rangeOf('127.0.0.0/8');

/** What kube-proxy gives nft on one node: connections walk through it as through the kernel. */
export class NftablesRules implements Rules {
  private readonly base: BaseChain[] = [];
  private readonly chains = new Map<string, Part[][]>();
  /** Keys of maps and sets, with what they lead to. */
  private readonly elements = new Map<string, Map<string, string[]>>();

  /** @param addresses those of the node itself */
  public constructor(
    text: string,
    private readonly addresses: readonly string[],
  ) {
    for (const line of text.split('\n').filter((each) => each !== '')) {
      this.read(line);
    }
    this.base.sort((one, other) => one.priority - other.priority);
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
    const routed = () => (this.isOwn(state.destination) ? 'input' : 'forward');
    for (const hook of isSent ? [() => 'output'] : [() => 'prerouting', routed]) {
      const verdict = this.runHook(hook(), state);
      if (verdict === 'drop' || verdict === 'reject') {
        return { end: verdict === 'drop' ? 'dropped' : 'refused', masqueraded: false };
      }
    }
    if (!state.isTranslated) {
      return { end: 'untouched', masqueraded: false };
    }
    this.runHook('postrouting', state);
    return { end: `${state.destination}:${state.port}`, masqueraded: state.isMasqueraded };
  }

  private isOwn(address: string): boolean {
    return this.addresses.includes(address) || isLoopback(address);
  }

  private runHook(hook: string, state: State): Verdict | undefined {
    for (const { name } of this.base.filter((each) => each.hook === hook)) {
      const verdict = this.run(name, state);
      if (verdict === 'drop' || verdict === 'reject') {
        return verdict;
      }
    }
    return undefined;
  }

  private run(name: string, state: State): Verdict | undefined {
    const chain = this.chains.get(name);
    if (!chain) {
      throw new Error(`there is no chain ${name}`);
    }
    for (const parts of chain) {
      for (const part of parts) {
        const said = part(state);
        if (typeof said === 'string') {
          return said;
        }
        if (!said) {
          break;
        }
      }
    }
    return undefined;
  }

  /** A verdict as rules and maps write it. */
  private decide(words: readonly string[], state: State): boolean | Verdict {
    const [verdict, chain] = words;
    switch (verdict) {
      case 'goto':
        return this.run(chain, state) ?? 'over';
      case 'jump': {
        const said = this.run(chain, state);
        return said === undefined || said === 'over' ? true : said;
      }
      case 'drop':
      case 'reject':
        return verdict;
      default:
        throw new UnknownRule(verdict, words.join(' '));
    }
  }

  private read(line: string): void {
    const [verb, kind, , , name, ...rest] = wordsOf(line);
    const comment = rest.lastIndexOf('comment');
    switch (`${verb} ${kind}`) {
      case 'add table':
      case 'delete set':
      case 'flush chain':
      case 'flush map':
      case 'flush set':
        return;
      case 'delete chain':
        this.chains.delete(name);
        return;
      case 'add chain': {
        const [, hook, priority] = /hook (\w+) priority (\S+) ;/.exec(line) ?? [];
        this.chains.set(name, this.chains.get(name) ?? []);
        if (hook) {
          this.base.push({ name, hook, priority: Number(priority) });
        }
        return;
      }
      case 'add map':
      case 'add set':
        this.elements.set(name, new Map());
        return;
      case 'add element': {
        const [key, value = ''] = rest.slice(1, -1).join(' ').split(' : ');
        const bare = (text: string) => text.replace(/ comment .*$/, '');
        this.elements.get(name)?.set(bare(key), bare(value).split(' '));
        return;
      }
      case 'add rule': {
        const words = comment >= 0 ? rest.slice(0, comment) : rest;
        this.chains.get(name)?.push(this.partsOf(words, line));
        return;
      }
      default:
        throw new UnknownRule(`${verb} ${kind}`, line);
    }
  }

  private partsOf(words: string[], line: string): Part[] {
    const parts: Part[] = [];
    while (words.length > 0) {
      parts.push(this.partOf(words, line));
    }
    return parts;
  }

  private partOf(words: string[], line: string): Part {
    const starts = (text: string) => text.split(' ').every((word, index) => words[index] === word);
    const take = (count: number) => words.splice(0, count);
    if (starts('ct state new')) {
      take(3);
      return () => true;
    }
    if (starts('ct status dnat')) {
      take(3);
      return ({ isTranslated }) => isTranslated;
    }
    if (starts('fib saddr type local') || starts('fib daddr type local')) {
      const [, side] = take(4);
      return ({ packet, destination }) => this.isOwn(side === 'saddr' ? packet.source : destination);
    }
    if (starts('mark and')) {
      const [, , mask, operator, value] = take(5);
      if (operator !== '!=') {
        throw new UnknownRule(operator, line);
      }
      return ({ mark }) => (mark & Number(mask)) !== Number(value);
    }
    if (starts('mark set mark')) {
      const [, , , operator, value] = take(5);
      return (state) => {
        state.mark = operator === 'or' ? state.mark | Number(value) : state.mark ^ Number(value);
        return true;
      };
    }
    if (starts('masquerade fully-random')) {
      take(2);
      return (state) => {
        state.isMasqueraded = true;
        return 'accept';
      };
    }
    if (['jump', 'goto'].includes(words[0])) {
      const verdict = take(2);
      return (state) => this.decide(verdict, state);
    }
    if (['drop', 'reject'].includes(words[0])) {
      const verdict = take(1);
      return (state) => this.decide(verdict, state);
    }
    if (starts('update')) {
      const [, set, , , , close] = take(6);
      if (close !== '}') {
        throw new UnknownRule(close, line);
      }
      return ({ packet, seen }) => seen.add(`${set.slice(1)} ${packet.source}`).size > 0;
    }
    if (starts('dnat to')) {
      const [, , to] = take(3);
      return (state) => translated(state, to);
    }
    if (starts('dnat ip addr . port to')) {
      take(6);
      const map = numbered(words, 'map', line);
      return (state) => translated(state, map[chosenAmong(map.length, state)].replace(' . ', ':'));
    }
    if (starts('numgen')) {
      const map = numbered(words, 'vmap', line);
      return (state) => this.decide(map[chosenAmong(map.length, state)].split(' '), state);
    }
    return this.comparison(words, line);
  }

  /** Fields, joined by dots, and what they are looked up in or compared with. */
  private comparison(words: string[], line: string): Part {
    const fields: string[] = [];
    do {
      fields.push(words.splice(0, 2).join(' '));
    } while (words[0] === '.' && words.shift());
    const unknown = fields.find((field) => FIELDS[field] === undefined);
    if (unknown !== undefined) {
      throw new UnknownRule(unknown, line);
    }
    const keyOf = (state: State) => fields.map((field) => FIELDS[field](state)).join(' . ');
    if (words[0] === 'vmap') {
      const [, map] = words.splice(0, 2);
      return (state) => {
        const verdict = this.elements.get(map.slice(1))?.get(keyOf(state));
        return verdict === undefined ? false : this.decide(verdict, state);
      };
    }
    const isNegated = words[0] === '!=' && words.shift() === '!=';
    const [operand] = words.splice(0, 1);
    if (operand.startsWith('@')) {
      const set = operand.slice(1);
      return (state) => {
        const value = keyOf(state);
        return (this.elements.get(set)?.has(value) || state.seen.has(`${set} ${value}`)) !== isNegated;
      };
    }
    const isAddress = fields[0].startsWith('ip ');
    const tests = (operand === '{' ? enclosed(words) : [operand]).map((each) =>
      isAddress ? rangeOf(each) : (value: string) => value === each,
    );
    return (state) => {
      const value = keyOf(state);
      return tests.some((matches) => matches(value)) !== isNegated;
    };
  }
}

/** The elements up to the closing brace. */
function enclosed(words: string[]): string[] {
  const inside = words.splice(0, words.indexOf('}') + 1).slice(0, -1);
  return inside
    .join(' ')
    .split(',')
    .map((each) => each.trim());
}

/** What `numgen random mod n` leads to, by the numbers from 0 on. */
function numbered(words: string[], kind: 'map' | 'vmap', line: string): string[] {
  const [numgen, random, mod, count, found] = words.splice(0, 6);
  const entries = enclosed(words).map((each) => each.split(' : '));
  if (`${numgen} ${random} ${mod} ${found}` !== `numgen random mod ${kind}` || entries.length !== Number(count)) {
    throw new UnknownRule(`${numgen} ${random} ${mod} ${count} ${found}`, line);
  }
  return entries.map(([number, value], index) => {
    if (Number(number) !== index) {
      throw new UnknownRule(number, line);
    }
    return value;
  });
}

function chosenAmong(count: number, { choose }: State): number {
  return count === 1 ? 0 : choose(Array.from({ length: count }, () => 1 / count));
}

function translated(state: State, to: string): Verdict {
  const [address, port] = to.split(':');
  state.destination = address;
  state.port = Number(port);
  state.isTranslated = true;
  return 'accept';
}
