import { type App, Chart, Testing, Yaml } from 'cdk8s';
import { StrimziVersion } from '../../../src/kafka';
import { worstChangeAnswer } from '../../../src/lifecycle/changes';
import { OWNERS } from '../../../src/lifecycle/owners';
import { LoadBalancers } from '../../../src/rules';
import { SharedLoadBalancer } from '../../../src/tenancy';
import { isOrphanedByTypeChange } from '../../../src/tenancy/manifests/shared-service';
import { run } from '../../support/command';
import { lockedAsWished } from '../shared/locked';
import { appWith, BY_PORT, fileOf, lockedApp, quietly, type TenantApp, written } from './tenant-apps';

// A declared finalizer goes together with the type: what becomes of a balancer that lives.

const AWS = 'service.k8s.aws/resources';
const CLOUD = 'service.kubernetes.io/load-balancer-cleanup';

interface Declared {
  readonly annotations?: { readonly [key: string]: string };
  readonly type?: string;
  readonly loadBalancerClass?: string;
  readonly finalizers?: readonly string[];
}

function serviceFile({ type = 'LoadBalancer', loadBalancerClass, finalizers, annotations }: Declared): string {
  return fileOf(
    Yaml.stringify({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'db', namespace: 'team-a', annotations, finalizers },
      spec: { type, loadBalancerClass, selector: { app: 'db' }, ports: [{ port: 5432 }] },
    }),
  );
}

const OF_AWS = { loadBalancerClass: 'service.k8s.aws/nlb', finalizers: [AWS] };

function findings(ask: TenantApp, rule: string): string[] {
  return written(ask)
    .told.split(/^ {2}(?=\[)/m)
    .filter((finding) => finding.includes(`(${rule})`));
}

const ofOrphans = (ask: TenantApp) => findings(ask, 'sharing-orphans-balancer');
const ofLostFinalizers = (ask: TenantApp) =>
  findings(ask, 'sharing-drops-settings').filter((finding) => finding.includes('finalizers'));

test.each([AWS, 'service.eks.amazonaws.com/resources', 'gke.networking.io/l4-netlb-v3'])(
  '%s goes with the type: a balancer that lives stays, and the message says so with a way out',
  (finalizer) => {
    const url = serviceFile({ ...OF_AWS, finalizers: [finalizer] });
    const [finding, ...more] = ofOrphans({ url });
    expect(more).toEqual([]);
    expect(finding).toContain(`Service team-a/db (${url}:1) has metadata.finalizers '${finalizer}'`);
    expect(finding).toContain('a balancer that lives stays in the cloud');
    expect(finding).toMatch(/type to ClusterIP with the finalizer kept.*docs\/how-to\/tenant-services\.md/);
    expect(ofLostFinalizers({ url })).toEqual([]);
  },
);

describe('a Service that an annotation claims', () => {
  const annotations = {
    'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
    'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
  };
  const url = serviceFile({ annotations, finalizers: [AWS] });

  test('is claimed with any type, so the annotation goes with it', () => {
    const [finding] = ofOrphans({ url });
    expect(finding).toContain('change its type to ClusterIP without the annotation that claims it');
    expect(ofOrphans({ url: serviceFile(OF_AWS) })[0]).not.toContain('annotation');
  });

  test('keeps its balancer where it alone changes its type, as diff says', () => {
    const typed = serviceFile({ annotations, finalizers: [AWS], type: 'ClusterIP' });
    expect(run('diff', url, typed).out).toMatch(/^KEPT +team-a\/db/m);
    const given = serviceFile({ finalizers: [AWS], type: 'ClusterIP' });
    expect(run('diff', url, given).out).toMatch(/^DELETED +team-a\/db/m);
  });
});

test('a controller that looks at the type gives the balancer back, and nothing is left', () => {
  const url = serviceFile({ finalizers: [CLOUD] });
  expect(ofOrphans({ url })).toEqual([]);
  expect(ofLostFinalizers({ url })).toEqual([
    expect.stringContaining('deletes a live balancer when it sees the new type'),
  ]);
});

test('a Service that declares no finalizer keeps that of its controller on the live one, and nothing is said', () => {
  const url = serviceFile({ loadBalancerClass: 'service.k8s.aws/nlb' });
  expect(ofOrphans({ url })).toEqual([]);
  expect(ofLostFinalizers({ url })).toEqual([]);
});

test('a Service that stays a LoadBalancer is refused by the API server where it is live, and leaves nothing', () => {
  const ask = { url: serviceFile(OF_AWS), keepType: true };
  expect(ofOrphans(ask)).toEqual([]);
  expect(ofLostFinalizers(ask)).toEqual([expect.stringContaining('the API server refuses another class')]);
});

test('it is acknowledged by itself: who acknowledges lost words has not seen it', () => {
  const told = (...rules: string[]) => {
    const { app } = lockedApp({ url: serviceFile(OF_AWS) });
    for (const rule of rules) {
      LoadBalancers.of(app).acknowledge(rule, 'the Service was never live');
    }
    return quietly(() => (app as App).synthYaml()).told;
  };
  expect(told('sharing-drops-settings')).toContain('(sharing-orphans-balancer)');
  expect(told('sharing-orphans-balancer')).not.toContain('(sharing-orphans-balancer)');
});

describe('diff says the same', () => {
  const diffOf = (before: string, after: string) => run('diff', before, after).out;
  const adopted = (url: string) => fileOf(Yaml.stringify(...written({ url }).documents));

  test('of the adoption of a live Service in one change', () => {
    const url = serviceFile(OF_AWS);
    expect(diffOf(url, adopted(url))).toMatch(/^ORPHANED +team-a\/db/m);
  });

  test('of the way out: first the balancer goes, then nothing is lost', () => {
    const url = serviceFile(OF_AWS);
    const given = serviceFile({ finalizers: [AWS], type: 'ClusterIP' });
    expect(diffOf(url, given)).toMatch(/^DELETED +team-a\/db/m);
    expect(diffOf(given, adopted(url))).not.toMatch(/ORPHANED|DELETED|STUCK/);
  });

  test('of a controller that looks at the type', () => {
    const url = serviceFile({ finalizers: [CLOUD] });
    expect(diffOf(url, adopted(url))).toMatch(/^DELETED +team-a\/db/m);
  });
});

test('a Service that is published beside its own balancer keeps its port when its file is adopted', () => {
  const portLock = lockedAsWished('team-a/db:5432');
  const app = Testing.app();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: BY_PORT,
    oneTeam: true,
    portLock,
  });
  shared.addTenant('team-a');
  const chart = new Chart(app, 'team-a', { namespace: 'team-a' });
  const beside = shared.attach(chart, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] });
  quietly(() => app.synthYaml());
  const adopted = appWith({ url: serviceFile(OF_AWS), balancer: { hostname: undefined } }, portLock);
  quietly(() => adopted.app.synthYaml());
  expect(adopted.manifests.endpoints).toEqual(beside);
});

