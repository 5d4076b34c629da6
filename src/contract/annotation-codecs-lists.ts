import { addressRange, numberOf } from './address-ranges';
import { type Codec, cidr, codec, decodeEach, pairs } from './annotation-codec';
import { type Fault, labelKeyFault, labelValueFault } from './kubernetes-syntax';

/** Several values separated by commas, where blanks and empty entries do not count; one at least must remain. */
export function sparseList<T>(item: Codec<T>): Codec<T[]> {
  return codec(
    `${item.says}; several separated by commas`,
    [[...item.examples]],
    (values) => values.map((value) => item.encode(value)).join(','),
    (whole) => {
      const parts = whole.split(',').filter((part) => part.trim() !== '');
      return parts.length > 0 ? decodeEach(parts, item.decode) : { fault: `'${whole}' is an empty list` };
    },
  );
}

/** `key=value` pairs where a backslash makes any next character literal, and the last of two equal keys wins. */
export function escapedPairs(says: string): Codec<Record<string, string>> {
  const escaped = (part: string) => part.replace(/[\\,]/g, '\\$&');
  return codec<Record<string, string>>(
    says,
    [{ team: 'edge' }],
    (map) => {
      const written = Object.entries(map).map(([key, value]) => {
        const trims = typeof value === 'string' && key.trim() === key && value.trim() === value;
        if (!trims || key === '' || key.includes('=')) {
          throw new Error(`'${key}=${value}' is not ${says}`);
        }
        return `${escaped(key)}=${escaped(value)}`;
      });
      if (written.length === 0) {
        throw new Error('the map is empty');
      }
      return written.join(',');
    },
    (whole) => {
      const map: Record<string, string> = {};
      for (const part of whole.trim() === '' ? [] : unescaped(whole)) {
        const [, key, value] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
        if (key === undefined || key.trim() === '') {
          return { fault: `'${part.trim()}' in '${whole}' is not ${says}` };
        }
        map[key.trim()] = value.trim();
      }
      return { value: map };
    },
  );
}

/** The parts between the commas that no backslash precedes, without those backslashes. */
function unescaped(whole: string): string[] {
  const parts = [''];
  for (let i = 0; i < whole.length; i++) {
    if (whole[i] === ',') {
      parts.push('');
    } else {
      i += whole[i] === '\\' && i + 1 < whole.length ? 1 : 0;
      parts[parts.length - 1] += whole[i];
    }
  }
  return parts;
}

/** `key=value` pairs that are split at every comma and every equals sign, with no way to escape one. */
export function plainPairs(
  says: string,
  faultOf: (key: string, value: string) => Fault = () => undefined,
): Codec<Record<string, string>> {
  return codec<Record<string, string>>(
    says,
    [{ team: 'edge' }],
    (map) =>
      Object.entries(map)
        .map(([key, value]) => {
          if (/[,=]/.test(key) || /[,=]/.test(value)) {
            throw new Error(`'${key}=${value}' holds a comma or a second '=', where it would be cut off`);
          }
          return `${key}=${value}`;
        })
        .join(','),
    (whole) => {
      const map: Record<string, string> = {};
      for (const part of whole.trim().split(',')) {
        const [key, value, ...rest] = part.trim().split('=');
        if (rest.length > 0) {
          return { fault: `'${part.trim()}' has a second '=', where it is cut off` };
        }
        const fault = key === '' ? `'${part.trim()}' in '${whole}' is not ${says}` : faultOf(key, value ?? '');
        if (fault) {
          return { fault };
        }
        map[key] = value ?? '';
      }
      return { value: map };
    },
  );
}

export function maskedCidr(): Codec<string> {
  const range = cidr();
  return codec(range.says, range.examples, String, (read) => {
    const syntax = range.decode(read);
    const masked = addressRange(read);
    const hasHostBits = typeof masked !== 'string' && masked.first !== numberOf(read.split('/')[0]);
    return !('fault' in syntax) && hasHostBits ? { fault: `'${read}' has bits set beyond its prefix length` } : syntax;
  });
}

const REQUIREMENT =
  /^(?:(?<absent>!\s*[^\s!=<>(),]+)|(?<key>[^\s!=<>(),]+)(?:\s*(?:==|=|!=|>|<)\s*(?<value>[^\s!=<>(),]*)|\s+(?:in|notin)\s*\((?<values>[^()]*)\))?)$/;

/** A whole label selector as kubectl reads it (`pool=edge,zone in (a,b),!old`); the empty one matches everything. */
export function selectorText(): Codec<string> {
  const says = 'a label selector like pool=edge or pool in (edge,web)';
  return codec<string>(says, ['pool=edge', 'pool in (edge,web)'], String, (text) => {
    const fault = text
      .split(/,(?![^(]*\))/)
      .filter((part) => part.trim() !== '' || text.includes(','))
      .map((part) => requirementFault(part.trim()))
      .find((found) => found !== undefined);
    return fault ? { fault: `${fault}, so '${text}' is not ${says}` } : { value: text };
  });
}

export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** The labels that a selector demands with one value; other requirements are left out. */
export function labelsIn(selector = ''): Record<string, string> {
  const equal = selector.split(/,(?![^(]*\))/).map((part) => /^\s*([^\s!=]+)\s*==?\s*([^\s=]+)\s*$/.exec(part));
  return Object.fromEntries(equal.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}

function requirementFault(text: string): string | undefined {
  const parts = REQUIREMENT.exec(text)?.groups;
  if (!parts) {
    return `'${text}' is not a requirement on a label`;
  }
  const values = parts.values?.split(',').map((value) => value.trim()) ?? [parts.value ?? ''];
  return [labelKeyFault(parts.key ?? parts.absent.slice(1).trim()), ...values.map(labelValueFault)].find(Boolean);
}

export function nodeLabels(): Codec<Record<string, string>> {
  const map = pairs();
  return codec<Record<string, string>>(
    'node labels as key=value, several separated by commas',
    [{ pool: 'edge' }],
    (labels) => map.encode(labels),
    (whole) => {
      const read = map.decode(whole);
      const labels = 'value' in read ? Object.entries(read.value) : [];
      const fault = labels.map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value)).find(Boolean);
      return fault ? { fault } : read;
    },
  );
}
