import { type Api, ApiRefusal, type Body } from '../../real/api';
import { withValues } from '../../real/objects';
import { expanded } from '../../real/policies';
import { casesIn } from '../../support/yaml-cases';
import { attackerOf, otherOf, SCENARIOS, type Scenario, strongOf, tenantOf } from './scenarios';

/** What an attack must come to: `refused`, or `harmless` with the reason why it may pass. */
export interface Attack {
  readonly what: string;
  readonly scenario: Scenario;
  readonly who: string;
  readonly act: (api: Api, admin: Api) => Promise<unknown>;
  readonly harmless?: string;
}

/** An attack as attacks.yaml has it, or what several have in common: the file says what the fields are. */
interface Row {
  readonly at?: readonly Scenario[];
  readonly who?: readonly ('tenant' | 'strong')[];
  readonly does?: string;
  readonly what?: string;
  readonly call?: string;
  readonly body?: Body;
  readonly metadata?: Body;
  readonly spec?: Body;
  readonly as?: keyof typeof PATCHES;
  /** A second call. */
  readonly then?: string;
  /** The answer must show the metadata that were sent. */
  readonly isKept?: boolean;
  readonly change?: string;
  readonly to?: Readonly<Record<string, unknown>>;
  readonly ways?: readonly string[];
  /** What follows the path, each by itself. */
  readonly below?: readonly string[];
  readonly of?: string;
  readonly notOf?: string;
  readonly is?: readonly string[];
  readonly harmless?: string;
  readonly harmlessAt?: readonly Scenario[];
}

interface Group extends Row {
  readonly each?: readonly (Row & Body)[];
  readonly rows?: readonly Row[];
}

const PATCHES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

type Way = (api: Api, path: string, now: Body, wanted: Body) => Promise<unknown>;

const patch =
  (query: string, as: keyof typeof PATCHES, body: (now: Body, wanted: Body) => unknown): Way =>
  (api, path, now, wanted) =>
    api.call('PATCH', `${path}?dryRun=All${query}`, body(now, wanted), PATCHES[as]);

/** The ways in which one object becomes another; each is tried without writing it, too late to matter. */
const WAYS: Readonly<Record<string, Way>> = {
  'replaces it': (api, path, _, wanted) => api.call('PUT', `${path}?dryRun=All&fieldValidation=Ignore`, wanted),
  'merges into it': patch('&fieldManager=kubectl-client-side-apply', 'merge', mergePatch),
  'patches the whole document': patch('', 'json', (_, value) => [{ op: 'replace', path: '', value }]),
  'patches field by field': patch('', 'json', (now, wanted) => operations(now, wanted, '')),
  'applies it under the name of a controller': patch('&force=true&fieldManager=metacontroller', 'apply', applied),
  'applies it under the name of the platform': patch('&force=true&fieldManager=kustomize-controller', 'apply', applied),
  'patches it strategically': patch('', 'strategic', mergePatch),
};

/** What an apply sends; what it leaves out stays. */
function applied(now: Body, wanted: Body): Body {
  if (JSON.stringify(wanted).length < JSON.stringify(now).length) {
    throw new ApiRefusal(0, '', 'an apply removes nothing');
  }
  const { metadata, status: _, ...rest } = wanted;
  const { managedFields: _m, resourceVersion: _r, uid: _u, creationTimestamp: _c, generation: _g, ...own } = metadata;
  return { ...rest, metadata: own };
}

/** The keys of two objects whose values differ: both values, and whether both are maps. */
function differing(now: Body, wanted: Body): [key: string, one: Body, other: unknown, isDeep: boolean][] {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(wanted)])];
  return keys
    .filter((key) => JSON.stringify(now[key]) !== JSON.stringify(wanted[key]))
    .map((key) => {
      const [one, other] = [now[key], wanted[key]];
      const isDeep = one && other && typeof one === 'object' && typeof other === 'object' && !Array.isArray(other);
      return [key, one, other, Boolean(isDeep)];
    });
}

function mergePatch(now: Body, wanted: Body): Body {
  return Object.fromEntries(
    differing(now, wanted).map(([key, one, other, isDeep]) => [
      key,
      isDeep ? mergePatch(one, other as Body) : (other ?? null),
    ]),
  );
}

