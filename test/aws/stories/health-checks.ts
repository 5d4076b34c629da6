import { Duration } from 'cdk8s';
import { AwsCloudProvider, HealthCheckProtocol, TrafficPolicy } from '../../../src';
import type { Plot } from '../harness/aws-story';
import { written } from '../harness/manifests';
import { healthCheckNodePort, theClassicBalancer, theGroup } from '../harness/reading';

const CHECK = {
  protocol: HealthCheckProtocol.HTTP,
  port: 8080,
  path: '/ready',
  interval: Duration.seconds(15),
  healthyThreshold: 4,
  unhealthyThreshold: 5,
};

/** What checks the nodes. */
export const healthChecks: Record<string, Plot> = {
  'the health check of policy Local': async (story) => {
    const wishes = { trafficPolicy: TrafficPolicy.LOCAL };
    const service = written(story.namespace, AwsCloudProvider.nlb(), wishes);
    const made = await story.create('trafficPolicy LOCAL', service, '1 NLB, 1 target group, 4 rules');
    const port = await healthCheckNodePort(story, service);
    expect(theGroup(made).healthCheck).toEqual({
      protocol: 'HTTP',
      port,
      path: '/healthz',
      interval: 10,
      timeout: 10,
      healthyThreshold: 2,
      unhealthyThreshold: 2,
    });
    await story.say('looked up', 'HTTP /healthz, every 10 s', 'on the health check node port');
    await story.remove(service);
  },

  'the health check of policy Cluster': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb());
    const made = await story.create('no word of a policy', service, '1 NLB, 1 target group, 2 rules');
    expect(theGroup(made).healthCheck).toMatchObject({
      protocol: 'TCP',
      port: 'traffic-port',
      interval: 30,
      healthyThreshold: 3,
      unhealthyThreshold: 3,
    });
    await story.say('looked up', 'TCP, every 30 s', 'on the port of the traffic');
    await story.remove(service);
  },

  'a health check of your own': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb(), { healthCheck: CHECK });
    const made = await story.create('healthCheck', service, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(made).healthCheck).toMatchObject({
      protocol: 'HTTP',
      port: '8080',
      path: '/ready',
      interval: 15,
      healthyThreshold: 4,
      unhealthyThreshold: 5,
    });
    await story.say('looked up', 'HTTP :8080/ready, every 15 s', 'as written');
    await story.remove(service);
  },

  'the health check of a Classic Load Balancer': async (story) => {
    const local = written(story.namespace, AwsCloudProvider.classic(), { trafficPolicy: TrafficPolicy.LOCAL });
    const byLocal = await story.create('policy Local', local, '1 classic, 1 security group, 3 rules');
    expect(theClassicBalancer(byLocal).healthCheck).toEqual({
      target: `HTTP:${await healthCheckNodePort(story, local)}/healthz`,
      interval: 10,
      timeout: 5,
      healthyThreshold: 2,
      unhealthyThreshold: 6,
    });
    await story.remove(local);

    const healthCheck = {
      path: '/ready',
      interval: CHECK.interval,
      timeout: Duration.seconds(4),
      healthyThreshold: 4,
      unhealthyThreshold: 5,
    };
    const wishes = { healthCheck, trafficPolicy: TrafficPolicy.LOCAL };
    const own = written(story.namespace, AwsCloudProvider.classic(), wishes);
    const byWish = await story.create('healthCheck', own, '1 classic, 1 security group, 3 rules');
    expect(theClassicBalancer(byWish).healthCheck).toEqual({
      target: `HTTP:${await healthCheckNodePort(story, own)}/ready`,
      interval: 15,
      timeout: 4,
      healthyThreshold: 4,
      unhealthyThreshold: 5,
    });
    await story.say('looked up', 'HTTP /ready, every 15 s', 'as written, with its timeout');
    await story.remove(own);
  },
};
