import type { Said } from '../../contract/finding';
import { isMap, type Json } from '../../contract/json';
import { at, isSaid, shown } from '../document/kafka-json';
import type { KafkaRule, ListenerContext } from '../document/kafka-rule';
import { MOST_INTEGER } from './entities.facts';

/** What is known beside a topic or a user. */
export interface EntityContext extends ListenerContext {
  /** The finished Kafka document of its cluster, where it is known. */
  readonly kafka?: Json;
}

/** Judges a finished KafkaTopic or KafkaUser. */
export type EntityRule = KafkaRule<[entity: Json, context: EntityContext]>;

type Look = EntityRule['judge'];

/** What the API server or an operator refuses, or nobody although it is wrong. */
export function refusal(id: string, says: string, source: EntityRule['source'], judge: Look): EntityRule {
  return { id, severity: 'error', says, source, judge };
}

/** What the API server refuses of an object that an operator makes, or of any object. */
export function refusedByKubernetes(id: string, says: string, source: EntityRule['source'], judge: Look): EntityRule {
  return { id, who: 'kubernetes', severity: 'error', says, source, judge };
}

/** What works and surprises. */
export function surprise(id: string, says: string, source: EntityRule['source'], judge: Look): EntityRule {
  return { id, severity: 'warning', says, source, judge };
}

/** A rule that has something to say only where the Kafka document is known. */
export function besideKafka(look: (entity: Json, kafka: Json, context: EntityContext) => Said): Look {
  return (entity, context) => (context.kafka ? look(entity, context.kafka, context) : undefined);
}

/** What is wrong with a value that is a whole number from `least` to `most`, or nothing. */
export function wholeNumberFault(value: unknown, least: number, most: number = MOST_INTEGER): string | undefined {
  return !isSaid(value) || (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    ? undefined
    : `is ${shown(value)}, no whole number from ${least} to ${most}`;
}

/** What is wrong with a word, or nothing; a word that is missing is not wrong here. */
export function wordFault(value: unknown, words: readonly string[], verb = 'is'): string | undefined {
  return !isSaid(value) || words.includes(value as string) ? undefined : `${verb} ${shown(value)}, which is unknown`;
}

/** The paths of fields that stand in some maps, and that the schema does not have. */
export function unknownFields(entity: Json, fields: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(fields).flatMap(([path, known]) => unknownIn(at(entity, path), known, path));
}

/** The same of one map. */
export function unknownIn(map: unknown, known: readonly string[], path: string): string[] {
  return isMap(map)
    ? Object.keys(map)
        .filter((field) => isSaid(map[field]) && !known.includes(field))
        .map((field) => `${path}.${field}`)
    : [];
}
