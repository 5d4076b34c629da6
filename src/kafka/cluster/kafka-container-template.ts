/**
 * What the container of Kafka gets on every node.
 */
export interface KafkaContainerTemplate {
  /**
   * Variables of its environment, by name; `template.kafkaContainer.env` of the Kafka resource. The operator drops those that
   * it sets itself.
   *
   * @default - none but those of the operator
   */
  readonly env?: { [name: string]: string };

  /**
   * Variables whose values stand elsewhere, each with `name` and `valueFrom`, as containers of Kubernetes have them.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: references are free JSON of Kubernetes
  readonly envFrom?: any[];

  /**
   * Where volumes of `podTemplate` stand, as containers of Kubernetes have it. Paths below `/mnt` only: the operator refuses
   * others.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: mounts are free JSON of Kubernetes
  readonly volumeMounts?: any[];

  /**
   * The security context of the container, as Kubernetes has it.
   *
   * @default - the operator's
   */
  // biome-ignore lint/suspicious/noExplicitAny: a security context is free JSON of Kubernetes
  readonly securityContext?: any;
}
