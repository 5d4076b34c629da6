import { AwsCloudProvider, NodePool, TrafficPolicy } from '../../../src';
import { addNode, nodeRef } from '../../cluster/harness/nodes';
import { POOL } from '../harness/aws-cluster';
import type { AwsStory, Plot } from '../harness/aws-story';
import { written } from '../harness/manifests';
import { targetNodes, theGroup } from '../harness/reading';

const EDGE = NodePool.labeled({ [POOL]: 'edge' });

const move = ({ cluster }: AwsStory, node: string, pool: string | null) =>
  cluster.plane.api.merge(nodeRef(node), { metadata: { labels: { [POOL]: pool } } });

/** Which nodes `backendNodes` makes targets. */
export const nodePools: Record<string, Plot> = {
  'a node pool behind a Network Load Balancer': async (story) => {
    const { api } = story.cluster.plane;
    const { nodes } = story.cluster.aws.account;
    const targets = targetNodes(story);
    const service = written(story.namespace, AwsCloudProvider.nlb(), { backendNodes: EDGE });
    const made = await story.create('backendNodes pool=edge', service, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(made).healthCheck).toMatchObject({ protocol: 'HTTP', path: '/healthz' });
    await story.seeThat('looked up', targets, ['edge-1', 'edge-2'], 'exactly the nodes of the pool');

    await move(story, 'edge-2', 'plain');
    await story.seeThatForLong('edge-2 leaves the pool', targets, ['edge-1', 'edge-2'], 'nobody looks at its labels');

    await api.delete(nodeRef('plain-1'));
    await story.seeThat('another node goes', targets, ['edge-1'], 'now they are looked at');

    const { instance, zone, address } = nodes['plain-1'];
    const props = { providerID: `aws:///${zone}/${instance}`, internalIp: address };
    await addNode(api, 'plain-1', { ...props, labels: { [POOL]: 'edge' } });
    await story.seeThat('it comes back, in the pool', targets, ['edge-1', 'plain-1'], 'a new node of the pool');

    await move(story, 'edge-2', 'edge');
    await move(story, 'plain-1', 'plain');
    // by then the controller has seen both: what a Service changes before that is carried out with the nodes as they were
    await story.seeThatForLong('both move', targets, ['edge-1', 'plain-1'], 'nobody looks at their labels');
    await api.merge(service, { metadata: { annotations: { 'example.com/changed': 'yes' } } });
    await story.seeThat('the Service changes', targets, ['edge-1', 'edge-2'], 'any change of it will do');
    await story.remove(service);
  },

  'a node pool with policy Cluster': async (story) => {
    const wishes = { backendNodes: EDGE, trafficPolicy: TrafficPolicy.CLUSTER };
    const service = written(story.namespace, AwsCloudProvider.nlb(), wishes);
    await story.create('backendNodes, Cluster', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('looked up', targetNodes(story), ['edge-1', 'edge-2'], 'the pool all the same');
    await story.remove(service);
  },

  'a label without a value': async (story) => {
    await move(story, 'plain-1', null);
    const controller = AwsCloudProvider.nlb({ targetNodeLabels: { [POOL]: '' } });
    const service = written(story.namespace, controller);
    await story.create('targetNodeLabels pool=', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('plain-1 has no such label', targetNodes(story), ['edge-1', 'edge-2'], 'any value matches');
    await story.remove(service);

    await move(story, 'plain-1', 'other');
    await story.create('again', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('plain-1 has another value', targetNodes(story), ['edge-1', 'edge-2', 'plain-1'], 'any value');
    await story.remove(service);
    await move(story, 'plain-1', 'plain');
  },

  'a node pool behind a Classic Load Balancer': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.classic(), { backendNodes: EDGE });
    await story.create('backendNodes pool=edge', service, '1 classic, 1 security group, 3 rules');
    await story.seeThat('looked up', targetNodes(story), ['edge-1', 'edge-2'], 'exactly the nodes of the pool');
    await story.remove(service);
  },
};
