import type { Json } from '../../contract/json';
import { objectNameOf } from '../../contract/object-title';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import type { Rule } from '../../rules/rule';
import { AGGREGATION, BGP_LIMITS, METALLB_PEER, METALLB_POOL, metalLbFile, PARSED_BY } from './facts';
import { listIn, type MetalLbContext, twiceIn } from './metal-lb-rule';

const BGP = METALLB_ADVERTISEMENTS.bgp;

const LISTS = ['ipAddressPools', 'ipAddressPoolSelectors', 'nodeSelectors', 'serviceSelectors', 'peers', 'communities'];

/** What the announcements of one prefix to one router have in common. */
const ATTRIBUTES = ['localPref', 'asPathPrepend'];

/** What is wrong with a BGP community that is given as a value. */
function communityFault(text: string): string | undefined {
  const parts = text.split(':');
  const isLarge = parts[0] === 'large';
  const numbers = isLarge ? parts.slice(1) : parts;
  const most = isLarge ? BGP_LIMITS.largeCommunity : BGP_LIMITS.community;
  const fits =
    numbers.length === (isLarge ? 3 : 2) && numbers.every((part) => /^\d+$/.test(part) && Number(part) <= most);
  return fits ? undefined : `'${text}' is not a BGP community`;
}

const COMMUNITY_REMEDY = 'write 64512:100, or large:64512:100:1';

/** Whether two advertisements announce the same prefixes to the same routers from the same nodes, as far as can be known. */
function meet(one: Json, other: Json): boolean {
  const [a, b]: Json[] = [one.spec ?? {}, other.spec ?? {}];
  const poolsOf = (spec: Json) => listIn(spec.ipAddressPools);
  const apart = (first: readonly string[], second: readonly string[]) =>
    first.length > 0 && second.length > 0 && !first.some((name) => second.includes(name));
  const narrowed = ['serviceSelectors', 'nodeSelectors', 'ipAddressPoolSelectors'];
  return (
    !narrowed.some((list) => a[list]?.length > 0 || b[list]?.length > 0) &&
    !apart(poolsOf(a), poolsOf(b)) &&
    !apart(listIn(a.peers), listIn(b.peers)) &&
    (a.aggregationLength ?? AGGREGATION.ipv4) === (b.aggregationLength ?? AGGREGATION.ipv4) &&
    (a.aggregationLengthV6 ?? AGGREGATION.ipv6) === (b.aggregationLengthV6 ?? AGGREGATION.ipv6)
  );
}

/** Rules about advertisements of both modes: what MetalLB would refuse. */
export const ADVERTISEMENT_RULES: readonly Rule<MetalLbContext>[] = [
  {
    id: 'advertisement-twice',
    severity: 'error',
    says: 'an advertisement names each pool, peer, community and selector once',
    source: PARSED_BY,
    judge: ({ spec = {} }) =>
      LISTS.flatMap((list) => {
        const twice = twiceIn(spec[list] ?? []);
        return twice === undefined
          ? []
          : [{ what: `${list} has '${twice}' twice`, remedy: 'name it once', value: twice }];
      }),
  },
];

/** Rules about advertisements to routers. */
export const BGP_RULES: readonly Rule<MetalLbContext>[] = [
  {
    id: 'advertisement-without-peer',
    severity: 'warning',
    says: 'an app that has pools and announces them by BGP has a router to announce them to',
    source: metalLbFile('speaker/bgp_controller.go'),
    judge({ metadata = {} }, { inApp: neighbours }) {
      const beside = neighbours.filter(({ json }) => json.metadata?.namespace === metadata.namespace);
      const has = (kind: string) => beside.some(({ json }) => json.kind === kind);
      return has(METALLB_POOL) && !has(METALLB_PEER)
        ? {
            what: `advertisement '${objectNameOf({ metadata })}' is for routers, and this app has no BGPPeer, so its addresses reach no router`,
            remedy: 'add a BGPPeer, or acknowledge this if routers are configured elsewhere',
          }
        : undefined;
    },
  },
  {
    id: 'advertisement-community',
    severity: 'error',
    says: 'A community of an advertisement is a value, or the name of one.',
    source: metalLbFile('internal/bgp/community/community.go'),
    judge: ({ spec = {} }) =>
      listIn(spec.communities)
        .filter((text) => text.includes(':') && communityFault(text))
        .map((text) => ({ what: communityFault(text) as string, remedy: COMMUNITY_REMEDY, value: text })),
  },
  {
    id: 'advertisement-local-preference',
    severity: 'error',
    says: 'what is announced twice to one router has one local preference and one path',
    source: PARSED_BY,
    judge: (json, { inChart: neighbours }) =>
      ATTRIBUTES.flatMap((name) => {
        const own = json.spec?.[name] ?? 0;
        const other = neighbours.find(
          ({ isEarlier, json: theirs }) =>
            isEarlier &&
            theirs.kind === BGP &&
            theirs.metadata?.namespace === json.metadata?.namespace &&
            (theirs.spec?.[name] ?? 0) !== own &&
            meet(json, theirs),
        );
        return other
          ? [
              {
                what: `${name} is ${own}, and advertisement '${objectNameOf(other.json)}' announces the same with ${other.json.spec?.[name] ?? 0}`,
                remedy: 'give both the same, or other peers, pools or prefixes',
                value: String(own),
              },
            ]
          : [];
      }),
  },
];
