import { AwsLoadBalancerController } from '../../src';
import { findTrace } from '../../src/cli/explain/traces';
import { LOSSES } from '../../src/contract/edit';
import { AwsCloudProvider } from '../../src/controllers/aws-cloud-provider/controller';
import { MetalLb } from '../../src/controllers/metal-lb/controller';
import { placesOf } from '../../src/diff/effect';
import { pairBalancers } from '../../src/diff/pairs';
import { changesIn, documents, rowsOf, saidOf, service } from './rows';
import { sideOf } from './sides';

const AWS = 'service.k8s.aws/resources';
const NLB = 'service.k8s.aws/nlb';
const byClass = { class: NLB, finalizers: [AWS] };
const aws = AwsLoadBalancerController.nlb();
const cloud = AwsCloudProvider.nlb();
const nothing = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'edge' } });

const [ROWS, STRIPPED] = ['life.yaml', 'life-of-stripped.yaml'].map(rowsOf);

const SHARED = 'cdk8s-load-balancers/shared';

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const EXTERNAL = {
  'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
  'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
};

test.each(ROWS)('%s', (_, before, after, options, said) => {
  expect(saidOf(changesIn(before, after, options))).toEqual(said);
});

test('an annotation goes that made a controller the owner: that one deletes its balancer, and the other makes one', () => {
  const [change] = changesIn(service({ annotations: EXTERNAL, finalizers: [AWS] }), service({ finalizers: [AWS] }), {
    installed: [aws, cloud],
  });
  expect(change.effects).toContainEqual(
    expect.objectContaining({
      outcome: 'handed over',
      field: TYPE,
      from: 'external',
      why: expect.stringContaining('cloud-provider-aws claims it now'),
    }),
  );
});

describe('every cause of a life', () => {
  const causes = ROWS.flatMap(([title, before, after, options]) =>
    changesIn(before, after, options).flatMap((change) => change.effects.map((cause) => ({ title, change, cause }))),
  );

  test('says why in one clause, without a full stop, and no longer than two lines', () => {
    const wrong = causes.filter(
      ({ cause: { why } }) => /\.$|^[A-Z][a-z]+ [a-z]+ed\b|undefined/.test(why) || why.length > 240,
    );
    expect(wrong.map(({ cause }) => cause.why)).toEqual([]);
  });

  test('has what to do where something is lost, and what must be known where that is missing', () => {
    const lost = causes.filter(({ cause: { outcome } }) => LOSSES.has(outcome));
    const unknown = causes.filter(({ cause: { outcome } }) => outcome === 'unknown');
    expect(lost.filter(({ cause: { remedy } }) => !remedy).map(({ title, cause }) => [title, cause.why])).toEqual([]);
    expect(unknown.filter(({ cause: { needs } }) => !needs?.length).map(({ title }) => title)).toEqual([]);
  });

  test('names a trace of the model that there is', () => {
    const named = causes.flatMap(({ cause: { trace } }) => (trace === undefined ? [] : [trace]));
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((trace) => findTrace(trace)?.trace.name !== trace)).toEqual([]);
  });
});

test('an old balancer and the one in its place know each other', () => {
  const [old, now] = changesIn(service(byClass), service({ ...byClass, name: 'echo-nlb' }), {});
  expect(old.movedTo).toBe(now.after);
  expect(now.movedFrom).toBe(old.before);
  expect(old.effects[0]).toMatchObject({ from: 'echo', to: 'echo-nlb', why: expect.stringContaining('edge/echo-nlb') });
});

test('what is on both sides is said alike whatever the order of objects is', () => {
  const names = ['a', 'b', 'c', 'd'];
  const before = names.map((name) => service({ ...byClass, name }));
  const after = names.map((name) => service({ ...byClass, name: `${name}-2`, port: 80 }));
  const said = saidOf(changesIn(documents(...before), documents(...after), {}));
  expect(saidOf(changesIn(documents(...[...before].reverse()), documents(...[...after].reverse()), {}))).toEqual(said);
  const pairs = changesIn(documents(...[...before].reverse()), documents(...after), {}).flatMap(
    ({ before: old, movedTo }) => (movedTo ? [`${old?.id} ${movedTo.id}`] : []),
  );
  expect(pairs).toEqual(names.map((name) => `edge/${name} edge/${name}-2`));
});

