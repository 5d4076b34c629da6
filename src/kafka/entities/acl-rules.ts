import { isMap, type Json } from '../../contract/json';
import { ipFault } from '../../contract/kubernetes-syntax';
import type { Finding } from '../../rules/rule';
import { AUTHORIZATION } from '../cluster/kafka-cluster.facts';
import { at, isSaid, mapAt, shown, textAt } from '../document/kafka-json';
import { isOldApi } from '../strimzi/served-api';
import { aclFaults } from './acl-faults';
import { aclsOf, operationsOf, pathOf } from './acl-json';
import {
  ACL_ALL,
  ACL_OPERATIONS,
  ACL_PATTERN,
  ACL_RESOURCE,
  ACL_TYPE,
  ACL_WILDCARD,
  ADMIN_API_FIELDS,
  ENTITY_SOURCES,
  USER_AUTHORIZATION,
} from './entities.facts';
import { besideKafka, type EntityRule, refusal, surprise, wordFault } from './entity-rule';

const { userSchema, userModel, userAcl, authorizer, operations } = ENTITY_SOURCES;

/** Whether the authorizer of a cluster keeps ACLs that the User Operator writes. */
function keepsAcls(kafka: Json): boolean {
  const authorization = mapAt(kafka, 'spec.kafka.authorization');
  const field = Object.hasOwn(ADMIN_API_FIELDS, String(authorization.type))
    ? ADMIN_API_FIELDS[authorization.type]
    : undefined;
  return authorization.type === AUTHORIZATION.simple || (field !== undefined && authorization[field] === true);
}

/** One text for each operation of an ACL: those that say the same are the same. */
function meanings(user: Json): { acl: Json; operation: string; meaning: string }[] {
  return aclsOf(user).flatMap((acl) =>
    operationsOf(acl, isOldApi(user)).map((operation) => {
      const { type, name, patternType } = mapAt(acl, 'resource');
      const resource = type === ACL_RESOURCE.cluster ? [type] : [type, name, patternType ?? ACL_PATTERN.literal];
      const meaning = [acl.type ?? ACL_TYPE.allow, ...resource, acl.host ?? ACL_WILDCARD, operation];
      return { acl, operation: String(operation), meaning: JSON.stringify(meaning) };
    }),
  );
}

function repeated(user: Json): Finding[] {
  const seen = new Map<string, Json>();
  return meanings(user).flatMap(({ acl, operation, meaning }) => {
    const first = seen.get(meaning);
    seen.set(meaning, first ?? acl);
    return first === undefined
      ? []
      : [
          {
            what: `${pathOf(user, acl)} says ${operation} as ${first === acl ? 'it does already' : `${pathOf(user, first)} does`}`,
            remedy: 'remove it',
            value: operation,
          },
        ];
  });
}

