import { Duration } from 'cdk8s';
import { AwsCloudProvider, LoadBalancerScheme, PortProtocol, TrafficPolicy } from '../../../src';
import { KEP_980 } from '../../cluster/models/owners';
import type { Ref } from '../../real/api';
import {
  type AwsStory,
  golden,
  healthCheckNodePort,
  nodePorts,
  type Plot,
  rulesOf,
  theClassicBalancer,
  theGroup,
  theNetworkBalancer,
  written,
} from '../harness/aws-story';
import type { Inventory } from '../harness/inventory';

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const INTERNAL = 'service.beta.kubernetes.io/aws-load-balancer-internal';

/** What the manifests of AwsCloudProvider.nlb become. */
export const networkBalancers: Record<string, Plot> = {
  'an internal Network Load Balancer, from its golden': async (story) => {
    const { account } = story.cluster.aws;
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    expect(service.metadata.finalizers).toEqual([KEP_980]);
    const made = await story.create(
      'the golden, policy Local',
      service,
      '1 NLB, 1 target group, 4 rules',
      'the finalizer stands once: it was written before the controller came',
    );

    const [nodePort] = await nodePorts(story, service);
    const balancer = theNetworkBalancer(made);
    expect(balancer).toMatchObject({ type: 'network', scheme: 'internal' });
    expect([...balancer.subnets].sort()).toEqual([...account.internalSubnets].sort());
    expect(balancer.listeners).toMatchObject([{ port: 443, protocol: 'TCP', targetGroup: theGroup(made).arn }]);
    expect(balancer.tags).toMatchObject({ 'kubernetes.io/service-name': `${story.namespace}/echo` });
    expect(theGroup(made)).toMatchObject({ protocol: 'TCP', port: nodePort, type: 'instance' });
    expect(theGroup(made).targets.map(({ port }) => port)).toEqual([nodePort, nodePort, nodePort]);
    expect(
      theGroup(made)
        .targets.map(({ instance }) => instance)
        .sort(),
    ).toEqual(story.cluster.instances('edge-1', 'edge-2', 'plain-1'));
    await story.say('looked up', `${balancer.scheme}, 443 to ${account.internalSubnets.length} zones`, 'as written');
    await story.remove(service);
  },

  'a public one with two ports': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb(), {
      scheme: LoadBalancerScheme.INTERNET_FACING,
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'https', port: 443, targetPort: 8443 },
      ],
    });
    const made = await story.create('INTERNET_FACING, 80 and 443', service, '1 NLB, 2 target groups, 3 rules');

    const balancer = theNetworkBalancer(made);
    expect(balancer.scheme).toBe('internet-facing');
    expect([...balancer.subnets].sort()).toEqual([...story.cluster.aws.account.publicSubnets].sort());
    const portOf = (arn: string) => made.targetGroups.find((group) => group.arn === arn)?.port;
    expect(balancer.listeners.map(({ port, targetGroup }) => [port, portOf(targetGroup)]).sort()).toEqual(
      (await nodePorts(story, service)).map((nodePort, index) => [[80, 443][index], nodePort]).sort(),
    );
    await story.say('looked up', `${balancer.scheme}, 80 and 443`, 'in the public subnets');
    await story.remove(service);
  },

  'a UDP one': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb(), {
      ports: [{ name: 'dns', port: 53, protocol: PortProtocol.UDP }],
      trafficPolicy: TrafficPolicy.LOCAL,
    });
    const made = await story.create('UDP, policy Local', service, '1 NLB, 1 target group, 4 rules');
    const [nodePort] = await nodePorts(story, service);
    expect(theNetworkBalancer(made).listeners).toMatchObject([{ port: 53, protocol: 'UDP' }]);
    expect(theGroup(made)).toMatchObject({ protocol: 'UDP', port: nodePort });
    await story.say('looked up', `UDP:53 to UDP:${nodePort}`, 'as written');
    await story.remove(service);
  },

  'the scheme of a live one does not change': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    await story.create('internal', service, '1 NLB, 1 target group, 4 rules');
    const annotations = { [INTERNAL]: 'false' };
    await story.cluster.plane.api.merge(service, { metadata: { annotations } });
    await story.hearAgain('EnsuredLoadBalancer');
    await story.seeThat(
      'the annotation says public now',
      ({ networkBalancers: all }) => all.map(({ scheme }) => scheme),
      ['internal'],
      'a Network Load Balancer keeps the scheme that it was made with',
    );
    await story.remove(service);
  },

  'the traffic policy of a live one changes': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb());
    const before = await story.create('no word of a policy', service, '1 NLB, 1 target group, 2 rules');
    await story.cluster.plane.api.merge(service, { spec: { externalTrafficPolicy: TrafficPolicy.LOCAL } });
    const after = await story.see('policy Local', '[K]', '1 NLB, 1 target group, 4 rules', 'another target group');
    expect(theNetworkBalancer(after).name).toBe(theNetworkBalancer(before).name);
    expect(theGroup(after).arn).not.toBe(theGroup(before).arn);
    expect(theGroup(after).healthCheck).toMatchObject({ protocol: 'HTTP', path: '/healthz' });
    expect(theNetworkBalancer(after).listeners).toMatchObject([{ targetGroup: theGroup(after).arn }]);
    await story.remove(service);
  },

  'a Service of type ClusterIP again': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    await story.create('of type LoadBalancer', service, '1 NLB, 1 target group, 4 rules');
    const { api } = story.cluster.plane;
    const spec = { type: 'ClusterIP', externalTrafficPolicy: null, allocateLoadBalancerNodePorts: null };
    await api.merge(service, { spec });
    await story.see('of type ClusterIP', '[]', 'nothing', 'the balancer goes, and the finalizer after it');
    await story.remove(service);
  },
};