function operations(now: Body, wanted: Body, at: string): Body[] {
  return differing(now, wanted).flatMap(([key, one, other, isDeep]) => {
    const path = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (isDeep) return operations(one, other as Body, path);
    return [other === undefined ? { op: 'remove', path } : { op: 'add', path, value: other }];
  });
}

function nameIn(names: Body, name: string) {
  if (!(name in names)) throw new Error(`attacks.yaml: '${name}' is not a name`);
  return names[name];
}

/** A value with names in braces replaced by what they stand for: a text that is one name alone becomes its value. */
function filled(value: unknown, names: Body): unknown {
  if (typeof value === 'string') {
    const [, alone] = /^\{(\w+)\}$/.exec(value) ?? [];
    return alone ? nameIn(names, alone) : value.replace(/\{(\w+)\}/g, (_, name) => nameIn(names, name));
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [filled(key, names), filled(each, names)]));
}

function namesAt(scenario: Scenario): Body {
  const [mine, theirs, domain] = [attackerOf(scenario), otherOf(scenario), `${scenario}.example.com`];
  return {
    scenario,
    mine,
    theirs,
    domain,
    own: `${mine}.${domain}`,
    foreign: `${theirs}.${domain}`,
    infra: `infra-${scenario}`,
    tenant: tenantOf(scenario),
    services: `/api/v1/namespaces/${mine}/services`,
  };
}

/** Sends the calls of a row. */
function sending({ call = '', body, metadata, spec, as = 'merge', then, isKept }: Row): Attack['act'] {
  const whole = body && {
    ...body,
    ...(metadata && { metadata: { ...body.metadata, ...metadata } }),
    ...(spec && { spec: { ...body.spec, ...spec } }),
  };
  return async (api) => {
    const [method, path] = call.split(' ');
    const sent = Array.isArray(body) ? body : whole;
    const answer = await api.call(method, path, sent, method === 'PATCH' ? PATCHES[as] : undefined);
    if (isKept) {
      const [[key, value]] = Object.entries(whole?.metadata);
      if (!JSON.stringify(answer.metadata[key] ?? '').includes(JSON.stringify(value).slice(1, -1))) {
        throw new ApiRefusal(0, '', 'it was taken, and changed nothing');
      }
    }
    return then ? sending({ call: then })(api, api) : answer;
  };
}

function attacksOf(scenario: Scenario, who: string, row: Row, below: string): Attack[] {
  const { does, what, harmlessAt = [scenario], change, to = {}, ways = [] } = row;
  const harmless = harmlessAt.includes(scenario) ? row.harmless : undefined;
  const attack = (how: string | undefined, act: Attack['act']): Attack => ({
    what: [who, how, does, what].filter(Boolean).join(' '),
    scenario,
    who,
    harmless,
    act,
  });
  if (!change) return [attack(undefined, sending(row))];
  return ways.map((how) =>
    attack(`${how}:`, async (api, admin) => {
      const now = await admin.call('GET', change);
      return WAYS[how](api, `${change}${below}`, now, withValues(now, to));
    }),
  );
}

/** All attacks of a scenario, in the order of the file. */
export function attacksAt(scenario: Scenario): Attack[] {
  const { groups } = casesIn(__dirname, 'attacks.yaml') as { groups: Group[] };
  return groups.flatMap(({ each = [{}], rows = [{}], ...group }) =>
    each.flatMap((entry) =>
      rows
        .filter(({ of, notOf }) => (!of || entry.is?.includes(of)) && !(notOf && entry.is?.includes(notOf)))
        .filter((row) => [group, entry, row].every(({ at = SCENARIOS }) => at.includes(scenario)))
        .flatMap((row) => {
          const all: Row = { ...group, ...entry, ...row };
          const names = { ...namesAt(scenario), ...(filled(entry, namesAt(scenario)) as Body) };
          return (all.who ?? ['tenant']).flatMap((who) =>
            (all.below ?? ['']).flatMap((below) =>
              attacksOf(
                scenario,
                who === 'tenant' ? tenantOf(scenario) : strongOf(scenario),
                expanded(filled(all, { ...names, below })) as Row,
                below,
              ),
            ),
          );
        }),
    ),
  );
}
