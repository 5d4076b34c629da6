import { grouped, isPart, type Json, mapIn, mapsIn, objectIdOf, printable } from '../../contract/json';
import type { BalancerChange, Effect } from '../../diff/effect';
import { pairByFile, type SideBalancer, serviceOn } from '../../diff/side';
import { OPERATOR } from '../../kafka/strimzi/releases';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { balancedGateways, isGateway } from '../../predicted/gateway-balancers';
import { commandForClass } from '../../predicted/gateway-services';
import { podNameOf } from '../../predicted/kafka-services';
import { titleOf } from '../../predicted/predicted';
import type { Manifest } from '../../rules/manifest-objects';
import { isService } from '../../rules/service-json';
import type { UnreadableDocument } from '../check-report';
import { lackOf } from '../formats/words';
import type { ReadSides } from './read-sides';
import type { DiffedSide } from './sides';

export function unreadOf(side: DiffedSide, { isSame }: ReadSides): readonly UnreadableDocument[] {
  const { read, common } = side.read;
  return read.unreadable.filter(({ place, isSource }) => isSource || !isSame(common(place.file)));
}

const makerKey = (object: Json): string => `${object.kind} ${titleOf(object)}`;

/** Makers of balancers of which it is not known which balancers they make: a Kafka without brokers, a Gateway of an unknown class. */
const unlistedOn = ({ files }: DiffedSide) => grouped(files.later.unlisted ?? [], ({ object }) => makerKey(object));

export function withUnknownSources(
  change: BalancerChange,
  sides: { readonly before: DiffedSide; readonly after: DiffedSide },
  read: ReadSides,
): BalancerChange {
  const { before, after, outcome } = change;
  const [balancer, side] = before && !after ? [before, sides.after] : [after, sides.before];
  const reason =
    balancer && (!before || !after) && outcome !== 'kept'
      ? unknownSource(balancer, side, unreadOf(side, read))
      : undefined;
  const at = { outcome: 'unknown', field: 'metadata.name', path: ['metadata', 'name'] } as const;
  return reason
    ? { ...change, movedTo: undefined, movedFrom: undefined, outcome: 'unknown', effects: [{ ...at, ...reason }] }
    : change;
}

function unknownSource(
  balancer: SideBalancer,
  diffed: DiffedSide,
  [first, ...others]: readonly UnreadableDocument[],
): Pick<Effect, 'why' | 'needs' | 'remedy'> | undefined {
  const { side, read } = diffed;
  if (serviceOn(side, balancer.id, balancer.written)) {
    return undefined; // it is there, with another type
  }
  if (first) {
    const { file, line } = first.place;
    const more = others.length > 0 ? `, and neither can ${others.length} more` : '';
    const shown = printable(file === '-' ? 'standard input' : read.shown(read.common(file)));
    const where = file === '-' ? `line ${line}` : `${shown}:${line}`;
    return {
      why: `it is not to be seen in ${side.name}, where ${where} ${lackOf(first)}${more}`,
      needs: [first.isSource ? `what ${where} renders` : `a readable ${shown}`],
      remedy: first.remedy,
    };
  }
  const unlisted = unlistedOn(diffed);
  const metadata = mapIn(balancer.service, 'metadata');
  const owners = mapsIn(metadata, 'ownerReferences').map(
    ({ kind, name }): Json => ({ kind, metadata: { name, namespace: metadata.namespace } }),
  );
  const maker = [balancer.written.madeOf?.object, ...owners].find((one) => one && unlisted.has(makerKey(one)));
  if (maker) {
    const why = `what is made of ${printable(makerKey(maker))} is not to be seen in ${side.name}`;
    return { why, needs: [neededFor(maker)] };
  }
  const lack = side.isLive ? lackOfDump(side.manifests, balancer) : undefined;
  return lack === undefined ? undefined : { why: `${side.name} may have it all the same`, needs: [lack] };
}

function lackOfDump(manifests: readonly Manifest[], { id, service, written }: SideBalancer): string | undefined {
  const maker = written.madeOf && makerKey(written.madeOf.object);
  if (maker !== undefined && manifests.some(({ object }) => makerKey(object) === maker)) {
    return undefined;
  }
  if (written.madeOf && !isService(service)) {
    const { kind } = written.object;
    return manifests.some(({ object }) => object.kind === kind) ? undefined : `the ${kind}s of the cluster in the dump`;
  }
  const ids = manifests.filter(({ object }) => isService(object)).map(({ object }) => objectIdOf(object));
  const namespace = id.slice(0, id.indexOf('/'));
  const isThere = ids.some((one) => one === 'default/kubernetes' || one.startsWith(`${namespace}/`));
  const lack = `namespace ${printable(namespace)} in the dump, as kubectl get -A has it`;
  return ids.length === 0 ? 'the Services of the cluster in the dump' : isThere ? undefined : lack;
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

export function changesOfUnlisted(before: DiffedSide, after: DiffedSide): BalancerChange[] {
  const [old, now] = [unlistedOn(before), unlistedOn(after)];
  // the bootstrap Service of a Kafka is there whatever its brokers are
  const listed = [before, after].flatMap(({ side }) =>
    side.balancers
      .filter(({ written, service }) => written.madeOf?.object.kind !== KAFKA_KIND || podNameOf(service))
      .flatMap(({ written: { madeOf } }) => (madeOf ? [makerKey(madeOf.object)] : [])),
  );
  const gateways = balancedGateways(before.side, after.side).map((one) =>
    makerKey((one.after ?? one.before)?.object ?? {}),
  );
  const known = new Set([...listed, ...gateways]);
  const isLive = before.side.isLive === true;
  const isAlike = (one: Manifest, other: Manifest) =>
    isPart(decisive(other), decisive(one)) && (isLive || isPart(decisive(one), decisive(other)));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => !known.has(key))
    .sort()
    .flatMap((key) =>
      pairByFile(old.get(key) ?? [], now.get(key) ?? [], ({ file }) => file, isAlike).flatMap(([one, other]) => {
        const isSame = one && other && isAlike(one, other);
        const version = one && other && versionChange(other, before, after);
        // a live cluster has more than the files
        return (isSame && !version) || (isLive && !other)
          ? []
          : [unlistedChange(one, other, isSame ? version : undefined)];
      }),
    );
}

function decisive({ object }: Manifest): Json {
  return { spec: object.spec, annotations: mapIn(object.metadata, 'annotations') };
}

function versionChange({ object }: Manifest, ...sides: readonly DiffedSide[]): string | undefined {
  const [from, to] = sides.map(({ side }) => side.versions?.[OPERATOR.name]);
  const isChanged = object.kind === KAFKA_KIND && from !== undefined && to !== undefined && from !== to;
  return isChanged ? `${OPERATOR.name} ${from} -> ${to}` : undefined;
}

function unlistedChange(before: Manifest | undefined, after: Manifest | undefined, version?: string): BalancerChange {
  const { object } = (after ?? before) as Manifest;
  const title = printable(makerKey(object));
  const balancers = object.kind === KAFKA_KIND ? 'of its brokers' : 'that are made of it';
  const how = version ?? (before ? (after ? 'it changes' : 'it is not there any more') : 'it is new');
  const why = `${how}: what becomes of the balancers ${balancers} is not known here`;
  const sideOf = (written: Manifest): SideBalancer => ({ id: title, title, service: written.object, written });
  return {
    ...(before && { before: sideOf(before) }),
    ...(after && { after: sideOf(after) }),
    outcome: 'unknown',
    effects: [{ outcome: 'unknown', field: 'spec', path: [], why, needs: [neededFor(object)] }],
  };
}