/** What the ACLs of a user say. */
export const USER_ACL_RULES: readonly EntityRule[] = [
  refusal('user-authorization', 'authorization of a user is simple, with a list of ACLs', userSchema, (user) => {
    const authorization = at(user, 'spec.authorization');
    if (!isSaid(authorization)) {
      return undefined;
    }
    const type = at(authorization, 'type');
    const fault = isSaid(type) ? wordFault(type, [USER_AUTHORIZATION]) : 'is missing';
    if (fault !== undefined) {
      return {
        what: `spec.authorization.type ${fault}`,
        remedy: `write ${USER_AUTHORIZATION}`,
        value: shown(type),
      };
    }
    const acls = at(authorization, 'acls');
    return Array.isArray(acls) && acls.every(isMap)
      ? undefined
      : {
          what: `spec.authorization.acls is ${isSaid(acls) ? shown(acls) : 'missing'}, no list of ACLs`,
          remedy: 'write a list of ACLs, or remove authorization',
        };
  }),
  refusal('user-acl', 'an ACL says what it is about and which operations', userAcl, (user) =>
    aclsOf(user).flatMap((acl) =>
      aclFaults(acl, isOldApi(user)).map(({ what, remedy, value }) => ({
        what: `${pathOf(user, acl)}${what}`,
        remedy,
        value,
      })),
    ),
  ),
  surprise('user-acl-operation', 'an operation is one that Kafka asks about the resource', operations, (user) =>
    aclsOf(user).flatMap((acl) => {
      const type = textAt(acl, 'resource.type') ?? '';
      const known = Object.hasOwn(ACL_OPERATIONS, type) ? ACL_OPERATIONS[type] : undefined;
      return operationsOf(acl, isOldApi(user))
        .filter((operation) => known && !known.includes(operation as string))
        .filter((operation) => Object.values(ACL_OPERATIONS).some((all) => all.includes(operation as string)))
        .map((operation) => ({
          what: `${pathOf(user, acl)} says ${operation} on ${type}, which means nothing to Kafka`,
          remedy: `use one of ${known?.join(', ')}, or ${ACL_ALL}`,
          value: String(operation),
        }));
    }),
  ),
  surprise('user-acl-host', 'the host of an ACL is an address', authorizer, (user) =>
    aclsOf(user)
      .filter(({ host }) => typeof host === 'string' && host !== ACL_WILDCARD && ipFault(host) !== undefined)
      .map((acl) => ({
        what: `${pathOf(user, acl)}.host is '${acl.host}', no IP address, and Kafka compares addresses as texts: it never holds`,
        remedy: `write one address for each ACL, or remove host for any`,
        value: acl.host,
      })),
  ),
  surprise('user-acl-pattern', 'a star stands for all names where the pattern is literal', authorizer, (user) =>
    aclsOf(user)
      .filter((acl) => at(acl, 'resource.patternType') === ACL_PATTERN.prefix)
      .filter((acl) => textAt(acl, 'resource.name')?.endsWith(ACL_WILDCARD))
      .map((acl) => ({
        what: `${pathOf(user, acl)}.resource.name is ${shown(at(acl, 'resource.name'))} with patternType prefix, so it means names that begin with these characters, the star too`,
        remedy: 'leave the star out, or write it alone with patternType literal for all names',
        value: shown(at(acl, 'resource.name')),
      })),
  ),
  surprise('user-acl-cluster', 'there is one cluster, without a name', userAcl, (user) =>
    aclsOf(user)
      .filter((acl) => at(acl, 'resource.type') === ACL_RESOURCE.cluster)
      .filter((acl) => isSaid(at(acl, 'resource.name')) || isSaid(at(acl, 'resource.patternType')))
      .map((acl) => ({
        what: `${pathOf(user, acl)}.resource of type cluster has name or patternType, which the operator ignores`,
        remedy: 'remove them',
      })),
  ),
  surprise('user-acl-twice', 'an ACL says what no other one says', userAcl, repeated),
  refusal(
    'user-authorizer',
    'ACLs of a user are kept by the authorizer of the cluster',
    userModel,
    besideKafka((user, kafka) => {
      const type = textAt(kafka, 'spec.kafka.authorization.type');
      const field = type !== undefined && Object.hasOwn(ADMIN_API_FIELDS, type) ? ADMIN_API_FIELDS[type] : undefined;
      return at(user, 'spec.authorization.type') !== USER_AUTHORIZATION || keepsAcls(kafka)
        ? undefined
        : {
            what: `the user has ACLs, and ${
              type === undefined
                ? 'the Kafka resource has no spec.kafka.authorization'
                : `authorization ${type} of the Kafka resource keeps none${field === undefined ? '' : ` without ${field}: true`}`
            }, so the operator does not reconcile the user`,
            remedy: `use authorization ${AUTHORIZATION.simple} of the Kafka resource${
              field === undefined ? '' : `, or say ${field}: true where the authorizer can keep them`
            }, or remove the ACLs`,
          };
    }),
  ),
];
