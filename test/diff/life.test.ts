import { traceNamed } from '../../src/checks/explain/traces';
import { LOSSES } from '../../src/contract/edit';
import { AwsCloudProvider } from '../../src/controllers/aws-cloud-provider/controller';
import { AwsLoadBalancerController } from '../../src/controllers/aws-load-balancer-controller/controller';
import { MetalLb } from '../../src/controllers/metal-lb/controller';
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
    expect([...new Set(named)].filter((trace) => traceNamed(trace)?.trace.name !== trace)).toEqual([]);
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
