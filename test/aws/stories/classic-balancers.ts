import { Duration } from 'cdk8s';
import { AwsCloudProvider, LoadBalancerScheme } from '../../../src';
import type { Plot } from '../harness/aws-story';
import { golden, written } from '../harness/manifests';
import { nodePorts, theClassicBalancer } from '../harness/reading';

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
