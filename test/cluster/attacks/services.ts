import type { Body } from '../harness/api';
import { attackerOf, type Scenario, strongOf, tenantOf } from './scenarios';
import { type Attack, everyWay, MERGE, servicesOf } from './ways';

const balanced = (now: Body, spec: Body): Body => ({
  ...now,
  spec: {
    ...now.spec,
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    loadBalancerSourceRanges: ['10.0.0.0/16'],
    ...spec,
  },
});

export function serviceChanges(scenario: Scenario): Attack[] {
  const who = tenantOf(scenario);
  const plain = `${servicesOf(scenario)}/plain`;
  const ways = (what: string, change: (now: Body) => Body) =>
    everyWay(scenario, who, what, plain, change, { strategic: true });
  return [
    ...ways('a balancer of another class', (now) => balanced(now, { loadBalancerClass: 'service.k8s.aws/nlb' })),
    ...ways('every client may connect', (now) =>
      balanced(now, { loadBalancerSourceRanges: ['0.0.0.0/1', '128.0.0.0/1'] }),
    ),
    ...ways('a node port', (now) => ({ ...now, spec: { ...now.spec, type: 'NodePort' } })),
    ...ways('an address of somebody else', (now) => ({ ...now, spec: { ...now.spec, externalIPs: ['10.1.2.3'] } })),
  ];
}

/** The status of Services, in every way: addresses, and what belongs to the object itself. */
export function statusChanges(scenario: Scenario): Attack[] {
  const plain = `${servicesOf(scenario)}/plain`;
  return [tenantOf(scenario), strongOf(scenario)].flatMap((who) => [
    ...everyWay(
      scenario,
      who,
      'an address in its status',
      plain,
      (now) => ({ ...now, status: { loadBalancer: { ingress: [{ ip: '10.1.2.3' }] } } }),
      { below: '/status' },
    ).slice(0, 4),
    ...everyWay(
      scenario,
      who,
      'finalizers by its status',
      plain,
      (now) => ({ ...now, metadata: { ...now.metadata, finalizers: ['example.com/mine'] } }),
      { below: '/status' },
    ).slice(0, 4),
    ...everyWay(
      scenario,
      who,
      'annotations by its status',
      plain,
      (now) => ({ ...now, metadata: { ...now.metadata, annotations: { 'haproxy.org/pod-maxconn': '1' } } }),
      { below: '/status' },
    ).slice(0, 4),
  ]);
}

/** Finalizers of balancers and of the publisher taken away. */
export function finalizerChanges(scenario: Scenario): Attack[] {
  const without = (now: Body) => ({ ...now, metadata: { ...now.metadata, finalizers: [] } });
  return [tenantOf(scenario), strongOf(scenario)].flatMap((who) =>
    ['published', 'owned'].flatMap((name) => [
      ...everyWay(scenario, who, `${name} without its finalizer`, `${servicesOf(scenario)}/${name}`, without).slice(
        0,
        4,
      ),
      ...(who === strongOf(scenario)
        ? everyWay(
            scenario,
            who,
            `${name} without its finalizer, by the status`,
            `${servicesOf(scenario)}/${name}`,
            without,
            { below: '/status' },
          ).slice(0, 4)
        : []),
    ]),
  );
}

