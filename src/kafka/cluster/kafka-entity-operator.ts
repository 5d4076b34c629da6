import { refuseWrongProps } from '../../contract/declared-types';
import { defined, type Json } from '../../contract/json';
import { jvmOptionsJson } from '../nodes/jvm-options-json';
import { componentJson, podOnlyTemplate } from './component-json';
import type {
  KafkaEntityOperatorOptions,
  KafkaEntityOperatorPart,
  KafkaTopicOperatorOptions,
  KafkaUserOperatorOptions,
} from './kafka-entity-operator.options';
import { probeJson } from './probe-json';
import { millisecondsIn } from './units-json';

/**
 * Which of the operators run beside a cluster that make topics of KafkaTopics and users of KafkaUsers.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-EntityOperatorSpec-reference
 */
export class KafkaEntityOperator {
  /**
   * Both, each with its defaults unless options say otherwise.
   *
   * @param options what differs from the defaults
   */
  public static both(options: KafkaEntityOperatorOptions = {}): KafkaEntityOperator {
    refuseWrongProps('KafkaEntityOperator.both', 'KafkaEntityOperatorOptions', options);
    return new KafkaEntityOperator({ topicOperator: {}, userOperator: {}, ...defined({ ...options }) });
  }

  /**
   * Those that are named, if only by an empty map.
   *
   * @param options the one, or both
   * @throws when neither is named
   */
  public static of(options: KafkaEntityOperatorOptions): KafkaEntityOperator {
    refuseWrongProps('KafkaEntityOperator.of', 'KafkaEntityOperatorOptions', options);
    if (options.topicOperator === undefined && options.userOperator === undefined) {
      throw new Error(
        'strimzi: an entity operator cannot have neither topicOperator nor userOperator; name one of them, ' +
          'or use KafkaEntityOperator.none()',
      );
    }
    return new KafkaEntityOperator(options);
  }

  /** None: KafkaTopics and KafkaUsers of the cluster have no effect, unless somebody runs these operators alone. */
  public static none(): KafkaEntityOperator {
    return new KafkaEntityOperator({});
  }

  private constructor(private readonly options: KafkaEntityOperatorOptions) {}

  /**
   * The `entityOperator` of a cluster; nothing where there is none.
   *
   * @internal
   */
  public _toJson(): Json | undefined {
    const { topicOperator, userOperator, podTemplate } = this.options;
    if (topicOperator === undefined && userOperator === undefined) {
      return undefined;
    }
    return defined({
      topicOperator: topicOperator && topicOperatorJson(topicOperator),
      userOperator: userOperator && userOperatorJson(userOperator),
      template: podOnlyTemplate(podTemplate),
    });
  }
}

function topicOperatorJson({ startupProbe, ...options }: KafkaTopicOperatorOptions): Json {
  return defined({ ...partJson(options), startupProbe: startupProbe && probeJson(startupProbe) });
}

function userOperatorJson({ secretPrefix, ...options }: KafkaUserOperatorOptions): Json {
  return defined({ ...partJson(options), secretPrefix });
}

function partJson(options: KafkaEntityOperatorPart): Json {
  const { watchedNamespace, reconciliationInterval, logging, jvm } = options;
  return {
    ...componentJson(options),
    watchedNamespace,
    reconciliationIntervalMs: millisecondsIn('reconciliationInterval', reconciliationInterval),
    logging: logging?._toJson(),
    jvmOptions: jvm && jvmOptionsJson(jvm),
  };
}
