import { celText, celTexts } from '../guard/cel';
import { HAPROXY_ANNOTATION_PREFIXES, HAPROXY_SERVICE_ANNOTATIONS } from './haproxy.facts';

/** Whether HAProxy's controller reads an annotation of a Service, or may read it in another of its versions. */
export function readByHaproxy(key: string): boolean {
  return (
    HAPROXY_ANNOTATION_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    (!key.includes('/') && HAPROXY_SERVICE_ANNOTATIONS.some((name) => key === name || key.startsWith(`${name}-`)))
  );
}

/** The same of the key `k`, where the API server asks. */
export const READ_BY_HAPROXY = [
  ...HAPROXY_ANNOTATION_PREFIXES.map((prefix) => `k.startsWith(${celText(prefix)})`),
  `(!k.contains('/') && ${celTexts(HAPROXY_SERVICE_ANNOTATIONS)}.exists(n, k == n || k.startsWith(n + '-')))`,
].join(' || ');
