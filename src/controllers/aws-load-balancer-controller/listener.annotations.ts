import { flag, oneOf, text } from '../../contract/annotation-codec';
import { sparseList } from '../../contract/annotation-codecs-lists';
import { listenerAttributes } from './attributes';
import { portOfService, startingWith } from './codecs';
import { forwardAction } from './forward-action';
import { NlbAlpnPolicy, NlbBackendProtocol } from './listener.options';
import { ACTIONS_PREFIX, awsEntry, LBC_FILES, lbcFile, SEEN } from './product.annotations';

/** Listeners: TLS, protocols, and where they forward to. */
export const AWS_LISTENER = {
  sslCert: awsEntry('ssl-cert', {
    option: 'sslCert',
    codec: sparseList(startingWith('arn:', 'the ARN of a certificate')),
    default: 'none: no TLS',
    source: LBC_FILES.listener,
  }),
  sslPorts: awsEntry('ssl-ports', {
    option: 'sslPorts',
    codec: sparseList(portOfService),
    default: 'all TCP ports, where there is a certificate',
    remark: 'a port that the Service lacks is refused, and so is *',
    source: LBC_FILES.listener,
    ...SEEN,
  }),
  sslNegotiationPolicy: awsEntry('ssl-negotiation-policy', {
    option: 'sslNegotiationPolicy',
    codec: text(),
    default: 'ELBSecurityPolicy-2016-08, or what the flag --default-ssl-policy says',
    source: LBC_FILES.listener,
  }),
  backendProtocol: awsEntry('backend-protocol', {
    option: 'backendProtocol',
    codec: oneOf(Object.values(NlbBackendProtocol)),
    default: 'tcp',
    remark: 'consulted on TLS listeners only; anything but exactly ssl means tcp',
    badValue: 'accepted',
    source: LBC_FILES.listener,
  }),
  alpnPolicy: awsEntry('alpn-policy', {
    option: 'alpnPolicy',
    codec: oneOf(Object.values(NlbAlpnPolicy)),
    default: 'None',
    since: 'v2.1.0',
    remark: 'consulted on TLS listeners only',
    source: LBC_FILES.listener,
    ...SEEN,
  }),
  listenerAttributes: awsEntry('listener-attributes.{protocol}-{port}', {
    option: 'listenerAttributes',
    codec: listenerAttributes(),
    default: "AWS's",
    since: 'v2.9.0',
    remark: 'ignored where protocol and port are those of no listener; an attribute that is taken out stays as it is',
    source: LBC_FILES.listener,
  }),
  enableTcpUdpListener: awsEntry('enable-tcp-udp-listener', {
    option: 'enableTcpUdpListener',
    codec: flag(),
    default: 'false, or what the feature gate EnableTCPUDPListener says',
    since: 'v2.13.0',
    remark: 'makes one listener of a TCP and a UDP port of one number; an unreadable value counts as absent',
    badValue: 'accepted',
    source: LBC_FILES.listener,
  }),
  quicEnabledPorts: awsEntry('quic-enabled-ports', {
    option: 'quicEnabledPorts',
    codec: sparseList(portOfService),
    default: 'none',
    since: 'v2.15.0',
    remark: 'UDP ports with ip targets only',
    source: LBC_FILES.listener,
  }),
  actions: awsEntry('actions', {
    key: `${ACTIONS_PREFIX}{protocol}-{port}`,
    option: 'actions',
    codec: forwardAction(),
    default: 'all traffic goes to the Service',
    since: 'v2.16.0',
    remark: 'ignored where protocol and port are those of no listener; needs the feature gate WeightedTargetGroups',
    source: lbcFile('pkg/service/config_types.go'),
  }),
};
