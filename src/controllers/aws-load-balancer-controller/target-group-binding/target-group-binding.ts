import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../../contract/json';
import { validateByRules } from '../../../rules/synth-object';
import { validateProps } from '../../../rules/warnings';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_KIND,
} from '../kinds.facts';
import { BINDING_PORT, TARGET_GROUP_BINDING_RULE_SET } from './kinds';
import type { TargetGroupBindingPeer, TargetGroupBindingProps } from './target-group-binding.options';

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
   * @param props which Service, and which target group
   * @throws when none or both of a port and its name are given, or a peer is none or both of a group and a range
   */
  public constructor(scope: Construct, id: string, props: TargetGroupBindingProps) {
    validateProps(scope, id, 'TargetGroupBindingProps', props);
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
        `${this.node.path}: a peer is a security group or a range; give exactly one of securityGroupId and cidr (binding-networking-invalid)`,
      );
    }
    validateByRules(this, TARGET_GROUP_BINDING_RULE_SET);
  }
}
