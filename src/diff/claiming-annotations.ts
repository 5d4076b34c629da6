import { isSet } from '../contract/json';
import { keysChanged } from '../contract/same-value';
import { annotationsOf } from '../rules/service-json';
import { installedOf, kindOf } from './owners';
import type { SideBalancer } from './side';

/** The annotations by which a Service leaves its owner, or comes to the next one; none where it is something else. */
export function claimingAnnotations(before: SideBalancer, after: SideBalancer): string[] {
  const keys = keysChanged(annotationsOf(before.service), annotationsOf(after.service));
  const leaves = keys.filter((key) => isClaimed(before) && !isClaimed(before, key, after));
  const comes = keys.filter((key) => isClaimed(after) && !isClaimed(after, key, before));
  const both = leaves.filter((key) => comes.includes(key));
  return [both, leaves, comes].find(({ length }) => length > 0) ?? [];
}

/** The annotations without each of which its owner does not claim a Service. */
export function claimedBy(balancer: SideBalancer): string[] {
  const without = { ...balancer, service: {} };
  return Object.keys(annotationsOf(balancer.service)).filter((key) => !isClaimed(balancer, key, without));
}

/** Whether the owner claims its Service, with one annotation as it is on the other side. */
function isClaimed(balancer: SideBalancer, key?: string, other = balancer): boolean {
  const { service } = balancer;
  if (key === undefined) {
    return kindOf(balancer)?.claim(service, installedOf(balancer)).claimed === 'yes';
  }
  const { [key]: _, ...annotations } = annotationsOf(service);
  const value = annotationsOf(other.service)[key];
  const metadata = { ...service.metadata, annotations: { ...annotations, ...(isSet(value) && { [key]: value }) } };
  return kindOf(balancer)?.claim({ ...service, metadata }, installedOf(balancer)).claimed === 'yes';
}
