import type { Annotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { labelKeyFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { encodeOptions } from '../shared/definition';
import { AWS_LBC, AWS_LBC_CATALOGUE, AWS_LBC_CONTROLLER } from './annotations';
import { targetTypeOf } from './answers.targets';
import { AwsLoadBalancerType, NlbTargetType, type AwsLoadBalancerControllerNlbOptions as Options } from './options';
import { contradictionsIn } from './rules';

/**
 * The annotations that the options write.
 *
 * @throws on a value that the controller would refuse, and on options that contradict each other
 */
export function encodeNlbOptions(options: Options, loadBalancerClass: string): Record<string, string> {
  const targetType = targetTypeOf(options);
  const perPort = options.targetGroupAttributesPerPort?.map(({ port, attributes }) => ({ port, ...attributes }));
  const annotations = {
    ...encodeOptions(AWS_LBC_CONTROLLER, AWS_LBC_CATALOGUE, { ...options, targetType }),
    ...encodeMany('listenerAttributes', AWS_LBC.listenerAttributes, options.listenerAttributes),
    ...encodeMany('actions', AWS_LBC.actions, options.actions),
    ...encodeMany('targetGroupAttributesPerPort', AWS_LBC.targetGroupAttributesPerPort, perPort),
  };
  const classFault = labelKeyFault(loadBalancerClass);
  if (classFault || !loadBalancerClass.includes('/')) {
    throw new Error(
      `${AWS_LBC_CONTROLLER}: option loadBalancerClass: ${classFault ?? `'${loadBalancerClass}' has no domain`}; write domain/name`,
    );
  }
  if (options.type === AwsLoadBalancerType.NLB_IP && targetType !== NlbTargetType.IP) {
    throw new Error(
      `${AWS_LBC_CONTROLLER}: type '${options.type}' implies ip targets, not '${targetType}'; leave targetType out, or use EXTERNAL`,
    );
  }
  if (options.scheme !== undefined && options.loadBalancerInternal !== undefined) {
    throw new Error(`${AWS_LBC_CONTROLLER}: internal is not read beside scheme '${options.scheme}'; use scheme alone`);
  }
  refuseContradictions(annotations);
  return annotations;
}

function encodeMany<T extends { readonly port: number; readonly protocol?: string }>(
  option: string,
  entry: Annotation<Omit<T, 'port' | 'protocol'>>,
  values: readonly T[] = [],
): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const { port, protocol, ...value } of values) {
    const key = entry.key({ port, protocol: protocol ?? '' });
    try {
      if (!Number.isInteger(port) || port < 1 || port > 65535 || !entry.match(key)) {
        throw new Error(`'${[protocol, port].filter(Boolean).join('-')}' is not a listener`);
      }
      if (key in annotations) {
        throw new Error(`port ${port} is set twice`);
      }
      annotations[key] = entry.fact.codec.encode(value);
    } catch (error) {
      throw new Error(
        `${AWS_LBC_CONTROLLER}: option ${option}: ${(error as Error).message}; use ${entry.fact.codec.says}`,
      );
    }
  }
  return annotations;
}

/** What the rules find in the options alone can never be right. */
function refuseContradictions(annotations: Record<string, string>): void {
  const alone: Json = { metadata: { annotations } };
  const context = { kubernetes: KubernetesVersion.V1_34 };
  const found = contradictionsIn(annotations).flatMap((rule) => rule.judge(alone, context) ?? []);
  if (found.length > 0) {
    throw new Error(`${AWS_LBC_CONTROLLER}: ${found[0].what}; ${found[0].remedy}`);
  }
}
