import type { AnnotationFact } from '../contract/annotation-catalogue';
import type { Decoded } from '../contract/annotation-codec';
import { sameValue } from '../contract/same-value';

/** What the default of an annotation has in common with a value: the same always, in some cases, or nothing that is known. */
export type MeaningOfDefault = 'same' | 'perhaps' | 'other';

/** Defaults are texts for people, `false: public`, `2; 3 with policy Local`, which begin with the value where there is one. */
const TEXT = /^([^\s:;,]+)(?:(:.*)|([;,].*))?$/;

/** How a value compares with what holds without it. */
export function meaningOfDefault(
  fact: AnnotationFact<unknown>,
  decoded: Decoded<unknown> | undefined,
): MeaningOfDefault {
  const [, word, , condition] = TEXT.exec(fact.default) ?? [];
  if (word === undefined || !decoded || !('value' in decoded) || !isValue(fact, word)) {
    return 'other';
  }
  const read = fact.codec.decode(word);
  if (!('value' in read) || !sameValue(read.value, decoded.value)) {
    return 'other';
  }
  return condition === undefined ? 'same' : 'perhaps';
}

/** Whether a word is a value and no word about one: what takes any text takes every word. */
function isValue({ codec }: AnnotationFact<unknown>, word: string): boolean {
  const read = codec.decode(word);
  return (
    'value' in read &&
    (typeof read.value !== 'string' || codec.examples.some((example) => example === read.value)) &&
    !Array.isArray(read.value)
  );
}
