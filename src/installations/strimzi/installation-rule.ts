import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { ServedContext } from '../served-services';
import type { OperatorSettings } from './operator';

/** The name of the operator in messages. */
export const WHO = 'strimzi';

/** An installation in an app. */
export interface Operator {
  readonly host: Construct;
  /** The Deployment. */
  readonly object: ApiObject;
  readonly settings: OperatorSettings;
}

/** What is known beside the finished Deployment of an operator. */
export interface InstalledOperator extends Operator, ServedContext {
  /** Why the definitions are not those of the version; unset where there are none. */
  readonly crdFaults?: readonly string[];
}

/** A file of the release that was read. */
export function upstream(file: string, version = '1.2.0'): Citation {
  return { repository: 'strimzi/strimzi-kafka-operator', version, file };
}

/** The values of variables of the finished Deployment that are written as text. */
export function variablesOf(deployment: Json): Map<string, string> {
  const containers = list<Json>(deployment.spec?.template?.spec?.containers);
  const env = containers.flatMap((container) => list<Json>(container?.env));
  return new Map(env.filter((each) => typeof each?.value === 'string').map(({ name, value }) => [name, value]));
}
