import { misfitFinding } from '../../contract/schema/rules';
import { type Misfit, SchemaFault, type SchemaRelease } from '../../contract/schema/walk';
import type { Finding } from '../../rules/rule';
import { releaseReading } from '../strimzi/served-api';
import { STRIMZI_RELEASES } from '../strimzi/strimzi.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';
import { fieldMisfits, placeOf } from './kafka-fields';
import { MISPLACED_FIELDS } from './kafka-fields.facts';
import type { DocumentRule } from './kafka-rule';

// What the schema of the Kafka resource says beside its listeners: the API server refuses some of it, and drops the rest
// without a word, unless it is asked to be strict.

const SCHEMA = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '0.45.0 to 1.2.0',
  file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml',
};

const NEWEST = StrimziVersion.of(Object.keys(STRIMZI_RELEASES).at(-1) as string);

/** Whether a version may have fields that are not known here. */
function isBeyondKnown(strimzi: StrimziVersion): boolean {
  return !NEWEST.isAtLeast(strimzi);
}

/** How many letters must be changed, left out or put in to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}

/** A name beside an unknown one that was probably meant. */
function meant({ name, siblings }: Misfit): string | undefined {
  const lower = name.toLowerCase();
  return siblings.find((sibling) => distance(sibling.toLowerCase(), lower) <= Math.min(2, Math.floor(name.length / 4)));
}

function wayOutOf(misfit: Misfit): string {
  const sibling = meant(misfit);
  if (sibling !== undefined) {
    return `write ${sibling}`;
  }
  if (Object.hasOwn(MISPLACED_FIELDS, misfit.name)) {
    return MISPLACED_FIELDS[misfit.name];
  }
  const place = placeOf(misfit.name);
  return place === undefined ? 'correct its name or its place, or remove it' : `write it as ${place}, or remove it`;
}

function fieldRule(
  id: string,
  says: string,
  faults: readonly SchemaFault[],
  report: (misfit: Misfit, release: SchemaRelease) => Finding,
): DocumentRule {
  return {
    id,
    severity: 'error',
    says,
    source: SCHEMA,
    judge: (kafka, context) =>
      fieldMisfits(kafka, context)
        .filter(({ fault }) => faults.includes(fault))
        .map((misfit) => report(misfit, releaseReading(kafka, context.strimzi))),
  };
}

const UNKNOWN = fieldRule(
  'kafka-field-unknown',
  'a Kafka resource has no field that Strimzi does not know',
  [SchemaFault.UNKNOWN],
  (misfit, release) => misfitFinding(misfit, release, wayOutOf(misfit)),
);

/** What the schema of the version refuses or drops beside the listeners; what `v1` lost is told by another rule. */
export const FIELD_RULES: readonly DocumentRule[] = [
  fieldRule(
    'kafka-field-missing',
    'what the schema cannot do without stands in a Kafka resource',
    [SchemaFault.MISSING],
    misfitFinding,
  ),
  fieldRule(
    'kafka-field-shape',
    'a field of a Kafka resource holds what the schema takes',
    [SchemaFault.SHAPE, SchemaFault.VALUE],
    ({ fault, where, at, value, takes }) => ({
      what: `${where} is ${value}, so the API server refuses the resource`,
      remedy: `write ${fault === SchemaFault.VALUE ? 'one of ' : ''}${takes}`,
      value,
      at,
    }),
  ),
  {
    ...UNKNOWN,
    judge: (kafka, context) => (isBeyondKnown(context.strimzi) ? undefined : UNKNOWN.judge(kafka, context)),
  },
  fieldRule(
    'kafka-field-since',
    'a Kafka resource has no field that is newer than its operator',
    [SchemaFault.TOO_NEW],
    misfitFinding,
  ),
];
