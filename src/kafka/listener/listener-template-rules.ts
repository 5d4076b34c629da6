import type { Finding } from '../../contract/finding';
import { isSet, type Json } from '../../contract/json';
import { portFault } from '../../contract/kubernetes-syntax';
import { ownValue } from '../../contract/own-value';
import type { Rule } from '../../rules/rule';
import { bootstrapOf, brokersOf, configurationOf, mapAt, textAt, textsIn } from '../document/kafka-json';
import { brokenSilently, type ListenerRuleContext, surprising } from './listener-rule';
import { NODE_ID, NODE_POD_NAME, placeholdersIn, templatePort } from './listener-templates';

const METADATA_TEMPLATES = ['perBrokerAnnotationsTemplate', 'perBrokerLabelsTemplate'];

/** A text of a listener, and where it is. */
type Text = readonly [where: string, text: string];

function textField(map: Json, field: string, where = field): Text[] {
  const text = textAt(map, field);
  return text === undefined ? [] : [[where, text]];
}

function metadataTexts(map: Json, where: string): Text[] {
  return ['annotations', 'labels'].flatMap((field) =>
    Object.entries(textsIn(map[field])).map(([key, text]): Text => [`${where}.${field}['${key}']`, text]),
  );
}

/** The texts in which placeholders are replaced. */
function templatesOf(listener: Json): Text[] {
  const configuration = configurationOf(listener);
  return [
    ...['hostTemplate', 'advertisedHostTemplate'].flatMap((field) => textField(configuration, field)),
    ...METADATA_TEMPLATES.flatMap((field) =>
      Object.entries(textsIn(configuration[field])).map(([key, text]): Text => [`${field}['${key}']`, text]),
    ),
  ];
}

/** The texts that are written as they are. */
function literalsOf(listener: Json): Text[] {
  const bootstrap = bootstrapOf(listener);
  return [
    ...textField(bootstrap, 'host', 'bootstrap.host'),
    ...metadataTexts(bootstrap, 'bootstrap'),
    ...brokersOf(listener).flatMap((entry) => {
      const where = `the entry for broker ${entry.broker}`;
      return [
        ...textField(entry, 'host', `host of ${where}`),
        ...textField(entry, 'advertisedHost', `advertisedHost of ${where}`),
        ...metadataTexts(entry, where),
      ];
    }),
  ];
}

/** What is wrong with the template of the advertised ports. */
function portTemplateFinding(template: string, ids: readonly number[]): Finding | undefined {
  const ports = ids.map((id) => [id, templatePort(template, id)] as const);
  if (ports.some(([, port]) => port === undefined)) {
    return {
      what: `advertisedPortTemplate '${template}' is not a valid expression, which the operator reports only when all balancers have addresses`,
      remedy: `write numbers and ${NODE_ID} with +, -, * and parentheses`,
      value: template,
    };
  }
  const [id, port] = ports.find(([, found]) => portFault(found) !== undefined) ?? [];
  return id === undefined
    ? undefined
    : {
        what: `advertisedPortTemplate '${template}' gives broker ${id} port ${port}`,
        remedy: 'write an expression that gives a port from 1 to 65535 for each broker',
        value: template,
      };
}

/** The keys that a broker's own entry leaves out of the template that it replaces. */
function lostKeys(listener: Json): Finding[] {
  const configuration = configurationOf(listener);
  return brokersOf(listener).flatMap((entry) =>
    METADATA_TEMPLATES.flatMap((template) => {
      const field = template.includes('Annotations') ? 'annotations' : 'labels';
      const own = mapAt(entry, field);
      const lost = Object.keys(mapAt(configuration, template)).filter((key) => !isSet(ownValue(own, key)));
      return Object.keys(own).length === 0 || lost.length === 0
        ? []
        : [
            {
              what: `the ${field} of broker ${entry.broker} replace ${template} as a whole, so this broker has no ${lost.join(', ')}`,
              remedy: 'repeat the entries of the template, or remove the entry',
              value: lost.join(', '),
            },
          ];
    }),
  );
}

/** Templates of what differs from broker to broker. */
export const LISTENER_TEMPLATE_RULES: readonly Rule<ListenerRuleContext>[] = [
  surprising('listener-placeholder', 'a template has no placeholders that the operator does not know', (listener) =>
    templatesOf(listener).flatMap(([where, text]) =>
      placeholdersIn(text)
        .filter((placeholder) => placeholder !== NODE_ID && placeholder !== NODE_POD_NAME)
        .map((placeholder) => ({
          what: `${where} is '${text}', and ${placeholder} is not a placeholder of Strimzi, so it is written unchanged`,
          remedy: `use ${NODE_ID} or ${NODE_POD_NAME}`,
          value: text,
        })),
    ),
  ),
  surprising('listener-placeholder-literal', 'placeholders are in templates only', (listener) =>
    literalsOf(listener)
      .filter(([, text]) => text.includes(NODE_ID) || text.includes(NODE_POD_NAME))
      .map(([where, text]) => ({
        what: `${where} is '${text}', where nothing is replaced`,
        remedy: 'write it out, or use a template for all brokers',
        value: text,
      })),
  ),
  brokenSilently('listener-placeholder-key', 'keys of annotations and labels are no templates', (listener) =>
    METADATA_TEMPLATES.flatMap((template) =>
      Object.keys(mapAt(configurationOf(listener), template))
        .filter((key) => placeholdersIn(key).length > 0)
        .map((key) => ({
          what: `${template} has the key '${key}', and placeholders are replaced in values only`,
          remedy: 'write an entry for each broker with a key of its own',
          value: key,
        })),
    ),
  ),
  brokenSilently(
    'listener-port-template',
    'the template of advertised ports gives a port for each broker',
    (listener, { brokerIds }) => {
      const template = textAt(configurationOf(listener), 'advertisedPortTemplate');
      return template === undefined ? undefined : portTemplateFinding(template, brokerIds ?? [0]);
    },
  ),
  surprising('listener-template-replaced', 'the entry of a broker repeats the keys of the template', lostKeys),
];
