import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from './kubernetes.facts';

/** The annotations by which external-dns, in whatever version, gives a name to the address of a Service. */
export function namedInDns(name: string): Record<string, string> {
  return Object.fromEntries(EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => [key, name]));
}
