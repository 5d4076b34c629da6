import { isMap, type Json, list } from '../contract/json';

// What a role allows in a cluster, each right by itself.

/** Its verb, resource or path, group, and the name of one object, or `*`. */
type Right = readonly [verb: string, resource: string, group: string, name: string];

const BETWEEN = '\t';
const ALL = '*';

/** The rights of a role, each a line that is the same however the rules are written. */
export function rightsIn({ rules, aggregationRule }: Json): string[] {
  // of which roles it is made is not looked at
  const others: Right[] =
    aggregationRule === undefined ? [] : [['have', `the rights of ${JSON.stringify(aggregationRule)}`, '', ALL]];
  const rights = [...list<unknown>(rules).filter(isMap).flatMap(rightsOfRule), ...others];
  return [...new Set(rights.map((right) => right.join(BETWEEN)))].sort();
}

function rightsOfRule({ verbs, resources, apiGroups, nonResourceURLs, resourceNames }: Json): Right[] {
  const [all, kinds, groups, paths, names] = [verbs, resources, apiGroups, nonResourceURLs, resourceNames].map((one) =>
    list<unknown>(one).map(String),
  );
  return all.flatMap((verb): Right[] => [
    ...groups.flatMap((group) =>
      kinds.flatMap((kind) => (names.length > 0 ? names : [ALL]).map((name): Right => [verb, kind, group, name])),
    ),
    ...paths.map((path): Right => [verb, path, '', ALL]),
  ]);
}

/** The rights of one role that another one has not, in words: `patch services`. */
export function lostRights(before: unknown, after: unknown): string[] {
  const given = new Set(list<string>(after));
  // most are written alike on both sides
  const others = list<string>(before).filter((line) => !given.has(line));
  const now = others.length === 0 ? [] : [...given].map((line) => line.split(BETWEEN));
  const lost = others
    .map((line) => line.split(BETWEEN))
    .filter((right) => !now.some((one) => right.every((step, i) => covers(one[i], step))));
  return [
    ...new Set(lost.map(([verb, resource, , name]) => [verb, resource, ...(name === ALL ? [] : [name])].join(' '))),
  ];
}

/** Whether a part of a right has that of another one. */
function covers(one: string | undefined, other: string): boolean {
  return one === other || one === ALL;
}
