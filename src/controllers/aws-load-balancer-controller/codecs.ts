import { isIPv6 } from 'node:net';
import type { ExclusiveResource, Fate } from '../../contract/annotation-catalogue';
import { type Codec, codec, type DecodeResult, integer } from '../../contract/annotation-codec';
import { escapedPairs } from '../../contract/annotation-codecs-lists';
import { type Json, mapIn } from '../../contract/json';
import { AWS_PREFIX, TRAFFIC_PORT } from '../aws/facts';
import { LISTENER_ATTRIBUTES, LOAD_BALANCER_ATTRIBUTES, TARGET_GROUP_ATTRIBUTES } from './attributes.facts';
import type {
  NlbAttributes,
  NlbForwardAction,
  NlbForwardTarget,
  NlbListenerAttributes,
  NlbTargetGroupAttributes,
} from './options';

// The syntaxes of values that only this controller has.

const PORT_OF_SERVICE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export const natPrefix = codec<string>(
  'auto_assigned or an IPv6 range of length 80',
  ['auto_assigned', '2001:db8::/80'],
  String,
  (value) =>
    value === 'auto_assigned' || (value.endsWith('/80') && isIPv6(value.slice(0, -3)))
      ? { value }
      : { fault: `'${value}' is neither auto_assigned nor an IPv6 range of length 80` },
);

export function capacity(): Codec<number> {
  const units = integer(0);
  const says = `CapacityUnits=${units.says}`;
  return codec(
    says,
    units.examples,
    (value) => `CapacityUnits=${value}`,
    (whole) => {
      const read = escapedPairs(says).decode(whole);
      const { CapacityUnits, ...others } = 'value' in read ? read.value : ({} as Record<string, string>);
      return CapacityUnits === undefined || Object.keys(others).length > 0
        ? { fault: `'${whole}' is not ${says}` }
        : units.decode(CapacityUnits);
    },
  );
}

export function healthCheckPort(): Codec<string> {
  const says = `a port number, the name of a port of the Service, or ${TRAFFIC_PORT}`;
  return codec<string>(says, [TRAFFIC_PORT, '8080', 'http'], String, (value) => {
    const ok = /^\d+$/.test(value) ? Number(value) >= 1 && Number(value) <= 65535 : PORT_OF_SERVICE.test(value);
    return ok ? { value } : { fault: `'${value}' is not ${says}` };
  });
}

export const AWS_PAIRS = "key=value with AWS's keys, several separated by commas";

type Members<T> = { readonly [M in keyof Omit<T, 'additional'>]-?: readonly [string, Codec<NonNullable<T[M]>>] };

