import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import { setFields } from '../set-fields';
import { CRD, MEMBER, ROLE } from './gcp-identity.facts';

/** What Config Connector refuses of members. */
const IAM_POLICY_MEMBER_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'gcp-role',
    severity: 'error',
    says: 'a role is a built-in one, or one of a project or an organization',
    source: CRD,
    judge: ({ spec }) =>
      typeof spec?.role === 'string' && ROLE.test(spec.role)
        ? []
        : [{ what: `'${spec?.role}' is not a role`, remedy: 'write roles/<name>, or projects/<project>/roles/<name>' }],
  },
  {
    id: 'gcp-member',
    severity: 'error',
    says: 'a role is given to one member, whose kind is before the colon',
    source: CRD,
    judge: ({ spec }) => {
      if (setFields(spec, 'member', 'memberFrom') !== 1) {
        return [{ what: 'spec has not exactly one of member and memberFrom', remedy: 'keep one of them' }];
      }
      const member: unknown = spec.member;
      return member === undefined || MEMBER.test(String(member)) || member === 'allUsers'
        ? []
        : [{ what: `'${member}' is not a member`, remedy: 'write its kind first, such as serviceAccount:<address>' }];
    },
  },
  {
    id: 'gcp-resource',
    severity: 'error',
    says: 'a role is given on a resource, by name or by its name in the API of Google',
    source: CRD,
    judge: ({ spec }) =>
      setFields(spec?.resourceRef, 'kind') === 1 && setFields(spec?.resourceRef, 'name', 'external') === 1
        ? []
        : [{ what: 'spec.resourceRef lacks a kind, or exactly one of name and external', remedy: 'name one resource' }],
  },
];

export const GCP_MEMBER_RULE_SET = new RuleSet<ObjectContext>(IAM_POLICY_MEMBER_RULES, 'config-connector');
