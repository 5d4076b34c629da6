import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { type Api, ApiRefusal, type Body, type Ref } from './api';
import { count, until } from './program';

/** Writes the objects of a chart, those of the whole cluster first, and waits until its policies hold. */
export async function install(api: Api, chart: Chart): Promise<void> {
  for (const object of Testing.synth(chart) as Ref[]) {
    await api.create(object);
  }
  await untilPoliciesHold(api);
}

/** What a policy says of a request, or why it was refused otherwise; undefined where it is admitted. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) {
      throw error;
    }
    const [, said] = error.message.split(DENIED);
    return said ?? error.message;
  }
}

/** Waits until a request is admitted whose permissions or quotas have just been written. */
export function untilAdmitted(what: string, request: () => Promise<unknown>): Promise<unknown> {
  return until(what, async () => (await refusalOf(request())) === undefined);
}

/** Gives somebody rights in a namespace, or everywhere. */
export async function permit(api: Api, user: string, rules: Body[], namespace?: string): Promise<void> {
  const name = `${user.replaceAll(':', '-')}-may`;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
  const version = 'rbac.authorization.k8s.io/v1';
  await api.create({ apiVersion: version, kind: 'ClusterRole', metadata: { name }, rules });
  await api.create({
    apiVersion: version,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, namespace },
    roleRef,
    subjects,
  });
}

const VERSION = 'admissionregistration.k8s.io/v1';

/** What a policy answers with, before what it says. */
export const DENIED = / denied request: /;

let sentinels = 0;

/**
 * The API server checks by policies a moment after they are written, by all at once that it has seen by then. Waits until it checks
 * by every validating policy and binding that was written before, as the tests of only some of them cannot show: by one that is
 * written last, and refuses one object.
 */
export async function untilPoliciesHold(api: Api): Promise<void> {
  const name = `sentinel-${++sentinels}`;
  const policy: Ref = {
    apiVersion: VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
            resourceNames: [name],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'the policies hold' }],
    },
  };
  const binding: Ref = {
    apiVersion: VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
  await api.create(policy);
  await api.create(binding);
  const seen: Ref = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  await untilDenied('the policies', () => api.create(seen, { dryRun: true }));
  await api.delete(binding);
  await api.delete(policy);
}

/** Waits until a policy refuses a request that it forbids. */
export function untilDenied(what: string, request: () => Promise<unknown>): Promise<unknown> {
  return until(`${what} to hold`, () =>
    request().then(
      () => false,
      (error: Error) => DENIED.test(error.message),
    ),
  );
}

/** Creates an object, again while a quota that was written just before it is not counted yet. */
export function createUnderQuota(api: Api, object: Ref): Promise<Body> {
  return until(`the quota of ${object.metadata.namespace} to be counted`, async () => {
    try {
      return await api.create(object);
    } catch (error) {
      if (error instanceof ApiRefusal && error.message.includes('status unknown for quota')) {
        return undefined;
      }
      throw error;
    }
  });
}

/** Requests to an API server with their outcomes, as files of `test/cluster/requests` have them. */
interface RequestFile {
  /** Objects that requests are about, by name. */
  readonly objects: Readonly<Record<string, Ref>>;
  /** Outcomes that many requests have; `$name` is one of them. */
  readonly words: Readonly<Record<string, unknown>>;
  /** The end of every refusal that is written to the letter. */
  readonly suffix?: string;
  /**
   * `USER: title`, then a verb with an object, another name and namespace for it, and what is merged into it. `refused` is the message, or a
   * pattern between slashes; `becomes` is a part of the object afterwards. A request with `each` is one for every entry.
   */
  readonly requests: readonly Body[];
}

/** How requests are sent. */
export interface RequestSender {
  /** The API server as a user reaches it; without a user, as an administrator. */
  readonly as: (user?: string) => Api;
  /** The users by the names in the file. */
  readonly users: Readonly<Record<string, string | undefined>>;
  readonly dryRun: boolean;
  /** What is counted in the report of the suite. */
  readonly counted: string;
}

