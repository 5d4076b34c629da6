import { type Size, SizeRoundingBehavior } from 'cdk8s';
import type { Json } from '../../contract/json';
import type { KafkaJvmOptions } from './kafka-jvm-options';
import { JVM_FIELDS } from './node-pool.facts';

/** The `jvmOptions` of a node pool or a Kafka resource. */
export function jvmOptionsJson(options: KafkaJvmOptions): Json {
  const { initialHeap, maximumHeap, gcLoggingEnabled, xx, javaSystemProperties } = options;
  return {
    ...(initialHeap && { [JVM_FIELDS.initialHeap]: heapText(initialHeap) }),
    ...(maximumHeap && { [JVM_FIELDS.maximumHeap]: heapText(maximumHeap) }),
    ...(gcLoggingEnabled !== undefined && { gcLoggingEnabled }),
    ...(xx && { [JVM_FIELDS.xx]: { ...xx } }),
    ...(javaSystemProperties && {
      javaSystemProperties: Object.entries(javaSystemProperties).map(([name, value]) => ({ name, value })),
    }),
  };
}

/** Sizes as Java writes them, of which the operator takes bytes, mebibytes and gibibytes. */
function heapText(size: Size): string {
  const kibibytes = size.toKibibytes({ rounding: SizeRoundingBehavior.NONE });
  const gibibytes = kibibytes / KIBI / KIBI;
  const mebibytes = kibibytes / KIBI;
  if (Number.isInteger(gibibytes)) {
    return `${gibibytes}G`;
  }
  return Number.isInteger(mebibytes) ? `${mebibytes}M` : String(Math.floor(kibibytes * KIBI));
}

const KIBI = 1024;
