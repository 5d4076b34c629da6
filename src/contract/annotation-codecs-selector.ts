import { type Codec, codec, pairs } from './annotation-codec';
import { labelKeyFault, labelValueFault } from './kubernetes-syntax';

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
      if ('fault' in read) {
        return read;
      }
      for (const [key, value] of Object.entries(read.value)) {
        const fault = labelKeyFault(key) ?? labelValueFault(value);
        if (fault) {
          return { fault };
        }
      }
      return read;
    },
  );
}
