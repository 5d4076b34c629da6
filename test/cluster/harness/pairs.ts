import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fate, Pair, PairObject } from '../../diff/pairs/pair';
import { ApiRefusal, type Body, type Ref } from '../../real/api';
import type { ControlPlane } from '../../real/control-plane';
import type { LedgerEntry } from '../../real/ledger';
import { pause, runShell, until } from '../../real/program';

// Pairs of manifests on the real API server: what was applied, what is applied now, and what becomes of each balancer.

const MANAGER = 'gitops';
/** Seconds in which a balancer is made, and in which a Service goes that can go. */
const PATIENCE = 20;
/** Milliseconds without a change after which all actors are taken to be at rest. */
const QUIET = 600;
const COPIED: readonly string[] = ['clusterIP', 'clusterIPs'];

const idOf = ({ metadata }: Ref) => `${metadata.namespace}/${metadata.name}`;

export interface PairSeen {
  readonly pair: Pair;
  /** By `namespace/name`. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** The Services as they were before the change, with who wrote each field. */
  readonly live: readonly PairObject[];
}

/** Applies a pair, and says what became of each balancer; what is left is taken down. */
export async function seenOnServer(plane: ControlPlane, pair: Pair): Promise<PairSeen> {
  const run = new PairRun(plane, pair);
  try {
    await run.begin();
    const live = (await run.services()) as PairObject[];
    return { pair, live, fates: await run.change() };
  } finally {
    await run.takeDown();
  }
}

/** As kubectl shows objects where it is not asked for more. */
export function dumpOf(live: readonly PairObject[]): PairObject[] {
  return live.map(
    ({ metadata: { managedFields: _, ...metadata }, ...object }) => ({ ...object, metadata }) as PairObject,
  );
}

class PairRun {
  private readonly namespaces: readonly string[];

  public constructor(
    private readonly plane: ControlPlane,
    private readonly pair: Pair,
  ) {
    const all = [...pair.before, ...pair.after];
    this.namespaces = [...new Set(all.map(({ metadata }) => metadata.namespace))];
  }

