import { basename } from 'node:path';
import { isMap, type Json, list, listIn } from '../../contract/json';
import { CALLS } from '../../identity/aws/aws-load-balancer-controller.facts';
import { actionsOf } from '../../identity/aws/permissions';
import { controllersIn, versionIn } from '../../installations/aws-load-balancer-controller/controllers';
import { someOf } from '../../installations/served-services';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { ObjectContext, Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { ruleOf } from './messages';
import { RULES } from './rules.facts';

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

const VENDORS_POLICY = 'docs/install/iam_policy.json';

const NEEDED = [
  ...new Set(CALLS.filter(({ purpose, source }) => purpose === 'nlb' && source !== VENDORS_POLICY).flatMap(actionsOf)),
];

const MAKES = ['elasticloadbalancing:CreateLoadBalancer', 'elasticloadbalancing:CreateTargetGroup'];

const SHOWN = 5;

function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function statementsOf({ Statement }: Json): Json[] {
  return (isMap(Statement) ? [Statement] : list(Statement)).filter(isMap);
}

/** Which needed actions a statement names; IAM compares them without regard to case. */
function namedIn({ Action }: Json): string[] {
  const patterns = textsIn(Action).map(
    (text) =>
      new RegExp(
        `^${text
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        'i',
      ),
  );
  return NEEDED.filter((action) => patterns.some((pattern) => pattern.test(action)));
}

function isReadable({ Principal, NotAction }: Json): boolean {
  return Principal === undefined && NotAction === undefined;
}

function policiesOf(index: ObjectIndex) {
  return index.once(policiesOf, () => {
    const policies = index
      .of(IAM_POLICY_GROUP, IAM_POLICY_KIND)
      .map(({ json }) => ({ json, statements: statementsOf(json).filter(({ Principal }) => Principal === undefined) }));
    const allowedBy = policies.map(({ json, statements }) => ({
      json,
      actions: new Set(statements.filter(({ Effect }) => Effect === 'Allow').flatMap(namedIn)),
    }));
    const allowed = new Set(allowedBy.flatMap(({ actions }) => [...actions]));
    const most = Math.max(0, ...allowedBy.map(({ actions }) => actions.size));
    return {
      isClear: policies.every(({ statements }) => statements.every(isReadable)),
      allowed,
      // the policy that is meant for the controller
      main: allowedBy.find(({ actions }) => most > 0 && actions.size === most)?.json,
    };
  });
}

function runsController(index: ObjectIndex): boolean {
  return controllersIn(index).some(({ json }) => versionIn(json) !== undefined);
}

function policiesAround(among: IndexedObject | undefined) {
  return among && runsController(among.index) ? policiesOf(among.index) : undefined;
}

export const IAM_POLICY_RULES: readonly Rule<ObjectContext>[] = [
  ruleOf(RULES['iam-actions-missing'], (policy, { among }) => {
    const { isClear, allowed, main } = policiesAround(among) ?? {};
    const missing = NEEDED.filter((action) => !allowed?.has(action));
    return (
      isClear &&
      main === policy &&
      missing.length > 0 &&
      MAKES.some((action) => allowed?.has(action)) && {
        actions: someOf(missing, SHOWN),
        value: missing[0],
        at: '/Statement',
      }
    );
  }),
  ruleOf(
    RULES['iam-actions-denied'],
    (policy, { among }) =>
      policiesAround(among)?.main === policy &&
      statementsOf(policy).flatMap((statement, i) => {
        const isAlways = statement.Condition === undefined && textsIn(statement.Resource).includes('*');
        const denied = statement.Effect === 'Deny' && isAlways && isReadable(statement) ? namedIn(statement) : [];
        const at = `/Statement${isMap(policy.Statement) ? '' : `/${i}`}`;
        return denied.length === 0 ? [] : [{ actions: someOf(denied, SHOWN), value: denied[0], at }];
      }),
  ),
];

export const IAM_POLICY_RULE_SET = new RuleSet(IAM_POLICY_RULES);
