import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import { setFields } from '../set-fields';
import { ARM_ID, FEDERATED_CREDENTIAL_NAME, GUID, SERVICE_OPERATOR, serviceOperator } from './azure-identity.facts';

const ROLE_ASSIGNMENT = serviceOperator('v2/api/authorization/v1api20220401/role_assignment_types_gen.go');
const FEDERATED_CREDENTIAL = serviceOperator(
  'v2/api/managedidentity/v1api20230131/federated_identity_credential_types_gen.go',
);

function exactlyOne(map: unknown, place: string, ...fields: string[]): Finding[] {
  const count = setFields(map, ...fields);
  const all = fields.join(', ');
  return count === 1 ? [] : [{ what: `${place} has ${count} of ${all}`, remedy: `keep exactly one of them` }];
}

function ownerFaults(spec: Json): Finding[] {
  const owner = spec.owner ?? {};
  if (setFields(owner, 'armId') + setFields(owner, 'name') !== 1) {
    return [{ what: 'spec.owner has not exactly one of armId and name', remedy: 'name what it belongs to, once' }];
  }
  return typeof owner.armId === 'string' && !ARM_ID.test(owner.armId)
    ? [
        {
          what: `the owner '${owner.armId}' is not the ID of a resource`,
          remedy: 'write one that begins with /subscriptions/',
        },
      ]
    : [];
}

/** What Azure Service Operator refuses of role assignments. */
const ROLE_ASSIGNMENT_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'azure-role-owner',
    severity: 'error',
    says: 'a role assignment has one scope, as an ID or an object',
    source: ROLE_ASSIGNMENT,
    judge: ({ spec }) => ownerFaults(spec ?? {}),
  },
  {
    id: 'azure-role-principal',
    severity: 'error',
    says: 'a role assignment names one principal, by its GUID or by a key of a ConfigMap',
    source: ROLE_ASSIGNMENT,
    judge: ({ spec }) => {
      const id: unknown = spec?.principalId;
      return typeof id === 'string' && id !== '' && !GUID.test(id)
        ? [
            {
              what: `the principal '${id}' is not a GUID`,
              remedy: 'write the object ID of the identity, not its client ID or name',
              at: '/spec/principalId',
            },
          ]
        : exactlyOne(spec, 'spec', 'principalId', 'principalIdFromConfig');
    },
  },
  {
    id: 'azure-role-definition',
    severity: 'error',
    says: 'a role assignment names one role',
    source: ROLE_ASSIGNMENT,
    judge: ({ spec }) =>
      exactlyOne(spec?.roleDefinitionReference, 'spec.roleDefinitionReference', 'armId', 'wellKnownName', 'name'),
  },
  {
    id: 'azure-role-name',
    severity: 'error',
    says: 'the name of a role assignment in Azure is a GUID',
    source: ROLE_ASSIGNMENT,
    judge: ({ spec }) =>
      spec?.azureName === undefined || GUID.test(String(spec.azureName))
        ? []
        : [{ what: `azureName '${spec.azureName}' is not a GUID`, remedy: 'leave it out, and the operator makes one' }],
  },
];

/** What Azure refuses of federated credentials. */
const FEDERATED_CREDENTIAL_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'azure-credential-owner',
    severity: 'error',
    says: 'a federated credential belongs to an identity',
    source: FEDERATED_CREDENTIAL,
    judge: ({ spec }) => ownerFaults(spec ?? {}),
  },
  {
    id: 'azure-credential-issuer',
    severity: 'error',
    says: 'the issuer of a federated credential is an https URL, written as the tokens have it, with its last slash',
    source: FEDERATED_CREDENTIAL,
    judge: ({ spec }) => {
      const issuer: unknown = spec?.issuer;
      return typeof issuer === 'string' && issuer !== '' && !/^https:\/\/[^\s?#]+$/.test(issuer)
        ? [
            {
              what: `the issuer '${issuer}' is not an https URL`,
              remedy: 'write the OIDC issuer URL of the cluster as it is',
            },
          ]
        : exactlyOne(spec, 'spec', 'issuer', 'issuerFromConfig');
    },
  },
  {
    id: 'azure-credential-subject',
    severity: 'error',
    says: 'a federated credential is for one subject',
    source: FEDERATED_CREDENTIAL,
    judge: ({ spec }) => exactlyOne(spec, 'spec', 'subject', 'subjectFromConfig'),
  },
  {
    id: 'azure-credential-audience',
    severity: 'error',
    says: 'a federated credential has one audience',
    source: FEDERATED_CREDENTIAL,
    judge: ({ spec }) =>
      Array.isArray(spec?.audiences) && spec.audiences.length === 1
        ? []
        : [{ what: 'spec.audiences has not exactly one entry', remedy: 'keep api://AzureADTokenExchange alone' }],
  },
  {
    id: 'azure-credential-name',
    severity: 'error',
    says: 'the name of a federated credential has 3 to 120 letters, digits, dashes and underscores',
    source: FEDERATED_CREDENTIAL,
    judge: ({ metadata, spec }) => {
      const name = String(spec?.azureName ?? metadata?.name);
      return FEDERATED_CREDENTIAL_NAME.test(name)
        ? []
        : [
            {
              what: `'${name}' is not a valid name of a federated credential`,
              remedy: 'use 3 to 120 letters, digits, dashes and underscores',
            },
          ];
    },
  },
];

export const ROLE_ASSIGNMENT_RULE_SET = new RuleSet(ROLE_ASSIGNMENT_RULES, SERVICE_OPERATOR);

export const FEDERATED_CREDENTIAL_RULE_SET = new RuleSet(FEDERATED_CREDENTIAL_RULES, SERVICE_OPERATOR);
