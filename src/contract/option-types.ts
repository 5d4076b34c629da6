/** What an option must be, where a caller has no types: with a question mark it can be left out. */
export type OptionKind = 'text' | 'texts' | 'list' | 'map' | 'duration';
type Wanted =
  | OptionKind
  | `${OptionKind}?`
  | { readonly made: { readonly prototype: object }; readonly optional?: boolean };

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const KINDS: Readonly<Record<OptionKind, { readonly fits: (value: unknown) => boolean; readonly called: string }>> = {
  text: { fits: (value) => typeof value === 'string', called: 'a text' },
  texts: {
    fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    called: 'a list of texts',
  },
  list: { fits: (value) => Array.isArray(value) && value.every((each) => each !== null), called: 'a list' },
  map: { fits: isMap, called: 'an object with a member for each name' },
  duration: {
    fits: (value) => isMap(value) && typeof (value as { toSeconds?: unknown }).toSeconds === 'function',
    called: 'a Duration of cdk8s',
  },
};

function shown(value: unknown): string {
  return Array.isArray(value) || isMap(value) ? (JSON.stringify(value) ?? 'an object') : `'${String(value)}'`;
}

function faultOf(name: string, value: unknown, wanted: Wanted): string | undefined {
  const optional = typeof wanted === 'string' ? wanted.endsWith('?') : wanted.optional;
  if (value === undefined) {
    return optional ? undefined : `option ${name} is missing`;
  }
  if (typeof wanted !== 'string') {
    const { prototype } = wanted.made;
    const fits = typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(prototype, value);
    return fits ? undefined : `option ${name} is ${shown(value)}, and no ${prototype.constructor.name}`;
  }
  const { fits, called } = KINDS[wanted.replace('?', '') as OptionKind];
  return fits(value) ? undefined : `option ${name} is ${shown(value)}, and not ${called}`;
}

/**
 * Refuses options of another type than they are declared with, which only callers without types can pass.
 *
 * @param who who asks, with the path of the construct
 * @param options all options
 * @param wanted what some of them must be
 */
export function refuseUntyped(who: string, options: unknown, wanted: Readonly<Record<string, Wanted>>): void {
  const said = isMap(options) ? (options as Record<string, unknown>) : undefined;
  const fault = said
    ? Object.entries(wanted)
        .map(([name, kind]) => faultOf(name, said[name], kind))
        .find((found) => found !== undefined)
    : `the options are ${shown(options)}, and not an object`;
  if (fault !== undefined) {
    throw new Error(`${who}: ${fault}; pass what its type says (option-type)`);
  }
}
