import { newerThanFacts, STRIMZI_NEWER_THAN_FACTS, STRIMZI_VULNERABLE, vulnerable } from '../strimzi/release-verdicts';
import type { DocumentRule } from './kafka-rule';

/** What is said of the operator itself that will read a document. */
export const RELEASE_RULES: readonly DocumentRule[] = [
  { ...STRIMZI_VULNERABLE, judge: (_, { strimzi }) => vulnerable(strimzi) },
  { ...STRIMZI_NEWER_THAN_FACTS, judge: (_, { strimzi }) => newerThanFacts(strimzi) },
];