function attributes<T extends object>(members: Members<T>, emptyIsNothing = false): Codec<T> {
  const map = escapedPairs(AWS_PAIRS);
  const known = Object.entries(members) as [string, readonly [string, Codec<unknown>]][];
  const memberOf = new Map(known.map(([member, [key, value]]) => [key, { member, value }]));
  return codec<T>(
    AWS_PAIRS,
    [exampleOf(members)],
    (struct) => {
      const { additional = {}, ...givenMembers } = struct as Record<string, unknown>;
      const written: Record<string, string> = {};
      for (const [member, value] of Object.entries(givenMembers)) {
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
        } else if (value !== '' || !emptyIsNothing || key === TARGET_GROUP_ATTRIBUTES.preserveClientIp[0]) {
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

function exampleOf<T extends object>(members: Members<T>): T {
  const known = Object.entries(members as Record<string, readonly [string, Codec<unknown>]>);
  const values = known.map(([member, [, { examples }]]) => [member, examples[0]]);
  return { ...Object.fromEntries(values), additional: { team: 'edge' } } as T;
}

function within<T>(key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${key}: ${(error as Error).message}`);
  }
}

export const loadBalancerAttributes = () => attributes<NlbAttributes>(LOAD_BALANCER_ATTRIBUTES);

/** Attributes of target groups; whether a known one without a value counts as unset. */
export const targetGroupAttributes = (emptyIsNothing = false) =>
  attributes<NlbTargetGroupAttributes>(TARGET_GROUP_ATTRIBUTES, emptyIsNothing);

export const listenerAttributes = () =>
  attributes<Omit<NlbListenerAttributes, 'port' | 'protocol'>>(LISTENER_ATTRIBUTES);

export const NLB_ATTRIBUTES: readonly string[] = Object.values(LOAD_BALANCER_ATTRIBUTES).map(([key]) => key);

export const TARGET_GROUP_KEYS: readonly string[] = Object.values(TARGET_GROUP_ATTRIBUTES).map(([key]) => key);

export function targetGroupAttributeKey(member: keyof typeof TARGET_GROUP_ATTRIBUTES): string {
  return TARGET_GROUP_ATTRIBUTES[member][0];
}

/** Fields of a forward action, beside the listener in its key. */
export type ForwardConfig = Omit<NlbForwardAction, 'port' | 'protocol'>;

/** The JSON of a forward action. pkg/service/config_types.go */
export function forwardAction(): Codec<ForwardConfig> {
  const says = 'a forward action as JSON: weights from 0 to 999, each target group a Service with a port or an ARN';
  return codec<ForwardConfig>(
    says,
    [{ baseServiceWeight: 50, targetGroups: [{ serviceName: 'b', servicePort: '80', weight: 50 }], stickiness: true }],
    ({ baseServiceWeight, targetGroups, stickiness }) =>
      JSON.stringify({
        type: 'forward',
        forwardConfig: {
          baseServiceWeight,
          targetGroups: targetGroups?.map(({ targetGroupArn, servicePort, serviceName, decrypt, weight }) => ({
            targetGroupARN: targetGroupArn,
            servicePort: servicePort !== undefined && /^\d+$/.test(servicePort) ? Number(servicePort) : servicePort,
            serviceName,
            decrypt,
            weight,
          })),
          targetGroupStickinessConfig: stickiness === undefined ? undefined : { enabled: stickiness },
        },
      }),
    (whole) => {
      try {
        return readAction(JSON.parse(whole)) ?? { fault: `'${whole}' is not ${says}` };
      } catch {
        return { fault: `'${whole}' is not JSON` };
      }
    },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that a user wrote
function readAction(action: any): DecodeResult<ForwardConfig> | undefined {
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

// biome-ignore lint/suspicious/noExplicitAny: JSON that a user wrote
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

const DESTROYED = 'the two destroy the listeners of each other';
const DUPLICATE = 'AWS refuses the later one (DuplicateLoadBalancerName)';

/**
 * AWS gives back the balancer that has a name, where all its settings are asked for; of no other Service tags are looked at.
 * pkg/deploy/elbv2/load_balancer_synthesizer.go, tags v2.4.0 to v3.5.0
 */
const FATE_OF_NAME: Fate = {
  fate: `before v2.6.0, and with the same security groups, ${DESTROYED}; else ${DUPLICATE}`,
  needs: 'the version of aws-load-balancer-controller',
};

/** From v2.6.0 on each balancer has a security group of its own, unless the Service says otherwise. pkg/service/model_build_load_balancer.go */
function fateOfName(service: Json, reaches: ((since: string) => boolean) | undefined): Fate {
  if (reaches === undefined) {
    return FATE_OF_NAME;
  }
  const annotations = mapIn(mapIn(service, 'metadata'), 'annotations');
  const isAlike = ['security-groups', 'disable-nlb-sg'].some((name) => AWS_PREFIX + name in annotations);
  return !reaches('v2.6.0')
    ? { fate: DESTROYED, cutsOff: 'always' }
    : isAlike
      ? {
          fate: `with the same security groups ${DESTROYED}; else ${DUPLICATE}`,
          needs: 'whether the two have the same security groups',
        }
      : { fate: `${DUPLICATE}, which gets no balancer` };
}

export const NLB_NAME: ExclusiveResource = { thing: 'Network Load Balancer', ...FATE_OF_NAME, fateOf: fateOfName };
