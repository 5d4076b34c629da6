import { ApiRefusal, type Body } from '../harness/api';
import { attackerOf, otherOf, type Scenario, strongOf, tenantOf } from './scenarios';
import { type Attack, ENVOY, GATEWAY, MERGE, pathOf, servicesOf } from './ways';

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

/** Labels, annotations and owners of Services by which programs find or judge them. */
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
