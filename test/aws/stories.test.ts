import { AwsCluster } from './harness/aws-cluster';
import { AwsStory, type Plot } from './harness/aws-story';
import { healthChecks } from './stories/health-checks';
import { changesOfType, classicBalancers, names, networkBalancers, sourceRanges } from './stories/network-balancers';
import { incidentCommands, keeper, nodePools, notServed } from './stories/operations';

import { networkOptions } from './stories/options';
import { refusals } from './stories/refusals';

// What the real AWS cloud controller manager, k8s.io/cloud-provider-aws v1.36.1, makes of the manifests that this library
// writes. AWS is played by moto, which keeps books and balances nothing: that a packet arrives is not shown here, nor what moto
// refuses: changes of a live listener that speaks UDP or TLS.

let cluster: AwsCluster;

beforeAll(async () => {
  cluster = await AwsCluster.start();
});

afterAll(() => cluster?.stop());

const chapters: Record<string, Record<string, Plot>> = {
  'Network Load Balancers': networkBalancers,
  'Classic Load Balancers': classicBalancers,
  'node pools': nodePools,
  'health checks': healthChecks,
  'source ranges': sourceRanges,
  'options of a Network Load Balancer': networkOptions,
  'Services that nobody serves': notServed,
  'what the rules find': refusals,
  'names of balancers': names,
  'a keeper': keeper,
  // these leave balancers behind, and the rule for ICMP, which a group has once for all of them
  'changes of type': changesOfType,
  'commands of an incident': incidentCommands,
};

for (const [chapter, stories] of Object.entries(chapters)) {
  describe(chapter, () => {
    for (const [title, plot] of Object.entries(stories)) {
      test(title, () => AwsStory.tell(cluster, title, plot));
    }
  });
}
