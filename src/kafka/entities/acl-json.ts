import { isMap, type Json } from '../../contract/json';
import { isSaid, listAt } from '../document/kafka-json';
import { OLD_ACL_FIELD } from './entities.facts';

/** The ACLs of a user, each a map. */
export function aclsOf(user: Json): Json[] {
  return listAt<Json>(user, 'spec.authorization.acls').filter(isMap);
}

/** Where an ACL stands. */
export function pathOf(user: Json, acl: Json): string {
  return `spec.authorization.acls[${listAt(user, 'spec.authorization.acls').indexOf(acl)}]`;
}

/** The operations of an ACL, whatever they are. */
export function operationsOf(acl: Json, isOldApi: boolean): unknown[] {
  return isOldApi && isSaid(acl[OLD_ACL_FIELD]) ? [acl[OLD_ACL_FIELD]] : listAt(acl, 'operations');
}
