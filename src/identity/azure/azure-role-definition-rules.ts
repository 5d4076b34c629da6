import { type Json, list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import { setFields } from '../set-fields';
import {
  ARM_ID,
  GUID,
  MANAGEMENT_GROUP_ID,
  ROLE_ACTION,
  ROLE_NAME_LENGTH,
  SERVICE_OPERATOR,
  serviceOperator,
} from './azure-identity.facts';

const ROLE_DEFINITION = serviceOperator('v2/api/authorization/v1api20220401/role_definition_types_gen.go');

/** What is wrong with a scope that a role can be given on, or nothing. */
function scopeFault(scope: Json): string | undefined {
  if (setFields(scope, 'armId') + setFields(scope, 'name') !== 1) {
    return 'an assignable scope has not exactly one of armId and name';
  }
  const { armId } = scope;
  return armId === undefined || ARM_ID.test(String(armId)) || MANAGEMENT_GROUP_ID.test(String(armId))
    ? undefined
    : `the assignable scope '${armId}' is not the ID of a subscription, of something in one, or of a management group`;
}

/** What Azure refuses of definitions of roles. */
const ROLE_DEFINITION_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'azure-definition-name',
    severity: 'error',
    says: `a role has a name of at most ${ROLE_NAME_LENGTH} characters, and in Azure a GUID`,
    source: ROLE_DEFINITION,
    judge: ({ spec }) => {
      const name = String(spec?.roleName ?? '');
      const guid: unknown = spec?.azureName;
      return [
        ...(name.trim() === '' || name.length > ROLE_NAME_LENGTH
          ? [
              {
                what: `roleName has ${name.trim().length} characters`,
                remedy: `write 1 to ${ROLE_NAME_LENGTH} of them, unlike the names of other roles`,
              },
            ]
          : []),
        ...(guid === undefined || GUID.test(String(guid))
          ? []
          : [{ what: `azureName '${guid}' is not a GUID`, remedy: 'leave it out, and the operator makes one' }]),
      ];
    },
  },
  {
    id: 'azure-definition-actions',
    severity: 'error',
    says: 'a role may do something, and names it with provider, type and action',
    source: ROLE_DEFINITION,
    judge: ({ spec }) => {
      const permissions = list<Json>(spec?.permissions);
      const allowed = permissions.flatMap(({ actions, dataActions }) => [
        ...list<Json>(actions),
        ...list<Json>(dataActions),
      ]);
      const all = [
        ...allowed,
        ...permissions.flatMap(({ notActions, notDataActions }) => [
          ...list<Json>(notActions),
          ...list<Json>(notDataActions),
        ]),
      ].map(String);
      return [
        ...(allowed.length === 0 ? [{ what: 'the role may do nothing', remedy: 'name a purpose, or an action' }] : []),
        ...all
          .filter((action) => !ROLE_ACTION.test(action))
          .map((action) => ({
            what: `'${action}' is not an action`,
            remedy: 'write provider, types and action, such as Microsoft.Network/routeTables/read',
          })),
      ];
    },
  },
  {
    id: 'azure-definition-scopes',
    severity: 'error',
    says: 'a role can be given on subscriptions, groups and what is in them, and on one management group at most',
    source: ROLE_DEFINITION,
    judge: ({ spec }) => {
      const scopes = list<Json>(spec?.assignableScopesReferences);
      const groups = scopes.filter(({ armId }) => MANAGEMENT_GROUP_ID.test(String(armId)));
      const faults = scopes.map(scopeFault).filter((fault) => fault !== undefined);
      return [
        ...(scopes.length === 0 ? ['the role can be given on nothing'] : []),
        ...(groups.length > 1 ? [`the role can be given on ${groups.length} management groups`] : []),
        ...faults,
      ].map((what) => ({ what, remedy: 'write one subscription, group or resource by its ID' }));
    },
  },
  {
    id: 'azure-definition-owner',
    severity: 'error',
    says: 'a definition of a role belongs to what it can be given on',
    source: ROLE_DEFINITION,
    judge: ({ spec }) => {
      const fault = scopeFault(spec?.owner ?? {});
      return fault
        ? [{ what: fault.replace(/^(an|the) assignable scope/, 'the owner'), remedy: 'name one scope, by its ID' }]
        : [];
    },
  },
];

export const ROLE_DEFINITION_RULE_SET = new RuleSet(ROLE_DEFINITION_RULES, SERVICE_OPERATOR);
