import { isSet, type Json } from '../../contract/json';
import { brokerField, configurationOf, textAt } from '../document/kafka-json';
import { templatePort } from '../listener/listener-templates';
import { TLS_ROUTE_PORT } from './tls-route.facts';

/** The port that a broker of such a listener advertises; nothing where what is there is no port. */
export function routePortOf(listener: Json, id: number): number | undefined {
  const explicit = brokerField(listener, id, 'advertisedPort');
  if (explicit !== undefined) {
    return Number.isInteger(explicit) ? (explicit as number) : undefined;
  }
  const template = textAt(configurationOf(listener), 'advertisedPortTemplate');
  return template === undefined ? TLS_ROUTE_PORT : templatePort(template, id);
}

/** Whether it is set which port a broker advertises. */
export function setsPort(listener: Json, id: number): boolean {
  return isSet(brokerField(listener, id, 'advertisedPort')) || isSet(configurationOf(listener).advertisedPortTemplate);
}
