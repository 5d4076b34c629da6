import type { Json } from '../../src/contract/json';
import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions, Side } from '../../src/diff/side';
import { casesIn, table } from '../support/yaml-cases';
import { changesOf, type SideOptions, sideOf, type Texts } from './sides';

// The AWS Load Balancer Controller makes a Network Load Balancer of a Gateway itself, and no Service.

const CLASS = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: nlb }
spec: { controllerName: gateway.k8s.aws/nlb }
`;
const PARAMETERS = 'parametersRef: { group: gateway.k8s.aws, kind: LoadBalancerConfiguration, name: settings }';
const GATEWAY = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: shared, namespace: edge }
spec:
  gatewayClassName: nlb
  infrastructure: { ${PARAMETERS} }
  listeners:
    - { name: kafka, port: 9094, protocol: TCP }
    - { name: metrics, port: 9095, protocol: TCP }
`;
const SETTINGS = `apiVersion: gateway.k8s.aws/v1
kind: LoadBalancerConfiguration
metadata: { name: settings, namespace: edge }
spec:
  scheme: internet-facing
`;
const SET = casesIn(__dirname, 'gateway-balancers.yaml').set;
const ROUTE = casesIn(__dirname, 'gateway-balancers.yaml').route;
const TARGETS = casesIn(__dirname, 'gateway-balancers.yaml').targets;
const BINDING = casesIn(__dirname, 'gateway-balancers.yaml').binding;
const INSTALL = casesIn(__dirname, 'gateway-balancers.yaml').install;

const ALL = [CLASS, GATEWAY, SETTINGS, SET, ROUTE, TARGETS];

const textOf = (objects: readonly string[]): string => objects.join('---\n');

interface Change {
  readonly from?: readonly string[];
  readonly to: readonly string[];
  readonly options?: DiffOptions;
  readonly before?: SideOptions;
  readonly after?: SideOptions;
}

function changesFrom({ from = ALL, to, options, before, after }: Change): BalancerChange[] {
  return changesOf(sideIn(from, before), sideIn(to, after), options);
}

function sideIn(objects: readonly string[], options?: SideOptions): Side {
  const side = sideOf(textOf(objects), options);
  const installs = side.manifests.filter(({ object }) => object.kind === 'Deployment');
  return { ...side, installs: installs.map((manifest) => ({ controller: 'aws-load-balancer-controller', manifest })) };
}

function told(change: Change): string[] {
  return changesFrom(change).map(({ outcome, before, after }) => `${outcome} ${(after ?? before)?.title}`);
}

function causesOf(change: Change): string[] {
  return changesFrom(change).flatMap(({ effects: causes }) =>
    causes.map(({ outcome, field, why }) => `${outcome} ${field}: ${why}`),
  );
}

function edited(old: string, now: string, all: readonly string[] = ALL): string[] {
  const text = all.map((one) => one.replace(old, now));
  expect(text).not.toEqual(all);
  return text;
}

const without = (...objects: readonly string[]): string[] => ALL.filter((one) => !objects.includes(one));

test('what does not change keeps it', () => expect(told({ to: ALL })).toEqual(['kept Gateway edge/shared']));

test('a new one is made', () => {
  expect(told({ from: without(GATEWAY), to: ALL })).toEqual(['created Gateway edge/shared']);
});

describe('its Gateway goes', () => {
  test('and its balancer with it', () => {
    expect(told({ to: without(GATEWAY) })).toEqual(['deleted Gateway edge/shared']);
    expect(causesOf({ to: without(GATEWAY), options: { prune: true } })).toEqual([
      'deleted metadata.name: Gateway edge/shared is no longer in any manifest: its balancer is deleted, and its address is lost',
    ]);
  });

  test('without prune it stays', () => {
    expect(told({ to: without(GATEWAY), options: { prune: false } })).toEqual(['kept Gateway edge/shared']);
  });

  test('what keeps it from being pruned by one tool', () => {
    const metadata = 'metadata: { name: shared, namespace: edge';
    const from = edited(
      `${metadata} }`,
      `${metadata}, annotations: { argocd.argoproj.io/sync-options: Prune=false } }`,
    );
    expect(told({ from, to: from.filter((one) => !one.includes('kind: Gateway\n')) })).toEqual([
      'unknown Gateway edge/shared',
    ]);
  });

  test('under another name it is another one', () => {
    const to = edited('name: shared, namespace: edge }', 'name: renamed, namespace: edge }');
    expect(told({ to })).toEqual(['replaced Gateway edge/shared', 'created Gateway edge/renamed']);
    expect(changesFrom({ to })[0].movedTo?.title).toBe('Gateway edge/renamed');
  });

  test('with deletion protection it does not', () => {
    const from = edited(
      'scheme: internet-facing\n',
      'scheme: internet-facing\n  loadBalancerAttributes: [{ key: deletion_protection.enabled, value: "true" }]\n',
    );
    const to = from.filter((one) => !one.includes('kind: Gateway\n'));
    expect(told({ from, to })).toEqual(['stuck Gateway edge/shared']);
  });

  test('of a cluster that has more than the files it is looked at with prune alone', () => {
    const before = { isLive: true };
    expect(told({ to: without(GATEWAY), before })).toEqual([]);
    expect(told({ to: without(GATEWAY), before, options: { prune: true } })).toEqual(['deleted Gateway edge/shared']);
  });
});