test('what is gone and what has come is matched fast, also where all of it has other names', () => {
  const side = (end: string) =>
    documents(
      ...Array.from({ length: 3_000 }, (_, i) =>
        service({ ...byClass, name: `echo-${i}${end}`, selector: `echo-${i % 1_500}` }),
      ),
    );
  const start = performance.now();
  const [before, after] = [side(''), side('-2')].map((text) => sideOf(text));
  const read = performance.now();
  const pairs = pairBalancers(before, after);
  // both in one run: a machine may be slow
  expect(performance.now() - read).toBeLessThan(read - start);
  expect(pairs.filter(({ movedTo }) => movedTo)).toHaveLength(3_000);
});

test('a finalizer that another controller removes at once hangs nothing: it empties the status', () => {
  const installed = [aws, cloud];
  const [change] = changesIn(service(), service({ finalizers: [AWS] }), { installed, writer: 'client-apply' });
  expect(change.outcome).toBe('interrupted');
  expect(change.effects[0].why).toContain('empties the status');
  expect(change.effects[0].why).not.toContain('Terminating');
});

test.each([
  ['nlb', 'external', 'another controller is to own the Service'],
  [undefined, 'nlb', 'from v1.36 on the change is refused'],
])('of the type annotation of a cloud provider, what becomes of it is said: %s -> %s', (from, to, what) => {
  const at = (type?: string) => service({ annotations: type === undefined ? {} : { [TYPE]: type } });
  const [change] = changesIn(at(from), at(to), { installed: [cloud] });
  expect(change.outcome).toBe('orphaned');
  expect(change.effects.map(({ why }) => why).join()).toContain(what);
});

describe('a live Service that has lost the finalizer of its owner', () => {
  const status = { loadBalancer: { ingress: [{ hostname: 'echo.elb.example.com' }] } };
  const live = { class: NLB, status, metadata: { uid: '1-2' } };
  const stripped = service(live);

  test.each(STRIPPED)('%s', (_, before, after, options, said) => {
    const changes = changesIn(before, after, { before: { isLive: true }, installed: [aws], ...options });
    expect(saidOf(changes)).toEqual(said);
    for (const { outcome, effects: causes } of changes.filter((one) => one.outcome === 'orphaned')) {
      expect(causes.find((cause) => cause.outcome === outcome)?.why).not.toMatch(/with its address|in one change/);
    }
  });

  test('is orphaned and not stuck where its owner goes', () => {
    const [change] = changesIn(stripped, service({ class: NLB }), {
      before: { isLive: true, installed: [aws] },
      after: { installed: [MetalLb.layer2()] },
    });
    expect(change.outcome).toBe('orphaned');
  });

  test.each([
    ['cloud-provider-aws', cloud, 'orphaned'],
    ['metallb', MetalLb.layer2(), 'deleted'],
  ] as const)('of %s', (_, owner, outcome) => {
    const { class: __, ...classless } = live;
    const [change] = changesIn(service(classless), nothing, {
      before: { isLive: true },
      installed: [owner],
      prune: true,
    });
    expect(change.outcome).toBe(outcome);
  });
});

test('a Service of a balancer that tenants share has no address of its own', () => {
  const said = changesIn(service({ class: SHARED }), service({ class: SHARED, namespace: 'shop' }), {
    installed: [aws],
  }).flatMap(({ effects: causes }) => causes.map(({ why }) => why));
  expect(said.join()).toContain('the balancer that tenants share');
  expect(said.join()).not.toContain('address of its own');
});

