import { defined, type Json, keysChanged, mapIn, oncePer, sameValue } from '../contract/json';
import { dropsOf, ignoredKeys, keepsFinalizers } from '../predicted/operator-faults';
import { operatorOf } from '../predicted/operator-services';
import { keyOf } from '../predicted/predicted';
import { predictServices } from '../predicted/predicted-services';
import { balancerModelOf } from '../rules/controller-definition';
import { typedService } from '../rules/service-fields';
import { annotationsOf, classOf, finalizersOf, isService } from '../rules/service-json';
import type { Pair } from './pairs';
import { identityOf, type Side, type SideBalancer, type Sides, writersOf } from './side';

// A live Service and the resource that it is made of: its operator only writes what the resource says.

/** The Services that are made of the objects of a side, by object and name. */
const predictedOn = oncePer(({ manifests }: Side) => {
  const made = predictServices(manifests, true).services;
  return new Map(made.map(({ object, madeOf: of }) => [`${identityOf(of?.object ?? {})} ${keyOf(object)}`, object]));
});

const besideOn = oncePer(({ manifests }: Side) =>
  manifests.flatMap(({ object }) => (isService(object) ? [] : [object])),
);

/**
 * A pair whose newer Service is what its operator makes of the live one, if the dump has the resource as well: others' fields stay
 * as they are, and those that the resource changes are written.
 */
export function reconciled(pair: Pair, sides: Sides): Pair {
  const { before, after } = pair;
  if (before && !after && !pair.movedTo && keepsType(before, sides.after)) {
    return { ...pair, after: before };
  }
  const maker = after?.written.madeOf?.object;
  if (!before || !after || !maker) {
    return pair;
  }
  if (before.written.madeOf || !sides.before.isLive) {
    const kept = ignoring(maker, before.service, after.service);
    return sameValue(kept, after.service) ? pair : { ...pair, after: withService(after, kept, after, sides) };
  }
  const operator = operatorOf(maker);
  // older Strimzi operators write whole Services at each reconciliation
  if (!operator && writersOf(after, sides).some((writer) => writer !== 'server-apply')) {
    return pair;
  }
  const named = {
    ...after.written.object,
    metadata: { ...after.written.object.metadata, name: before.service.metadata.name },
  };
  const found = [named, after.written.object]
    .map((object) => predictedOn(sides.before).get(`${identityOf(maker)} ${keyOf(object)}`))
    .find((one) => one !== undefined);
  if (!found) {
    return pair;
  }
  const asked = typedService(found).service;
  if (sameValue(asked, after.service)) {
    return { ...pair, after: withService(after, before.service, before, sides) };
  }
  const drops = operator ? dropsOf(operator, after.written) : [];
  const versions = { ...sides.before.versions, ...sides.after.versions };
  const isKept = operator && keepsFinalizers(operator, maker, versions);
  const merged = mergedService(before.service, asked, ignoring(maker, before.service, after.service), {
    annotations: !drops.includes('annotations'),
    class: !drops.includes('class'),
    finalizers: !operator || isKept === true,
  });
  const isSameClaim =
    classOf(merged) === classOf(before.service) && sameValue(annotationsOf(merged), annotationsOf(before.service));
  return { ...pair, after: withService(after, merged, isSameClaim ? before : after, sides) };
}

/** True if the resource of a Service is still there, and its operator does not change the type of a Service that exists. */
function keepsType({ written }: SideBalancer, after: Side): boolean {
  const maker = written.madeOf?.object;
  const { updates } = (maker && operatorOf(maker)) ?? {};
  return maker !== undefined && updates?.includes('type') === false && identitiesOn(after).has(identityOf(maker));
}

const identitiesOn = oncePer(({ manifests }: Side) => new Set(manifests.map(({ object }) => identityOf(object))));

/** A Service with the fields of an older one that its operator leaves as they are. */
function ignoring(maker: Json, old: Json, now: Json): Json {
  const updates = operatorOf(maker)?.updates;
  if (updates) {
    return {
      ...old,
      spec: { ...old.spec, ...defined(Object.fromEntries(updates.map((key) => [key, now.spec[key]]))) },
    };
  }
  const kept = ['annotations', 'labels'].flatMap((field) => {
    const [from, to] = [old, now].map(({ metadata }) => mapIn(metadata, field));
    const keys = ignoredKeys(maker, field).filter((key) => from[key] !== undefined);
    return keys.length === 0 ? [] : [[field, { ...to, ...Object.fromEntries(keys.map((key) => [key, from[key]])) }]];
  });
  return { ...now, metadata: { ...now.metadata, ...Object.fromEntries(kept) } };
}

function withService(after: SideBalancer, service: Json, owned: SideBalancer, { after: side }: Sides): SideBalancer {
  const { id, title, written } = after;
  const { service: _, made: __, ...owner } = owned;
  const made = balancerModelOf(service, owned.controller, besideOn(side));
  return { ...owner, id, title, written, service, ...(made && { made }) };
}

/** The live Service with the fields that differ between two predictions, without fields of others that the operator does not keep. */
function mergedService(
  live: Json,
  asked: Json,
  now: Json,
  keeps: Readonly<Record<'annotations' | 'class' | 'finalizers', boolean>>,
): Json {
  const of = (service: Json, field: string): Json => mapIn(mapIn(service, 'metadata'), field);
  const map = (field: string) => patched(of(live, field), of(asked, field), of(now, field));
  const { status, ...object } = live;
  const spec = patched(mapIn(live, 'spec'), mapIn(asked, 'spec'), mapIn(now, 'spec'));
  const lacksClass = !keeps.class && classOf(now) === undefined;
  return {
    ...object,
    metadata: {
      ...live.metadata,
      annotations: keeps.annotations ? map('annotations') : of(now, 'annotations'),
      labels: map('labels'),
      finalizers: keeps.finalizers ? [...new Set([...finalizersOf(live), ...finalizersOf(now)])] : finalizersOf(now),
    },
    spec: lacksClass ? defined({ ...spec, loadBalancerClass: undefined }) : spec,
    ...(status && { status }),
  };
}

function patched(live: Json, asked: Json, now: Json): Json {
  return defined({ ...live, ...Object.fromEntries(keysChanged(asked, now).map((key) => [key, now[key]])) });
}
