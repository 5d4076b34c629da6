import { defined, type Json } from '../../contract/json';
import type { KafkaCertificateAuthorityOptions } from './kafka-certificate-authority-options';
import { daysIn } from './units-json';

/** A `clusterCa` or `clientsCa`. */
export function certificateAuthorityJson({ validity, renewal, ...alike }: KafkaCertificateAuthorityOptions): Json {
  return defined({
    validityDays: daysIn('validity of a CA', validity),
    renewalDays: daysIn('renewal of a CA', renewal),
    ...alike,
  });
}
