import { basename } from 'node:path';
import { isMap, type Json, list } from '../../contract/json';
import { someOf } from '../../contract/rule';
import { CALLS } from '../../identity/aws/aws-load-balancer-controller.facts';
import { actionsOf } from '../../identity/aws/permissions';
import { controllersIn, versionIn } from '../../installations/aws-load-balancer-controller/controllers';
import type { ObjectIndex } from '../../rules/objects';
import type { ObjectContext } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { POLICY_ROWS } from './rules.facts';

// Policies of AWS, which lie beside the controller that they are for: these are no objects of Kubernetes, and rules see them as
// if they were.

export const IAM_POLICY_GROUP = 'iam.amazonaws.com';
export const IAM_POLICY_KIND = 'Policy';

const EFFECTS: readonly unknown[] = ['Allow', 'Deny'];

function statementsOf({ Statement }: Json): unknown[] {
  return isMap(Statement) ? [Statement] : list(Statement);
}

/** A policy of AWS with a kind and the name of its file; nothing where a document is something else. */
export function iamPolicyIn(file: string, value: unknown): Json | undefined {
  if (!isMap(value) || 'kind' in value || 'apiVersion' in value) {
    return undefined;
  }
  const statements = statementsOf(value);
  const isPolicy = statements.length > 0 && statements.every((one) => isMap(one) && EFFECTS.includes(one.Effect));
  const head = { apiVersion: `${IAM_POLICY_GROUP}/2012-10-17`, kind: IAM_POLICY_KIND };
  return isPolicy ? { ...head, metadata: { name: basename(file) }, ...value } : undefined;
}

const VENDORS_POLICY = 'docs/install/iam_policy.json';

const NEEDED = [
  ...new Set(CALLS.filter(({ purpose, source }) => purpose === 'nlb' && source !== VENDORS_POLICY).flatMap(actionsOf)),
];

const MAKES = ['elasticloadbalancing:CreateLoadBalancer', 'elasticloadbalancing:CreateTargetGroup'];

const SHOWN = 5;

function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** Needed actions that a statement names; IAM compares them without regard to case. */
function namedIn({ Action }: Json): string[] {
  const patterns = textsIn(Action).map((text) => {
    const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i');
  });
  return NEEDED.filter((action) => patterns.some((pattern) => pattern.test(action)));
}

function isReadable({ Principal, NotAction }: Json): boolean {
  return Principal === undefined && NotAction === undefined;
}

function policiesOf(index: ObjectIndex) {
  return index.once(policiesOf, () => {
    const policies = index.of(IAM_POLICY_GROUP, IAM_POLICY_KIND).map(({ json }) => {
      const statements = statementsOf(json)
        .filter(isMap)
        .filter(({ Principal }) => Principal === undefined);
      const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(namedIn);
      return { json, isClear: statements.every(isReadable), actions: new Set(allowed) };
    });
    const most = Math.max(0, ...policies.map(({ actions }) => actions.size));
    const found = {
      isClear: policies.every(({ isClear }) => isClear),
      allowed: new Set(policies.flatMap(({ actions }) => [...actions])),
      // the policy that is meant for the controller
      main: policies.find(({ actions }) => most > 0 && actions.size === most)?.json,
    };
    return controllersIn(index).some(({ json }) => versionIn(json) !== undefined) ? found : undefined;
  });
}

export const POLICY_RULES = rulesOf({
  rows: POLICY_ROWS,
  read: (_: Json, { among }: ObjectContext) => among && policiesOf(among.index),
  finds: {
    'iam-actions-missing': (policies, policy) => {
      const { isClear, allowed, main } = policies ?? {};
      const missing = NEEDED.filter((action) => !allowed?.has(action));
      const makes = MAKES.some((action) => allowed?.has(action));
      return (
        isClear &&
        main === policy &&
        makes &&
        missing.length > 0 && { actions: someOf(missing, SHOWN), value: missing[0] }
      );
    },
    'iam-actions-denied': (policies, policy) =>
      policies?.main === policy &&
      statementsOf(policy)
        .filter(isMap)
        .map((statement, i) => {
          const isAlways = statement.Condition === undefined && textsIn(statement.Resource).includes('*');
          const denied = statement.Effect === 'Deny' && isAlways && isReadable(statement) ? namedIn(statement) : [];
          const at = `/Statement${isMap(policy.Statement) ? '' : `/${i}`}`;
          return denied.length === 0 ? undefined : { actions: someOf(denied, SHOWN), value: denied[0], at };
        }),
  },
});
