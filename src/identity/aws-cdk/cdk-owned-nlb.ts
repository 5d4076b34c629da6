import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { CLUSTER_TAG } from '../aws/aws-load-balancer-controller.permissions.facts';
import { CDK_OWNED_NLB } from '../refused-identities';
import {
  type CdkOwnedNlbListener,
  type CdkOwnedNlbProps,
  CdkOwnedNlbProtocol,
  CdkOwnedNlbTargetType,
} from './cdk-owned-nlb.options';
import { balancerFault } from './cdk-owned-nlb-faults';
import { type AwsCdk, awsCdkFor } from './load-aws-cdk';

/** TLS ends at the balancer: its targets get TCP. */
function targetProtocol(protocol: CdkOwnedNlbProtocol): string {
  return protocol === CdkOwnedNlbProtocol.TLS ? CdkOwnedNlbProtocol.TCP : protocol;
}

function attributes(values: Readonly<Record<string, string | undefined>>): { key: string; value: string }[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
}

function text(value: boolean | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/**
 * A Network Load Balancer that AWS CDK makes, changes and deletes, with its listeners and target groups. Kubernetes only puts
 * targets in, by a `TargetGroupBinding` for each port: nothing is left to be orphaned, no class and no finalizer is needed, and
 * the name is known before the cluster is.
 *
 * A user who may make TargetGroupBindings in the cluster may put pods into every target group that its controller may write to:
 * `AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly` names those that it may.
 */
export class CdkOwnedNlb extends Construct {
  /** The ARN of the balancer, a token. */
  public readonly loadBalancerArn: string;

  /** Its DNS name, a token. */
  public readonly dnsName: string;

  /** The hosted zone of its DNS name, for alias records, a token. */
  public readonly hostedZoneId: string;

  private readonly groups = new Map<number, string>();

  /**
   * A balancer.
   *
   * @param scope a stack of AWS CDK, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when AWS CDK is not installed, two listeners have one port, a subnet is listed twice, or AWS refuses the name or what a
   * listener asks for
   */
  public constructor(scope: Construct, id: string, props: CdkOwnedNlbProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'CdkOwnedNlbProps', props);
    super(scope, id);
    const cdk = awsCdkFor(this, 'CdkOwnedNlb');
    const { subnetIds, listeners, securityGroupIds, loadBalancerName } = props;
    const fault = balancerFault(props);
    if (fault !== undefined) {
      throw new Error(`${this.node.path}: ${fault} (${CDK_OWNED_NLB.id})`);
    }
    const balancer = new cdk.balancing.CfnLoadBalancer(this, 'Resource', {
      type: 'network',
      scheme: props.internetFacing ? 'internet-facing' : 'internal',
      subnets: subnetIds,
      securityGroups: securityGroupIds,
      name: loadBalancerName,
      loadBalancerAttributes: attributes({
        'deletion_protection.enabled': text(props.deletionProtection ?? false),
        'load_balancing.cross_zone.enabled': text(props.crossZone ?? false),
      }),
    });
    this.loadBalancerArn = balancer.ref;
    this.dnsName = balancer.attrDnsName;
    this.hostedZoneId = balancer.attrCanonicalHostedZoneId;
    for (const listener of listeners) {
      this.listen(cdk, props, listener);
    }
  }

  /**
   * The ARN of the target group behind a port, a token: for `TargetGroupBinding`.
   *
   * @param port the port of the listener
   * @throws when there is no such listener
   */
  public targetGroupArn(port: number): string {
    const arn = this.groups.get(port);
    if (arn === undefined) {
      throw new Error(
        `${this.node.path}: there is no listener of port ${port}; ask for ${[...this.groups.keys()].join(', ')} (${CDK_OWNED_NLB.id})`,
      );
    }
    return arn;
  }

  private listen({ balancing }: AwsCdk, { vpcId, clusterName }: CdkOwnedNlbProps, listener: CdkOwnedNlbListener): void {
    const { port, certificateArns, sslPolicy, healthCheckPath, healthCheckPort } = listener;
    const protocol = listener.protocol ?? CdkOwnedNlbProtocol.TCP;
    const group = new balancing.CfnTargetGroup(this, `Targets${port}`, {
      port,
      protocol: targetProtocol(protocol),
      targetType: listener.targetType ?? CdkOwnedNlbTargetType.IP,
      vpcId,
      healthCheckProtocol: healthCheckPath === undefined ? 'TCP' : 'HTTP',
      healthCheckPath,
      healthCheckPort: text(healthCheckPort),
      targetGroupAttributes: attributes({
        'deregistration_delay.timeout_seconds': text(listener.deregistrationDelaySeconds),
        'preserve_client_ip.enabled': text(listener.preserveClientIp),
        'proxy_protocol_v2.enabled': text(listener.proxyProtocolV2),
      }),
      tags: clusterName === undefined ? undefined : [{ key: CLUSTER_TAG, value: clusterName }],
    });
    const [first, ...others] = certificateArns ?? [];
    const made = new balancing.CfnListener(this, `Listener${port}`, {
      loadBalancerArn: this.loadBalancerArn,
      port,
      protocol,
      certificates: first === undefined ? undefined : [{ certificateArn: first }],
      sslPolicy,
      defaultActions: [{ type: 'forward', targetGroupArn: group.ref }],
    });
    if (others.length > 0) {
      new balancing.CfnListenerCertificate(this, `Certificates${port}`, {
        listenerArn: made.ref,
        certificates: others.map((certificateArn) => ({ certificateArn })),
      });
    }
    this.groups.set(port, group.ref);
  }
}