describe('its fields', () => {
  test.each<[string, string, string, string]>(table('diff/gateway-balancers.yaml', 'its fields'))(
    '%s',
    (_, old, now, cause) => {
      const to = old === now ? ALL : edited(old, now);
      const [first, ...others] = causesOf({ to });
      expect(first ?? '').toMatch(cause === '' ? /^$/ : new RegExp(`^${cause.replace(/[[\]]/g, '\\$&')}: `));
      expect(others).toEqual([]);
    },
  );

  test.each([['is removed', [ROUTE]]])('a route that no listener takes %s', (_, gone) => {
    const from = edited('port: 7000, protocol: TCP', 'port: 7000, protocol: UDP');
    const left = from.filter((one) => !gone.includes(one));
    const to = left.map((one) => one.replace('backendRefs: [{ name: echo', 'backendRefs: [{ name: other'));
    expect(causesOf({ from, to })).toEqual([]);
  });

  test('a field that is not in the table is unknown', () => {
    expect(told({ to: edited('gatewayClassName: nlb', 'gatewayClassName: nlb\n  strange: 1') })).toEqual([
      'unknown Gateway edge/shared',
    ]);
  });
});

describe('its settings', () => {
  const OTHER = SETTINGS.replace('name: settings', 'name: more');
  const toOther = edited('name: settings }', 'name: more }', [CLASS, GATEWAY]);

  test('of another name and the same contents', () => {
    expect(told({ to: [...toOther, SETTINGS, OTHER, SET, ROUTE, TARGETS] })).toEqual(['kept Gateway edge/shared']);
  });

  test('of another name and with another scheme', () => {
    const internal = OTHER.replace('internet-facing', 'internal');
    expect(causesOf({ to: [...toOther, SETTINGS, internal, SET, ROUTE, TARGETS] })).toEqual([
      expect.stringMatching(/^replaced LoadBalancerConfiguration more, spec\.scheme: /),
    ]);
  });

  test('that are not there', () => {
    expect(told({ to: [...toOther, SETTINGS, SET, ROUTE, TARGETS] })).toEqual(['replaced Gateway edge/shared']);
  });

  test('that are removed', () => {
    const to = edited(`infrastructure: { ${PARAMETERS} }`, 'infrastructure: {}');
    expect(causesOf({ to })).toEqual([
      expect.stringMatching(/^replaced LoadBalancerConfiguration settings, spec\.scheme: /),
    ]);
  });

  test('of the class', () => {
    const ofClass = CLASS.replace(
      'aws/nlb }',
      `aws/nlb, ${PARAMETERS.replace('name: settings', 'name: settings, namespace: edge')} }`,
    );
    const bare = GATEWAY.replace(`infrastructure: { ${PARAMETERS} }`, 'infrastructure: {}');
    const from = [ofClass, bare, SETTINGS];
    expect(told({ from, to: from })).toEqual(['kept Gateway edge/shared']);
    expect(told({ from, to: edited('internet-facing', 'internal', from) })).toEqual(['replaced Gateway edge/shared']);
  });
});

