import { mapIn } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import { wantsLoadBalancer } from '../rules/service-json';
import { namesakesOf, pairsOfNamesakes } from './namesakes';
import { installedOf, kindOf } from './owners';
import type { Side, SideBalancer } from './side';
import { type Story, successorsOf } from './successors';

/** A balancer on both sides, or on one. */
export interface Matched {
  readonly before?: SideBalancer;
  readonly after?: SideBalancer;
  /** Where it is only on one side: the one on the other side that has taken its place, under another name or namespace. */
  readonly movedTo?: SideBalancer;
  readonly movedFrom?: SideBalancer;
  /** What of it is another: its name, its namespace, or what makes it. */
  readonly story?: Story;
  /** Those of one id that are applied together on one side, and not alike: it is not known who wins. */
  readonly rivals?: readonly SideBalancer[];
  /** Where one side names no namespace: that of the other one, in which it is meant if it is the same Service. */
  readonly assumedNamespace?: string;
}

/** The balancers of two sides, each with itself: by namespace and name, and else by what they are for. */
export function matched(before: Side, after: Side): Matched[] {
  const [old, now] = [namesakesOf(before), namesakesOf(after)];
  const ids = new Set([...old.keys(), ...now.keys()]);
  const byId = [...ids].flatMap((id) => pairsOfNamesakes(old.get(id) ?? [], now.get(id) ?? []));
  const gone = new Set(byId.flatMap((pair) => (pair.before && !pair.after ? [pair.before] : [])));
  const come = new Set(byId.flatMap((pair) => (pair.after && !pair.before ? [pair.after] : [])));
  const likely = [...ofGeneratedNames(gone, come), ...withoutNamespace(gone, come)];
  const successors = successorsOf([...gone], [...come], { before, after });
  const ofGone = new Map(successors.map((one) => [one.gone, one]));
  const ofCome = new Map(successors.map((one) => [one.come, one]));
  const whole = byId.flatMap((pair): Matched[] => {
    if (pair.before && pair.after) {
      return [pair];
    }
    if (pair.before) {
      const to = ofGone.get(pair.before);
      return gone.has(pair.before) ? [{ ...pair, ...(to && { movedTo: to.come, story: to.story }) }] : [];
    }
    const from = pair.after && ofCome.get(pair.after);
    return pair.after && come.has(pair.after)
      ? [{ ...pair, ...(from && { movedFrom: from.gone, story: from.story }) }]
      : [];
  });
  return [...whole, ...likely].map(withoutBalancer);
}

/** A Service of another type has no class, whatever its manifest says: whoever claimed it by that makes no balancer for it. */
function withoutBalancer(pair: Matched): Matched {
  const { before, after } = pair;
  if (!before || !after || !wantsLoadBalancer(before.service) || wantsLoadBalancer(after.service)) {
    return pair;
  }
  const { loadBalancerClass: _, ...spec } = mapIn(after.service, 'spec');
  const claim = kindOf(after)?.claimsOtherTypes?.({ ...after.service, spec }, installedOf(after));
  const { after: __, ...gone } = pair;
  return claim?.claimed === 'yes' ? pair : gone;
}

/** A name that is generated has no end in manifests, and one in a cluster. */
function ofGeneratedNames(gone: Set<SideBalancer>, come: Set<SideBalancer>): Matched[] {
  const pairs: Matched[] = [];
  for (const [open, ended] of [
    [gone, come],
    [come, gone],
  ]) {
    const generated = [...open].filter(({ id }) => id.endsWith(GENERATED));
    const byStart = endedBy(new Set(generated.map(startOf)), ended);
    for (const one of generated) {
      const found = (byStart.get(startOf(one)) ?? []).filter((each) => ended.has(each));
      if (found.length === 1) {
        pairs.push(open === gone ? { before: one, after: found[0] } : { before: found[0], after: one });
        open.delete(one);
        ended.delete(found[0]);
      }
    }
  }
  return pairs;
}

/** The ids that begin like a generated name and end as one may, by what they begin with: each id is cut at few places. */
function endedBy(starts: ReadonlySet<string>, ended: ReadonlySet<SideBalancer>): Map<string, SideBalancer[]> {
  const byStart = new Map<string, SideBalancer[]>();
  for (const one of starts.size > 0 ? ended : []) {
    const [ending = ''] = ENDING.exec(one.id) ?? [];
    for (let length = 1; length <= ending.length; length += 1) {
      const start = one.id.slice(0, -length);
      const known = starts.has(start) ? byStart.get(start) : undefined;
      if (known) {
        known.push(one);
      } else if (starts.has(start)) {
        byStart.set(start, [one]);
      }
    }
  }
  return byStart;
}

/** What a generated name begins with. */
function startOf({ id }: SideBalancer): string {
  return id.slice(0, -GENERATED.length);
}

const GENERATED = '*';
const ENDING = /[a-z0-9]{1,16}$/;

/** A manifest without a namespace is applied to one that it does not name. */
function withoutNamespace(gone: Set<SideBalancer>, come: Set<SideBalancer>): Matched[] {
  const pairs: Matched[] = [];
  for (const [open, named] of [
    [gone, come],
    [come, gone],
  ]) {
    const byName = new Map<string, SideBalancer[]>();
    for (const one of named) {
      byName.set(nameOf(one), [...(byName.get(nameOf(one)) ?? []), one]);
    }
    for (const one of [...open].filter((each) => !hasNamespace(each))) {
      const found = (byName.get(nameOf(one)) ?? []).filter((each) => named.has(each) && hasNamespace(each));
      if (found.length === 1) {
        const [before, after] = open === gone ? [one, found[0]] : [found[0], one];
        pairs.push({ before, after, assumedNamespace: namespaceOf(found[0]) });
        open.delete(one);
        named.delete(found[0]);
      }
    }
  }
  return pairs;
}

/** The name of the Service. */
export function nameOf({ id }: SideBalancer): string {
  return id.slice(id.indexOf('/') + 1);
}

/** Its namespace. */
export function namespaceOf({ id }: SideBalancer): string {
  return id.slice(0, id.indexOf('/'));
}

/** Whether what it is written in names a namespace. */
function hasNamespace({ service }: SideBalancer): boolean {
  return Boolean(mapIn(service, 'metadata').namespace);
}

export const NAME: YamlPath = ['metadata', 'name'];
export const NAMESPACE: YamlPath = ['metadata', 'namespace'];
