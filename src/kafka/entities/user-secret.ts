import type { Json } from '../../contract/json';
import { textAt } from '../document/kafka-json';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';

/** Whether the operator makes a Secret for a user. */
export function hasSecret(authentication: unknown): boolean {
  return authentication === AUTHENTICATION.tls || authentication === AUTHENTICATION.scramSha512;
}

/** The name of the Secret of a user. */
export function secretNameOf(user: string, kafka: Json): string {
  return `${textAt(kafka, 'spec.entityOperator.userOperator.secretPrefix') ?? ''}${user}`;
}
