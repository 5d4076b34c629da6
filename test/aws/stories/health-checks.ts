import { Duration } from 'cdk8s';
import { AwsCloudProvider, HealthCheckProtocol, PortProtocol, TrafficPolicy } from '../../../src';
import { healthCheckNodePort, type Plot, theClassicBalancer, theGroup, written } from '../harness/aws-story';
import type { Inventory } from '../harness/inventory';

const HEALTH_CHECK = 'service.beta.kubernetes.io/aws-load-balancer-healthcheck-';

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
    expect(theGroup(made).healthCheck).toMatchObject({
      protocol: 'HTTP',
      port,
      path: '/healthz',
      interval: 10,
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

  'the health check of a live Network Load Balancer changes': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.nlb(), { healthCheck: { port: 8080 } });
    const made = await story.create('healthCheck', service, '1 NLB, 1 target group, 4 rules');
    const { arn } = theGroup(made);
    const change = (name: string, value: string) =>
      story.cluster.plane.api.merge(service, { metadata: { annotations: { [`${HEALTH_CHECK}${name}`]: value } } });
    const thresholds = ({ targetGroups }: Inventory) =>
      targetGroups.map(({ healthCheck }) => [healthCheck.healthyThreshold, healthCheck.unhealthyThreshold]);
    const isTheSame = ({ targetGroups }: Inventory) => targetGroups.map((group) => group.arn === arn);

    await change('unhealthy-threshold', '5');
    await story.hearAgain('EnsuredLoadBalancer');
    await story.seeThat('unhealthy threshold 5', thresholds, [[3, 3]], 'nothing changes by this one alone');
    await change('healthy-threshold', '4');
    await story.seeThat('healthy threshold 4', thresholds, [[4, 5]], 'now both are set');
    await story.seeThat('looked up', isTheSame, [true], 'in the target group that was there');
    await change('interval', '15');
    await story.seeThat('interval 15', isTheSame, [false], 'another target group');
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

  'the protocol of a health check of a Classic Load Balancer': async (story) => {
    const targets = {
      [HealthCheckProtocol.HTTP]: 'HTTP:8080/ready',
      [HealthCheckProtocol.HTTPS]: 'HTTPS:8080/ready',
      [HealthCheckProtocol.TCP]: 'TCP:8080',
    };
    for (const [name, target] of Object.entries(targets)) {
      const protocol = name as HealthCheckProtocol;
      const healthCheck = { protocol, port: 8080, path: protocol === HealthCheckProtocol.TCP ? undefined : '/ready' };
      const service = written(story.namespace, AwsCloudProvider.classic(), { healthCheck });
      const made = await story.create(`protocol ${name}`, service, '1 classic, 1 security group, 3 rules');
      expect(theClassicBalancer(made).healthCheck.target).toBe(target);
      await story.say('looked up', target, 'in upper case: AWS takes no other');
      await story.remove(service);
    }
  },

  'the health check of UDP ports': async (story) => {
    const ports = [{ name: 'dns', port: 53, protocol: PortProtocol.UDP }];
    const cluster = written(story.namespace, AwsCloudProvider.nlb(), { ports });
    const byCluster = await story.create('UDP, no word of a policy', cluster, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(byCluster)).toMatchObject({
      protocol: 'UDP',
      healthCheck: { protocol: 'TCP', port: 'traffic-port', path: null },
    });
    await story.say('looked up', 'TCP on the node port of UDP', 'where nothing listens on TCP no node is healthy');
    await story.remove(cluster);

    const trafficPolicy = TrafficPolicy.LOCAL;
    const local = written(story.namespace, AwsCloudProvider.nlb(), { ports, trafficPolicy });
    const byLocal = await story.create('UDP, policy Local', local, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(byLocal)).toMatchObject({
      protocol: 'UDP',
      healthCheck: { protocol: 'HTTP', port: await healthCheckNodePort(story, local), path: '/healthz' },
    });
    await story.say('looked up', 'HTTP on the health check node port', 'it answers for a UDP port too');
    await story.remove(local);

    const own = written(story.namespace, AwsCloudProvider.nlb(), { ports, healthCheck: { port: 10256 } });
    const byWish = await story.create('UDP, the port of kube-proxy', own, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(byWish)).toMatchObject({
      protocol: 'UDP',
      healthCheck: { protocol: 'TCP', port: '10256', path: null },
    });
    await story.say('looked up', 'TCP :10256', 'as written: kube-proxy answers there on every node');
    await story.remove(own);
  },
};
