import { list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { isLocal, portsOf } from '../../rules/service-json';
import { AWS } from './annotations';
import { PRESERVE_CLIENT_IP } from './attributes';
import { NlbIpAddressType } from './balancer.options';
import { LBC_FILES, lbcFile } from './product.annotations';
import { attributesOf, hasIpTargets, hasUdpPort, listenersOf } from './reading';
import { AWS_ATTRIBUTES, error, warning } from './rule';

/** Contradictions among annotations alone. */
export const AWS_TARGET_GROUP_CONTRADICTIONS: readonly Rule[] = [
  warning(
    'node-labels-with-ip-targets',
    'node labels choose among instance targets only: with ip targets every pod is a target, wherever it runs',
    LBC_FILES.targetGroup,
    (_, annotations) => {
      const labels = annotations[AWS.targetNodeLabels.key()];
      return labels !== undefined && hasIpTargets(annotations)
        ? {
            what: `node labels '${labels}' are ignored with ip targets, so pods on any node are targets`,
            remedy: 'use instance targets, or pin the pods by NodePool.pin and remove the labels',
            value: labels,
          }
        : undefined;
    },
    { reads: [AWS.targetNodeLabels] },
  ),
];

/** The rules about target groups. */
export const AWS_TARGET_GROUP_RULES: readonly Rule[] = [
  ...AWS_TARGET_GROUP_CONTRADICTIONS,
  error(
    'instance-targets-need-node-ports',
    'instance targets are reached at node ports',
    LBC_FILES.targetGroup,
    (service, annotations) =>
      service.spec?.allocateLoadBalancerNodePorts === false && !hasIpTargets(annotations)
        ? portsOf(service)
            .filter((port) => !port.nodePort)
            .map((port) => ({
              what: `port ${port.port} has no node port, and instance targets are reached by it`,
              remedy: 'let node ports be allocated, fix one, or use ip targets',
              value: String(port.port),
            }))
        : undefined,
    { on: ['spec.allocateLoadBalancerNodePorts'] },
  ),
  error(
    'client-address-of-udp',
    `${PRESERVE_CLIENT_IP} cannot be false where there is UDP`,
    AWS_ATTRIBUTES,
    (service, annotations) =>
      hasUdpPort(service) &&
      listenersOf(service, annotations)
        .filter(({ hasUdp, port }) => hasUdp && attributesOf(annotations, port).preserveClientIp === false)
        .map(({ port, protocol }) => ({
          what: `${PRESERVE_CLIENT_IP} cannot be false for port ${port}, which is ${protocol}`,
          remedy: `say it for the TCP ports only, by ${AWS.targetGroupAttributesPerPort.fact.option}`,
          value: 'false',
        })),
    { reads: [AWS.targetGroupAttributes, AWS.targetGroupAttributesPerPort] },
  ),
  error(
    'stickiness-with-tls',
    'TLS listeners keep no client on its target',
    AWS_ATTRIBUTES,
    (service, annotations) =>
      annotations[AWS.sslCert.key()] !== undefined &&
      listenersOf(service, annotations)
        .filter(({ isTls, port }) => isTls && attributesOf(annotations, port).stickiness === true)
        .map(({ port }) => ({
          what: `port ${port} speaks TLS, where stickiness is not supported`,
          remedy: 'end TLS in the pods, or do without stickiness',
          value: port,
        })),
    { reads: [AWS.sslCert] },
  ),
  warning(
    'local-without-effect',
    'policy Local means nothing to ip targets',
    LBC_FILES.targetGroup,
    (service, annotations) =>
      isLocal(service) && hasIpTargets(annotations)
        ? {
            what: 'policy Local has no effect on a balancer with ip targets, which sends to the pods themselves',
            remedy: `leave it out; the client's address is kept by ${PRESERVE_CLIENT_IP}`,
            value: 'Local',
          }
        : undefined,
    { on: ['spec.externalTrafficPolicy'] },
  ),
  warning(
    'session-affinity-without-effect',
    'the balancer does not know spec.sessionAffinity',
    LBC_FILES.targetGroup,
    (service) =>
      service.spec?.sessionAffinity === 'ClientIP'
        ? {
            what: 'sessionAffinity ClientIP does not reach the balancer, which spreads the connections of a client',
            remedy: `set stickiness.enabled=true,stickiness.type=source_ip in ${AWS.targetGroupAttributes.key()}`,
            value: 'ClientIP',
          }
        : undefined,
    { on: ['spec.sessionAffinity'] },
  ),
  warning(
    'proxy-protocol-twice',
    'proxy protocol for all ports wins over a list of ports',
    LBC_FILES.targetGroup,
    (_, annotations) =>
      AWS.proxyProtocol.on(annotations) && annotations[AWS.proxyProtocolPerTargetGroup.key()] !== undefined
        ? {
            what: `${AWS.proxyProtocolPerTargetGroup.key()} is not read beside ${AWS.proxyProtocol.key()}, which is for every port`,
            remedy: 'keep one',
            value: annotations[AWS.proxyProtocolPerTargetGroup.key()],
          }
        : undefined,
    { reads: [AWS.proxyProtocolPerTargetGroup] },
  ),
  warning(
    'client-address-of-other-family',
    'the address of a client is lost where its family is converted',
    lbcFile('docs/guide/service/annotations.md'),
    (service, annotations) =>
      AWS.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
      AWS.targetGroupAttributes.on(annotations)?.preserveClientIp === true
        ? {
            what: `clients of ${list(service.spec?.ipFamilies).includes('IPv6') ? 'IPv4' : 'IPv6'} are converted to the family of the targets, which then see the balancer`,
            remedy: 'use one family, or proxy protocol',
            value: NlbIpAddressType.DUALSTACK,
          }
        : undefined,
    { reads: [AWS.ipAddressType] },
  ),
];
