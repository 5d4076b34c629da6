import { type Api, ApiRefusal, type Body } from '../harness/api';
import { attackerOf, type Scenario } from './scenarios';

/** What an attack must come to: `refused`, or `harmless` with the reason why it may pass. */
export interface Attack {
  readonly what: string;
  readonly scenario: Scenario;
  readonly who: string;
  readonly act: (api: Api, admin: Api) => Promise<unknown>;
  readonly harmless?: string;
}

export const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const GATEWAY = 'gateway.networking.k8s.io';
export const ENVOY = 'gateway.envoyproxy.io';

export function pathOf(apiVersion: string, plural: string, namespace: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/namespaces/${namespace}/${plural}`;
}

export const servicesOf = (scenario: Scenario) => pathOf('v1', 'services', attackerOf(scenario));

type Way = (api: Api, path: string, now: Body, wanted: Body) => Promise<unknown>;

function withoutServerFields({ metadata, status: _, ...rest }: Body): Body {
  const { managedFields: _m, resourceVersion: _r, uid: _u, creationTimestamp: _c, generation: _g, ...own } = metadata;
  return { ...rest, metadata: own };
}

function mergePatch(now: Body, wanted: Body): Body {
  const keys = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  const patch: Body = {};
  for (const key of keys) {
    const [one, other] = [now[key], wanted[key]];
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      const deep = one && other && typeof one === 'object' && typeof other === 'object' && !Array.isArray(other);
      patch[key] = other === undefined ? null : deep ? mergePatch(one, other) : other;
    }
  }
  return patch;
}

/** Every way in which one object becomes another; each is tried without writing it, too late to matter. */
const WAYS: Readonly<Record<string, Way>> = {
  'replaces it': (api, path, _, wanted) => api.call('PUT', `${path}?dryRun=All&fieldValidation=Ignore`, wanted),
  'merges into it': (api, path, now, wanted) =>
    api.call('PATCH', `${path}?dryRun=All&fieldManager=kubectl-client-side-apply`, mergePatch(now, wanted), MERGE),
  'patches the whole document': (api, path, _, wanted) =>
    api.call('PATCH', `${path}?dryRun=All`, [{ op: 'replace', path: '', value: wanted }], JSON_PATCH),
  'patches field by field': (api, path, now, wanted) =>
    api.call('PATCH', `${path}?dryRun=All`, operations(now, wanted, ''), JSON_PATCH),
  'applies it under the name of a controller': (api, path, _, wanted) =>
    api.call('PATCH', `${path}?dryRun=All&force=true&fieldManager=metacontroller`, withoutServerFields(wanted), APPLY),
  'applies it under the name of the platform': (api, path, _, wanted) =>
    api.call(
      'PATCH',
      `${path}?dryRun=All&force=true&fieldManager=kustomize-controller`,
      withoutServerFields(wanted),
      APPLY,
    ),
};

const STRATEGIC_WAY: Way = (api, path, now, wanted) =>
  api.call('PATCH', `${path}?dryRun=All`, mergePatch(now, wanted), STRATEGIC);

function operations(now: Body, wanted: Body, at: string): Body[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) => {
    const path = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [one, other] = [now[key], wanted[key]];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (other === undefined) return [{ op: 'remove', path }];
    const deep = one && typeof one === 'object' && typeof other === 'object' && !Array.isArray(other);
    return deep ? operations(one, other, path) : [{ op: 'add', path, value: other }];
  });
}

export function everyWay(
  scenario: Scenario,
  who: string,
  what: string,
  path: string,
  change: (now: Body) => Body,
  options: { readonly below?: string; readonly strategic?: boolean; readonly harmless?: string } = {},
): Attack[] {
  const { below = '', strategic = false, harmless } = options;
  const ways = { ...WAYS, ...(strategic ? { 'patches it strategically': STRATEGIC_WAY } : {}) };
  return Object.entries(ways).map(([how, way]) => ({
    what: `${who} ${how}: ${what}`,
    scenario,
    who,
    harmless,
    act: async (api, admin) => {
      const now = await admin.call('GET', path);
      const wanted = change(structuredClone(now));
      if (how.startsWith('applies')) {
        // what an apply leaves out stays
        if (JSON.stringify(wanted).length < JSON.stringify(now).length)
          throw new ApiRefusal(0, '', 'an apply removes nothing');
      }
      return way(api, `${path}${below}`, now, wanted);
    },
  }));
}
