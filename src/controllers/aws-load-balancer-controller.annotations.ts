import { isIPv6 } from 'node:net';
import { Annotation, AnnotationCatalogue, type AnnotationFact } from '../contract/annotation-catalogue';
import {
  address,
  type Codec,
  cidr,
  codec,
  type Decoded,
  duration,
  flag,
  integer,
  nodeLabels,
  oneOf,
  onlyWord,
  text,
  words,
} from '../contract/annotation-codec';
import { HealthCheckProtocol } from '../contract/health-check';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../contract/kubernetes.facts';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { AWS_PREFIX } from './aws.annotations';
import {
  AwsLoadBalancerType,
  NlbAlpnPolicy,
  type NlbAttributes,
  NlbBackendProtocol,
  NlbClientRoutingPolicy,
  type NlbForwardAction,
  type NlbForwardTarget,
  NlbIpAddressType,
  type NlbListenerAttributes,
  NlbProxyHeaderPlacement,
  NlbStickinessType,
  type NlbTargetGroupAttributes,
  NlbTargetType,
} from './aws-load-balancer-controller.options';

/** Upstream name of the controller. */
export const AWS_LBC = 'aws-load-balancer-controller';

/** The class that it serves unless its flag says otherwise. */
export const AWS_LBC_CLASS = 'service.k8s.aws/nlb';

/** The finalizer of the Services that it owns. pkg/shared_constants/finalizers.go */
export const AWS_LBC_FINALIZER = 'service.k8s.aws/resources';

/** Where these facts were read. */
export const AWS_LBC_SOURCE: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'pkg/annotations/constants.go',
};

/** Forward actions stand beside the keys of load balancers. */
const ACTIONS_PREFIX = 'service.beta.kubernetes.io/actions.';

/** The port of a health check that is the port of the traffic. */
export const NLB_TRAFFIC_PORT = 'traffic-port';

function entry<T>(
  name: string,
  fact: Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>,
): Annotation<T> {
  const common = { badValue: 'refused', source: AWS_LBC_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ key: AWS_PREFIX + name, ...common, ...fact });
}

/** Several values, as this controller splits them: blanks and empty entries do not count. */
function list<T>(item: Codec<T>): Codec<T[]> {
  return codec(
    `${item.says}; several separated by commas`,
    (values) => values.map((value) => item.encode(value)).join(','),
    (whole) => {
      const values: T[] = [];
      for (const part of whole.split(',').map((piece) => piece.trim())) {
        const read = part === '' ? undefined : item.decode(part);
        if (read && 'fault' in read) {
          return read;
        }
        if (read) {
          values.push(read.value);
        }
      }
      return values.length > 0 ? { value: values } : { fault: `'${whole}' is an empty list` };
    },
  );
}

const PAIRS = "key=value with AWS's keys, several separated by commas";

/** `key=value` pairs as this controller splits them: a backslash makes the next character literal, the last twin wins. */
function pairs(): Codec<Record<string, string>> {
  const escaped = (part: string) => part.replace(/[\\,]/g, '\\$&');
  return codec(
    PAIRS,
    (map) => {
      const written = Object.entries(map).map(([key, value]) => {
        const trims = typeof value === 'string' && key.trim() === key && value.trim() === value;
        if (!trims || key === '' || key.includes('=')) {
          throw new Error(`'${key}=${value}' is not ${PAIRS}`);
        }
        return `${escaped(key)}=${escaped(value)}`;
      });
      if (written.length === 0) {
        throw new Error('nothing is said');
      }
      return written.join(',');
    },
    (whole) => {
      const map: Record<string, string> = {};
      for (const part of whole.trim() === '' ? [] : unescaped(whole)) {
        const [, key, value] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
        if (key === undefined || key.trim() === '') {
          return { fault: `'${part.trim()}' in '${whole}' is not ${PAIRS}` };
        }
        map[key.trim()] = value.trim();
      }
      return { value: map };
    },
  );
}

/** The parts between the commas that no backslash precedes, without those backslashes. */
function unescaped(whole: string): string[] {
  const parts = [''];
  for (let i = 0; i < whole.length; i++) {
    if (whole[i] === ',') {
      parts.push('');
    } else {
      i += whole[i] === '\\' && i + 1 < whole.length ? 1 : 0;
      parts[parts.length - 1] += whole[i];
    }
  }
  return parts;
}

