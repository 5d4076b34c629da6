import { type Size, SizeRoundingBehavior } from 'cdk8s';
import { defined, type Json } from '../../contract/json';
import { jvmOptionsJson } from '../nodes/jvm-options-json';
import { componentJson, podOnlyTemplate } from './component-json';
import { CRUISE_CONTROL_USERS } from './kafka-cluster.facts';
import type {
  KafkaAutoRebalance,
  KafkaBrokerCapacity,
  KafkaCapacity,
  KafkaCruiseControlApiUsers,
  KafkaCruiseControlOptions,
} from './kafka-cruise-control-options';

/** The `cruiseControl` of a cluster; an empty map is enough for it to run. */
export function cruiseControlJson(options: KafkaCruiseControlOptions): Json {
  const { config, brokerCapacity, autoRebalance, metrics, apiUsers, jvm, logging, podTemplate } = options;
  if (autoRebalance?.length === 0) {
    throw new Error('strimzi: cruiseControl cannot have an empty autoRebalance; name a mode, or leave it out');
  }
  return defined({
    ...componentJson(options),
    config,
    brokerCapacity: brokerCapacity && brokerCapacityJson(brokerCapacity),
    autoRebalance: autoRebalance?.map(autoRebalanceJson),
    metricsConfig: metrics?._toJson(),
    apiUsers: apiUsers && apiUsersJson(apiUsers),
    jvmOptions: jvm && jvmOptionsJson(jvm),
    logging: logging?._toJson(),
    template: podOnlyTemplate(podTemplate),
  });
}

function brokerCapacityJson({ overrides, ...capacity }: KafkaBrokerCapacity): Json {
  return defined({
    ...capacityJson(capacity),
    overrides: overrides?.map(({ brokerIds, ...own }) => defined({ brokers: [...brokerIds], ...capacityJson(own) })),
  });
}

function capacityJson({ cpu, inboundNetwork, outboundNetwork }: KafkaCapacity): Json {
  return defined({
    cpu,
    inboundNetwork: throughput('inboundNetwork', inboundNetwork),
    outboundNetwork: throughput('outboundNetwork', outboundNetwork),
  });
}

function throughput(what: string, size: Size | undefined): string | undefined {
  const kibibytes = size?.toKibibytes({ rounding: SizeRoundingBehavior.NONE });
  if (kibibytes !== undefined && !Number.isInteger(kibibytes)) {
    throw new Error(`strimzi: ${what} is ${size?.asString()}, which are no whole kibibytes; use a smaller unit`);
  }
  return kibibytes === undefined ? undefined : `${kibibytes}KiB/s`;
}

function autoRebalanceJson({ mode, template }: KafkaAutoRebalance): Json {
  return defined({ mode, template: template === undefined ? undefined : { name: template } });
}

function apiUsersJson({ secretName, key }: KafkaCruiseControlApiUsers): Json {
  return { type: CRUISE_CONTROL_USERS, valueFrom: { secretKeyRef: { name: secretName, key } } };
}