export function deletions(scenario: Scenario): Attack[] {
  const who = tenantOf(scenario);
  const path = `${servicesOf(scenario)}/published`;
  const options = (more: Body) => ({ apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'], ...more });
  const remove = (what: string, at: string, body?: Body): Attack => ({
    what: `${who} deletes ${what}`,
    scenario,
    who,
    act: (api) => api.call('DELETE', at, body),
  });
  return [
    remove('leaving orphans', path, options({ propagationPolicy: 'Orphan' })),
    remove('leaving orphans, as old clients say it', path, options({ orphanDependents: true })),
    remove('leaving orphans, by query', `${path}?propagationPolicy=Orphan&dryRun=All`),
    remove('leaving orphans, by the old query', `${path}?orphanDependents=true&dryRun=All`),
    remove('all Services leaving orphans', `${servicesOf(scenario)}?propagationPolicy=Orphan&dryRun=All`),
    remove('some Services leaving orphans', `${servicesOf(scenario)}?labelSelector=app%3Dplain&dryRun=All`, {
      ...options({ propagationPolicy: 'Orphan' }),
    }),
    {
      what: `${who} creates a Service that will leave orphans`,
      scenario,
      who,
      act: (api) =>
        api.call('POST', `${servicesOf(scenario)}?dryRun=All`, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'orphaning', finalizers: ['orphan'] },
          spec: { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/16'], ports: [{ port: 31_003 }] },
        }),
    },
    {
      what: `${who} makes a Service one that will leave orphans, before it is published`,
      scenario,
      who,
      act: (api) =>
        api.call(
          'PATCH',
          `${servicesOf(scenario)}/waiting?dryRun=All`,
          { metadata: { finalizers: ['orphan'] } },
          MERGE,
        ),
    },
    {
      what: `${who} makes a published Service one that will leave orphans`,
      scenario,
      who,
      act: async (api, admin) => {
        const { metadata } = await admin.call('GET', path);
        return api.call(
          'PATCH',
          `${path}?dryRun=All`,
          { metadata: { finalizers: [...metadata.finalizers, 'orphan'] } },
          MERGE,
        );
      },
    },
  ];
}

export function creations(scenario: Scenario): Attack[] {
  const who = tenantOf(scenario);
  const create = (what: string, spec: Body, metadata: Body = {}, harmless?: string): Attack => ({
    what: `${who} creates ${what}`,
    scenario,
    who,
    harmless,
    act: (api) =>
      api.call('POST', `${servicesOf(scenario)}?dryRun=All&fieldValidation=Ignore`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'new', ...metadata },
        spec: {
          type: 'LoadBalancer',
          loadBalancerSourceRanges: ['10.0.0.0/16'],
          ports: [{ port: 31_004 }],
          ...spec,
        },
      }),
  });
  const class_ = (what: string, loadBalancerClass: unknown) => create(`a Service of ${what}`, { loadBalancerClass });
  return [
    class_('the shared class in Cyrillic letters', 'cdk8s-load-balancers/\u0455hared'),
    class_('the shared class in capitals', 'CDK8S-LOAD-BALANCERS/shared'),
    class_('the shared class with a blank', 'cdk8s-load-balancers/shared '),
    class_('the shared class with a zero-width blank', 'cdk8s-load-balancers/shared\u200b'),
    class_('the class of the cloud', 'service.k8s.aws/nlb'),
    class_('a class that is a list', ['cdk8s-load-balancers/shared', 'service.k8s.aws/nlb']),
    create('a generated name of another class', { loadBalancerClass: 'x/y' }, { name: undefined, generateName: 'n-' }),
    create('ranges of IPv4 in IPv6', { loadBalancerSourceRanges: ['::ffff:0.0.0.0/96'] }),
    create('ranges with zeros in front', { loadBalancerSourceRanges: ['010.0.0.0/16'] }),
    create('ranges with a blank', { loadBalancerSourceRanges: ['0.0.0.0/0 '] }),
    create('ranges with host bits, which read as a wide one', { loadBalancerSourceRanges: ['255.255.255.255/0'] }),
    create('21 ranges', { loadBalancerSourceRanges: Array.from({ length: 21 }, (_, i) => `10.${i}.0.0/16`) }),
    create('no ranges', { loadBalancerSourceRanges: [] }),
    create('ranges of null', { loadBalancerSourceRanges: null }),
    create(
      'ranges by annotation',
      {},
      { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '0.0.0.0/0' } },
    ),
    create('4 ports', { ports: [1, 2, 3, 4].map((port) => ({ name: `p${port}`, port })) }),
    create('a node port that it names', {
      allocateLoadBalancerNodePorts: false,
      ports: [{ port: 5, nodePort: 30_123 }],
    }),
    create('a health check on every node', { externalTrafficPolicy: 'Local' }),
    create('an address that it wants', { loadBalancerIP: '10.1.2.3' }),
    create('addresses of nodes', { externalIPs: ['10.1.2.3'] }),
    create(
      'a Service that is an Ingress, too',
      { ports: [{ port: 1 }] },
      { annotations: { 'haproxy.org/x': '1' } },
      scenario === 'haproxy' ? undefined : 'nobody reads it at this engine',
    ),
    create(
      'a Service owned by the namespace',
      {},
      {
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Namespace', name: attackerOf(scenario), uid: '0', blockOwnerDeletion: true },
        ],
      },
      'the garbage collector deletes it',
    ),
    create(
      'a Service with managed fields of the platform',
      {},
      {
        managedFields: [
          {
            manager: 'kustomize-controller',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:type': {} } },
          },
        ],
      },
      'who owns a field is asked by apply alone',
    ),
    create(
      'a Service with 200 KiB of annotations',
      {},
      { annotations: { 'example.com/book': 'x'.repeat(200 * 1024) } },
      'the hook is sent one Service at a time',
    ),
    create('a deletion that lasts', {}, { finalizers: ['orphan', 'foregroundDeletion'] }),
  ];
}
