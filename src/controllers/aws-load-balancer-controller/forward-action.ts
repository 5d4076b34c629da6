import { type Codec, codec, type Decoded } from '../../contract/annotation-codec';
import type { NlbForwardAction, NlbForwardTarget } from './listener.options';

/** What a forward action says, beside the listener that stands in its key. */
export type ForwardConfig = Omit<NlbForwardAction, 'port' | 'protocol'>;

/** The JSON of a forward action. pkg/service/config_types.go */
export function forwardAction(): Codec<ForwardConfig> {
  const says = 'a forward action as JSON: weights from 0 to 999, each target group a Service with a port or an ARN';
  return codec<ForwardConfig>(
    says,
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
