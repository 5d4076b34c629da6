import type { Finding } from '../../rules/rule';
import { titleOf } from '../document/kafka-json';
import type { ListenerRule } from '../document/kafka-rule';
import { missingField, oddField, tooNewField, unknownField, unknownWord } from '../document/schema-verdicts';
import { type Misfit, SchemaFault } from '../document/schema-walk';
import { misfitsOf } from './listener-schema';

// What the schema of the Kafka resource says of a listener: the API server refuses some of it, and drops the rest without
// a word, unless it is asked to be strict.

const SCHEMA = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '0.45.0 to 1.2.0',
  file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml',
};

const AUTHENTICATION_TYPE = 'authentication.type';
const SECRETS = 'authentication.secrets';

const OTHER_WAYS = [
  {
    instead: 'use authentication of type custom with sasl and listenerConfig',
    isOf: (field: string) => field !== SECRETS,
  },
  {
    instead: 'mount secrets with template.pod.volumes and template.kafkaContainer.volumeMounts',
    isOf: (field: string) => field === SECRETS,
  },
];

/** A rule about one way in which a listener does not fit the schema of its version. */
function schemaRule(
  id: string,
  says: string,
  fault: SchemaFault,
  tell: (misfit: Misfit, strimzi: string) => Finding,
): ListenerRule {
  return {
    id,
    severity: 'error',
    says,
    source: SCHEMA,
    judge(kafka, listener, context) {
      const misfits = misfitsOf(kafka, listener, context);
      return misfits.length === 0
        ? undefined
        : misfits
            .filter((misfit) => misfit.fault === fault)
            .map((misfit) => {
              const verdict = tell(misfit, context.strimzi.version);
              return { ...verdict, what: `${titleOf(listener)}: ${verdict.what}` };
            });
    },
  };
}

/** What the schema of the version refuses or drops. */
export const LISTENER_SHAPE_RULES: readonly ListenerRule[] = [
  schemaRule(
    'listener-field-missing',
    'a listener has a name, a port, a type and says whether it uses TLS',
    SchemaFault.MISSING,
    missingField,
  ),
  schemaRule('listener-field-shape', 'a field of a listener holds what the schema takes', SchemaFault.SHAPE, oddField),
  schemaRule(
    'listener-word',
    'a field of a listener that takes some words only holds one of them, as it is spelt',
    SchemaFault.WORD,
    unknownWord,
  ),
  schemaRule(
    'listener-field-unknown',
    'a listener has no field that Strimzi does not know',
    SchemaFault.UNKNOWN,
    unknownField,
  ),
  schemaRule(
    'listener-field-since',
    'a listener has no field and no type that is newer than its operator',
    SchemaFault.TOO_NEW,
    tooNewField,
  ),
  {
    id: 'listener-field-removed',
    severity: 'error',
    says: 'a listener in API version v1 has no OAuth fields and no secrets',
    source: SCHEMA,
    judge(kafka, listener, context) {
      const removed = misfitsOf(kafka, listener, context).filter(({ fault }) => fault === SchemaFault.REMOVED);
      const type = removed.find(({ where }) => where === AUTHENTICATION_TYPE);
      const fields = removed.filter((misfit) => misfit !== type).map(({ where }) => where);
      const names = [...(type ? [`authentication of type ${type.value}`] : []), ...fields];
      const ways = OTHER_WAYS.filter(({ isOf }) => removed.some(({ where }) => isOf(where)));
      return names.length === 0
        ? undefined
        : {
            what: `${titleOf(listener)}: ${names.join(' and ')} ${names.length > 1 ? 'do' : 'does'} not exist in API version v1`,
            remedy: `${ways.map(({ instead }) => instead).join(', and ')}; a manifest of your own may stay with v1beta2 up to Strimzi 0.51`,
            value: type?.value ?? fields[0],
          };
    },
  },
];
