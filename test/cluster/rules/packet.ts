/** The first packet of a connection, as the kernel of one node sees it. */
export interface Packet {
  /** A pod or a client comes in through an interface of the node; the node itself sends. */
  readonly from: 'outside' | 'pod' | 'host';
  readonly source: string;
  readonly destination: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** What the rules of a node do to a connection. */
export interface Outcome {
  /** The pod and its port, no rule that changes the destination, or an end. */
  readonly end: string | 'untouched' | 'dropped' | 'refused';
  /** Whether the pod sees the address of the node instead of that of the client. */
  readonly masqueraded: boolean;
}

/** Chooses among alternatives whose probabilities are 1 together. */
export type Choose = (probabilities: readonly number[]) => number;

/** The rules of a node, as a walk through their text. */
export interface Rules {
  /**
   * Walks the chains.
   *
   * @param seen clients that a pod has had, as affinity keeps them: the walk reads it and adds to it
   */
  walk(packet: Packet, choose: Choose, seen?: Set<string>): Outcome;
}

/** What may come of a connection: a result, or a choice among others. */
export type Fate = Outcome | { readonly probabilities: readonly number[]; readonly fates: readonly Fate[] };

/** All that may come of a connection: the walk is taken once for each way through its choices. */
export function fateOf(walk: (choose: Choose) => Outcome, made: readonly number[] = []): Fate {
  let next = 0;
  let open: readonly number[] | undefined;
  const outcome = walk((probabilities) => {
    if (next < made.length) {
      return made[next++];
    }
    open ??= probabilities;
    return 0;
  });
  return open === undefined
    ? outcome
    : { probabilities: open, fates: open.map((_, index) => fateOf(walk, [...made, index])) };
}

/** The exact probability of each end. */
export function chancesOf(fate: Fate, weight = 1, into = new Map<string, number>()): Map<string, number> {
  if ('end' in fate) {
    into.set(fate.end, (into.get(fate.end) ?? 0) + weight);
  } else {
    fate.fates.forEach((each, index) => {
      chancesOf(each, weight * fate.probabilities[index], into);
    });
  }
  return into;
}

/** Every outcome that a connection may have. */
export function outcomesOf(fate: Fate): Outcome[] {
  return 'end' in fate ? [fate] : fate.fates.flatMap(outcomesOf);
}

/** The probabilities by which one way leads on and the other ends, from the first choice to the last: as they stand in the rules. */
export function chainIn(fate: Fate): number[] {
  if ('end' in fate) {
    return [1];
  }
  const [probability] = fate.probabilities;
  return [probability, ...chainIn(fate.fates[fate.fates.length - 1])];
}

/** One of some alternatives, by their probabilities. */
export function oneOf(probabilities: readonly number[], random: () => number): number {
  let rest = random();
  let index = 0;
  while (index < probabilities.length - 1 && rest >= probabilities[index]) {
    rest -= probabilities[index++];
  }
  return index;
}

/** A choice, made ready to be taken many times: a leaf has no alternatives. */
interface Branch {
  readonly leaf: number;
  /** Sums of the probabilities so far. */
  readonly sums: readonly number[];
  readonly to: readonly Branch[];
}

/** How often each end came out of so many connections, each of which one of the fates befalls, all alike. */
export function countsOf(fates: readonly Fate[], connections: number, random: () => number): Map<string, number> {
  const ends: string[] = [];
  const branchOf = (fate: Fate): Branch => {
    if ('end' in fate) {
      return { leaf: ends.push(fate.end) - 1, sums: [], to: [] };
    }
    let sum = 0;
    const sums = fate.probabilities.map((probability) => {
      sum += probability;
      return sum;
    });
    return { leaf: -1, sums, to: fate.fates.map(branchOf) };
  };
  const { floor } = Math; // looked up once: in the sandbox of a test a global costs more than the rest
  const branches = fates.map(branchOf);
  const counts = new Int32Array(ends.length);
  for (let connection = 0; connection < connections; connection++) {
    let branch = branches[floor(random() * branches.length)];
    while (branch.leaf < 0) {
      const at = random();
      let index = 0;
      while (index < branch.to.length - 1 && at >= branch.sums[index]) {
        index++;
      }
      branch = branch.to[index];
    }
    counts[branch.leaf]++;
  }
  const summed = new Map<string, number>();
  counts.forEach((count, leaf) => {
    summed.set(ends[leaf], (summed.get(ends[leaf]) ?? 0) + count);
  });
  return summed;
}

/** A range of IPv4 addresses, read once; without a length it is one address. */
export function rangeOf(range: string): (address: string) => boolean {
  const [base, length = '32'] = range.split('/');
  const first = numberOf(base);
  const size = 2 ** (32 - Number(length));
  return (address) => numberOf(address) >= first && numberOf(address) < first + size;
}

const numbers = new Map<string, number>();

function numberOf(address: string): number {
  const known = numbers.get(address);
  if (known !== undefined) {
    return known;
  }
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  numbers.set(address, number);
  return number;
}

/** Numbers from 0 to 1 that are the same in every run: xorshift of 32 bits. */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A line in words; what is in quotation marks is one. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
}

/** A part of a rule that the interpreter does not know, which it must not pass over. */
export class UnknownRule extends Error {
  public constructor(word: string, rule: string) {
    super(`"${word}" is not known to the interpreter of rules: ${rule}`);
  }
}