test.each(OWNERS.filter(({ finalizer, versions }) => finalizer !== undefined && versions !== 'by annotation'))(
  'the model agrees on $name, $versions',
  ({ name: owner, versions, finalizer = '' }) => {
    const question = { owner, versions, change: 'type away', before: 'declared', after: 'left' } as const;
    const found = worstChangeAnswer({ ...question, writer: ['client-apply', 'server-apply'] });
    expect(found?.outcome).toBe(isOrphanedByTypeChange(finalizer) ? 'orphaned' : 'deleted');
  },
);

describe('a listener of a Kafka', () => {
  const kafka = (finalizers: string[]) =>
    fileOf(
      Yaml.stringify(
        {
          apiVersion: 'kafka.strimzi.io/v1',
          kind: 'Kafka',
          metadata: { name: 'events', namespace: 'team-a' },
          spec: {
            kafka: {
              listeners: [
                { name: 'outside', port: 9094, type: 'loadbalancer', tls: true, configuration: { finalizers } },
              ],
            },
          },
        },
        {
          apiVersion: 'kafka.strimzi.io/v1',
          kind: 'KafkaNodePool',
          metadata: {
            name: 'brokers',
            labels: { 'strimzi.io/cluster': 'events' },
            annotations: { 'strimzi.io/next-node-ids': '[0]' },
          },
          spec: { replicas: 1, roles: ['broker'], storage: { type: 'ephemeral' } },
        },
      ),
    );
  const ask = (finalizers: string[]) => ({ url: kafka(finalizers), kafka: { strimzi: StrimziVersion.V1_2 } });

  test('leaves its balancers behind in the same way', () => {
    const [finding, ...more] = ofOrphans(ask([AWS]));
    expect(more).toEqual([]);
    expect(finding).toContain(`listener 'outside' of Kafka events has finalizers '${AWS}'`);
    expect(finding).toContain('give the listener another name');
    expect(ofLostFinalizers(ask([AWS]))).toEqual([]);
  });

  test('of a controller that looks at the type leaves none', () => {
    expect(ofOrphans(ask([CLOUD]))).toEqual([]);
    expect(ofLostFinalizers(ask([CLOUD]))).toHaveLength(1);
  });
});
