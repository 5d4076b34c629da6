import { celTexts } from './cel';
import type { TenancyIdentity } from './tenancy-identity';

/** True for requests of none of some identities. */
export function madeByNoneOf(identities: readonly TenancyIdentity[]): string {
  const usernames = identities.filter(({ _isGroup }) => !_isGroup).map(({ username }) => username);
  const groups = identities.filter(({ _isGroup }) => _isGroup).map(({ name }) => name);
  const byName = `!(request.userInfo.username in ${celTexts(distinct(usernames))})`;
  const byGroup = `!request.userInfo.?groups.orValue([]).exists(g, g in ${celTexts(distinct(groups))})`;
  return [...(usernames.length > 0 ? [byName] : []), ...(groups.length > 0 ? [byGroup] : [])].join(' && ');
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
