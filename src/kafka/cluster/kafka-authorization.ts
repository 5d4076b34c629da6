import { refuseWrongProps } from '../../contract/declared-types';
import { defined, type Json } from '../../contract/json';
import { AUTHORIZATION } from '../strimzi/kafka-cluster.facts';

/**
 * Authorization by the access lists of Kafka itself.
 */
export interface KafkaSimpleAuthorizationOptions {
  /**
   * Names of clients that may do everything: `CN=alice` of a certificate, `alice` of a SCRAM user. The operator puts
   * `User:` before each of them.
   *
   * @default - the operator's own clients alone
   */
  readonly superUsers?: string[];
}

/**
 * Authorization by a class of one's own.
 */
export interface KafkaCustomAuthorizationOptions {
  /** The full name of the authorizer's class, which must be in the image of the brokers. */
  readonly authorizerClass: string;

  /**
   * Whether the authorizer can be managed through Kafka's admin API, so that access lists of a KafkaUser work.
   *
   * @default false
   */
  readonly supportsAdminApi?: boolean;

  /**
   * Names of clients that may do everything, as with `simple()`. The authorizer has to honour `super.users`.
   *
   * @default - the operator's own clients alone
   */
  readonly superUsers?: string[];
}

/**
 * Who decides what a client may do. A cluster without it lets every client do everything.
 */
export class KafkaAuthorization {
  /**
   * By the access lists that KafkaUsers have. A client without a name, which comes through a listener without
   * authentication, is ANONYMOUS and may do nothing.
   *
   * @param options super users
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaAuthorizationSimple-reference
   */
  public static simple(options: KafkaSimpleAuthorizationOptions = {}): KafkaAuthorization {
    refuseWrongProps('KafkaAuthorization.simple', 'KafkaSimpleAuthorizationOptions', options);
    return new KafkaAuthorization(AUTHORIZATION.simple, { superUsers: options.superUsers });
  }

  /**
   * By an authorizer of one's own; its settings are in the configuration of Kafka. This is how OAuth and OPA are used with
   * the API version `v1`.
   *
   * @param options the authorizer
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaAuthorizationCustom-reference
   */
  public static custom(options: KafkaCustomAuthorizationOptions): KafkaAuthorization {
    refuseWrongProps('KafkaAuthorization.custom', 'KafkaCustomAuthorizationOptions', options);
    const { authorizerClass, supportsAdminApi, superUsers } = options;
    return new KafkaAuthorization(AUTHORIZATION.custom, { authorizerClass, supportsAdminApi, superUsers });
  }

  /**
   * By the authorization services of Keycloak. Only the API version `v1beta2` has it, which this library writes for Strimzi
   * 0.45 to 0.48: from 0.49 on use `custom()`.
   *
   * @param settings the fields of this authorization as the manifest has them, such as `tokenEndpointUri`
   * @throws when the settings name another type
   * @see https://strimzi.io/docs/operators/0.48.0/configuring.html#type-KafkaAuthorizationKeycloak-reference
   */
  public static keycloak(settings: { [key: string]: unknown }): KafkaAuthorization {
    return KafkaAuthorization.old(AUTHORIZATION.keycloak, settings);
  }

  /**
   * By the Open Policy Agent. Only the API version `v1beta2` has it, which this library writes for Strimzi 0.45 to 0.48:
   * from 0.49 on use `custom()`.
   *
   * @param settings the fields of this authorization as the manifest has them, such as `url`
   * @throws when the settings name another type
   * @see https://strimzi.io/docs/operators/0.48.0/configuring.html#type-KafkaAuthorizationOpa-reference
   */
  public static opa(settings: { [key: string]: unknown }): KafkaAuthorization {
    return KafkaAuthorization.old(AUTHORIZATION.opa, settings);
  }

  private static old(type: string, settings: Json): KafkaAuthorization {
    const { type: named = type, ...others } = settings;
    if (named !== type) {
      throw new Error(
        `strimzi: authorization ${type} cannot be of type ${JSON.stringify(named)}; leave type out, ` +
          'or use another method of KafkaAuthorization',
      );
    }
    return new KafkaAuthorization(type, others);
  }

  private constructor(
    /** The type as the manifest has it, such as `simple`. */
    public readonly type: string,
    private readonly settings: Json,
  ) {}

  /**
   * The `authorization` of a cluster.
   *
   * @internal
   */
  public _toJson(): Json {
    return defined({ type: this.type, ...this.settings });
  }
}