/** Wants the other kind of balancer for a live Service, and waits until the controller refuses. */
async function wantsOtherType(story: AwsStory, service: Ref, type: string | null, because: RegExp): Promise<void> {
  await story.cluster.plane.api.merge(service, { metadata: { annotations: { [TYPE]: type } } });
  await story.hearRefusal(type === null ? 'without a type' : `type ${type}`, because);
}

const NOT_CLASSIC = /cannot update Load Balancer Type annotation "\S+" after creation for Classic Load Balancer/;
const NOT_NLB = /cannot update Load Balancer Type annotation "\S+" after creation for NLB/;

/** What becomes of a balancer whose Service gets another type. */
export const changesOfType: Record<string, Plot> = {
  'another type is refused, and nothing is lost where it is taken back': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    await story.create('type nlb', service, '1 NLB, 1 target group, 4 rules');
    await wantsOtherType(story, service, null, NOT_CLASSIC);
    await story.cluster.plane.api.merge(service, { metadata: { annotations: { [TYPE]: 'nlb' } } });
    await story.hearAgain('EnsuredLoadBalancer');
    await story.see('type nlb again', '[K]', '1 NLB, 1 target group, 4 rules', 'the same balancer');
    await story.remove(service);
  },

  'a Network Load Balancer, deleted without its type': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    await story.create('type nlb', service, '1 NLB, 1 target group, 4 rules');
    await wantsOtherType(story, service, null, NOT_CLASSIC);
    await story.cluster.plane.api.delete(service);
    await story.see(
      'deleted',
      'gone',
      '1 NLB, 1 target group, 4 rules',
      'an orphan: only a Classic one was looked for',
    );
  },

  'a Classic Load Balancer, deleted with type nlb': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-classic-public');
    await story.create('without a type', service, '1 classic, 1 security group, 3 rules');
    await wantsOtherType(story, service, 'nlb', NOT_NLB);
    await story.cluster.plane.api.delete(service);
    await story.see('deleted', 'gone', '1 classic, 1 security group, 3 rules', 'an orphan: only an NLB was looked for');
  },
};

/** What the manifests of AwsCloudProvider.classic become. */
export const classicBalancers: Record<string, Plot> = {
  'a public Classic Load Balancer, from its golden': async (story) => {
    const service = golden(story.namespace, 'aws-cloud-provider-classic-public');
    const made = await story.create('the golden', service, '1 classic, 1 security group, 3 rules');
    const balancer = theClassicBalancer(made);
    const [instancePort] = await nodePorts(story, service);
    expect(balancer.scheme).toBe('internet-facing');
    expect([...balancer.subnets].sort()).toEqual([...story.cluster.aws.account.publicSubnets].sort());
    expect(balancer.listeners).toEqual([{ port: 443, protocol: 'TCP', instancePort }]);
    expect([...balancer.instances].sort()).toEqual(story.cluster.instances('edge-1', 'edge-2', 'plain-1'));
    expect(balancer.healthCheck.target).toBe(`TCP:${instancePort}`);
    await story.say('looked up', `${balancer.scheme}, TCP:443`, 'as written');
    await story.remove(service);
  },

  'an internal one': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.classic());
    const made = await story.create('no word of a scheme', service, '1 classic, 1 security group, 3 rules');
    expect(theClassicBalancer(made).scheme).toBe('internal');
    expect([...theClassicBalancer(made).subnets].sort()).toEqual([...story.cluster.aws.account.internalSubnets].sort());
    await story.remove(service);
  },

  'options of a Classic Load Balancer': async (story) => {
    const controller = AwsCloudProvider.classic({
      connectionDrainingEnabled: true,
      connectionDrainingTimeout: Duration.seconds(120),
      connectionIdleTimeout: Duration.seconds(90),
      crossZoneLoadBalancingEnabled: true,
      additionalResourceTags: { team: 'edge' },
    });
    const service = written(story.namespace, controller, { scheme: LoadBalancerScheme.INTERNAL, proxyProtocol: true });
    const made = await story.create('draining, idle timeout, tags', service, '1 classic, 1 security group, 3 rules');
    expect(theClassicBalancer(made)).toMatchObject({
      connectionDraining: { Enabled: true, Timeout: 120 },
      idleTimeout: 90,
      crossZone: true,
      backendPolicies: ['k8s-proxyprotocol-enabled'],
      tags: { team: 'edge' },
    });
    await story.say('looked up', 'draining 120 s, idle 90 s, proxy protocol', 'as written');
    await story.remove(service);
  },
};