test('a new name with the same Elastic IPs has another DNS name', () => {
  const annotations = { 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations': 'eipalloc-1' };
  const [change] = changesIn(
    service({ ...byClass, annotations }),
    service({ ...byClass, annotations, name: 'other' }),
    { installed: [aws], prune: true },
  );
  expect(change.outcome).toBe('replaced');
  expect(change.effects[0].why).toContain(
    'edge/other asks for eipalloc-1 as well: this one is deleted, and the other one can be made once the addresses are free',
  );
});

interface KafkaLines {
  readonly name?: string;
  readonly listener?: string;
  readonly type?: string;
  readonly pool?: string;
  readonly brokers?: number;
  readonly finalizers?: readonly string[];
  readonly ipFamilies?: readonly string[];
}

function kafka({
  name = 'events',
  listener = 'external',
  type = 'loadbalancer',
  pool = 'brokers',
  brokers = 1,
  finalizers = [AWS],
  ipFamilies,
}: KafkaLines = {}): string {
  const configuration = { class: NLB, ipFamilies, ...(finalizers.length > 0 && { finalizers }) };
  const strimzi = { apiVersion: 'kafka.strimzi.io/v1' };
  const listeners = [
    { name: listener, port: 9094, type, tls: true, ...(type === 'loadbalancer' && { configuration }) },
  ];
  return documents(
    JSON.stringify({
      ...strimzi,
      kind: 'Kafka',
      metadata: { name, namespace: 'kafka' },
      spec: { kafka: { version: '4.1.0', listeners } },
    }),
    JSON.stringify({
      ...strimzi,
      kind: 'KafkaNodePool',
      metadata: { name: pool, namespace: 'kafka', labels: { 'strimzi.io/cluster': name } },
      spec: { replicas: brokers, roles: ['broker'], storage: { type: 'ephemeral' } },
    }),
  );
}

describe('a controller that a chart installs', () => {
  const chart = (name: string) =>
    JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec: { sources: [{ repoURL: 'https://aws.github.io/eks-charts', chart: 'aws-load-balancer-controller' }] },
    });

  test('what an operator makes is handed over by another listener', () => {
    const remedies = changesIn(documents(chart('lbc'), kafka()), kafka(), {}).map(
      ({ effects: [{ remedy }] }) => remedy,
    );
    expect(new Set(remedies)).toEqual(
      new Set([
        'add another listener first that another controller serves, move clients and DNS to it, remove this listener, wait until its Services are gone, and remove aws-load-balancer-controller last',
      ]),
    );
  });
});

test('the field of a listener has its values, and its line on both sides', () => {
  const change = changesIn(kafka(), kafka({ finalizers: [] }), { writer: 'put' })[0];
  const [cause] = change.effects;
  expect(cause).toMatchObject({ field: 'spec.kafka.listeners[0].configuration.finalizers', from: AWS });
  const { before, after } = placesOf(change, cause);
  const path = ['spec', 'kafka', 'listeners', 0, 'configuration', 'finalizers'];
  expect([before?.path, after?.path]).toEqual([path, path]);
  expect([before?.manifest.object.kind, after?.manifest.object.kind]).toEqual(['Kafka', 'Kafka']);
});

test('what decides that a broker goes has its values', () => {
  const [change] = changesIn(kafka({ brokers: 3 }), kafka({ brokers: 2 }), {});
  expect(change.effects).toMatchObject([{ field: 'KafkaNodePool brokers, spec.replicas', from: '3', to: '2' }]);
});

// Whether a finalizer that is no longer declared goes hangs on who writes.

const CLASS = 'service.k8s.aws/nlb';
const installed = [AwsLoadBalancerController.nlb()];
const changeBy = (writer?: 'client-apply' | 'server-apply') => {
  const [old, now] = [service({ class: CLASS, finalizers: ['service.k8s.aws/resources'] }), service({ class: CLASS })];
  const [{ outcome, effects: causes }] = changesIn(old, now, { installed, ...(writer && { writer }) });
  return {
    outcome,
    causes: causes.map(({ field, why, condition, remedy }) => ({
      field,
      why,
      ...(condition && { condition }),
      ...(remedy && { remedy }),
    })),
  };
};

test('of an unknown writer the cause says with which ones it goes', () => {
  const { outcome, causes } = changeBy();
  expect(outcome).toBe('orphaned');
  expect(causes[0].why).toMatch(/^applying the manifest removes the finalizer/);
  expect(causes[0].condition).toBe('applied with --server-side or replace');
  expect(causes[0].remedy).toContain('--writer client-apply');
});

test('of server-side apply it is sure', () => {
  const { outcome, causes } = changeBy('server-apply');
  expect(outcome).toBe('orphaned');
  expect(causes[0].why).not.toContain('--server-side');
});

test('what client-side apply keeps is a change all the same', () => {
  const { outcome, causes } = changeBy('client-apply');
  expect(outcome).toBe('kept');
  expect(causes).toEqual([
    {
      field: 'metadata.finalizers',
      why: expect.stringContaining('client-side apply also changes the last-applied annotation'),
    },
  ]);
});

test.each(['attack.yaml', 'found-by.yaml', 'life-of-made.yaml', 'targets.yaml'].flatMap(rowsOf))(
  '%s',
  (_, before, after, options, said) => expect(saidOf(changesIn(before, after, options))).toEqual(said),
);
