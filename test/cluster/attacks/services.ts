import { ApiRefusal, type Body } from '../../real/api';
import {
  type Attack,
  attackerOf,
  ENVOY,
  everyWay,
  GATEWAY,
  MERGE,
  otherOf,
  pathOf,
  type Scenario,
  servicesOf,
  strongOf,
  tenantOf,
} from './scenarios';

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

const HAPROXY = 'ingress.v3.haproxy.org';

/** What the platform has made in the namespace of the attacker. */
function madeIn(scenario: Scenario): [apiVersion: string, plural: string, name: string][] {
  const gateway: [string, string, string][] = [
    [`${GATEWAY}/v1`, 'listenersets', scenario],
    [`${GATEWAY}/v1`, 'tcproutes', 'db-5432'],
  ];
  const envoy: [string, string, string][] = [
    ...gateway,
    [`${GATEWAY}/v1`, 'tlsroutes', 'api-8443'],
    [`${ENVOY}/v1alpha1`, 'clienttrafficpolicies', scenario],
  ];
  const made: Record<Scenario, [string, string, string][]> = {
    envoy,
    open: envoy,
    nlb: [...gateway, ['gateway.k8s.aws/v1', 'targetgroupconfigurations', 'db']],
    haproxy: [[`${HAPROXY}/v3`, 'tcps', scenario]],
  };
  return made[scenario];
}

/** Metadata of what the platform made: by it an object stays that is to go, goes that is to stay, or is taken for another's. */
export function metadataOfMade(scenario: Scenario): Attack[] {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '0' };
  // where no platform is named, tenants may write these kinds themselves
  const isOpen = scenario === 'open';
  const own = isOpen ? 'what it may write itself, and nobody else is led by it' : undefined;
  const changes: [what: string, metadata: Body, harmless?: string][] = [
    ['a finalizer with which it never goes', { finalizers: ['example.com/mine'] }],
    ['an owner that is gone', { ownerReferences: [owner] }, own],
    [
      'the mark of the publisher',
      { annotations: { 'metacontroller.io/decorator-controller': `${scenario}-run` } },
      own,
    ],
    ['a label', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, own],
  ];
  return madeIn(scenario).flatMap(([apiVersion, plural, name]) =>
    [tenantOf(scenario), strongOf(scenario)].flatMap((who) =>
      ['', '/status'].flatMap((below) =>
        changes.map(
          ([what, metadata, harmless]): Attack => ({
            what: `${who} gives ${plural} ${name}${below} ${what}`,
            scenario,
            who,
            harmless: isOpen && plural === 'clienttrafficpolicies' ? own : harmless,
            act: async (api) => {
              const path = `${pathOf(apiVersion, plural, attackerOf(scenario))}/${name}${below}?dryRun=All`;
              const answer = await api.call('PATCH', path, { metadata }, MERGE);
              const [key] = Object.keys(metadata);
              if (!JSON.stringify(answer.metadata[key] ?? '').includes(JSON.stringify(metadata[key]).slice(1, -1))) {
                throw new ApiRefusal(0, '', 'it was taken, and changed nothing');
              }
            },
          }),
        ),
      ),
    ),
  );
}

