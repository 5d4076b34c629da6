import { basename } from 'node:path';
import { isMap, type Json, listIn } from '../../contract/json';

// Policies of AWS lie beside the controller that they are for. They are no objects of Kubernetes: rules see them as if they were.

export const IAM_POLICY_GROUP = 'iam.amazonaws.com';
export const IAM_POLICY_KIND = 'Policy';

const EFFECTS: readonly unknown[] = ['Allow', 'Deny'];

/** A policy of AWS with a kind and the name of its file; nothing where a document is something else. */
export function iamPolicyIn(file: string, value: unknown): Json | undefined {
  if (!isMap(value) || 'kind' in value || 'apiVersion' in value) {
    return undefined;
  }
  const statements = isMap(value.Statement) ? [value.Statement] : listIn(value, 'Statement');
  const isPolicy = statements.length > 0 && statements.every((one) => isMap(one) && EFFECTS.includes(one.Effect));
  return isPolicy
    ? {
        apiVersion: `${IAM_POLICY_GROUP}/2012-10-17`,
        kind: IAM_POLICY_KIND,
        metadata: { name: basename(file) },
        ...value,
      }
    : undefined;
}