/** A struct of attributes: for each member AWS's key and the syntax of its value. */
type Members<T> = { readonly [M in keyof Omit<T, 'additional'>]-?: readonly [string, Codec<NonNullable<T[M]>>] };

/** Pairs of which the known ones are members of a struct, and the others `additional`. */
function attributes<T extends object>(members: Members<T>, emptyIsNothing = false): Codec<T> {
  const map = pairs();
  const known = Object.entries(members) as [string, readonly [string, Codec<unknown>]][];
  const memberOf = new Map(known.map(([member, [key, value]]) => [key, { member, value }]));
  return codec<T>(
    PAIRS,
    (struct) => {
      const { additional = {}, ...said } = struct as Record<string, unknown>;
      const written: Record<string, string> = {};
      for (const [member, value] of Object.entries(said)) {
        const of = (members as Record<string, readonly [string, Codec<unknown>]>)[member];
        if (!of) {
          throw new Error(`there is no attribute '${member}'`);
        }
        if (value !== undefined) {
          written[of[0]] = within(of[0], () => of[1].encode(value));
        }
      }
      for (const [key, value] of Object.entries(additional as Record<string, string>)) {
        if (memberOf.has(key)) {
          throw new Error(`'${key}' has a member of its own, ${memberOf.get(key)?.member}`);
        }
        written[key] = value;
      }
      return map.encode(written);
    },
    (whole) => {
      const read = map.decode(whole);
      if ('fault' in read) {
        return read;
      }
      const struct: Record<string, unknown> = {};
      const additional: Record<string, string> = {};
      for (const [key, value] of Object.entries(read.value)) {
        const of = memberOf.get(key);
        if (!of) {
          additional[key] = value;
        } else if (value !== '' || !emptyIsNothing || key === PRESERVE_CLIENT_IP) {
          const member = of.value.decode(value);
          if ('fault' in member) {
            return { fault: `${key}: ${member.fault}` };
          }
          struct[of.member] = member.value;
        }
      }
      return { value: (Object.keys(additional).length > 0 ? { ...struct, additional } : struct) as T };
    },
  );
}