/** `{ $text: 9 }` is nine letters; `{ $list: 9, of: x }` nine times x, as an object with `key`, and `#+5` counts from five. */
export function expanded(value: unknown, index?: number): unknown {
  if (typeof value === 'string' && index !== undefined) {
    const text = value.replace(/#(?:\+(\d+))?/g, (_, first = '0') => `${index + Number(first)}`);
    return /^#(\+\d+)?$/.test(value) ? Number(text) : text;
  }
  if (Array.isArray(value)) {
    return value.map((each) => expanded(each, index));
  }
  if (value === null || typeof value !== 'object' || value instanceof RegExp) {
    return value;
  }
  const { $text, $list, key, of } = value as Body;
  if ($text !== undefined) {
    return 'x'.repeat($text);
  }
  if ($list !== undefined) {
    const items = Array.from({ length: $list }, (_, i) => expanded(of, i));
    return key ? Object.fromEntries(items.map((item, i) => [String(expanded(key, i)), item])) : items;
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expanded(each, index)]));
}

/** A merge patch, applied here. */
function merged(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) {
    return patch;
  }
  const base = target !== null && typeof target === 'object' && !Array.isArray(target) ? (target as Body) : {};
  const all = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete all[key];
    } else {
      all[key] = merged(base[key], value);
    }
  }
  return all;
}

const VERBS = ['create', 'rewrite', 'merge', 'patchStatus', 'delete', 'get', 'call'];

/** A test for every request of a file. */
export function testRequests(file: string, { as, users, dryRun, counted }: RequestSender): void {
  const text = readFileSync(join(__dirname, '..', 'cluster', 'requests', `${file}.yaml`), 'utf8');
  const { objects, words, suffix = '', requests } = parse(text) as RequestFile;

  const objectOf = (words: string): Ref => {
    const [kind, name, namespace] = words.split(' ');
    const { metadata, ...rest } = objects[kind];
    return { ...rest, metadata: { ...metadata, ...(name && { name }), ...(namespace && { namespace }) } } as Ref;
  };
  const word = (value: unknown) => (typeof value === 'string' && value.startsWith('$') ? words[value.slice(1)] : value);

  const send = async (api: Api, verb: string, request: Body, patch: Body): Promise<unknown> => {
    const options = { dryRun };
    if (verb === 'call') {
      const [method, path] = request.call.split(' ');
      return api.call(method, path);
    }
    const object = objectOf(request[verb]);
    if (request.made && !(await as().find(object))) {
      await as(users[request.made]).create(object);
    }
    switch (verb) {
      case 'create':
        return api.create(merged(object, patch) as Ref, options);
      case 'rewrite':
        return api.replace(merged(await as().get(object), patch) as Ref, options);
      case 'delete':
        return api.delete(object);
      case 'get':
        return api.get(object);
      default:
        return api.merge(object, patch, { ...options, subresource: verb === 'patchStatus' ? 'status' : undefined });
    }
  };

  const rows = requests
    .flatMap(({ each = [''], ...request }) =>
      each.map((one: string) => JSON.parse(JSON.stringify(request).replaceAll('{each}', one))),
    )
    .map((request): [string, string, Body] => {
      const user = Object.keys(request).find((key) => key in users) ?? '';
      return [user, request[user], request];
    });

  test.each(rows)('%s: %s', async (user, _, request) => {
    const verb = VERBS.find((each) => each in request) ?? '';
    const { kind, metadata, spec, status } = request;
    const patch = expanded(JSON.parse(JSON.stringify({ kind, metadata, spec, status }))) as Body;
    let answer: unknown;
    const refusal = await refusalOf(
      send(as(users[user]), verb, request, patch).then((object) => {
        answer = object;
      }),
    );
    const refused = word(request.refused);
    if (typeof refused !== 'string') {
      expect(refusal).toBeUndefined();
      expect(answer ?? {}).toMatchObject((word(request.becomes) as Body) ?? {});
    } else if (/^\/.*\/$/s.test(refused)) {
      expect(refusal).toMatch(new RegExp(refused.slice(1, -1)));
    } else {
      expect(refusal).toBe(refused.endsWith(suffix) ? refused : refused + suffix);
    }
    count(counted);
  });
}
