import type { Duration } from 'cdk8s';
import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { daysIn } from '../cluster/units-json';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';
import { TLS_EXTERNAL } from './entities.facts';

/**
 * How long the certificate of a user is good, from Strimzi 1.1 on.
 */
export interface KafkaUserCertificateOptions {
  /** How long it is good after it was made, in whole days. */
  readonly validity: Duration;

  /** How long before its end the operator makes the next one, in whole days: less than `validity`. */
  readonly renewal: Duration;
}

/**
 * The key of a Secret in which a password stands.
 */
export interface KafkaUserPasswordSecret {
  /** The name of a Secret in the namespace of the user. */
  readonly secretName: string;

  /** The key in it. */
  readonly key: string;
}

/**
 * The password of a user.
 */
export interface KafkaUserScramOptions {
  /**
   * Where the password stands. The operator takes it over when the Secret changes, at its next reconciliation.
   *
   * @default - the operator makes one, and keeps it
   */
  readonly passwordSecret?: KafkaUserPasswordSecret;
}

/**
 * How a user of Kafka proves who it is: by a means that one of the listeners takes.
 */
export class KafkaUserAuthentication {
  /**
   * By a client certificate that the operator signs with the clients' CA of the cluster, for listeners with
   * `KafkaAuthentication.tls()`. The name of the user has at most 64 characters, and its principal is `User:CN=<name>`.
   *
   * @param options how long certificates are good; by default as long as the clients' CA of the cluster says
   * @throws when one of the durations is not a whole number of days
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaUserTlsClientAuthentication-reference
   */
  public static tls(options?: KafkaUserCertificateOptions): KafkaUserAuthentication {
    if (options !== undefined) refuseWrongProps('KafkaUserAuthentication.tls', 'KafkaUserCertificateOptions', options);
    return new KafkaUserAuthentication(AUTHENTICATION.tls, {
      ...(options && {
        validityDays: daysIn("validity of a user's certificate", options.validity),
        renewalDays: daysIn("renewal of a user's certificate", options.renewal),
      }),
    });
  }

  /**
   * By a client certificate that somebody else makes, with the common name of the user and nothing else in its subject,
   * for listeners with `KafkaAuthentication.tls()` that trust its CA. The operator makes no Secret.
   *
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaUserTlsExternalClientAuthentication-reference
   */
  public static tlsExternal(): KafkaUserAuthentication {
    return new KafkaUserAuthentication(TLS_EXTERNAL, {});
  }

  /**
   * By name and password, for listeners with `KafkaAuthentication.scramSha512()`.
   *
   * @param options where the password stands; by default the operator makes one
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaUserScramSha512ClientAuthentication-reference
   */
  public static scramSha512(options: KafkaUserScramOptions = {}): KafkaUserAuthentication {
    refuseWrongProps('KafkaUserAuthentication.scramSha512', 'KafkaUserScramOptions', options);
    const { passwordSecret } = options;
    return new KafkaUserAuthentication(AUTHENTICATION.scramSha512, {
      ...(passwordSecret && {
        password: { valueFrom: { secretKeyRef: { name: passwordSecret.secretName, key: passwordSecret.key } } },
      }),
    });
  }

  private constructor(
    /** The type as the manifest has it, such as `scram-sha-512`. */
    public readonly type: string,
    private readonly settings: Json,
  ) {}

  /**
   * The `authentication` of a user.
   *
   * @internal
   */
  public _toJson(): Json {
    return { type: this.type, ...this.settings };
  }
}