function within<T>(key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${key}: ${(error as Error).message}`);
  }
}

/** The attribute that decides whose address a target sees. */
export const PRESERVE_CLIENT_IP = 'preserve_client_ip.enabled';

/** Attributes of balancers that AWS knows and that have no member. AWS's reference of LoadBalancerAttribute */
export const OTHER_NLB_ATTRIBUTES: readonly string[] = [
  'ipv6.deny_all_igw_traffic',
  'secondary_ips.auto_assigned.per_subnet',
  'zonal_shift.config.enabled',
];

const LOAD_BALANCER_ATTRIBUTES: Members<NlbAttributes> = {
  deletionProtection: ['deletion_protection.enabled', flag()],
  crossZone: ['load_balancing.cross_zone.enabled', flag()],
  dnsRecordClientRoutingPolicy: ['dns_record.client_routing_policy', oneOf(Object.values(NlbClientRoutingPolicy))],
  accessLogsS3Enabled: ['access_logs.s3.enabled', flag()],
  accessLogsS3Bucket: ['access_logs.s3.bucket', text()],
  accessLogsS3Prefix: ['access_logs.s3.prefix', text()],
};

const TARGET_GROUP_ATTRIBUTES: Members<NlbTargetGroupAttributes> = {
  preserveClientIp: [PRESERVE_CLIENT_IP, flag()],
  proxyProtocolV2: ['proxy_protocol_v2.enabled', flag()],
  proxyProtocolV2HeaderPlacement: [
    'proxy_protocol_v2.client_to_server.header_placement',
    oneOf(Object.values(NlbProxyHeaderPlacement)),
  ],
  deregistrationDelay: ['deregistration_delay.timeout_seconds', duration('seconds', 0, 3600)],
  connectionTerminationOnDeregistration: ['deregistration_delay.connection_termination.enabled', flag()],
  stickiness: ['stickiness.enabled', flag()],
  stickinessType: ['stickiness.type', oneOf(Object.values(NlbStickinessType))],
  unhealthyConnectionTermination: ['target_health_state.unhealthy.connection_termination.enabled', flag()],
  unhealthyDrainingInterval: [
    'target_health_state.unhealthy.draining_interval_seconds',
    duration('seconds', 0, 360000),
  ],
  dnsFailoverMinimumHealthyTargets: [
    'target_group_health.dns_failover.minimum_healthy_targets.count',
    text({ says: "a number or 'off'", matches: /^(off|\d+)$/ }),
  ],
};

const LISTENER_ATTRIBUTES: Members<Omit<NlbListenerAttributes, 'port' | 'protocol'>> = {
  tcpIdleTimeout: ['tcp.idle_timeout.seconds', duration('seconds', 60, 6000)],
};

/** What a forward action says, beside the listener that stands in its key. */
export type ForwardConfig = Omit<NlbForwardAction, 'port' | 'protocol'>;

/** The JSON of a forward action. pkg/service/config_types.go */
function forwardAction(): Codec<ForwardConfig> {
  const says = 'a forward action as JSON: weights from 0 to 999, each target group a Service with a port or an ARN';
  return codec<ForwardConfig>(
    says,
    ({ baseServiceWeight, targetGroups, stickiness }) =>
      JSON.stringify({
        type: 'forward',
        forwardConfig: {
          baseServiceWeight,
          targetGroups: targetGroups?.map(({ targetGroupArn, servicePort, ...rest }) => ({
            targetGroupARN: targetGroupArn,
            servicePort: servicePort !== undefined && /^\d+$/.test(servicePort) ? Number(servicePort) : servicePort,
            ...rest,
          })),
          targetGroupStickinessConfig: stickiness === undefined ? undefined : { enabled: stickiness },
        },
      }),
    (whole) => {
      try {
        return readAction(JSON.parse(whole)) ?? { fault: `'${whole}' is not ${says}` };
      } catch {
        return { fault: `'${whole}' is no JSON` };
      }
    },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: somebody's JSON
function readAction(action: any): Decoded<ForwardConfig> | undefined {
  const config = action?.forwardConfig;
  const enabled = config?.targetGroupStickinessConfig?.enabled;
  const groups: unknown[] | undefined = Array.isArray(config?.targetGroups) ? config.targetGroups : undefined;
  const targetGroups = (groups ?? []).map(readForwardTarget);
  const several = targetGroups.length > 1;
  const bad = targetGroups.some((group) => !group || (several && group.weight === undefined));
  if (action?.type !== 'forward' || !groups || bad || !isWeight(config.baseServiceWeight)) {
    return undefined;
  }
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    return undefined;
  }
  return {
    value: {
      baseServiceWeight: config.baseServiceWeight,
      targetGroups: targetGroups as NlbForwardTarget[],
      ...(enabled === undefined ? {} : { stickiness: enabled }),
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: somebody's JSON
function readForwardTarget(group: any): NlbForwardTarget | undefined {
  const { targetGroupARN, serviceName, servicePort, decrypt, weight } = group ?? {};
  const optional = (value: unknown, type: string) => value === undefined || typeof value === type;
  const ok =
    (targetGroupARN === undefined) !== (serviceName === undefined) &&
    (serviceName === undefined || (servicePort !== undefined && servicePort !== '')) &&
    optional(targetGroupARN, 'string') &&
    optional(serviceName, 'string') &&
    (optional(servicePort, 'string') || Number.isInteger(servicePort)) &&
    optional(decrypt, 'boolean') &&
    (weight === undefined || isWeight(weight));
  if (!ok) {
    return undefined;
  }
  const read = {
    targetGroupArn: targetGroupARN,
    serviceName,
    servicePort: servicePort === undefined ? undefined : String(servicePort),
    decrypt,
    weight,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function isWeight(weight: unknown): boolean {
  return typeof weight === 'number' && Number.isInteger(weight) && weight >= 0 && weight <= 999;
}

/** Capacity units, the one key of a map. */
function capacity(): Codec<number> {
  const units = integer(0);
  const says = `CapacityUnits=${units.says}`;
  return codec(
    says,
    (value) => `CapacityUnits=${value}`,
    (whole) => {
      const read = pairs().decode(whole);
      const { CapacityUnits, ...others } = 'value' in read ? read.value : ({} as Record<string, string>);
      return CapacityUnits === undefined || Object.keys(others).length > 0
        ? { fault: `'${whole}' is not ${says}` }
        : units.decode(CapacityUnits);
    },
  );
}

/** Upstream compares in upper case. */
function healthCheckProtocol(): Codec<HealthCheckProtocol> {
  const exact = oneOf(Object.values(HealthCheckProtocol));
  return codec(exact.says, String, (value) => exact.decode(value.toLowerCase()));
}

/** A number, the name of a port of the Service, or the port of the traffic. */
function healthCheckPort(): Codec<string> {
  const says = `a port number, the name of a port of the Service, or ${NLB_TRAFFIC_PORT}`;
  return codec<string>(says, String, (value) => {
    const ok = /^\d+$/.test(value) ? Number(value) >= 1 && Number(value) <= 65535 : PORT_OF_SERVICE.test(value);
    return ok ? { value } : { fault: `'${value}' is not ${says}` };
  });
}

const PORT_OF_SERVICE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const portOfService = text({ says: 'the name or number of a port of the Service', matches: PORT_OF_SERVICE });
const idOrName = text({ says: 'an id or the value of a Name tag', matches: /^[^\s,](?:[^,]*[^\s,])?$/ });
const startingWith = (prefix: string, says: string) =>
  text({ says: `${says} like ${prefix}…`, matches: new RegExp(`^${prefix}[^\\s,]+$`) });
const natPrefix = codec<string>('auto_assigned or an IPv6 range of length 80', String, (value) =>
  value === 'auto_assigned' || (value.endsWith('/80') && isIPv6(value.slice(0, -3)))
    ? { value }
    : { fault: `'${value}' is neither auto_assigned nor an IPv6 range of length 80` },
);

const BUILD_LOAD_BALANCER = { source: { ...AWS_LBC_SOURCE, file: 'pkg/service/model_build_load_balancer.go' } };
const BUILD_LISTENER = { source: { ...AWS_LBC_SOURCE, file: 'pkg/service/model_build_listener.go' } };
const BUILD_TARGET_GROUP = { source: { ...AWS_LBC_SOURCE, file: 'pkg/service/model_build_target_group.go' } };
const BUILD_SECURITY_GROUP = { source: { ...AWS_LBC_SOURCE, file: 'pkg/service/model_build_managed_sg.go' } };
const SEEN = { confidence: Confidence.SEEN };

/** The annotations of the AWS Load Balancer Controller for Services. */
export const AWS = {
  type: entry('type', {
    option: 'type',
    codec: oneOf(Object.values(AwsLoadBalancerType)),
    default: 'none: the class claims the Service',
    remark: 'not consulted where the Service has a class; leaves a balancer behind when it is added or edited later',
    badValue: 'accepted',
    source: { ...AWS_LBC_SOURCE, file: 'pkg/service/service_utils.go' },
    ...SEEN,
  }),
  targetType: entry('nlb-target-type', {
    option: 'targetType',
    codec: oneOf(Object.values(NlbTargetType)),
    default: 'instance, or what the flag --default-target-type says',
    remark: 'anything but exactly ip means instance; a change replaces the target groups',
    badValue: 'accepted',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  name: entry('name', {
    option: 'loadBalancerName',
    codec: text({
      says: 'at most 32 letters, digits and dashes, no dash at the ends and no internal- in front',
      matches: /^(?!-|internal-)[A-Za-z0-9-]{1,32}(?<!-)$/,
    }),
    default: 'made from namespace, name and UID of the Service',
    since: 'v2.2.0',
    remark: 'read at creation only; two Services of one name destroy the listeners of each other',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  scheme: entry('scheme', {
    option: 'scheme',
    codec: oneOf(Object.values(LoadBalancerScheme)),
    default: 'that of the live balancer, else internal, or what the flag --default-load-balancer-scheme says',
    since: 'v2.2.0',
    remark: 'a change replaces the balancer, with a new DNS name',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  internal: entry('internal', {
    option: 'internal',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: 'read only without aws-load-balancer-scheme',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  ipAddressType: entry('ip-address-type', {
    option: 'ipAddressType',
    codec: oneOf(Object.values(NlbIpAddressType)),
    default: 'ipv4',
    since: 'v2.1.0',
    remark: 'a Service with IPv6 needs dualstack, and dualstack an IPv6 range in every subnet',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  loadBalancerAttributes: entry('attributes', {
    option: 'loadBalancerAttributes',
    codec: attributes(LOAD_BALANCER_ATTRIBUTES),
    default: "AWS's",
    since: 'v2.3.0',
    remark:
      'an attribute that is taken out stays as it is; one that AWS does not know leaves a balancer without listeners',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  crossZone: entry('cross-zone-load-balancing-enabled', {
    option: 'crossZoneLoadBalancingEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: 'wins over load_balancing.cross_zone.enabled',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  accessLogEnabled: entry('access-log-enabled', {
    option: 'accessLogEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: 'only true wins over access_logs.s3.enabled; false is not written',
    ...BUILD_LOAD_BALANCER,
  }),
  accessLogBucket: entry('access-log-s3-bucket-name', {
    option: 'accessLogS3BucketName',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: 'read only with access-log-enabled',
    ...BUILD_LOAD_BALANCER,
  }),
  accessLogPrefix: entry('access-log-s3-bucket-prefix', {
    option: 'accessLogS3BucketPrefix',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: 'read only with access-log-enabled',
    ...BUILD_LOAD_BALANCER,
  }),
  minimumCapacity: entry('minimum-load-balancer-capacity', {
    option: 'minimumLoadBalancerCapacity',
    codec: capacity(),
    default: 'none reserved',
    since: 'v2.11.0',
    remark: '0 ends a reservation; needs two permissions of its own',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  subnets: entry('subnets', {
    option: 'subnets',
    codec: list(idOrName),
    default: 'found by tags and route tables; a live balancer keeps its own',
    remark: 'one each zone; whether they are public or private is not looked at',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  eipAllocations: entry('eip-allocations', {
    option: 'eipAllocations',
    codec: list(startingWith('eipalloc-', 'the allocation id of an elastic IP')),
    default: 'assigned',
    remark: 'internet-facing only; one each subnet',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  privateIpv4Addresses: entry('private-ipv4-addresses', {
    option: 'privateIpv4Addresses',
    codec: list(address(4)),
    default: 'assigned',
    since: 'v2.2.0',
    remark: 'internal only; one in each subnet',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  ipv6Addresses: entry('ipv6-addresses', {
    option: 'ipv6Addresses',
    codec: list(address(6)),
    default: 'assigned',
    since: 'v2.4.4',
    remark: 'dualstack only; one in each subnet',
    ...BUILD_LOAD_BALANCER,
  }),
  enablePrefixForIpv6SourceNat: entry('enable-prefix-for-ipv6-source-nat', {
    option: 'enablePrefixForIpv6SourceNat',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.10.0',
    remark: 'dualstack only; UDP on dualstack needs it; cannot be switched off under a UDP listener',
    source: { ...AWS_LBC_SOURCE, file: 'pkg/networking/utils.go' },
  }),
  sourceNatIpv6Prefixes: entry('source-nat-ipv6-prefixes', {
    option: 'sourceNatIpv6Prefixes',
    codec: list(natPrefix),
    default: 'auto_assigned',
    since: 'v2.10.0',
    remark: 'only with enable-prefix-for-ipv6-source-nat; one each subnet, inside it',
    source: { ...AWS_LBC_SOURCE, file: 'pkg/networking/utils.go' },
  }),
  targetNodeLabels: entry('target-node-labels', {
    option: 'targetNodeLabels',
    codec: nodeLabels(),
    default: 'every node',
    since: 'v2.2.0',
    remark: 'ignored without a word by ip targets; labels that no node carries leave the balancer without targets',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  sslCert: entry('ssl-cert', {
    option: 'sslCert',
    codec: list(startingWith('arn:', 'the ARN of a certificate')),
    default: 'none: no TLS',
    ...BUILD_LISTENER,
  }),
  sslPorts: entry('ssl-ports', {
    option: 'sslPorts',
    codec: list(portOfService),
    default: 'all TCP ports, where there is a certificate',
    remark: 'a port that the Service lacks is refused, and so is *',
    ...BUILD_LISTENER,
    ...SEEN,
  }),
  sslNegotiationPolicy: entry('ssl-negotiation-policy', {
    option: 'sslNegotiationPolicy',
    codec: text(),
    default: 'ELBSecurityPolicy-2016-08, or what the flag --default-ssl-policy says',
    ...BUILD_LISTENER,
  }),
  backendProtocol: entry('backend-protocol', {
    option: 'backendProtocol',
    codec: oneOf(Object.values(NlbBackendProtocol)),
    default: 'tcp',
    remark: 'consulted on TLS listeners only; anything but exactly ssl means tcp',
    badValue: 'accepted',
    ...BUILD_LISTENER,
  }),
  alpnPolicy: entry('alpn-policy', {
    option: 'alpnPolicy',
    codec: oneOf(Object.values(NlbAlpnPolicy)),
    default: 'None',
    since: 'v2.1.0',
    remark: 'consulted on TLS listeners only',
    ...BUILD_LISTENER,
    ...SEEN,
  }),
  listenerAttributes: entry('listener-attributes.{protocol}-{port}', {
    option: 'listenerAttributes',
    codec: attributes(LISTENER_ATTRIBUTES),
    default: "AWS's",
    since: 'v2.9.0',
    remark: 'ignored where protocol and port are those of no listener; an attribute that is taken out stays as it is',
    ...BUILD_LISTENER,
  }),
  enableTcpUdpListener: entry('enable-tcp-udp-listener', {
    option: 'enableTcpUdpListener',
    codec: flag(),
    default: 'false, or what the feature gate EnableTCPUDPListener says',
    since: 'v2.13.0',
    remark: 'makes one listener of a TCP and a UDP port of one number; an unreadable value counts as absent',
    badValue: 'accepted',
    ...BUILD_LISTENER,
  }),
  quicEnabledPorts: entry('quic-enabled-ports', {
    option: 'quicEnabledPorts',
    codec: list(portOfService),
    default: 'none',
    since: 'v2.15.0',
    remark: 'UDP ports with ip targets only',
    ...BUILD_LISTENER,
  }),
  actions: entry('actions', {
    key: `${ACTIONS_PREFIX}{protocol}-{port}`,
    option: 'actions',
    codec: forwardAction(),
    default: 'all traffic goes to the Service',
    since: 'v2.16.0',
    remark: 'ignored where protocol and port are those of no listener; needs the feature gate WeightedTargetGroups',
    source: { ...AWS_LBC_SOURCE, file: 'pkg/service/config_types.go' },
  }),
  proxyProtocol: entry('proxy-protocol', {
    option: 'proxyProtocol',
    codec: onlyWord('*'),
    default: 'none: no proxy protocol, which is written to AWS too',
    remark: 'wins over proxy-protocol-per-target-group and over the attribute',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  proxyProtocolPerTargetGroup: entry('proxy-protocol-per-target-group', {
    option: 'proxyProtocolPerTargetGroup',
    codec: list(integer(1, 65535)),
    default: 'none',
    since: 'v2.13.0',
    remark: 'numbers only; switches it off for the ports that are not listed',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  targetGroupAttributes: entry('target-group-attributes', {
    option: 'targetGroupAttributes',
    codec: attributes(TARGET_GROUP_ATTRIBUTES),
    default: 'proxy_protocol_v2.enabled=false, else what AWS defaults to',
    remark: 'an attribute that is taken out stays as it is; preserve_client_ip.enabled cannot be false for UDP',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  targetGroupAttributesPerPort: entry('target-group-attributes.{port}', {
    option: 'targetGroupAttributesPerPort',
    codec: attributes(TARGET_GROUP_ATTRIBUTES, true),
    default: 'what target-group-attributes says',
    since: 'v2.14.0',
    remark: 'wins for its port; an empty value says nothing',
    ...BUILD_TARGET_GROUP,
  }),
  multiClusterTargetGroup: entry('multi-cluster-target-group', {
    option: 'multiClusterTargetGroup',
    codec: flag(),
    default: 'false',
    since: 'v2.10.0',
    remark: 'deleting the Service deletes the target groups for all clusters',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  healthCheckProtocol: entry('healthcheck-protocol', {
    option: 'healthCheckProtocol',
    codec: healthCheckProtocol(),
    default: 'tcp; http for instance targets with externalTrafficPolicy Local',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  healthCheckPort: entry('healthcheck-port', {
    option: 'healthCheckPort',
    codec: healthCheckPort(),
    default: 'traffic-port; spec.healthCheckNodePort for instance targets with externalTrafficPolicy Local',
    remark: 'the name of a port means its node port, or with ip targets its targetPort, which must be a number',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  healthCheckPath: entry('healthcheck-path', {
    option: 'healthCheckPath',
    codec: text({ says: 'a path that begins with a slash', matches: /^\/\S*$/ }),
    default: '/; /healthz for instance targets with externalTrafficPolicy Local',
    remark: 'ignored with tcp',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  healthCheckInterval: entry('healthcheck-interval', {
    option: 'healthCheckInterval',
    codec: duration('seconds', 5, 300),
    default: '10',
    ...BUILD_TARGET_GROUP,
    ...SEEN,
  }),
  healthCheckTimeout: entry('healthcheck-timeout', {
    option: 'healthCheckTimeout',
    codec: duration('seconds', 2, 120),
    default: '10; 6 for instance targets with externalTrafficPolicy Local',
    ...BUILD_TARGET_GROUP,
  }),
  healthCheckHealthyThreshold: entry('healthcheck-healthy-threshold', {
    option: 'healthCheckHealthyThreshold',
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    ...BUILD_TARGET_GROUP,
  }),
  healthCheckUnhealthyThreshold: entry('healthcheck-unhealthy-threshold', {
    option: 'healthCheckUnhealthyThreshold',
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    ...BUILD_TARGET_GROUP,
  }),
  healthCheckSuccessCodes: entry('healthcheck-success-codes', {
    option: 'healthCheckSuccessCodes',
    codec: text({ says: 'status codes like 200-399 or 200,204', matches: /^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/ }),
    default: '200-399',
    since: 'v2.4.6',
    remark: 'ignored with tcp',
    ...BUILD_TARGET_GROUP,
  }),
  sourceRanges: entry('load-balancer-source-ranges', {
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    codec: list(cidr()),
    default: 'everywhere, unless there are prefix lists',
    remark: 'not read where spec.loadBalancerSourceRanges stands; ignored with security-groups; IPv6 needs dualstack',
    ...BUILD_SECURITY_GROUP,
  }),
  securityGroupPrefixLists: entry('security-group-prefix-lists', {
    option: 'securityGroupPrefixLists',
    codec: list(startingWith('pl-', 'the id of a prefix list')),
    default: 'none',
    since: 'v2.8.0',
    remark: 'ignored with security-groups',
    ...BUILD_SECURITY_GROUP,
  }),
  securityGroups: entry('security-groups', {
    option: 'securityGroups',
    codec: list(idOrName),
    default: 'one that the controller makes',
    since: 'v2.6.0',
    remark: 'an unknown one is refused; nodes and pods are then opened only with manage-backend-security-group-rules',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  manageBackendSecurityGroupRules: entry('manage-backend-security-group-rules', {
    option: 'manageBackendSecurityGroupRules',
    codec: flag(),
    default:
      'with own security groups what the flag --enable-manage-backend-security-group-rules says (false); else true',
    since: 'v2.4.0',
    ...BUILD_LOAD_BALANCER,
  }),
  disableNlbSg: entry('disable-nlb-sg', {
    option: 'disableNlbSg',
    codec: flag(),
    default: 'false',
    since: 'v2.14.0',
    remark: 'decided at creation for ever; opens the node port to the whole VPC',
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
  inboundSgRulesOnPrivateLinkTraffic: entry('inbound-sg-rules-on-private-link-traffic', {
    option: 'inboundSgRulesOnPrivateLinkTraffic',
    codec: words('on', 'off'),
    default: "AWS's",
    since: 'v2.8.0',
    remark: 'needs a balancer with security groups',
    ...BUILD_LOAD_BALANCER,
  }),
  enableIcmpForPathMtuDiscovery: entry('enable-icmp-for-path-mtu-discovery', {
    option: 'enableIcmpForPathMtuDiscovery',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.12.0',
    remark: 'anything but exactly on means off',
    badValue: 'accepted',
    ...BUILD_SECURITY_GROUP,
  }),
  additionalResourceTags: entry('additional-resource-tags', {
    option: 'additionalResourceTags',
    codec: pairs(),
    default: 'none',
    remark: "the controller's default tags win; a tag of --external-managed-tags is refused",
    ...BUILD_LOAD_BALANCER,
    ...SEEN,
  }),
};

/** All of them. */
export const AWS_LBC_CATALOGUE = new AnnotationCatalogue(
  [AWS_PREFIX, ACTIONS_PREFIX],
  Object.values(AWS) as Annotation<never>[],
);

/** The keys of balancer attributes that have a member. */
export const NLB_ATTRIBUTES: readonly string[] = Object.values(LOAD_BALANCER_ATTRIBUTES).map(([key]) => key);

/** What a target group attribute of an option is called by AWS. */
export function targetGroupAttributeKey(member: keyof typeof TARGET_GROUP_ATTRIBUTES): string {
  return TARGET_GROUP_ATTRIBUTES[member][0];
}
