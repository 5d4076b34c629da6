import { Duration } from 'cdk8s';
import { cidrFault, ipFault, tokenFault } from './kubernetes-syntax';

export type DecodeResult<T> = { readonly value: T } | { readonly fault: string };

/** Both directions of one value syntax: what is written, and what a controller reads. */
export interface Codec<T> {
  /** The syntax, for people: `true or false`, `comma-separated addresses`. */
  readonly says: string;
  /** Values that can be written: every value of an enumeration, or one at least. */
  readonly examples: readonly T[];
  /** Throws on a value that the controller would not read. */
  encode(value: T): string;
  /** Never throws. */
  decode(text: string): DecodeResult<T>;
}

/** Builds a codec in which `decode` decides: a value that it would not read back as the same is refused at encoding. */
export function codec<T>(
  says: string,
  examples: readonly T[],
  write: (value: T) => string,
  read: (text: string) => DecodeResult<T>,
): Codec<T> {
  const decode = (text: string): DecodeResult<T> => {
    const token = tokenFault(text);
    return token ? { fault: token } : read(text);
  };
  return {
    says,
    examples,
    decode,
    encode(value: T): string {
      const text = write(value);
      const back = decode(text);
      if ('fault' in back) {
        throw new Error(back.fault);
      }
      const again = write(back.value);
      if (again !== text) {
        throw new Error(`'${text}' would be read as '${again}'`);
      }
      return text;
    },
  };
}

const wrong = (text: string, says: string) => ({ fault: `'${text}' is not ${says}` });

