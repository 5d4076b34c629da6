import { CA_RENEWAL_DAYS, CA_VALIDITY_DAYS } from '../cluster/kafka-cluster.facts';
import { refusedInDocument } from './document-says';
import { at, integerAt, isSaid } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

const CAS = ['spec.clusterCa', 'spec.clientsCa'];

/** The CAs of a cluster. */
export const CERTIFICATE_RULES: readonly DocumentRule[] = [
  refusedInDocument(
    'kafka-ca-renewal',
    'certificates are not due for renewal from their first day',
    'operator-common/src/main/java/io/strimzi/operator/common/ca/InternalCa.java',
    (kafka) =>
      CAS.filter((path) => isSaid(at(kafka, path)))
        .map((path) => ({
          path,
          validity: integerAt(kafka, `${path}.validityDays`) ?? CA_VALIDITY_DAYS,
          renewal: integerAt(kafka, `${path}.renewalDays`) ?? CA_RENEWAL_DAYS,
        }))
        .filter(({ validity, renewal }) => renewal >= validity)
        .map(({ path, validity, renewal }) => ({
          what: `${path} renews certificates ${renewal} days before they expire, and they are valid for ${validity}, so each reconciliation renews them and rolls the pods`,
          remedy: 'write renewalDays below validityDays',
          value: String(renewal),
        })),
  ),
];
