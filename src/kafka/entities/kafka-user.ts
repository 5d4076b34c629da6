import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { judgeObject } from '../../rules/judge-object';
import { judgeProps } from '../../rules/judge-props';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { bytesIn } from '../cluster/units-json';
import { CLUSTER_LABEL } from '../operator/operator-services.facts';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';
import { KAFKA_USER_KIND, TLS_EXTERNAL, USER_AUTHORIZATION } from './entities.facts';
import { documentOf, EntityJudge, judgeUser } from './entity-judgement';
import type { KafkaAcl } from './kafka-acl';
import type { KafkaUserAuthentication } from './kafka-user-authentication';
import type { KafkaUserQuotas } from './kafka-user-quotas';
import { hasSecret, secretNameOf } from './user-secret';

/**
 * A user of a Kafka cluster.
 */
export interface KafkaUserProps {
  /** The cluster that knows the user. Its Kafka resource needs an `entityOperator` with a `userOperator`. */
  readonly kafka: IKafkaCluster;

  /** The name of the KafkaUser resource, and of the user. */
  readonly name: string;

  /**
   * How the user proves who it is: by a means that a listener of the cluster takes.
   *
   * @default - the operator makes no credentials, as for users that authenticate by a token
   */
  readonly authentication?: KafkaUserAuthentication;

  /**
   * What the user may do. The cluster needs an authorization that keeps ACLs, such as `simple`, else the operator does
   * not reconcile the user at all. An empty list takes away all ACLs that the user has.
   *
   * @default - the operator writes no ACLs, and removes those that it finds where the cluster keeps any
   */
  readonly acls?: KafkaAcl[];

  /**
   * How much the user may ask of each broker.
   *
   * @default - as much as it likes
   */
  readonly quotas?: KafkaUserQuotas;

  /**
   * Labels of the resource, beside the one that names the cluster. Its Secret has them too.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the resource.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the Secret that the operator makes.
   *
   * @default - those of the resource
   */
  readonly secretLabels?: { [key: string]: string };

  /**
   * Annotations of the Secret that the operator makes, such as those of a tool that copies Secrets to other namespaces.
   *
   * @default - none
   */
  readonly secretAnnotations?: { [key: string]: string };

  /**
   * The namespace of the resource and of its Secret: the one that the User Operator of the cluster watches. Clients in
   * other namespaces need a copy of the Secret.
   *
   * @default - the namespace of the Kafka resource
   */
  readonly namespace?: string;
}

/**
 * A user that the User Operator of Strimzi makes in Kafka, with its credentials, ACLs and quotas.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying.html#assembly-using-the-user-operator-str
 */
export class KafkaUser extends Construct {
  /** The KafkaUser resource, for patches and dependencies. */
  public readonly user: ApiObject;

  /** Who the user is to Kafka, as it stands in ACLs, quotas and `superUsers`, there without `User:`. */
  public readonly principal: string;

  private readonly kafka: IKafkaCluster;
  private readonly authentication?: string;

  /**
   * A user of a Kafka cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   */
  public constructor(scope: Construct, id: string, props: KafkaUserProps) {
    judgeProps(scope, id, 'KafkaUserProps', props);
    super(scope, id);
    const { kafka, name, authentication, acls, labels, annotations } = props;
    this.kafka = kafka;
    this.authentication = authentication?.type;
    this.principal = `User:${isByCertificate(this.authentication) ? 'CN=' : ''}${name}`;
    this.user = new ApiObject(this, 'Resource', {
      apiVersion: kafka.strimzi.apiVersion,
      kind: KAFKA_USER_KIND,
      metadata: {
        name,
        namespace: props.namespace ?? kafka.namespace,
        labels: { ...labels, [CLUSTER_LABEL]: kafka.clusterName },
        annotations,
      },
      spec: {
        authentication: authentication?._toJson(),
        authorization: acls && { type: USER_AUTHORIZATION, acls: acls.map((acl) => acl._toJson()) },
        quotas: props.quotas && quotasOf(props.quotas),
        template: templateOf(props),
      },
    });
    judgeObject(this, this.user, new EntityJudge(kafka, judgeUser));
  }

  /**
   * The name of the Secret with the credentials, in the namespace of the user: `password` and `sasl.jaas.config` with a
   * password; `user.crt`, `user.key`, `ca.crt` and their PKCS12 form with a certificate. It begins with the
   * `secretPrefix` that the Kafka resource says at the moment for its user operator. Unset where the operator makes none.
   */
  public get secretName(): string | undefined {
    return hasSecret(this.authentication) ? secretNameOf(this.user.name, documentOf(this.kafka)) : undefined;
  }
}

function isByCertificate(authentication: string | undefined): boolean {
  return authentication === AUTHENTICATION.tls || authentication === TLS_EXTERNAL;
}

function quotasOf({ producerRate, consumerRate, requestPercentage, controllerMutationRate }: KafkaUserQuotas): Json {
  return {
    producerByteRate: bytesIn('producerRate of a user', producerRate),
    consumerByteRate: bytesIn('consumerRate of a user', consumerRate),
    requestPercentage,
    controllerMutationRate,
  };
}

function templateOf({ secretLabels, secretAnnotations }: KafkaUserProps): Json | undefined {
  return secretLabels || secretAnnotations
    ? { secret: { metadata: { labels: secretLabels, annotations: secretAnnotations } } }
    : undefined;
}
