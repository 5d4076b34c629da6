import { grouped } from '../../contract/grouped';
import { isPart } from '../../contract/is-part';
import { type Json, mapIn, mapsIn } from '../../contract/json';
import { printable } from '../../contract/printable';
import type { BalancerChange, Effect } from '../../diff/effect';
import { pairByFile, type SideBalancer, serviceOn } from '../../diff/side';
import { KAFKA_KIND } from '../../kafka/strimzi/operator-services.facts';
import { OPERATOR } from '../../kafka/strimzi/upgrades.facts';
import { balancedGateways } from '../../later/balanced-gateways';
import { isGateway } from '../../later/gateway-maker';
import { commandForClass } from '../../later/gateway-services';
import { podNameOf } from '../../later/kafka-services';
import { titleOf } from '../../later/later';
import type { Manifest } from '../../rules/manifest-objects';
import type { UnreadableDocument } from '../check-report';
import { lackOf } from '../formats/words';
import { lackOfDump } from './live';
import type { ReadSides } from './read-sides';
import type { DiffedSide } from './sides';

/** Documents that cannot be read, and are not what they were: what is in them may be any balancer. */
export function unreadOf(side: DiffedSide, { isSame }: ReadSides): readonly UnreadableDocument[] {
  const { read, common } = side.read;
  return read.unreadable.filter(({ place, isSource }) => isSource || !isSame(common(place.file)));
}

/** What is missing on a side, and why it may be there all the same. */
interface Doubt {
  readonly why: string;
  readonly needs: string;
  readonly remedy?: string;
}

/** By which it is known whether a balancer that is not on a side is really not there. */
export class Doubts {
  private readonly unread: readonly UnreadableDocument[];
  private readonly unlisted: ReadonlySet<string>;
  private readonly strange: ReadonlySet<string>;

  public constructor(
    private readonly of: DiffedSide,
    sides: ReadSides,
  ) {
    this.unread = unreadOf(of, sides);
    this.unlisted = new Set((of.files.later.unlisted ?? []).map(({ object }) => makerKey(object)));
    const { read, common } = of.read;
    this.strange = new Set(read.strange.map((place) => common(place.replace(/:\d+$/, ''))));
  }

  /** Why a balancer may be on this side, which does not show it. */
  public about(balancer: SideBalancer): Doubt | undefined {
    const { side, read } = this.of;
    if (serviceOn(side, balancer.id, balancer.written)) {
      return undefined; // it is there, with another type
    }
    const [first, ...others] = this.unread;
    if (first) {
      const { file, line } = first.place;
      const more = others.length > 0 ? `, and neither can ${others.length} more` : '';
      const shown = printable(file === '-' ? 'standard input' : read.shown(read.common(file)));
      const where = file === '-' ? `line ${line}` : `${shown}:${line}`;
      return {
        why: `it is not to be seen in ${side.name}, where ${where} ${lackOf(first)}${more}`,
        needs: first.isSource ? `what ${where} renders` : `a readable ${shown}`,
        remedy: first.remedy,
      };
    }
    if (this.strange.has(balancer.written.file)) {
      const shown = printable(read.shown(balancer.written.file));
      return { why: `${shown} holds something there that is no object`, needs: `objects in ${shown}` };
    }
    const maker = [balancer.written.madeOf?.object, ...ownersOf(balancer)].find(
      (one) => one && this.unlisted.has(makerKey(one)),
    );
    if (maker) {
      const why = `what is made of ${printable(`${maker.kind} ${titleOf(maker)}`)} is not to be seen in ${side.name}`;
      return { why, needs: neededFor(maker) };
    }
    const lack = side.isLive ? lackOfDump(side.manifests, balancer) : undefined;
    return lack === undefined ? undefined : { why: `${side.name} may have it all the same`, needs: lack };
  }
}

function ownersOf({ service }: SideBalancer): Json[] {
  const { namespace } = mapIn(service, 'metadata');
  return mapsIn(mapIn(service, 'metadata'), 'ownerReferences').map(({ kind, name }) => ({
    kind,
    metadata: { name, namespace },
  }));
}

function neededFor(maker: Json): string {
  if (maker.kind === KAFKA_KIND) {
    return printable(`the KafkaNodePools of ${titleOf(maker)} with the ids of their brokers`);
  }
  const { gatewayClassName: name } = mapIn(maker, 'spec');
  if (!isGateway(maker)) {
    return 'what its controller makes of it';
  }
  return typeof name === 'string' && name !== ''
    ? printable(
        `GatewayClass ${name} of a controller that is known here, and its parameters, on both sides: ${commandForClass(name)}`,
      )
    : 'its class in spec.gatewayClassName, on both sides';
}

function makerKey(object: Json): string {
  return `${object.kind} ${titleOf(object)}`;
}

