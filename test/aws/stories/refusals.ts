import { AwsCloudProvider, KubernetesVersion } from '../../../src';
import type { Body, Ref } from '../../real/api';
import { checkByRules } from '../../support/checks';
import { casesIn } from '../../support/yaml-cases';
import { controllerVersion } from '../harness/aws-cluster';
import { type Plot, theGroup, theNetworkBalancer } from '../harness/aws-story';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const NLB = { [`${AWS}type`]: 'nlb' };
const DNS = [{ name: 'dns', port: 53, protocol: 'UDP' }];

/** A Service that the library would not write, whose rules must find it too. */
function service(namespace: string, spec: Body, annotations: Record<string, string> = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace, annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 443 }], ...spec },
  };
}

/** The ids of the rules that say something of a Service. */
function findings(object: Ref): string[] {
  const controller = AwsCloudProvider.nlb({ version: controllerVersion() });
  const context = { kind: AwsCloudProvider._kind.definition, controller, kubernetes: KubernetesVersion.V1_36 };
  const { errors, warnings } = checkByRules(object, AwsCloudProvider._kind.definition.rules, context, controller.name);
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

interface Refusal {
  readonly rule: string;
  readonly because: RegExp;
  readonly spec?: Body;
  readonly annotations?: Record<string, string>;
}

const REFUSALS: Record<string, Refusal> = casesIn(__dirname, 'refusals.yaml').refusals;

/** What the rules of the library find, and what the controller says or does. */
export const refusals: Record<string, Plot> = {
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([title, { rule, because, spec = {}, annotations }]): [string, Plot] => [
      title,
      async (story) => {
        const object = service(story.namespace, spec, annotations);
        expect(findings(object)).toContain(rule);
        await story.refused(rule, object, because);
      },
    ]),
  ),

  'security groups of a Network Load Balancer': async (story) => {
    const object = service(story.namespace, {}, { ...NLB, [`${AWS}security-groups`]: 'sg-0123456789abcdef0' });
    if (!controllerVersion().isAtLeast(KubernetesVersion.V1_37)) {
      expect(findings(object)).toContain('aws-cloud-nlb-security-groups-unsupported-version');
      await story.refused('groups, NLB', object, /BYO security group annotation "\S+" is not supported by NLB/);
      return;
    }
    expect(findings(object)).toContain('aws-cloud-nlb-security-groups-disabled');
    const made = await story.create('groups, NLB', object, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(made).securityGroups).toEqual([]);
    await story.say('looked up', 'no security group', 'NLBSecurityGroupMode is not Managed: they are ignored');
    await story.remove(object);
  },

  'a type that is none': async (story) => {
    const object = service(story.namespace, {}, { [`${AWS}type`]: 'NLB' });
    expect(findings(object)).toContain('aws-cloud-type-unknown');
    await story.create('type NLB', object, '1 classic, 1 security group, 3 rules', 'no Network Load Balancer');
    await story.remove(object);
  },

  'a health check timeout of a Network Load Balancer': async (story) => {
    const object = service(story.namespace, {}, { ...NLB, [`${AWS}healthcheck-timeout`]: '20' });
    expect(findings(object)).toContain('aws-cloud-annotation-ignored');
    const made = await story.create('timeout 20, NLB', object, '1 NLB, 1 target group, 2 rules');
    expect(theGroup(made).healthCheck.timeout).not.toBe(20);
    await story.say('looked up', 'another timeout', 'the controller does not send it');
    await story.remove(object);
  },

  'a UDP port with policy Cluster': async (story) => {
    const object = service(story.namespace, { ports: DNS }, NLB);
    expect(findings(object)).toContain('aws-cloud-udp-health-check-by-tcp');
    const made = await story.create('UDP, Cluster', object, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(made).healthCheck).toMatchObject({ protocol: 'TCP', port: 'traffic-port' });
    await story.say('looked up', 'TCP on the node port of UDP', 'where mostly nothing listens');
    await story.remove(object);
  },

  'a port without a node port': async (story) => {
    const object = service(story.namespace, { allocateLoadBalancerNodePorts: false }, NLB);
    expect(findings(object)).toContain('aws-cloud-port-without-node-port');
    await story.create('no node ports', object, '1 NLB', 'a balancer without a listener');
    await story.remove(object);
  },
};
