import { type Json, mapIn } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import { KAFKA_KIND } from '../kafka/strimzi/operator-services.facts';
import { podNameOf } from '../later/kafka-services';
import type { ReportedService } from '../later/later';
import type { Manifest } from '../rules/manifest-objects';
import { isProtectionKey, protectionKey } from '../rules/protection';
import type { Side } from './side';

/** Who owned a balancer that was protected, by the mark on its Service or on what makes it; nothing where it was not. */
export function markOf({ object, madeOf, template }: ReportedService): string | undefined {
  const part = madeOf && nameOf(madeOf.object, madeOf.path);
  return (
    markIn(object, protectionKey()) ??
    markIn(madeOf?.object, protectionKey()) ??
    (part === undefined ? undefined : markIn(madeOf?.object, protectionKey(part))) ??
    markIn(template?.manifest.object, protectionKey())
  );
}

/** Objects with a mark of which it is not known which balancers are made of them. */
export function markedWithoutBalancers({ manifests, balancers }: Side): Manifest[] {
  // the bootstrap Service of a Kafka says nothing of its brokers
  const counted = balancers.filter(
    ({ written: { madeOf, object } }) => madeOf?.object.kind !== KAFKA_KIND || podNameOf(object) !== undefined,
  );
  const known = new Set(
    counted.flatMap(({ written }) => [written.object, written.madeOf?.object, written.template?.manifest.object]),
  );
  return manifests.filter(
    ({ object }) => !known.has(object) && Object.keys(annotationsIn(object)).some(isProtectionKey),
  );
}

function markIn(object: Json | undefined, key: string): string | undefined {
  const mark: unknown = annotationsIn(object)[key];
  return typeof mark === 'string' ? mark : undefined;
}

function annotationsIn(object: Json | undefined): Json {
  return mapIn(mapIn(object, 'metadata'), 'annotations');
}

/** The name of a part of an object, where it has one. */
function nameOf(object: Json, path: YamlPath): string | undefined {
  const part = path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], object);
  const { name } = mapIn({ part }, 'part');
  return typeof name === 'string' ? name : undefined;
}
