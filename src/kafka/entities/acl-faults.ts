import { isMap, type Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { isSaid, shown } from '../document/kafka-json';
import { operationsOf } from './acl-json';
import {
  ACL_ALL,
  ACL_FIELDS,
  ACL_OPERATIONS,
  ACL_PATTERN,
  ACL_RESOURCE,
  ACL_RESOURCE_FIELDS,
  ACL_TYPE,
  OLD_ACL_FIELD,
} from './entities.facts';
import { unknownIn, wordFault } from './entity-rule';

const OPERATIONS = [...new Set(Object.values(ACL_OPERATIONS).flat()), ACL_ALL];

/** What is wrong with one ACL by itself; each fault begins with where it is below the ACL. */
export function aclFaults(acl: Json, isOldApi: boolean): Finding[] {
  return [...fieldFaults(acl, isOldApi), ...resourceFaults(acl.resource), ...operationFaults(acl, isOldApi)];
}

function fieldFaults(acl: Json, isOldApi: boolean): Finding[] {
  const known = [...ACL_FIELDS, OLD_ACL_FIELD];
  const isRemoved = !isOldApi && isSaid(acl[OLD_ACL_FIELD]);
  return [
    ...unknownIn(acl, known, '').map((field) => ({
      what: `${field} does not exist, and is dropped without a word unless fields are checked strictly`,
      remedy: `use one of ${ACL_FIELDS.join(', ')}`,
      value: field,
    })),
    ...(isRemoved
      ? [
          {
            what: `.${OLD_ACL_FIELD} does not exist in API version v1`,
            remedy: `write operations: [${acl[OLD_ACL_FIELD]}]`,
            value: shown(acl[OLD_ACL_FIELD]),
          },
        ]
      : []),
    ...words('.type', acl.type, Object.values(ACL_TYPE)),
  ];
}

function resourceFaults(resource: unknown): Finding[] {
  if (!isMap(resource) || !isSaid(resource.type)) {
    return [
      {
        what: '.resource says no type',
        remedy: `write resource with one of the types ${Object.values(ACL_RESOURCE).join(', ')}`,
      },
    ];
  }
  const { type, name, patternType } = resource;
  const isNamed = type === ACL_RESOURCE.cluster || (typeof name === 'string' && name !== '');
  return [
    ...unknownIn(resource, ACL_RESOURCE_FIELDS, '.resource').map((field) => ({
      what: `${field} does not exist, and is dropped without a word unless fields are checked strictly`,
      remedy: `use one of ${ACL_RESOURCE_FIELDS.join(', ')}`,
      value: field,
    })),
    ...words('.resource.type', type, Object.values(ACL_RESOURCE)),
    ...words('.resource.patternType', patternType, Object.values(ACL_PATTERN)),
    ...(isNamed
      ? []
      : [
          {
            what: `.resource of type ${type} has ${isSaid(name) ? `the name ${shown(name)}` : 'no name'}`,
            remedy: "write the name as text, or '*' for all",
          },
        ]),
  ];
}

function operationFaults(acl: Json, isOldApi: boolean): Finding[] {
  if (isOldApi && isSaid(acl[OLD_ACL_FIELD]) && isSaid(acl.operations)) {
    return [{ what: ` has ${OLD_ACL_FIELD} and operations`, remedy: 'keep operations' }];
  }
  const operations = operationsOf(acl, isOldApi);
  return operations.length === 0
    ? [{ what: '.operations names no operation', remedy: 'write at least one' }]
    : operations.flatMap((operation) => words('.operations', operation, OPERATIONS, 'says'));
}

/** What is wrong with a word, with what it may be. */
function words(where: string, value: unknown, taken: readonly string[], verb?: string): Finding[] {
  const fault = wordFault(value, taken, verb);
  return fault === undefined
    ? []
    : [{ what: `${where} ${fault}`, remedy: `use one of ${taken.join(', ')}`, value: shown(value) }];
}