describe('its class', () => {
  test('goes', () => {
    expect(told({ to: without(CLASS) })).toEqual(['orphaned Gateway edge/shared']);
    expect(told({ to: without(CLASS), options: { prune: false } })).toEqual(['kept Gateway edge/shared']);
  });

  test('is on the newer side alone', () => {
    expect(told({ from: without(CLASS), to: ALL })).toEqual(['kept Gateway edge/shared']);
  });

  test('is another one of the same controller', () => {
    const other = CLASS.replace('name: nlb', 'name: nlb2');
    const to = [...edited('gatewayClassName: nlb', 'gatewayClassName: nlb2'), other];
    expect(told({ to })).toEqual(['kept Gateway edge/shared']);
  });

  test('is of another controller', () => {
    const other = CLASS.replace('name: nlb', 'name: eg').replace(
      'gateway.k8s.aws/nlb',
      'gateway.envoyproxy.io/gatewayclass-controller',
    );
    const to = [...edited('gatewayClassName: nlb', 'gatewayClassName: eg'), other];
    expect(told({ to })).toContain('orphaned Gateway edge/shared');
  });
});

describe('its controller', () => {
  const from = [...ALL, INSTALL];

  test('is removed', () => {
    expect(told({ from, to: ALL })).toEqual(['stuck Gateway edge/shared']);
    expect(told({ from, to: without(GATEWAY) })).toEqual(['stuck Gateway edge/shared']);
  });

  test('is installed with another name of the cluster', () => {
    expect(told({ from, to: edited('--cluster-name=live', '--cluster-name=other', from) })).toEqual([
      'orphaned Gateway edge/shared',
    ]);
  });
});

describe('a TargetGroupBinding of a balancer that is made elsewhere', () => {
  test('stays', () => {
    expect(told({ from: [BINDING], to: [BINDING] })).toEqual([]);
    expect(told({ from: [], to: [BINDING] })).toEqual([]);
  });

  test('goes with its targets', () => {
    expect(told({ from: [BINDING], to: [] })).toEqual(['interrupted TargetGroupBinding edge/echo']);
    expect(told({ from: [BINDING], to: [], options: { prune: false } })).toEqual([]);
  });

  test('of a cluster has what is filled in, and others are there that the controller has made', () => {
    const filled = BINDING.replace(
      'namespace: edge }',
      'namespace: edge, uid: u, finalizers: [elbv2.k8s.aws/resources] }',
    );
    const live = `${filled}  targetType: ip\n  vpcID: vpc-0123456789abcdef0\n`;
    const made = live.replace('name: echo,', 'name: k8s-edge-echo-0123456789,');
    const from = [live, made];
    expect(told({ from, to: [BINDING], before: { isLive: true }, options: { prune: true } })).toEqual([]);
  });

  test('leads to another target group', () => {
    const to = edited('0123456789abcdef', 'fedcba9876543210', [BINDING]);
    expect(told({ from: [BINDING], to })).toEqual(['refused TargetGroupBinding edge/echo']);
  });

  test.each<[string, string, string, Json, string]>(
    table('diff/gateway-balancers.yaml', 'a TargetGroupBinding of a balancer that is made elsewhere'),
  )('%s', (_, old, now, options, cause) => {
    const [from, to] = [old, now].map((spec) => [`${BINDING.replace(/ {2}targetGroupARN.*\n/, '')}  ${spec}\n`]);
    const [first = ''] = causesOf({ from, to, options });
    expect(first).toMatch(new RegExp(`^${cause}`));
    expect(first === '').toBe(cause === '');
  });
});

test('files are read in any order', () => {
  const shuffled: Texts = Object.fromEntries([...ALL].reverse().map((text, i) => [`${i}.yaml`, text]));
  expect(changesOf(sideOf(shuffled), sideOf(shuffled)).map(({ outcome }) => outcome)).toEqual(['kept']);
});

test('a dump has what the API server and the controller add', () => {
  const live = ALL.map((one) =>
    one
      .replace('port: 9094, protocol: TCP', 'port: 9094, protocol: TCP, allowedRoutes: { namespaces: { from: Same } }')
      .replace('parentRefs: [{ kind: ListenerSet', 'parentRefs: [{ group: gateway.networking.k8s.io, kind: ListenerSet')
      .replace(
        /metadata: \{ (.*) \}\n/,
        'metadata: { $1, uid: u, resourceVersion: "1", finalizers: [gateway.k8s.aws/nlb] }\nstatus: { conditions: [] }\n',
      ),
  );
  expect(told({ from: live, to: ALL, before: { isLive: true } })).toEqual(['kept Gateway edge/shared']);
});
