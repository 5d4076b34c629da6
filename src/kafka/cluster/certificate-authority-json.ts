import type { Json } from '../../contract/late-rendering';
import type { KafkaCertificateAuthorityOptions } from './kafka-certificate-authority-options';
import { said } from './said-json';
import { daysIn } from './units-json';

/** A `clusterCa` or `clientsCa`. */
export function certificateAuthorityJson({ validity, renewal, ...alike }: KafkaCertificateAuthorityOptions): Json {
  return said({
    validityDays: daysIn('validity of a CA', validity),
    renewalDays: daysIn('renewal of a CA', renewal),
    ...alike,
  });
}