/** A change of a balancer that one side alone shows, where it may be on the other one as well. */
export function doubted(
  change: BalancerChange,
  doubts: { readonly before: Doubts; readonly after: Doubts },
): BalancerChange {
  const { before, after, outcome } = change;
  const doubt =
    before && !after ? doubts.after.about(before) : after && !before ? doubts.before.about(after) : undefined;
  if (!doubt || outcome === 'kept') {
    return change;
  }
  const { why, remedy, needs } = doubt;
  const cause: Effect = { outcome: 'unknown', ...AT_NAME, why, ...(remedy && { remedy }), needs: [needs] };
  return { ...(before && { before }), ...(after && { after }), outcome: 'unknown', effects: [cause] };
}

const AT_NAME = { field: 'metadata.name', path: ['metadata', 'name'] };

/** What decides of balancers and is none itself: it is compared as a whole. */
interface Decider {
  readonly manifest: Manifest;
  readonly decides: Json;
  readonly title: string;
  readonly why: string;
  readonly needs: string;
  /** Whose version decides as well. */
  readonly product?: string;
}

/** What is unknown since something changes that decides of balancers without being one. */
export function changesOfDeciders(before: DiffedSide, after: DiffedSide): BalancerChange[] {
  const [old, now] = [decidersOf(before), decidersOf(after)];
  // bootstrap of a Kafka is there whatever its brokers are
  const made = [before, after].map(({ side }) => {
    const own = side.balancers.filter(
      (one) => one.written.madeOf?.object.kind !== KAFKA_KIND || podNameOf(one.service),
    );
    return new Set(own.flatMap(({ written: { madeOf } }) => (madeOf ? [makerKey(madeOf.object)] : [])));
  });
  // those of which a balancer is made are compared by themselves
  const gateways = balancedGateways(before.side, after.side).map((one) => (one.after ?? one.before)?.object);
  const compared = new Set(gateways.map((one) => makerKey(one ?? {})));
  const isLive = before.side.isLive === true;
  const isAlike = (one: Decider, other: Decider) =>
    isPart(other.decides, one.decides) && (isLive || isPart(one.decides, other.decides));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key) => {
    const pairs = pairByFile(old.get(key) ?? [], now.get(key) ?? [], ({ manifest }) => manifest.file, isAlike);
    // files can be of several clusters, and a dump is of one
    const isKnown = isLive && pairs.some(([one, other]) => one && other && isAlike(one, other));
    return pairs.flatMap(([one, other]) => {
      const maker = makerKey((other ?? one)?.manifest.object ?? {});
      // of several of one name, one is compared in the place of the others
      const isCompared = compared.has(maker) && pairs.length === 1;
      const isMade = isCompared || made.some((keys) => keys.has(maker));
      const isSame = one && other && isAlike(one, other);
      const version = one && other && versionChange(other, before, after);
      // a live cluster has more than the files say, and what is in the files alone is not there yet
      const isOfOther = isLive && (!other || (!one && isKnown));
      return (isSame && !version) || isMade || isOfOther ? [] : [changeOf(one, other, isSame ? version : undefined)];
    });
  });
}

/** `strimzi 0.51.0 -> 1.2.0`, where that is known of both sides and not the same. */
function versionChange(
  { product }: Decider,
  { side: before }: DiffedSide,
  { side: after }: DiffedSide,
): string | undefined {
  const [from, to] = [before, after].map(({ versions }) => (product === undefined ? undefined : versions?.[product]));
  return from === undefined || to === undefined || from === to ? undefined : `${product} ${from} -> ${to}`;
}

function changeOf(before: Decider | undefined, after: Decider | undefined, version?: string): BalancerChange {
  const { title, why, needs } = (after ?? before) as Decider;
  const how = version ?? (before ? (after ? 'it changes' : 'it is not there any more') : 'it is new');
  const cause: Effect = { outcome: 'unknown', field: 'spec', path: [], why: `${how}: ${why}`, needs: [needs] };
  const balancerOf = ({ manifest }: Decider): SideBalancer => ({
    id: title,
    title,
    service: manifest.object,
    written: manifest,
  });
  return {
    ...(before && { before: balancerOf(before) }),
    ...(after && { after: balancerOf(after) }),
    outcome: 'unknown',
    effects: [cause],
  };
}

function decidersOf({ files }: DiffedSide): ReadonlyMap<string, readonly Decider[]> {
  const makers = (files.later.unlisted ?? []).map(
    (manifest): Decider => ({
      manifest,
      decides: { spec: manifest.object.spec, annotations: mapIn(manifest.object.metadata, 'annotations') },
      title: printable(`${manifest.object.kind} ${titleOf(manifest.object)}`),
      why: `what becomes of the balancers ${manifest.object.kind === KAFKA_KIND ? 'of its brokers' : 'that are made of it'} is not known here`,
      needs: neededFor(manifest.object),
      ...(manifest.object.kind === KAFKA_KIND && { product: OPERATOR.name }),
    }),
  );
  return grouped(makers, ({ title }) => title);
}
