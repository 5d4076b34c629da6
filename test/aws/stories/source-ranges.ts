import { AwsCloudProvider, TrafficPolicy } from '../../../src';
import type { Plot } from '../harness/aws-story';
import type { Inventory } from '../harness/inventory';
import { written } from '../harness/manifests';
import { healthCheckNodePort, nodePorts, rulesOf, theClassicBalancer } from '../harness/reading';

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
