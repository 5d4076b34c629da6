import type { Finding } from '../../contract/finding';
import { fieldsWithin } from '../../contract/schema/field';
import { schemaRules } from '../../contract/schema/rules';
import type { Misfit } from '../../contract/schema/walk';
import type { Rule } from '../../rules/rule';
import { pointerTo, titleOf } from '../document/kafka-json';
import { LISTENER_FIELDS } from '../strimzi/listener-schema.facts';
import { releaseReading } from '../strimzi/served-api';
import type { ListenerRuleContext } from './listener-rule';

const FIELDS = fieldsWithin(LISTENER_FIELDS);

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

/** OAuth is one type of authentication and many fields: all of it goes with one remedy. */
function removed(misfits: readonly Misfit[]): Finding {
  const type = misfits.find(({ where }) => where === AUTHENTICATION_TYPE);
  const fields = misfits.filter((misfit) => misfit !== type).map(({ where }) => where);
  const names = [...(type ? [`authentication of type ${type.value}`] : []), ...fields];
  const ways = OTHER_WAYS.filter(({ isOf }) => misfits.some(({ where }) => isOf(where)));
  return {
    what: `${names.join(' and ')} ${names.length > 1 ? 'do' : 'does'} not exist in API version v1`,
    remedy: `${ways.map(({ instead }) => instead).join(', and ')}; a manifest of your own may stay with v1beta2 up to Strimzi 0.51`,
    value: type?.value ?? fields[0],
    at: (type ?? misfits[0]).at,
  };
}

/** What the schema of the release refuses or drops. */
export const LISTENER_SHAPE_RULES: readonly Rule<ListenerRuleContext>[] = schemaRules<ListenerRuleContext>({
  prefix: 'listener',
  called: 'a listener',
  source: {
    repository: 'strimzi/strimzi-kafka-operator',
    version: '0.45.0 to 1.2.0',
    file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml',
  },
  part: (listener, { kafka, strimzi }) => ({
    map: listener,
    fields: FIELDS,
    where: '',
    at: pointerTo(kafka, listener),
    release: releaseReading(kafka, strimzi),
  }),
  title: titleOf,
  removed,
});