const MADE = '1 NLB, 1 target group, 4 rules';

/** Balancers are named after the UID of their Service: what becomes of one whose Service is gone, and of a namesake. */
export const names: Record<string, Plot> = {
  'a Service of the same name after its finalizer was lost': async (story) => {
    const { api } = story.cluster.plane;
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    const first = theNetworkBalancer(await story.create('created', service, MADE));
    await api.merge(service, { metadata: { finalizers: null } });
    await story.see('K taken out by hand', '[]', MADE, 'it is not put back');
    await api.delete(service);
    await story.seeForLong('deleted', 'gone', MADE, "the balancer is nobody's now");
    await api.create(service);
    const uid: string = (await api.get(service)).metadata.uid;
    const name = `a${uid.replace(/-/g, '')}`.slice(0, 32);
    expect(first.name).not.toBe(name);
    await story.seeThat(
      'created again',
      ({ networkBalancers }) => networkBalancers.map((balancer) => balancer.name),
      [name],
      'another UID, another name; the same process remembers the first one, and deletes it',
    );
    expect((await api.get(service)).metadata.finalizers).toEqual([KEP_980]);
    await story.see('served', '[K]', MADE, '', service);
    await story.remove(service);
  },
};

const RANGES = ['10.1.0.0/16', '192.0.2.0/24'];

/** Who may connect, in the rules that are really written. */
export const sourceRanges: Record<string, Plot> = {
  'source ranges of a Network Load Balancer': async (story) => {
    const { nodeSecurityGroup } = story.cluster.aws.account;
    const wishes = { sourceRanges: RANGES, trafficPolicy: TrafficPolicy.LOCAL };
    const service = written(story.namespace, AwsCloudProvider.nlb(), wishes);
    const made = await story.create(
      'two ranges',
      service,
      '1 NLB, 1 target group, 6 rules',
      'in the group of the nodes',
    );
    const [port] = await nodePorts(story, service);
    const check = await healthCheckNodePort(story, service);
    const clients = (inventory: Inventory) => rulesOf(inventory, nodeSecurityGroup, 'nlb/client');
    expect(clients(made)).toEqual(RANGES.map((range) => `${range}:${port}`));
    expect(rulesOf(made, nodeSecurityGroup, 'nlb/health')).toEqual([`10.0.10.0/24:${check}`, `10.0.11.0/24:${check}`]);

    await story.cluster.plane.api.merge(service, { spec: { loadBalancerSourceRanges: ['198.51.100.0/24'] } });
    await story.seeThat('another range', clients, [`198.51.100.0/24:${port}`], 'the old ones are taken out');
    await story.remove(service);
  },

  'no source ranges': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb());
    const made = await story.create('no ranges', service, '1 NLB, 1 target group, 2 rules');
    const [port] = await nodePorts(story, service);
    expect(rulesOf(made, story.cluster.aws.account.nodeSecurityGroup, 'nlb/client')).toEqual([`0.0.0.0/0:${port}`]);
    await story.say('looked up', `0.0.0.0/0:${port}`, 'everybody who reaches the nodes, also of an internal one');
    await story.remove(service);
  },

  'source ranges of a Classic Load Balancer': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.classic(), { sourceRanges: RANGES });
    const made = await story.create('two ranges', service, '1 classic, 1 security group, 5 rules');
    const [group] = theClassicBalancer(made).securityGroups;
    expect(rulesOf(made, group, '').filter((rule) => rule.endsWith(':443'))).toEqual(
      RANGES.map((each) => `${each}:443`),
    );
    expect(rulesOf(made, story.cluster.aws.account.nodeSecurityGroup, '')).toEqual([`${group}:null`]);
    await story.say('looked up', RANGES.join(', '), 'in the group of the balancer; nodes take what it sends');
    await story.remove(service);
  },
};