/** Labels, annotations and owners of Services by which programs find or check them. */
export function wordsOnServices(scenario: Scenario): Attack[] {
  const who = tenantOf(scenario);
  const create = (what: string, metadata: Body, spec: Body = {}, harmless?: string): Attack => ({
    what: `${who} creates ${what}`,
    scenario,
    who,
    harmless,
    act: (api) =>
      api.call('POST', `${servicesOf(scenario)}?dryRun=All`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'words', ...metadata },
        spec: { ports: [{ port: 31_004 }], ...spec },
      }),
  });
  const dropped = 'the API server writes this itself';
  const notServed = 'the publisher says that it is not served';
  const alone = 'no route leads there, and its own port is shut where one does';
  const shared = { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/16'] };
  const ownedBy = (...owners: Body[]) => ({
    ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', controller: true, ...owner })),
  });
  return [
    create(
      'a Service that says it has the table of ports',
      { labels: { 'cdk8s-load-balancers/seats': `${scenario}-run` } },
      {},
      'the hook tells it to its own Service alone',
    ),
    create(
      'a Service with a table of its own',
      { annotations: { 'cdk8s-load-balancers/seats': 'x/1=31000' } },
      {},
      'the hook reads that of its own Service alone',
    ),
    create(
      'a Service that says kube-proxy is another',
      { labels: { 'service.kubernetes.io/service-proxy-name': 'x' } },
      {},
      'it is its own Service that no node serves',
    ),
    create(
      'a headless Service with the labels of the hook',
      { labels: { 'app.kubernetes.io/name': `${scenario}-run` } },
      { clusterIP: 'None' },
      'these select pods, in the namespace of the platform',
    ),
    create(
      'a Service owned by the hook of the platform',
      ownedBy({ apiVersion: 'apps/v1', kind: 'Deployment', name: `${scenario}-run`, uid: '0' }),
      {},
      'owners are of the same namespace: the garbage collector deletes it',
    ),
    create('a Service with two controllers', ownedBy({ name: 'one', uid: '1' }, { name: 'two', uid: '2' })),
    create('a Service that somebody else manages', { managedFields: [{ manager: 'x' }] }, {}, dropped),
    create('a Service that is going already', { deletionTimestamp: '2020-01-01T00:00:00Z' }, {}, dropped),
    create('a Service of another uid', { uid: '11111111-1111-1111-1111-111111111111' }, {}, dropped),
    create('a Service of another namespace', { namespace: otherOf(scenario) }),
    create('a Service with a finalizer without a domain', { finalizers: ['mine'] }),
    create(
      'a Service with the finalizer of another publisher',
      { finalizers: ['metacontroller.io/decoratorcontroller-other'] },
      {},
      'it is its own Service that never goes',
    ),
    create('a Service whose pods need not be ready', {}, { publishNotReadyAddresses: true }, 'they are its own pods'),
    create('a Service with a port of 0', {}, { ports: [{ port: 0 }] }),
    create('a Service with a port of 65536', {}, { ports: [{ port: 65_536 }] }),
    create('a Service with a port as text', {}, { ports: [{ port: '5432' }] }),
    create('a Service with a port that overflows', {}, { ports: [{ port: 4_294_972_728 }] }),
    create('a Service of SCTP', {}, { ...shared, ports: [{ port: 31_004, protocol: 'SCTP' }] }, notServed),
    create(
      'a Service of one port by TCP and UDP',
      {},
      {
        ...shared,
        ports: ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 31_004, protocol })),
      },
      notServed,
    ),
    create(
      'a Service of IPv6',
      {},
      { ...shared, ipFamilies: ['IPv6'] },
      scenario === 'nlb' ? undefined : 'it leads to its own pods',
    ),
    create(
      'a name by CNAME to the metadata of the cloud',
      {},
      { type: 'ExternalName', externalName: '169.254.169.254' },
      alone,
    ),
    create(
      'a name by CNAME to a Service of another',
      {},
      { type: 'ExternalName', externalName: `db.${otherOf(scenario)}.svc.cluster.local` },
      alone,
    ),
    create(
      'a name by CNAME of the shared class',
      {},
      { type: 'ExternalName', externalName: 'x.example.com', loadBalancerClass: 'cdk8s-load-balancers/shared' },
    ),
    create('a name of 64 characters', { name: 'a'.repeat(64) }),
    create('a name in capitals', { name: 'DB' }),
    create('a name in Cyrillic letters', { name: '\u0430pi' }),
    create('a name with a slash', { name: 'a/b' }),
    create('a name by way of a path', { name: '../../kube-system/services/x' }),
    create('a label with a line end', { labels: { app: 'a\nb' } }),
    create('an annotation whose key is a path', { annotations: { '../x': 'y' } }),
    create('300 KiB of annotations', { annotations: { 'example.com/book': 'x'.repeat(300 * 1024) } }),
    create('an object of 4 MiB', { labels: { app: 'x'.repeat(4 * 1024 * 1024) } }),
    {
      what: `${who} creates a Service at the address of the API server`,
      scenario,
      who,
      // addresses are given out where it is written
      act: (api) =>
        api.call('POST', servicesOf(scenario), {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'words' },
          spec: { clusterIP: '10.0.0.1', ports: [{ port: 443 }] },
        }),
    },
  ];
}
