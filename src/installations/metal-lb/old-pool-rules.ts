import { compareVersions } from '../../contract/compare-versions';
import { mapIn } from '../../contract/json';
import { objectNameOf } from '../../contract/object-title';
import { ownValue } from '../../contract/own-value';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import {
  ADDRESS_POOL_GONE_SINCE,
  ADDRESS_POOL_IGNORED_SINCE,
  CONFIG_MAP_IGNORED_SINCE,
  METALLB_GROUP,
  METALLB_OLD_POOL,
  METALLB_POOL,
  metalLbFile,
} from './facts';
import { metalLbIn } from './seen';

/** What is known beside a pool of an older release. */
interface OldPoolContext extends ObjectContext {
  /** The versions of MetalLB that are named beside the objects. */
  readonly versions?: readonly string[];
}

/** How the address pools of a ConfigMap begin, and what each of them says. */
const POOLS = /^address-pools:/m;
const PROTOCOL = /^[ -]*protocol: *["']?(layer2|bgp)\b/m;

const NOT_READ: Rule<OldPoolContext> = {
  id: 'pool-not-read',
  severity: 'warning',
  says: 'a pool is an IPAddressPool: newer releases read neither AddressPools nor a ConfigMap',
  source: metalLbFile('website/content/release-notes/_index.md'),
  needs: ['among'],
  judge({ kind, metadata, spec, data }, { among, versions = [] }) {
    const isOlderThan = (since: string) =>
      [...versions, ...(among ? metalLbIn(among.index) : []).flatMap(({ version }) => version ?? [])].some(
        (one) => compareVersions(one, since) < 0,
      );
    if (kind === METALLB_OLD_POOL) {
      const advertisement = ownValue(METALLB_ADVERTISEMENTS, spec?.protocol);
      return isOlderThan(ADDRESS_POOL_IGNORED_SINCE)
        ? undefined
        : {
            what: `MetalLB ignores AddressPools since ${ADDRESS_POOL_IGNORED_SINCE}, and has no such kind since ${ADDRESS_POOL_GONE_SINCE}: Services get no address from pool '${objectNameOf({ metadata })}'`,
            remedy: `write an IPAddressPool with these addresses, and its ${advertisement ?? 'advertisement'}`,
            at: '/kind',
          };
    }
    const text: unknown = mapIn({ data }, 'data').config;
    const hasPools = typeof text === 'string' && POOLS.test(text) && PROTOCOL.test(text);
    const hasOthers = among && among.index.of(METALLB_GROUP, METALLB_POOL).length > 0;
    return !hasPools || hasOthers || isOlderThan(CONFIG_MAP_IGNORED_SINCE)
      ? undefined
      : {
          what: `MetalLB reads no ConfigMap since ${CONFIG_MAP_IGNORED_SINCE}: Services get no address from the pools in it`,
          remedy: 'write IPAddressPools with these addresses, and an advertisement of each',
          at: '/data/config',
        };
  },
};

/** What is wrong with pools of older releases. */
export const OLD_POOL_RULE_SET = new RuleSet<OldPoolContext>([NOT_READ], METALLB_CONTROLLER);
