import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { judgeByRules } from '../../rules/judge-by-rules';
import { judgeProps } from '../../rules/judge-props';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_KIND,
} from './kinds.facts';
import { BINDING_PORT, TARGET_GROUP_BINDING_RULE_SET } from './rules.target-group-binding';

/**
 * What a target group holds.
 */
export enum TargetGroupTargetType {
  /** Addresses of pods. */
  IP = 'ip',

  /** Nodes, at the node port of the Service. */
  INSTANCE = 'instance',
}

/**
 * Who may reach the targets at which ports. Exactly one of `securityGroupId` and `cidr` is given.
 */
export interface TargetGroupBindingPeer {
  /**
   * The security group of the balancer.
   *
   * @default - `cidr` is used
   */
  readonly securityGroupId?: string;

  /**
   * A range of addresses.
   *
   * @default - `securityGroupId` is used
   */
  readonly cidr?: string;

  /**
   * The ports of the targets: of pods, or of nodes.
   *
   * @default - all
   */
  readonly ports?: number[];

  /**
   * TCP or UDP.
   *
   * @default 'TCP'
   */
  readonly protocol?: string;
}

/**
 * Which Service fills which target group.
 */
export interface TargetGroupBindingProps {
  /**
   * The ARN of the target group. AWS CDK replaces a token of its own when it applies the chart (`cluster.addCdk8sChart`); nothing
   * does when the app is only synthesized.
   */
  readonly targetGroupArn: string;

  /** What the target group holds: it cannot be changed, neither there nor here. */
  readonly targetType: TargetGroupTargetType;

  /** The Service, in the namespace of the binding. Its type need not be LoadBalancer. */
  readonly serviceName: string;

  /**
   * The port of the Service. Either this or `servicePortName`.
   *
   * @default - the one of `servicePortName`
   */
  readonly servicePort?: number;

  /**
   * The name of the port of the Service.
   *
   * @default - the one of `servicePort`
   */
  readonly servicePortName?: string;

  /**
   * The labels of the nodes that are registered, for targets that are instances.
   *
   * @default - all nodes
   */
  readonly nodeLabels?: { [key: string]: string };

  /**
   * Who may reach the targets. The controller writes the rules to the security groups of nodes or pods.
   *
   * @default - no rules are written: those of the nodes must let the balancer in
   */
  readonly peers?: TargetGroupBindingPeer[];

  /**
   * Whether other clusters fill the same target group. Without it, the last binding takes out the targets of all others.
   *
   * @default false
   */
  readonly multiCluster?: boolean;

  /**
   * The VPC of the targets, where it is another than that of the cluster.
   *
   * @default - that of the cluster
   */
  readonly vpcId?: string;

  /**
   * Whether the controller is that of EKS Auto Mode, which has an API of its own for it.
   *
   * @default false
   */
  readonly eksAutoMode?: boolean;

  /**
   * The name of the binding.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the binding, and of the Service.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;
}

function peerJson({ securityGroupId, cidr, ports, protocol }: TargetGroupBindingPeer): Json {
  return {
    from: [
      {
        ...(securityGroupId !== undefined && { securityGroup: { groupID: securityGroupId } }),
        ...(cidr !== undefined && { ipBlock: { cidr } }),
      },
    ],
    ports:
      ports === undefined
        ? [{ protocol: protocol ?? 'TCP' }]
        : ports.map((port) => ({ port, protocol: protocol ?? 'TCP' })),
  };
}

/**
 * Puts the pods or nodes of a Service into a target group that others made, such as AWS CDK. Deleting it takes the
 * targets out and leaves the balancer: nothing can be orphaned.
 *
 * A user who may make one in a cluster may take over any target group that the role of the controller may write to: tenants must
 * not.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/guide/targetgroupbinding/targetgroupbinding/
 */
export class TargetGroupBinding extends ApiObject {
  /**
   * A binding.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which Service, and which target group
   * @throws when none or both of a port and its name are given, or a peer is none or both of a group and a range
   */
  public constructor(scope: Construct, id: string, props: TargetGroupBindingProps) {
    judgeProps(scope, id, 'TargetGroupBindingProps', props);
    const { servicePort, servicePortName, nodeLabels, peers } = props;
    super(scope, id, {
      apiVersion: props.eksAutoMode ? AUTO_MODE_BINDING_API_VERSION : TARGET_GROUP_BINDING_API_VERSION,
      kind: TARGET_GROUP_BINDING_KIND,
      metadata: { name: props.name, namespace: props.namespace },
      spec: {
        targetGroupARN: props.targetGroupArn,
        targetType: props.targetType,
        serviceRef: { name: props.serviceName, port: servicePort ?? servicePortName },
        nodeSelector: nodeLabels && { matchLabels: nodeLabels },
        networking: peers && { ingress: peers.map(peerJson) },
        multiClusterTargetGroup: props.multiCluster,
        vpcID: props.vpcId,
      },
    });
    if ((servicePort === undefined) === (servicePortName === undefined)) {
      throw new Error(
        `${this.node.path}: exactly one of servicePort and servicePortName names the port; keep one (${BINDING_PORT.id})`,
      );
    }
    if (peers?.some(({ securityGroupId, cidr }) => (securityGroupId === undefined) === (cidr === undefined))) {
      throw new Error(
        `${this.node.path}: a peer is a security group or a range; give exactly one of securityGroupId and cidr (binding-networking)`,
      );
    }
    judgeByRules(this, TARGET_GROUP_BINDING_RULE_SET);
  }
}
