import { traceNamed } from '../../src/checks/explain/traces';
import { LOSSES } from '../../src/contract/edit';
import { AwsCloudProvider } from '../../src/controllers/aws-cloud-provider/controller';
import { AwsLoadBalancerController } from '../../src/controllers/aws-load-balancer-controller/controller';
import { HetznerCloud } from '../../src/controllers/hetzner-cloud/controller';
import { MetalLb } from '../../src/controllers/metal-lb/controller';
import { pairBalancers } from '../../src/diff/pairs';
import { changesIn, documents, type Row, type RowOptions, saidOf, service } from './rows';
import { sideOf, type Texts } from './sides';

const AWS = 'service.k8s.aws/resources';
const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
const NLB = 'service.k8s.aws/nlb';
const byClass = { class: NLB, finalizers: [AWS] };
const aws = AwsLoadBalancerController.nlb();
const cloud = AwsCloudProvider.nlb();
const namespace = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const nothing = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'edge' } });

const ROWS: Row[] = [
  ['nothing changes', service(byClass), service(byClass), {}, ['kept edge/echo']],
  ['a new one', nothing, service(byClass), {}, ['created edge/echo: metadata.name']],
  ['a new one of nobody', nothing, service({ class: 'a.b/c' }), {}, ['unknown edge/echo: metadata.name']],
  [
    'a new one that no installed controller claims',
    nothing,
    service({ class: NLB }),
    { installed: [MetalLb.layer2()] },
    ['unknown edge/echo: metadata.name'],
  ],
  ['one goes', service(byClass), nothing, {}, ['deleted edge/echo: metadata.name']],
  ['one goes, with prune', service(byClass), nothing, { prune: true }, ['deleted edge/echo: metadata.name']],
  ['one goes, without prune', service(byClass), nothing, { prune: false }, ['kept edge/echo: metadata.name']],
  [
    'one goes that never had a balancer',
    service({ class: NLB }),
    nothing,
    { installed: [MetalLb.layer2()] },
    ['kept edge/echo: metadata.name'],
  ],
  [
    'one goes with a finalizer of another controller',
    service({ class: NLB, finalizers: [CLEANUP] }),
    nothing,
    { installed: [aws] },
    ['stuck edge/echo: metadata.name'],
  ],
  [
    'one goes that a tool does not prune',
    service({ ...byClass, annotations: { 'argocd.argoproj.io/sync-options': 'Validate=false,Prune=false' } }),
    nothing,
    {},
    ['unknown edge/echo: metadata.name'],
  ],
  [
    'another name with the same address, which MetalLB gives to the new one',
    service({ annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.9' } }),
    service({ annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.9' }, name: 'other' }),
    { installed: [MetalLb.layer2()] },
    ['interrupted edge/echo: metadata.name', 'created edge/other: metadata.name'],
  ],
  [
    'another name with another address',
    service({ annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.9' } }),
    service({ annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.8' }, name: 'other' }),
    { installed: [MetalLb.layer2()] },
    ['replaced edge/echo: metadata.name', 'created edge/other: metadata.name'],
  ],
  [
    'another name',
    service(byClass),
    service({ ...byClass, name: 'echo-nlb' }),
    {},
    ['replaced edge/echo: metadata.name', 'created edge/echo-nlb: metadata.name'],
  ],
  [
    'another name, without prune',
    service(byClass),
    service({ ...byClass, name: 'echo-nlb' }),
    { prune: false },
    ['created edge/echo-nlb: metadata.name', 'kept edge/echo: metadata.name'],
  ],
  [
    'another name and port',
    service(byClass),
    service({ ...byClass, name: 'echo-nlb', port: 81 }),
    {},
    ['replaced edge/echo: metadata.name', 'created edge/echo-nlb: metadata.name'],
  ],
  [
    'another name and other pods',
    service(byClass),
    service({ ...byClass, name: 'web', selector: 'web' }),
    {},
    ['deleted edge/echo: metadata.name', 'created edge/web: metadata.name'],
  ],
  [
    'another namespace',
    service(byClass),
    service({ ...byClass, namespace: 'shop' }),
    {},
    ['replaced edge/echo: metadata.namespace', 'created shop/echo: metadata.namespace'],
  ],
  [
    'two of the same pods, both under other names',
    documents(service({ ...byClass, name: 'in' }), service({ ...byClass, name: 'out' })),
    documents(service({ ...byClass, name: 'in-2' }), service({ ...byClass, name: 'out-2' })),
    {},
    [
      'replaced edge/in: metadata.name',
      'replaced edge/out: metadata.name',
      'created edge/in-2: metadata.name',
      'created edge/out-2: metadata.name',
    ],
  ],
  [
    'no namespace on one side',
    service({ ...byClass, namespace: '' }),
    service(byClass),
    {},
    ['unknown edge/echo: metadata.namespace'],
  ],
  [
    'no namespace on both sides',
    service({ ...byClass, namespace: '' }),
    service({ ...byClass, namespace: 'default' }),
    {},
    ['kept default/echo'],
  ],
  [
    'two of one name in two files',
    { 'a.yaml': service(byClass) },
    { 'a.yaml': service(byClass), 'b.yaml': service({ ...byClass, port: 81 }) },
    {},
    ['interrupted edge/echo: spec.ports[0].port'],
  ],
  [
    'two of one name in two files, of which the last one is as it was',
    { 'b.yaml': service(byClass) },
    { 'a.yaml': service({ ...byClass, port: 81 }), 'b.yaml': service(byClass) },
    {},
    ['unknown edge/echo: metadata.name'],
  ],
  [
    'two of one name in two files, as before',
    { 'a.yaml': service(byClass), 'b.yaml': service({ ...byClass, port: 81 }) },
    { 'a.yaml': service(byClass), 'b.yaml': service({ ...byClass, port: 81 }) },
    {},
    ['kept edge/echo'],
  ],
  [
    'two of one name in two files, alike',
    { 'a.yaml': service(byClass) },
    { 'a.yaml': service(byClass), 'b.yaml': service(byClass) },
    {},
    ['kept edge/echo'],
  ],
  [
    'a copy in another folder goes, and the last one moves',
    { 'a/x.yaml': service(byClass), 'b/x.yaml': service(byClass) },
    { 'c/x.yaml': service(byClass) },
    {},
    ['kept edge/echo'],
  ],
  [
    'a copy comes in another folder, and is not alike',
    { 'b/x.yaml': service(byClass) },
    { 'a/x.yaml': service({ ...byClass, port: 81 }), 'b/x.yaml': service(byClass) },
    {},
    ['unknown edge/echo: metadata.name'],
  ],
  [
    'two of one name in folders of two clusters',
    { 'dev/a.yaml': service(byClass), 'prod/a.yaml': service({ ...byClass, port: 81 }) },
    { 'dev/a.yaml': service(byClass), 'prod/a.yaml': service({ ...byClass, port: 82 }) },
    {},
    ['interrupted edge/echo: spec.ports[0].port', 'kept edge/echo'],
  ],
  [
    'the type goes in the folder of one of two clusters',
    { 'dev/a.yaml': service(byClass), 'prod/a.yaml': service(byClass) },
    { 'dev/a.yaml': service({ ...byClass, type: 'ClusterIP' }), 'prod/a.yaml': service(byClass) },
    {},
    ['deleted edge/echo: spec.type', 'kept edge/echo'],
  ],
  [
    'the folder of one of two clusters goes',
    { 'dev/a.yaml': service(byClass), 'prod/a.yaml': service(byClass) },
    { 'prod/a.yaml': service(byClass) },
    {},
    ['deleted edge/echo: metadata.name', 'kept edge/echo'],
  ],
  [
    'the type goes to ClusterIP',
    service(byClass),
    service({ ...byClass, type: 'ClusterIP' }),
    {},
    ['deleted edge/echo: spec.type'],
  ],
  [
    'the type goes, and so does the finalizer',
    service(byClass),
    service({ type: 'ClusterIP' }),
    {},
    ['orphaned edge/echo: spec.type'],
  ],
  [
    'the type goes, and no finalizer was declared',
    service({ class: NLB }),
    service({ type: 'NodePort' }),
    {},
    ['deleted edge/echo: spec.type'],
  ],
  [
    'the type goes, and the class is another one',
    service(byClass),
    service({ ...byClass, type: 'ClusterIP', class: 'a.b/c' }),
    {},
    ['refused edge/echo: spec.loadBalancerClass'],
  ],
  [
    'the type goes, and the source ranges stay',
    service({ ...byClass, spec: { loadBalancerSourceRanges: ['10.0.0.0/8'] } }),
    service({ finalizers: [AWS], type: 'ClusterIP', spec: { loadBalancerSourceRanges: ['10.0.0.0/8'] } }),
    {},
    ['refused edge/echo: spec.loadBalancerSourceRanges'],
  ],
  [
    'the type goes to ExternalName without a name',
    service(byClass),
    service({ type: 'ExternalName', finalizers: [AWS] }),
    {},
    ['refused edge/echo: spec'],
  ],
  ['the type comes', service({ type: 'ClusterIP' }), service(byClass), {}, ['created edge/echo: spec.type']],
  [
    'the type comes to a headless Service',
    service({ type: 'ClusterIP', spec: { clusterIP: 'None' } }),
    service(byClass),
    {},
    ['refused edge/echo: spec.clusterIP'],
  ],
  ['a class is added', service(), service({ class: NLB }), {}, ['refused edge/echo: spec.loadBalancerClass']],
  ['a class is removed', service({ class: NLB }), service(), {}, ['refused edge/echo: spec.loadBalancerClass']],
  [
    'a class is changed',
    service({ class: NLB }),
    service({ class: 'eks.amazonaws.com/nlb' }),
    {},
    ['refused edge/echo: spec.loadBalancerClass'],
  ],
  [
    'a class is changed by deleting and creating again',
    service({ class: NLB }),
    service({ class: 'eks.amazonaws.com/nlb' }),
    { writer: 'recreate' },
    ['handed over edge/echo: spec.loadBalancerClass'],
  ],
  [
    'a live class that a controller has written',
    service({ class: NLB, metadata: { managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: {} }] } }),
    service(),
    { before: { isLive: true }, installed: [aws] },
    ['kept edge/echo'],
  ],
  [
    'a live class that a chart has written',
    service({
      class: NLB,
      metadata: {
        managedFields: [
          { manager: 'helm', operation: 'Update', fieldsV1: { 'f:spec': { 'f:loadBalancerClass': {} } } },
        ],
      },
    }),
    service(),
    { before: { isLive: true }, installed: [aws] },
    ['refused edge/echo: spec.loadBalancerClass'],
  ],
  [
    'a live class of which none shows that applies',
    service({ class: NLB, metadata: { managedFields: [{ manager: 'deployer', operation: 'Update', fieldsV1: {} }] } }),
    service(),
    { before: { isLive: true }, installed: [aws] },
    ['unknown edge/echo: spec.loadBalancerClass'],
  ],
  [
    'a live class of which nothing shows who wrote it',
    service({ class: NLB }),
    service(),
    { before: { isLive: true }, installed: [aws] },
    ['unknown edge/echo: spec.loadBalancerClass'],
  ],
  [
    'the finalizer is declared no longer',
    service(byClass),
    service({ class: NLB }),
    {},
    ['orphaned edge/echo: metadata.finalizers'],
  ],
  ['the finalizer is declared from now on', service({ class: NLB }), service(byClass), {}, ['kept edge/echo']],
  [
    'a finalizer of another controller is declared',
    service({ class: NLB }),
    service({ class: NLB, finalizers: [CLEANUP] }),
    { installed: [aws] },
    ['stuck edge/echo: metadata.finalizers'],
  ],
  [
    'a finalizer of the service controller is declared, and it runs',
    service({ class: NLB }),
    service({ class: NLB, finalizers: [CLEANUP] }),
    { installed: [aws, cloud] },
    ['kept edge/echo'],
  ],
  [
    'a finalizer of the service controller is declared, and it is not known whether it runs',
    service({ class: NLB }),
    service({ class: NLB, finalizers: [CLEANUP] }),
    {},
    ['unknown edge/echo: metadata.finalizers'],
  ],
  [
    'a finalizer of nobody is declared',
    service({ class: NLB }),
    service({ class: NLB, finalizers: ['a.b/c'] }),
    {},
    ['unknown edge/echo: metadata.finalizers'],
  ],
  [
    'a finalizer without a domain is declared',
    service({ class: NLB }),
    service({ class: NLB, finalizers: ['abc'] }),
    {},
    ['refused edge/echo: metadata.finalizers'],
  ],
  [
    'a live finalizer that kubectl did not apply',
    service({
      ...byClass,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': service({ class: NLB }) },
    }),
    service({ class: NLB }),
    { before: { isLive: true } },
    ['kept edge/echo'],
  ],
  [
    'a live finalizer that kubectl applied',
    service({ ...byClass, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': service(byClass) } }),
    service({ class: NLB }),
    { before: { isLive: true } },
    ['orphaned edge/echo: metadata.finalizers'],
  ],
  [
    'a live finalizer of which nothing shows who wrote it',
    service(byClass),
    service({ class: NLB }),
    { before: { isLive: true } },
    ['unknown edge/echo: metadata.finalizers'],
  ],
  [
    'a live finalizer, and what is applied replaces whole objects',
    service({ ...byClass, metadata: { managedFields: [] } }),
    service({ class: NLB }),
    { before: { isLive: true }, writer: 'put' },
    ['orphaned edge/echo: metadata.finalizers'],
  ],
  [
    'the owner is taken away',
    service(byClass),
    service(byClass),
    { before: { installed: [aws, cloud] }, after: { installed: [cloud] } },
    ['stuck edge/echo: controllers'],
  ],
  [
    'the owner and the Service are taken away',
    service(byClass),
    nothing,
    { before: { installed: [aws, cloud] }, after: { installed: [cloud] } },
    ['stuck edge/echo: controllers'],
  ],
  [
    'the owner and its finalizer are taken away',
    service(byClass),
    service({ class: NLB }),
    { before: { installed: [aws, cloud] }, after: { installed: [cloud] } },
    ['orphaned edge/echo: metadata.finalizers'],
  ],
  [
    'an owner that is the balancer is taken away',
    service(),
    service(),
    { before: { installed: [MetalLb.layer2()] }, after: { installed: [] } },
    ['deleted edge/echo: controllers'],
  ],
  [
    'one classless owner after another',
    service(),
    service(),
    { before: { installed: [HetznerCloud.loadBalancer()] }, after: { installed: [MetalLb.layer2()] } },
    ['stuck edge/echo: controllers'],
  ],
  [
    'a webhook comes that gives new Services a class',
    service(),
    service(),
    {
      before: { installed: [cloud] },
      after: { installed: [cloud, AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })] },
    },
    ['kept edge/echo'],
  ],
  [
    'a second one claims it',
    service(),
    service(),
    { before: { installed: [cloud] }, after: { installed: [cloud, MetalLb.layer2()] } },
    ['unknown edge/echo: owner'],
  ],
  [
    'an owner comes for one that had none',
    service(),
    service(),
    { before: { installed: [] }, after: { installed: [cloud] } },
    ['created edge/echo: owner'],
  ],
  [
    'the namespace goes, and the Service with it',
    documents(namespace('edge'), service(byClass)),
    nothing,
    {},
    ['deleted edge/echo: metadata.name'],
  ],
  [
    'the namespace goes, and the Service is in the manifests',
    documents(namespace('edge'), service(byClass)),
    service(byClass),
    {},
    ['deleted edge/echo: metadata.namespace'],
  ],
  [
    'the namespace goes without prune',
    documents(namespace('edge'), service(byClass)),
    service(byClass),
    { prune: false },
    ['kept edge/echo'],
  ],
  [
    'a live Service in Terminating',
    service({ ...byClass, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    service(byClass),
    { before: { isLive: true } },
    ['replaced edge/echo: metadata.deletionTimestamp'],
  ],
  [
    'a live Service in Terminating that is in no manifest',
    service({ ...byClass, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    nothing,
    { before: { isLive: true } },
    ['deleted edge/echo: metadata.deletionTimestamp'],
  ],
  [
    'a live Service in Terminating with a finalizer of a controller that does not run',
    service({ class: NLB, finalizers: [CLEANUP], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    service({ class: NLB }),
    { before: { isLive: true }, installed: [aws] },
    ['stuck edge/echo: metadata.deletionTimestamp'],
  ],
  [
    'a node port that another Service has',
    documents(service(byClass), service({ name: 'web', type: 'NodePort', selector: 'web', nodePort: 30080 })),
    documents(
      service({ ...byClass, nodePort: 30080 }),
      service({ name: 'web', type: 'NodePort', selector: 'web', nodePort: 30080 }),
    ),
    {},
    ['refused edge/echo: spec.ports[0].nodePort'],
  ],
];

const SHARED = 'cdk8s-load-balancers/shared';

ROWS.push(
  [
    'a Service goes that has ports of a balancer of tenants',
    service({ class: SHARED }),
    nothing,
    { installed: [aws] },
    ['deleted edge/echo: metadata.name'],
  ],
  [
    'a new one has ports of a balancer of tenants',
    nothing,
    service({ class: SHARED }),
    { installed: [aws] },
    ['created edge/echo: metadata.name'],
  ],
  [
    'one of a balancer of tenants gets another name',
    service({ class: SHARED }),
    service({ class: SHARED, name: 'echo-2' }),
    { installed: [aws], prune: true },
    ['interrupted edge/echo: metadata.name', 'created edge/echo-2: metadata.name'],
  ],
  [
    'the port of one moves',
    service({ class: SHARED }),
    service({ class: SHARED, port: 81 }),
    { installed: [aws] },
    ['interrupted edge/echo: spec.ports[0].port'],
  ],
);

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const EXTERNAL = {
  'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
  'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
};
const EXTERNAL_INSTANCE = { ...EXTERNAL, 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'instance' };

ROWS.push(
  [
    'a type that goes while an annotation claims the Service',
    service({ annotations: EXTERNAL }),
    service({ annotations: EXTERNAL, type: 'ClusterIP' }),
    { installed: [aws, cloud] },
    ['kept edge/echo: spec.type'],
  ],
  [
    'a type with a field of its own',
    service({ annotations: EXTERNAL }),
    service({ annotations: EXTERNAL, type: 'ExternalName', spec: { externalName: 'echo.example.com' } }),
    { installed: [aws, cloud] },
    ['kept edge/echo: spec.type'],
  ],
  [
    'a type that takes the node ports of instance targets away',
    service({ annotations: EXTERNAL_INSTANCE }),
    service({ annotations: EXTERNAL_INSTANCE, type: 'ClusterIP' }),
    { installed: [aws, cloud] },
    ['refused edge/echo: spec.type'],
  ],
  [
    'a type that keeps the node ports of instance targets',
    service({ annotations: EXTERNAL_INSTANCE }),
    service({ annotations: EXTERNAL_INSTANCE, type: 'NodePort' }),
    { installed: [aws, cloud] },
    ['kept edge/echo: spec.type'],
  ],
  [
    'a type that goes with the annotation that claims the Service',
    service({ annotations: EXTERNAL, finalizers: [AWS] }),
    service({ annotations: {}, finalizers: [AWS], type: 'ClusterIP' }),
    { installed: [aws, cloud] },
    ['deleted edge/echo: spec.type'],
  ],
  [
    'an annotation that makes another controller the owner',
    service(),
    service({ annotations: EXTERNAL }),
    { installed: [aws, cloud] },
    [`orphaned edge/echo: ${TYPE}`],
  ],
  [
    'an annotation that takes it from its owner, which deletes its balancer by its finalizer',
    service({ annotations: EXTERNAL, finalizers: [AWS] }),
    service({ finalizers: [AWS] }),
    { installed: [aws, cloud] },
    [`handed over edge/echo: ${TYPE}`],
  ],
  [
    'the same, with the finalizer no longer declared',
    service({ annotations: EXTERNAL, finalizers: [AWS] }),
    service(),
    { installed: [aws, cloud] },
    [`orphaned edge/echo: ${TYPE}`],
  ],
  [
    'the same with other annotations of its owner, which say nothing of what the next one makes',
    service({ annotations: { ...EXTERNAL, [SCHEME]: 'internet-facing' }, finalizers: [AWS] }),
    service({ finalizers: [AWS] }),
    { installed: [aws, cloud] },
    [`handed over edge/echo: ${TYPE}`],
  ],
  [
    'the same where nobody takes it',
    service({ annotations: EXTERNAL, finalizers: [AWS] }),
    service({ finalizers: [AWS] }),
    { installed: [aws] },
    ['deleted edge/echo: service.beta.kubernetes.io/aws-load-balancer-nlb-target-type'],
  ],
  [
    'an annotation without which nobody claims it',
    service({ annotations: EXTERNAL, finalizers: [AWS] }),
    service({ annotations: { [TYPE]: 'external' }, finalizers: [AWS] }),
    { installed: [aws, cloud] },
    ['deleted edge/echo: service.beta.kubernetes.io/aws-load-balancer-nlb-target-type'],
  ],
);

const PROTECTED = { 'service.beta.kubernetes.io/aws-load-balancer-attributes': 'deletion_protection.enabled=true' };
const protectedNlb = { ...byClass, annotations: PROTECTED };
ROWS.push(
  ['a protected one goes', service(protectedNlb), nothing, {}, ['stuck edge/echo: metadata.name']],
  [
    'a protected one goes, without prune',
    service(protectedNlb),
    nothing,
    { prune: false },
    ['kept edge/echo: metadata.name'],
  ],
  [
    'a protected one gets another name',
    service(protectedNlb),
    service({ ...protectedNlb, name: 'other' }),
    {},
    ['stuck edge/echo: metadata.name', 'created edge/other: metadata.name'],
  ],
  [
    'a protected one gets another type',
    service(protectedNlb),
    service({ annotations: PROTECTED, finalizers: [AWS], type: 'ClusterIP' }),
    {},
    ['stuck edge/echo: spec.type'],
  ],
  [
    'another type and the protection out, which the controller then takes off itself',
    service(protectedNlb),
    service({ type: 'ClusterIP', finalizers: [AWS] }),
    {},
    ['deleted edge/echo: spec.type'],
  ],
  [
    'a protected one is made anew for another class',
    service(protectedNlb),
    service({ ...protectedNlb, class: 'a.b/c' }),
    { writer: 'recreate' },
    ['stuck edge/echo: spec.loadBalancerClass'],
  ],
  [
    'a protected one is replaced for another scheme, and its protection taken off',
    service({ ...byClass, annotations: { ...PROTECTED, [SCHEME]: 'internal' } }),
    service({ ...byClass, annotations: { ...PROTECTED, [SCHEME]: 'internet-facing' } }),
    {},
    [`replaced edge/echo: ${SCHEME}`],
  ],
  [
    'a protected one of EKS Auto Mode goes',
    service({ class: 'eks.amazonaws.com/nlb', annotations: PROTECTED }),
    nothing,
    {},
    ['unknown edge/echo: metadata.name'],
  ],
  [
    'one goes whose protection is off',
    service({ ...byClass, annotations: { [Object.keys(PROTECTED)[0]]: 'deletion_protection.enabled=false' } }),
    nothing,
    {},
    ['deleted edge/echo: metadata.name'],
  ],
);

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
  const kafka = { apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', metadata: { name: 'events', namespace: 'edge' } };
  const ofKafka = service({ ...live, metadata: { uid: '1-2', ownerReferences: [{ ...kafka, name: 'events' }] } });

  test.each<[string, Texts, Texts, RowOptions, readonly string[]]>([
    ['is kept as it is', stripped, service({ class: NLB }), {}, ['kept edge/echo']],
    ['goes', stripped, nothing, { prune: true }, ['orphaned edge/echo: metadata.name']],
    ['goes by client-side apply', stripped, nothing, { writer: 'client-apply' }, ['orphaned edge/echo: metadata.name']],
    ['stays without prune', stripped, nothing, { prune: false }, ['kept edge/echo: metadata.name']],
    [
      'goes with its namespace',
      documents(stripped, namespace('edge')),
      service({ name: 'web', namespace: 'shop', class: NLB }),
      { prune: true },
      ['orphaned edge/echo: metadata.name', 'created shop/web: metadata.name'],
    ],
    [
      'is renamed',
      stripped,
      service({ class: NLB, name: 'echo-2' }),
      { prune: true },
      ['orphaned edge/echo: metadata.name', 'created edge/echo-2: metadata.name'],
    ],
    ['gets another type', stripped, service({ type: 'ClusterIP' }), {}, ['orphaned edge/echo: spec.type']],
    [
      'is in Terminating',
      service({ ...live, metadata: { uid: '1-2', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      service({ class: NLB }),
      {},
      ['orphaned edge/echo: metadata.deletionTimestamp'],
    ],
    [
      'goes with what made it',
      documents(ofKafka, JSON.stringify({ ...kafka, metadata: { ...kafka.metadata, uid: '3-4' } })),
      nothing,
      { prune: true },
      ['orphaned edge/echo: metadata.name'],
    ],
    [
      'had no balancer yet, and so no finalizer',
      service({ ...live, status: { loadBalancer: {} } }),
      nothing,
      { prune: true },
      ['deleted edge/echo: metadata.name'],
    ],
    [
      'has it after all',
      service({ ...live, finalizers: [AWS] }),
      nothing,
      { prune: true },
      ['deleted edge/echo: metadata.name'],
    ],
    [
      'in files, which do not show it',
      service({ class: NLB, status }),
      nothing,
      { before: {}, prune: true },
      ['deleted edge/echo: metadata.name'],
    ],
  ])('%s', (_, before, after, options, said) => {
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