  public async begin(): Promise<void> {
    for (const name of this.namespaces) {
      await this.plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const refused = await this.write(this.pair.before);
    if (refused.size > 0) {
      throw new Error(`pair ${this.pair.number}: ${[...refused].join(', ')} is refused to begin with`);
    }
    for (const object of this.pair.before.filter(({ spec }) => spec.type === 'LoadBalancer')) {
      await until(`a balancer of ${idOf(object)}`, () => this.isServed(object), { seconds: PATIENCE });
    }
    await this.rest();
  }

  public async change(): Promise<Map<string, Fate>> {
    const { before, after, prune } = this.pair;
    const old = new Map(before.map((object) => [idOf(object), this.entryOf(object)]));
    const refused = await this.write(after);
    const gone = before.filter((object) => !after.some((other) => idOf(other) === idOf(object)));
    for (const object of prune ? gone : []) {
      await this.plane.api.delete(object);
    }
    await this.rest();
    if (this.pair.writer === 'put') {
      // who writes whole objects does so again and again, and takes off what an owner has put back
      await this.write(after);
      await this.rest();
    }
    const fates = new Map<string, Fate>();
    for (const object of before) {
      fates.set(idOf(object), await this.fateNow(object, refused, old.get(idOf(object))));
    }
    for (const object of after.filter((one) => !old.has(idOf(one)))) {
      const isMade = await until('a balancer', () => this.entryOf(object), { seconds: PATIENCE }).catch(
        () => undefined,
      );
      fates.set(idOf(object), isMade ? 'created' : 'refused');
    }
    return this.withDeletion(fates);
  }

  /** What a deletion does to those that were kept: an orphan in the making shows then. */
  private async withDeletion(fates: Map<string, Fate>): Promise<Map<string, Fate>> {
    const services = await this.services();
    for (const service of services) {
      await this.plane.api.delete(service as Ref).catch(() => undefined);
    }
    await this.rest();
    for (const { metadata } of services) {
      const id = `${metadata.namespace}/${metadata.name}`;
      const isThere = (await this.services()).some((one) => `${one.metadata.namespace}/${one.metadata.name}` === id);
      const isMade = this.plane.ledger.all.some(({ service }) => service === id);
      if (fates.get(id) === 'kept' && (isThere || isMade)) {
        fates.set(id, isThere ? 'stuck' : 'orphaned');
      }
    }
    return fates;
  }

  public async takeDown(): Promise<void> {
    for (const service of await this.services()) {
      await this.plane.api.merge(service as Ref, { metadata: { finalizers: null } }).catch(() => undefined);
      await this.plane.api.delete(service as Ref).catch(() => undefined);
    }
    for (const namespace of this.namespaces) {
      this.plane.ledger.forget(namespace);
    }
  }

  private async fateNow(object: PairObject, refused: ReadonlySet<string>, old?: LedgerEntry): Promise<Fate> {
    const id = idOf(object);
    const live = await this.plane.api.find(object);
    const entry = this.entryOf(object);
    const isSame = entry !== undefined && old !== undefined && entry.name === old.name && entry.uid === old.uid;
    if (refused.has(id) && isSame && live) {
      return 'refused';
    }
    if (live?.metadata.deletionTimestamp) {
      return 'stuck';
    }
    if (!live) {
      const isMoved = this.pair.fates.get(id) === 'replaced';
      return entry ? 'orphaned' : isMoved ? 'replaced' : 'deleted';
    }
    if (live.spec.type !== 'LoadBalancer') {
      return entry ? 'orphaned' : 'deleted';
    }
    return entry ? (isSame ? 'kept' : old ? 'replaced' : 'created') : 'deleted';
  }

  private entryOf(object: Ref): LedgerEntry | undefined {
    return this.plane.ledger.all.find(({ service }) => service === idOf(object));
  }

  private async isServed(object: Ref): Promise<boolean> {
    const live = this.entryOf(object) ? await this.plane.api.find(object) : undefined;
    return live?.status?.loadBalancer?.ingress?.length > 0;
  }

  public async services(): Promise<Body[]> {
    const lists = await Promise.all(
      this.namespaces.map((namespace) => this.plane.api.list({ apiVersion: 'v1', kind: 'Service' }, namespace)),
    );
    return lists.flat().map((object) => ({ apiVersion: 'v1', kind: 'Service', ...object }));
  }

  /** Waits until nothing has changed for a while. */
  private async rest(): Promise<void> {
    let last = '';
    let since = Date.now();
    const end = Date.now() + PATIENCE * 1000;
    while (Date.now() - since < QUIET) {
      const services = await this.services();
      const seen = JSON.stringify([
        services.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]),
        this.plane.ledger.all.filter(({ service }) => this.namespaces.includes(service.split('/')[0])),
      ]);
      if (seen !== last) {
        [last, since] = [seen, Date.now()];
      }
      if (Date.now() > end) {
        throw new Error(`pair ${this.pair.number} does not come to rest`);
      }
      await pause(60);
    }
  }

  /** Writes objects, and says which of them the API server does not take. */
  private async write(objects: readonly PairObject[]): Promise<Set<string>> {
    if (this.pair.writer === 'client-apply') {
      return this.kubectlApply(objects);
    }
    const refused = new Set<string>();
    for (const object of objects) {
      await this.writeOne(object).catch((error) => {
        if (!(error instanceof ApiRefusal)) {
          throw error;
        }
        refused.add(idOf(object));
      });
    }
    return refused;
  }

  private async writeOne(object: PairObject): Promise<void> {
    const { api } = this.plane;
    if (this.pair.writer === 'server-apply') {
      await api.apply(object, { as: MANAGER, force: true });
    } else if (await api.find(object)) {
      await api.rewrite(object, (live) => over(live, object));
    } else {
      await api.create(object);
    }
  }

  private async kubectlApply(objects: readonly PairObject[]): Promise<Set<string>> {
    if (objects.length === 0) {
      return new Set();
    }
    const file = join(this.plane.folder, `pair-${this.pair.number}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const { output, status } = await runShell(this.plane, `kubectl apply -f ${file}`);
    const refused = objects.filter(({ metadata: { name } }) => !new RegExp(`^service/${name} \\w`, 'm').test(output));
    const said = output.split('\n').filter((line) => /^The Service "[^"]+" is invalid|^Error from server/.test(line));
    if (said.length !== refused.length || (status === 0) !== (refused.length === 0)) {
      throw new Error(`pair ${this.pair.number}: ${output}`);
    }
    return new Set(refused.map(idOf));
  }
}

function over(live: Body, object: PairObject): Ref {
  const kept = Object.fromEntries(COPIED.map((field) => [field, live.spec[field]]));
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion: live.metadata.resourceVersion },
    spec: { ...kept, ...object.spec },
  };
}
