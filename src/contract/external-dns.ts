import { namesIn } from './dns-names';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS, EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS } from './kubernetes.facts';

type Annotations = Readonly<Record<string, unknown>>;

/** The annotations by which external-dns, in whatever version, gives a name to the address of a Service. */
export function namedInDns(name: string): Record<string, string> {
  return Object.fromEntries(EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => [key, name]));
}

/** The names that annotations give, each once and as they can be compared. */
export function namesOf(annotations: Annotations): string[] {
  const found = EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => annotations[key]).filter((text) => text !== undefined);
  return found.length === 0 ? NO_NAMES : [...new Set(found.flatMap((text) => namesIn(String(text))))];
}

const NO_NAMES: string[] = [];

/** What distinguishes records of one name; nothing is the empty text. */
export function identifierIn(annotations: Annotations): string {
  return String(EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS.map((key) => annotations[key]).find(Boolean) ?? '');
}