/** Go's strconv.ParseBool reads more spellings than we write. */
const TRUTH: Words<boolean> = [
  ...['true', 'True', 'TRUE', 't', 'T', '1'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE', 'f', 'F', '0'].map((word) => [word, false] as const),
];

type Words<T> = readonly (readonly [word: string, value: T])[];

/** A value that one word, or any of several, stands for. */
function ofWords<T>(says: string, words: Words<T>, write: (value: T) => string): Codec<T> {
  const values = new Map(words);
  return codec(says, [...new Set(values.values())], write, (text) =>
    values.has(text) ? { value: values.get(text) as T } : wrong(text, says),
  );
}

/** `true` or `false`, read as Go's ParseBool reads. */
export function flag(): Codec<boolean> {
  return ofWords('true or false', TRUTH, boolean);
}

/** Exactly `true` or `false`, for controllers that compare text. */
export function exactFlag(): Codec<boolean> {
  const words = [
    ['true', true],
    ['false', false],
  ] as const;
  return ofWords('exactly true or false', words, boolean);
}

/** A switch that one value turns on; without the value it is off, and `false` cannot be written. */
export function onlyWord(word: string): Codec<boolean> {
  return ofWords(`'${word}'`, [[word, true]], (value) => (value === true ? word : String(value)));
}

/** A switch that the key alone turns on, whatever its value is; `false` cannot be written. */
export function presence(): Codec<boolean> {
  const says = 'any value: the key alone turns it on';
  return codec(
    says,
    [true],
    (value) => {
      if (value !== true) {
        throw new Error(`'${value}' would turn it on as well`);
      }
      return 'true';
    },
    () => ({ value: true }),
  );
}

export function words(yes: string, no: string): Codec<boolean> {
  const write = (value: boolean) => (value === true ? yes : value === false ? no : String(value));
  return ofWords(
    `'${yes}' or '${no}'`,
    [
      [yes, true],
      [no, false],
    ],
    write,
  );
}

export function oneOf<T extends string>(values: readonly T[]): Codec<T> {
  const words = values.map((value) => [value, value] as const);
  return ofWords<T>(`one of ${values.join(', ')}`, words, String);
}

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  const says =
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`;
  const examples = max === Number.MAX_SAFE_INTEGER ? [min] : [min, max];
  return codec(says, examples, String, (text) => {
    const value = Number(text);
    return /^-?\d+$/.test(text) && value >= min && value <= max ? { value } : wrong(text, says);
  });
}

export function duration(unit: 'seconds' | 'minutes', min: number, max?: number): Codec<Duration> {
  const number = integer(min, max);
  const of = unit === 'seconds' ? Duration.seconds : Duration.minutes;
  const says = `${number.says} (${unit})`;
  return codec(
    says,
    number.examples.map((count) => of(count)),
    (value) => String(unit === 'seconds' ? value.toSeconds() : value.toMinutes()),
    (text) => {
      const read = number.decode(text);
      return 'fault' in read ? wrong(text, says) : { value: of(read.value) };
    },
  );
}

export function text(limit?: { says: string; matches: RegExp; example: string }): Codec<string> {
  const says = limit?.says ?? 'a string that is not empty';
  return codec(says, [limit?.example ?? 'edge'], String, (value) => {
    const isEmpty = value.trim() === '';
    const ok = limit ? limit.matches.test(value) && (!isEmpty || value === '') : !isEmpty;
    return ok ? { value } : wrong(value, says);
  });
}

export function address(family?: 4 | 6): Codec<string> {
  const says = family ? `an IPv${family} address` : 'an IP address';
  return codec(says, [family === 6 ? '2001:db8::1' : '10.0.0.1'], String, (value) => {
    const fits = family === undefined || value.includes(':') === (family === 6);
    return !ipFault(value) && fits ? { value } : wrong(value, says);
  });
}

export function cidr(): Codec<string> {
  const says = 'an address range like 10.0.0.0/8';
  return codec(says, ['10.0.0.0/8', '2001:db8::/32'], String, (value) =>
    cidrFault(value) ? wrong(value, says) : { value },
  );
}

function whole(entry: string, separator: string): string {
  if (entry.includes(separator) || entry.trim() !== entry) {
    throw new Error(`'${entry}' cannot be in a list whose entries are separated by '${separator}'`);
  }
  return entry;
}

/** Several values behind each other, at least one; blanks around a value do not count. */
export function list<T>(item: Codec<T>, separator = ','): Codec<T[]> {
  const says = `${item.says}; several separated by '${separator}'`;
  return codec(
    says,
    [[...item.examples]],
    (values) => values.map((value) => whole(item.encode(value), separator)).join(separator),
    (whole) =>
      decodeEach(whole.split(separator), (part) => {
        const read = item.decode(part);
        return 'fault' in read && part === '' ? { fault: `'${whole}' has an empty entry` } : read;
      }),
  );
}

export function decodeEach<T>(parts: readonly string[], decode: (part: string) => DecodeResult<T>): DecodeResult<T[]> {
  const values: T[] = [];
  for (const part of parts) {
    const read = decode(part.trim());
    if ('fault' in read) {
      return read;
    }
    values.push(read.value);
  }
  return { value: values };
}

/** `key=value` pairs behind each other; a comma inside a value is escaped with a backslash. */
export function pairs(): Codec<Record<string, string>> {
  const says = 'key=value, several separated by commas';
  return codec<Record<string, string>>(
    says,
    [{ team: 'edge' }],
    (map) =>
      Object.entries(map)
        .map(([key, value]) => `${key}=${String(value).replace(/,/g, '\\,')}`)
        .join(','),
    (whole) => {
      const map: Record<string, string> = {};
      for (const part of whole.split(/(?<!\\),/)) {
        const at = part.indexOf('=');
        const key = part.slice(0, Math.max(at, 0)).trim();
        if (at < 0 || key === '') {
          return { fault: `'${part.trim()}' in '${whole}' is not ${says}` };
        }
        if (Object.hasOwn(map, key)) {
          return { fault: `'${key}' is written twice in '${whole}'` };
        }
        map[key] = part
          .slice(at + 1)
          .trim()
          .replace(/\\,/g, ',');
      }
      return { value: map };
    },
  );
}

function boolean(value: boolean): string {
  return typeof value === 'boolean' ? String(value) : `${String(value)} (${typeof value})`;
}

/** A duration as Go writes it; we write whole seconds. */
export function goDuration(): Codec<Duration> {
  const says = 'a duration like 15s';
  const units: Record<string, number> = { h: 3600, m: 60, s: 1 };
  return codec(
    says,
    [Duration.seconds(15)],
    (value) => `${value.toSeconds()}s`,
    (whole) => {
      const parts = [...whole.matchAll(/(\d+)([hms])/g)];
      if (parts.length === 0 || parts.map(([part]) => part).join('') !== whole) {
        return { fault: `'${whole}' is not ${says}` };
      }
      return { value: Duration.seconds(parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit], 0)) };
    },
  );
}

/** A codec whose reader puts the text in order first: the controller reads more spellings than we write. */
export function lenientCodec<T>(inner: Codec<T>, normalise: (text: string) => string): Codec<T> {
  return codec(
    inner.says,
    inner.examples,
    (value: T) => inner.encode(value),
    (text) => inner.decode(normalise(text)),
  );
}

export function anyCase<T extends string>(values: readonly T[]): Codec<T> {
  return lenientCodec(oneOf(values), (text) => text.toLowerCase());
}
