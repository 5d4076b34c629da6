import type { Finding } from '../../rules/rule';
import type { Misfit } from './schema-walk';

// What all rules about the schema say alike. The API server refuses some misfits, and drops unknown fields without a word,
// unless it is asked to be strict.

/** A field that the schema cannot do without. */
export function missingField({ where }: Misfit): Finding {
  return { what: `${where} is missing`, remedy: 'write it: the API server refuses the resource without it' };
}

/** Something else than the field takes. */
export function oddField({ where, value, takes }: Misfit): Finding {
  return { what: `${where} is ${value}`, remedy: `write ${takes}`, value };
}

/** A word that the field does not take. */
export function unknownWord({ where, value, takes }: Misfit): Finding {
  return { what: `${where} is ${value}, which is unknown`, remedy: `use one of ${takes}`, value };
}

/** A field of no version. */
export function unknownField({ where, value }: Misfit, strimzi: string, remedy?: string): Finding {
  return {
    what: `there is no field ${where}, in Strimzi ${strimzi} nor in any other version that is known here, and the API server drops it without a word`,
    remedy: remedy ?? 'correct its name or its place, or remove it',
    value,
  };
}

/** A field or a type of a later version. */
export function tooNewField({ where, name, value, since }: Misfit, strimzi: string): Finding {
  return {
    what: `${name === 'type' ? `${where} ${value}` : where} does not exist in Strimzi ${strimzi}`,
    remedy: `use Strimzi ${since} or newer, or do without it`,
    value,
  };
}
