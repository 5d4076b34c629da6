import type { Json } from '../../contract/json';
import { RACK_BY_ENVIRONMENT } from './kafka-cluster.facts';

/**
 * Where a broker learns in which rack or zone it runs, so that replicas of a partition lie in different ones. It places no
 * pod: since Strimzi 0.49 nothing is spread by it, so spread the pools yourself.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-Rack-reference
 */
export class KafkaRack {
  /**
   * From a label of the node. The operator needs its cluster-wide rights, since an init container reads the node.
   *
   * @param key the label, such as `topology.kubernetes.io/zone`; nodes without it get no broker
   */
  public static topologyLabel(key: string): KafkaRack {
    return new KafkaRack({ topologyKey: key });
  }

  /**
   * From an environment variable of the broker's container, which `kafkaContainer` of the cluster has to set. It needs no rights on nodes.
   * Strimzi 1.0 or newer.
   *
   * @param name the variable
   */
  public static environmentVariable(name: string): KafkaRack {
    return new KafkaRack({ type: RACK_BY_ENVIRONMENT, envVarName: name });
  }

  private constructor(private readonly json: Json) {}

  /**
   * The `rack` of a cluster. The type of labels is the default, and is not written: versions before 1.0 know no types.
   *
   * @internal
   */
  public _toJson(): Json {
    return { ...this.json };
  }
}
