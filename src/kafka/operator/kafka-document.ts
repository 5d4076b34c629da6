import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, isSet, type Json, list, ownValue, shown } from '../../contract/json';
import { type Render, RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import { refuse } from '../../contract/rule';
import { PassCache } from '../../rules/app-objects';
import { type ObjectCheck, SynthObject } from '../../rules/synth-object';
import type { KafkaListenerLoadBalancers, KafkaLoadBalancers } from '../options';
import { REFUSALS } from '../rules.facts';
import { LISTENER_TYPES } from '../strimzi/strimzi.facts';
import type { IKafkaCluster } from './i-kafka-cluster';
import { serviceNamesOf } from './operator-services';

export interface DocumentListener {
  readonly name: string;
  readonly balancersPerService: number;
  merged(raw: Json): Json;
  write(): Json;
}

const DOCUMENTS = new WeakMap<ApiObject, KafkaDocument>();

/**
 * A Kafka resource and the listeners that are written into it, after its lazy values and its patches. It is rendered once
 * for each synth: the listeners keep what they were made from.
 */
export class KafkaDocument {
  /** The document of a resource; from the first call on, the resource is written with its listeners. */
  public static of(kafka: ApiObject): KafkaDocument {
    let document = DOCUMENTS.get(kafka);
    if (!document) {
      document = new KafkaDocument(kafka);
      DOCUMENTS.set(kafka, document);
    }
    return document;
  }

  private readonly withoutListeners: PassCache<Json>;
  private readonly withListeners: PassCache<Json>;
  private readonly listeners: DocumentListener[] = [];
  private whole?: SynthObject;

  private constructor(private readonly kafka: ApiObject) {
    const render = renderingOf(kafka, RenderStage.LISTEN);
    this.withoutListeners = new PassCache(kafka, () => this.patched(render));
    this.withListeners = new PassCache(kafka, () => {
      const raw = this.raw();
      return withListeners(
        raw,
        this.listeners.map((listener) => listener.merged(raw)),
      );
    });
    renderBy(kafka, RenderStage.LISTEN, () => this.write());
  }

  public checkWhole(host: Construct, check: ObjectCheck): void {
    this.whole ??= new SynthObject(host, this.kafka, { rendered: () => this.now() }, check);
  }

  public add(listener: DocumentListener): void {
    this.listeners.push(listener);
  }

  public raw(): Json {
    return this.withoutListeners.now;
  }

  public now(): Json {
    return this.withListeners.now;
  }

  public get names(): string[] {
    return this.listeners.map(({ name }) => name);
  }

  public balancersPerService(name: unknown): number {
    return this.listeners.find((listener) => listener.name === name)?.balancersPerService ?? 1;
  }

  public with(listener: DocumentListener, json: Json): Json {
    const raw = this.raw();
    return withListeners(
      raw,
      this.listeners.map((other) => (other === listener ? json : other.merged(raw))),
    );
  }

  /** A patch that reaches for a listener of a construct fails with an error of the runtime. */
  private patched(render: Render): Json {
    try {
      return render();
    } catch (error) {
      if (this.listeners.length === 0) {
        throw error;
      }
      return refuse(REFUSALS.patched, { message: (error as Error).message, names: this.names.join(', ') });
    }
  }

  private write(): Json {
    for (const listener of this.listeners) {
      listener.write();
    }
    return this.whole?.write() ?? this.raw();
  }
}

/**
 * A document with some listeners, each in the place of the one of its name, or last. Where something else is in the
 * place of the list, it stays as it is: a rule reports what is wrong with it.
 */
function withListeners(raw: Json, listeners: readonly Json[]): Json {
  const spec = mapAt(raw, 'spec');
  const kafka = mapAt(spec, 'kafka');
  const hasOther = (map: Json, field: string) => isSet(map[field]) && !isMap(map[field]);
  const hasOtherListeners = isSet(kafka.listeners) && !Array.isArray(kafka.listeners);
  if (hasOther(raw, 'spec') || hasOther(spec, 'kafka') || hasOtherListeners) {
    return raw;
  }
  const merged = [...list<Json>(kafka.listeners)];
  for (const listener of listeners) {
    const place = merged.findIndex((present) => isMap(present) && present.name === listener.name);
    merged.splice(place < 0 ? merged.length : place, place < 0 ? 0 : 1, listener);
  }
  return { ...raw, spec: { ...spec, kafka: { ...kafka, listeners: merged } } };
}

export function loadBalancersOf(cluster: IKafkaCluster, kafka: Json): KafkaLoadBalancers {
  const listeners = listenersOf(kafka).map((listener) => balancersOf(cluster, listener));
  const own = listeners.filter(({ gateways }) => gateways === undefined);
  const shared = new Set(listeners.flatMap(({ gateways = [] }) => gateways));
  return { count: own.reduce((sum, { count }) => sum + count, shared.size), listeners };
}

function balancersOf(cluster: IKafkaCluster, listener: Json): KafkaListenerLoadBalancers {
  const type = textAt(listener, 'type') ?? '';
  const named = { listener: textAt(listener, 'name') ?? '', type };
  if (type === LISTENER_TYPES.internal) {
    return { ...named, count: 0, serviceNames: [] };
  }
  const serviceNames = serviceNamesOf(cluster, listener);
  if (type === LISTENER_TYPES.tlsRoute) {
    const gateways = gatewaysOf(cluster, listener);
    return { ...named, gateways, count: gateways.length, serviceNames };
  }
  const each =
    type === LISTENER_TYPES.loadBalancer ? KafkaDocument.of(cluster.kafka).balancersPerService(named.listener) : 0;
  return { ...named, count: each * serviceNames.length, serviceNames };
}

function gatewaysOf(cluster: IKafkaCluster, listener: Json): string[] {
  const parents = listAt<Json>(listener, 'configuration.parentRefs').filter(isMap);
  const names = parents.map(({ namespace = cluster.namespace, name }) => [namespace, name].filter(Boolean).join('/'));
  return [...new Set(names)];
}

// View of rules on a finished Kafka document. Third-party manifests may hold anything anywhere: these never throw.
// The API server drops a null where a resource says one, so a null counts as nothing here.

/** Value at a path of maps, or undefined. Paths are those of the rules, never of a document. */
export function at(json: unknown, path: string): unknown {
  let found: unknown = json;
  for (const key of path.split('.')) {
    if (!isMap(found)) {
      return undefined;
    }
    found = found[key];
  }
  return found ?? undefined;
}

const NO_ENTRIES: Json = Object.freeze({});

export function mapAt(json: unknown, path: string): Json {
  const found = at(json, path);
  return isMap(found) ? found : NO_ENTRIES;
}

export function listAt<T = unknown>(json: unknown, path: string): T[] {
  return list<T>(at(json, path));
}

export function textAt(json: unknown, path: string): string | undefined {
  const found = at(json, path);
  return typeof found === 'string' ? found : undefined;
}

export function integerAt(json: unknown, path: string): number | undefined {
  const found = at(json, path);
  return Number.isInteger(found) ? (found as number) : undefined;
}

export function listenersOf(kafka: Json): Json[] {
  return listAt<Json>(kafka, 'spec.kafka.listeners').filter(isMap);
}

export function pointerTo(kafka: Json, listener: Json): string {
  return `/spec/kafka/listeners/${listAt(kafka, 'spec.kafka.listeners').indexOf(listener)}`;
}

export function findListener(kafka: Json, name: string): Json | undefined {
  return listenersOf(kafka).find((listener) => listener.name === name);
}

export function configurationOf(listener: Json): Json {
  return mapAt(listener, 'configuration');
}

export function bootstrapOf(listener: Json): Json {
  return mapAt(listener, 'configuration.bootstrap');
}

export function brokersOf(listener: Json): Json[] {
  return listAt<Json>(listener, 'configuration.brokers').filter(isMap);
}

/**
 * Field of one broker in a listener: of several entries with that id, the operator takes the field from the
 * first one that has it.
 */
export function brokerField(listener: Json, id: number, field: string): unknown {
  return brokersOf(listener)
    .filter(({ broker }) => broker === id)
    .map((entry) => entry[field])
    .find(isSet);
}

/** A map of strings, as annotations and labels are; entries that are no text are left out. */
export function textsIn(map: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  if (isMap(map)) {
    for (const key of Object.keys(map)) {
      if (typeof map[key] === 'string') {
        texts[key] = map[key];
      }
    }
  }
  return texts;
}

export function listenerTitleOf(listener: Json): string {
  return typeof listener.name === 'string' ? `listener '${listener.name}'` : 'a listener without a name';
}

export function templateMetadataOf(kafka: Json, template: string): Json {
  return mapAt(kafka, `spec.kafka.template.${template}.metadata`);
}

export function namedIds(listener: Json): number[] {
  return [...new Set(brokersOf(listener).map(({ broker }) => broker))].filter((id) => Number.isInteger(id));
}

/**
 * A `spec` of what props decide and of plain data in Strimzi's own fields, merged deep.
 *
 * @param path the path of the construct
 * @param decided what props decide
 * @param plain the prop `spec`
 * @param props the props that decide fields, by the paths of the fields
 * @throws where the plain data contradicts the props, or has a number that no manifest can have
 */
export function mergedSpec(
  path: string,
  decided: Json,
  plain: Json,
  props: Readonly<Record<string, string>>,
  where = 'spec',
): Json {
  refuseNoNumbers(path, plain, where);
  const merged = { ...decided };
  for (const [key, value] of Object.entries(plain)) {
    const present: unknown = ownValue(decided, key);
    const place = `${where}.${key}`;
    if (isMap(present) && isMap(value)) {
      merged[key] = mergedSpec(path, present, value, props, place);
    } else if (present === undefined) {
      merged[key] = value;
    } else if (value !== undefined && shown(present) !== shown(value)) {
      const field = Object.keys(props).find((one) => place === one || place.startsWith(`${one}.`));
      const [owner, alone] = field
        ? [`the prop ${props[field]}`, `, and use ${props[field]} alone`]
        : ['the construct', ''];
      refuse(REFUSALS.contradicted, { path, place, value: shown(value), present: shown(present), owner, alone });
    }
  }
  return merged;
}

function refuseNoNumbers(path: string, value: unknown, where: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${path}: ${where} is ${value}, and no manifest can have it; write a finite number`);
  }
  if (Array.isArray(value) || (isMap(value) && Object.getPrototypeOf(value) === Object.prototype)) {
    for (const [key, inner] of Object.entries(value)) {
      refuseNoNumbers(path, inner, `${where}.${key}`);
    }
  }
}
