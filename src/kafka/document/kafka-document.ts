import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/late-rendering';
import { JudgedObject, type ObjectJudge } from '../../rules/judged-object';
import { isMap, list } from '../../rules/service-json';
import { SynthWatch } from '../../rules/synth-watch';
import { isSaid, mapAt } from './kafka-json';

/** A listener that is written into a Kafka document. */
export interface DocumentListener {
  readonly name: string;
  /** The listener as it will stand in a document that was rendered without it. */
  merged(raw: Json): Json;
  /** The listener to write. */
  write(): Json;
}

const DOCUMENTS = new WeakMap<ApiObject, KafkaDocument>();

/** What was rendered in one moment of a synth. */
interface Kept {
  readonly moment: object;
  readonly json: Json;
}

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

  private readonly render: () => Json;
  private readonly listeners: DocumentListener[] = [];
  private readonly sources = new WeakMap<Json, Json>();
  private whole?: JudgedObject;
  private keptRaw?: Kept;
  private keptNow?: Kept;

  private constructor(private readonly kafka: ApiObject) {
    this.render = kafka.toJson.bind(kafka);
    kafka.toJson = () => this.write();
  }

  /** Has the document as a whole judged by somebody beside its listeners. */
  public judgeWhole(host: Construct, judge: ObjectJudge): void {
    this.whole = new JudgedObject(host, this.kafka, { rendered: () => this.now() }, judge);
  }

  /** Adds a listener. */
  public add(listener: DocumentListener): void {
    this.listeners.push(listener);
  }

  /** The resource as it is now, without the listeners. */
  public raw(): Json {
    this.keptRaw = this.inThisMoment(this.keptRaw, this.render);
    return this.keptRaw.json;
  }

  /** The whole document as it is now, and as it will be written. */
  public now(): Json {
    this.keptNow = this.inThisMoment(this.keptNow, () => {
      const raw = this.raw();
      return withListeners(
        raw,
        this.listeners.map((listener) => listener.merged(raw)),
      );
    });
    return this.keptNow.json;
  }

  /** Remembers which rendering of the resource a listener was made from. */
  public keep(listener: Json, raw: Json): void {
    this.sources.set(listener, raw);
  }

  /** Whether what is wrong with the document as a whole is told with this listener. */
  public isToldBy(listener: DocumentListener): boolean {
    return !this.whole && this.listeners[0] === listener;
  }

  /** The names of the listeners that are written into it. */
  public get names(): string[] {
    return this.listeners.map(({ name }) => name);
  }

  /** The whole document as it will be written with one of its listeners as it is now. */
  public with(listener: DocumentListener, json: Json): Json {
    const raw = this.sources.get(json) ?? this.raw();
    return withListeners(
      raw,
      this.listeners.map((other) => (other === listener ? json : other.merged(raw))),
    );
  }

  private write(): Json {
    const written = this.listeners.map((listener) => listener.write());
    if (this.whole) {
      return this.whole.write();
    }
    return written.length === 0 ? this.raw() : withListeners(this.sources.get(written[0]) ?? this.raw(), written);
  }

  /** While a synth looks at its objects one after the other, none of them changes. */
  private inThisMoment(kept: Kept | undefined, render: () => Json): Kept {
    const moment = SynthWatch.find(this.kafka)?.moment;
    return moment !== undefined && kept?.moment === moment ? kept : { moment: moment ?? {}, json: render() };
  }
}

/**
 * A document with some listeners, each in the place of the one of its name, or last. Where something else stands in the
 * place of the list, it stays as it is: a rule tells what is wrong with it.
 */
function withListeners(raw: Json, listeners: readonly Json[]): Json {
  const spec = mapAt(raw, 'spec');
  const kafka = mapAt(spec, 'kafka');
  const hasOther = (map: Json, field: string) => isSaid(map[field]) && !isMap(map[field]);
  const hasOtherListeners = isSaid(kafka.listeners) && !Array.isArray(kafka.listeners);
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
