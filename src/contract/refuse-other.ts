import { shown } from './printable';
import { WRONG_PROP } from './request-rules';

/**
 * Refuses what was made by another class than a parameter asks for, where the table of declared types does not know that class.
 *
 * @param what where the value is
 * @param type the name of the class
 * @param value the value
 * @param isOne whether that class made it
 * @throws unless it did
 */
export function refuseOther(what: string, type: string, value: unknown, isOne: boolean): void {
  if (!isOne) {
    const right = `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`;
    throw new Error(`${what} is ${madeBy(value)}, which is not ${right}; pass ${right} (${WRONG_PROP.id})`);
  }
}

/** Constructs point at each other in circles: they are shown as what they are made of. */
function madeBy(value: unknown): string {
  const maker = value instanceof Object ? value.constructor : Object;
  return maker === Object ? shown(value) : `a ${maker.name}`;
}
