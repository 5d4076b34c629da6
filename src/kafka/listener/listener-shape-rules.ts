import { fieldsWithin } from '../../contract/schema/field';
import { schemaRules } from '../../contract/schema/rules';
import { SchemaFault } from '../../contract/schema/walk';
import type { Rule } from '../../rules/rule';
import { pointerTo, titleOf } from '../document/kafka-json';
import { LISTENER_FIELDS } from '../strimzi/listener-schema.facts';
import { releaseReading } from '../strimzi/served-api';
import type { ListenerRuleContext } from './listener-rule';

const FIELDS = fieldsWithin(LISTENER_FIELDS);

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
  remedy: ({ fault }) =>
    fault === SchemaFault.REMOVED
      ? 'use authentication of type custom; a manifest of API version v1beta2 may keep it up to Strimzi 0.51'
      : undefined,
});
