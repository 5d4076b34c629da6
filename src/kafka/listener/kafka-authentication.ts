import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';

/**
 * How brokers authenticate clients of a listener by means of their own configuration.
 */
export interface KafkaCustomAuthenticationOptions {
  /**
   * Whether clients authenticate with SASL. The operator writes the protocol of the listener by it.
   *
   * @default false
   */
  readonly sasl?: boolean;

  /**
   * Kafka's own options of the listener, without the prefix `listener.name.<name>-<port>.`. The operator drops keys that
   * begin with `ssl.keystore.`, and below 0.46 all that begin with `ssl.`.
   *
   * @default - none
   */
  readonly listenerConfig?: { [key: string]: unknown };
}

/**
 * How clients of a Kafka listener prove who they are. A listener without it lets every client in.
 */
export class KafkaAuthentication {
  /**
   * By a client certificate, as a KafkaUser of type `tls` has it. The listener needs TLS.
   *
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaListenerAuthenticationTls-reference
   */
  public static tls(): KafkaAuthentication {
    return new KafkaAuthentication(AUTHENTICATION.tls, {});
  }

  /**
   * By name and password with SASL SCRAM-SHA-512, as a KafkaUser of type `scram-sha-512` has them. Without TLS on the
   * listener, a client that can listen in can guess weak passwords at leisure.
   *
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaListenerAuthenticationScramSha512-reference
   */
  public static scramSha512(): KafkaAuthentication {
    return new KafkaAuthentication(AUTHENTICATION.scramSha512, {});
  }

  /**
   * By whatever the options of Kafka itself say; this is how OAuth is configured with the API version `v1`.
   *
   * @param options whether it is SASL, and Kafka's options of the listener
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaListenerAuthenticationCustom-reference
   */
  public static custom(options: KafkaCustomAuthenticationOptions): KafkaAuthentication {
    refuseWrongProps('KafkaAuthentication.custom', 'KafkaCustomAuthenticationOptions', options);
    const { sasl = false, listenerConfig } = options;
    return new KafkaAuthentication(AUTHENTICATION.custom, { sasl, ...(listenerConfig && { listenerConfig }) });
  }

  /**
   * By an OAuth token. Only the API version `v1beta2` has it, which this library writes for Strimzi 0.45 to 0.48: from
   * 0.49 on use `custom()`, or keep a manifest of `v1beta2`, which is read up to 0.51.
   *
   * @param settings the fields of this authentication as the manifest has them, such as `validIssuerUri`
   * @throws when the settings name another type
   * @see https://strimzi.io/docs/operators/0.48.0/configuring.html#type-KafkaListenerAuthenticationOAuth-reference
   */
  public static oauth(settings: { [key: string]: unknown }): KafkaAuthentication {
    const { type = AUTHENTICATION.oauth, ...others } = settings;
    if (type !== AUTHENTICATION.oauth) {
      throw new Error(
        `strimzi: authentication oauth cannot be of type ${JSON.stringify(type)}; leave type out, ` +
          'or use another method of KafkaAuthentication',
      );
    }
    return new KafkaAuthentication(AUTHENTICATION.oauth, others);
  }

  private constructor(
    /** The type as the manifest has it, such as `scram-sha-512`. */
    public readonly type: string,
    private readonly settings: Json,
  ) {}

  /**
   * The `authentication` of a listener.
   *
   * @internal
   */
  public _toJson(): Json {
    return { type: this.type, ...this.settings };
  }
}
