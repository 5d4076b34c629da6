import { type Codec, codec, duration, flag, oneOf, text } from '../../contract/annotation-codec';
import { escapedPairs } from '../../contract/annotation-codecs-lists';
import { type NlbAttributes, NlbClientRoutingPolicy } from './balancer.options';
import type { NlbListenerAttributes } from './listener.options';
import { NlbProxyHeaderPlacement, NlbStickinessType, type NlbTargetGroupAttributes } from './target-group.options';

/** The syntax of maps of attributes and tags. */
export const AWS_PAIRS = "key=value with AWS's keys, several separated by commas";

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

/** A struct of attributes: for each member AWS's key and the syntax of its value. */
type Members<T> = { readonly [M in keyof Omit<T, 'additional'>]-?: readonly [string, Codec<NonNullable<T[M]>>] };

/** Pairs of which the known ones are members of a struct, and the others `additional`. */
function attributes<T extends object>(members: Members<T>, emptyIsNothing = false): Codec<T> {
  const map = escapedPairs(AWS_PAIRS);
  const known = Object.entries(members) as [string, readonly [string, Codec<unknown>]][];
  const memberOf = new Map(known.map(([member, [key, value]]) => [key, { member, value }]));
  return codec<T>(
    AWS_PAIRS,
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

/** Attributes of a balancer. */
export const loadBalancerAttributes = () => attributes(LOAD_BALANCER_ATTRIBUTES);

/** Attributes of target groups; whether a known one without a value says nothing. */
export const targetGroupAttributes = (emptyIsNothing = false) => attributes(TARGET_GROUP_ATTRIBUTES, emptyIsNothing);

/** Attributes of a listener. */
export const listenerAttributes = () => attributes(LISTENER_ATTRIBUTES);

/** The keys of balancer attributes that have a member. */
export const NLB_ATTRIBUTES: readonly string[] = Object.values(LOAD_BALANCER_ATTRIBUTES).map(([key]) => key);

/** What a target group attribute of an option is called by AWS. */
export function targetGroupAttributeKey(member: keyof typeof TARGET_GROUP_ATTRIBUTES): string {
  return TARGET_GROUP_ATTRIBUTES[member][0];
}
