// Written by scripts/strimzi/field-names.ts from the definitions of all releases that are known here:
// strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0: packaging/install/cluster-operator/040-Crd-kafka.yaml and
// 045-Crd-kafkanodepool.yaml (0.45: 04A-Crd-kafkanodepool.yaml)

/**
 * The names of fields, by kind: each line has paths and the names below them. `@0.47.0` is the first release that has a name,
 * `~` marks what the API version `v1beta2` alone has. Fields of listeners and of Kubernetes' own types are not in it.
 */
export const FIELD_NAMES: Readonly<Record<'Kafka' | 'KafkaNodePool', string>> = {
  Kafka: `
spec: clientsCa clusterCa cruiseControl entityOperator jmxTrans~ kafka kafkaExporter maintenanceTimeWindows
  zookeeper~
spec.kafka: authorization brokerRackInitImage config image jmxOptions jvmOptions listeners livenessProbe logging
  metadataVersion metricsConfig quotas rack readinessProbe replicas~ resources~ storage~ template tieredStorage
  version
spec.kafka.authorization: allowOnError~ authorizerClass clientId~ connectTimeoutSeconds~ delegateToKafkaAcls~
  disableTlsHostnameVerification~ enableMetrics~ expireAfterMs~ grantsAlwaysLatest~ grantsGcPeriodSeconds~
  grantsMaxIdleTimeSeconds~ grantsRefreshPeriodSeconds~ grantsRefreshPoolSize~ httpRetries~ includeAcceptHeader~
  initialCacheCapacity~ maximumCacheSize~ readTimeoutSeconds~ superUsers supportsAdminApi tlsTrustedCertificates~
  tokenEndpointUri~ type url~
spec.kafka.rack: envVarName@1.0.0 topologyKey type@1.0.0
spec.kafka.livenessProbe spec.kafka.readinessProbe spec.entityOperator.topicOperator.startupProbe
  spec.entityOperator.topicOperator.livenessProbe spec.entityOperator.topicOperator.readinessProbe
  spec.entityOperator.userOperator.livenessProbe spec.entityOperator.userOperator.readinessProbe
  spec.cruiseControl.livenessProbe spec.cruiseControl.readinessProbe spec.kafkaExporter.livenessProbe
  spec.kafkaExporter.readinessProbe: failureThreshold initialDelaySeconds periodSeconds successThreshold
  timeoutSeconds
spec.kafka.jvmOptions spec.entityOperator.topicOperator.jvmOptions spec.entityOperator.userOperator.jvmOptions
  spec.cruiseControl.jvmOptions: -XX -Xms -Xmx gcLoggingEnabled javaSystemProperties
spec.kafka.jvmOptions.javaSystemProperties spec.entityOperator.topicOperator.jvmOptions.javaSystemProperties
  spec.entityOperator.userOperator.jvmOptions.javaSystemProperties
  spec.cruiseControl.jvmOptions.javaSystemProperties: name value
spec.kafka.jmxOptions: authentication
spec.kafka.jmxOptions.authentication: type
spec.kafka.metricsConfig spec.cruiseControl.metricsConfig: type valueFrom values@0.47.0
spec.kafka.metricsConfig.valueFrom spec.kafka.logging.valueFrom spec.entityOperator.topicOperator.logging.valueFrom
  spec.entityOperator.userOperator.logging.valueFrom spec.cruiseControl.logging.valueFrom
  spec.cruiseControl.metricsConfig.valueFrom: configMapKeyRef
spec.kafka.metricsConfig.valueFrom.configMapKeyRef spec.kafka.logging.valueFrom.configMapKeyRef
  spec.entityOperator.topicOperator.logging.valueFrom.configMapKeyRef
  spec.entityOperator.userOperator.logging.valueFrom.configMapKeyRef
  spec.cruiseControl.logging.valueFrom.configMapKeyRef spec.cruiseControl.metricsConfig.valueFrom.configMapKeyRef
  spec.cruiseControl.apiUsers.valueFrom.secretKeyRef: key name optional
spec.kafka.metricsConfig.values spec.cruiseControl.metricsConfig.values: allowList
spec.kafka.logging spec.entityOperator.topicOperator.logging spec.entityOperator.userOperator.logging
  spec.cruiseControl.logging: loggers type valueFrom
spec.kafka.template: bootstrapService brokersService clusterCaCert clusterRoleBinding externalBootstrapIngress
  externalBootstrapRoute externalBootstrapService initContainer jmxSecret kafkaContainer perPodIngress perPodRoute
  perPodService persistentVolumeClaim pod podDisruptionBudget podSet serviceAccount statefulset~
spec.kafka.template.pod: affinity dnsConfig@0.46.0 dnsPolicy@0.46.0 enableServiceLinks hostAliases hostUsers@0.50.0
  imagePullSecrets metadata priorityClassName schedulerName securityContext templatedVolumes@1.2.0
  terminationGracePeriodSeconds tmpDirSizeLimit tolerations topologySpreadConstraints volumes
spec.kafka.template.pod.metadata spec.kafka.template.bootstrapService.metadata
  spec.kafka.template.brokersService.metadata spec.kafka.template.externalBootstrapService.metadata
  spec.kafka.template.perPodService.metadata spec.kafka.template.externalBootstrapRoute.metadata
  spec.kafka.template.perPodRoute.metadata spec.kafka.template.externalBootstrapIngress.metadata
  spec.kafka.template.perPodIngress.metadata spec.kafka.template.persistentVolumeClaim.metadata
  spec.kafka.template.podDisruptionBudget.metadata spec.kafka.template.clusterCaCert.metadata
  spec.kafka.template.serviceAccount.metadata spec.kafka.template.jmxSecret.metadata
  spec.kafka.template.clusterRoleBinding.metadata spec.kafka.template.podSet.metadata
  spec.entityOperator.template.deployment.metadata spec.entityOperator.template.pod.metadata
  spec.entityOperator.template.serviceAccount.metadata spec.entityOperator.template.entityOperatorRole.metadata
  spec.entityOperator.template.topicOperatorRoleBinding.metadata
  spec.entityOperator.template.userOperatorRoleBinding.metadata
  spec.entityOperator.template.podDisruptionBudget.metadata spec.cruiseControl.template.deployment.metadata
  spec.cruiseControl.template.pod.metadata spec.cruiseControl.template.apiService.metadata
  spec.cruiseControl.template.podDisruptionBudget.metadata spec.cruiseControl.template.serviceAccount.metadata
  spec.kafkaExporter.template.deployment.metadata spec.kafkaExporter.template.pod.metadata
  spec.kafkaExporter.template.serviceAccount.metadata spec.kafkaExporter.template.podDisruptionBudget.metadata:
  annotations labels
spec.kafka.template.bootstrapService spec.kafka.template.brokersService spec.cruiseControl.template.apiService:
  ipFamilies ipFamilyPolicy metadata
spec.kafka.template.externalBootstrapService spec.kafka.template.perPodService
  spec.kafka.template.externalBootstrapRoute spec.kafka.template.perPodRoute
  spec.kafka.template.externalBootstrapIngress spec.kafka.template.perPodIngress
  spec.kafka.template.persistentVolumeClaim spec.kafka.template.clusterCaCert spec.kafka.template.serviceAccount
  spec.kafka.template.jmxSecret spec.kafka.template.clusterRoleBinding spec.kafka.template.podSet
  spec.entityOperator.template.serviceAccount spec.entityOperator.template.entityOperatorRole
  spec.entityOperator.template.topicOperatorRoleBinding spec.entityOperator.template.userOperatorRoleBinding
  spec.cruiseControl.template.serviceAccount spec.kafkaExporter.template.serviceAccount: metadata
spec.kafka.template.podDisruptionBudget spec.entityOperator.template.podDisruptionBudget
  spec.cruiseControl.template.podDisruptionBudget spec.kafkaExporter.template.podDisruptionBudget: maxUnavailable
  metadata
spec.kafka.template.kafkaContainer spec.kafka.template.initContainer
  spec.entityOperator.template.topicOperatorContainer spec.entityOperator.template.userOperatorContainer
  spec.cruiseControl.template.cruiseControlContainer spec.kafkaExporter.template.container: env securityContext
  volumeMounts
spec.kafka.tieredStorage: remoteStorageManager type
spec.kafka.tieredStorage.remoteStorageManager: className classPath config
spec.kafka.quotas: consumerByteRate controllerMutationRate excludedPrincipals minAvailableBytesPerVolume
  minAvailableRatioPerVolume producerByteRate requestPercentage type
spec.entityOperator: template tlsSidecar~ topicOperator userOperator
spec.entityOperator.topicOperator: image jvmOptions livenessProbe logging readinessProbe reconciliationIntervalMs
  reconciliationIntervalSeconds~ resources startupProbe topicMetadataMaxAttempts~ watchedNamespace
  zookeeperSessionTimeoutSeconds~
spec.entityOperator.userOperator: image jvmOptions livenessProbe logging readinessProbe reconciliationIntervalMs
  reconciliationIntervalSeconds~ resources secretPrefix watchedNamespace zookeeperSessionTimeoutSeconds~
spec.entityOperator.template: deployment entityOperatorRole pod podDisruptionBudget@0.48.0 serviceAccount
  tlsSidecarContainer~ topicOperatorContainer topicOperatorRoleBinding userOperatorContainer userOperatorRoleBinding
spec.entityOperator.template.deployment spec.cruiseControl.template.deployment
  spec.kafkaExporter.template.deployment: deploymentStrategy metadata
spec.entityOperator.template.pod spec.cruiseControl.template.pod spec.kafkaExporter.template.pod: affinity
  dnsConfig@0.46.0 dnsPolicy@0.46.0 enableServiceLinks hostAliases hostUsers@0.50.0 imagePullSecrets metadata
  priorityClassName schedulerName securityContext terminationGracePeriodSeconds tmpDirSizeLimit tolerations
  topologySpreadConstraints volumes
spec.clusterCa spec.clientsCa: certificateExpirationPolicy generateCertificateAuthority generateSecretOwnerReference
  renewalDays validityDays
spec.cruiseControl: apiUsers autoRebalance brokerCapacity config image jvmOptions livenessProbe logging metricsConfig
  readinessProbe resources template tlsSidecar~
spec.cruiseControl.template: apiService cruiseControlContainer deployment pod podDisruptionBudget serviceAccount
  tlsSidecarContainer~
spec.cruiseControl.brokerCapacity: cpu cpuUtilization~ disk~ inboundNetwork outboundNetwork overrides
spec.cruiseControl.brokerCapacity.overrides: brokers cpu inboundNetwork outboundNetwork
spec.cruiseControl.apiUsers: type valueFrom
spec.cruiseControl.apiUsers.valueFrom: secretKeyRef
spec.cruiseControl.autoRebalance: mode template
spec.cruiseControl.autoRebalance.template: name
spec.kafkaExporter: enableSaramaLogging groupExcludeRegex groupRegex image livenessProbe logging readinessProbe
  resources showAllOffsets template topicExcludeRegex topicRegex
spec.kafkaExporter.template: container deployment pod podDisruptionBudget@0.48.0 serviceAccount service~
`,
  KafkaNodePool: `
spec: jvmOptions replicas resources roles storage template
spec.storage: class deleteClaim id kraftMetadata overrides~ selector size sizeLimit type volumeAttributesClass@0.49.0
  volumes
spec.storage.volumes: class deleteClaim id kraftMetadata overrides~ selector size sizeLimit type
  volumeAttributesClass@0.49.0
spec.jvmOptions: -XX -Xms -Xmx gcLoggingEnabled javaSystemProperties
spec.jvmOptions.javaSystemProperties: name value
spec.template: initContainer kafkaContainer perPodIngress perPodRoute perPodService persistentVolumeClaim pod podSet
spec.template.podSet spec.template.perPodService spec.template.perPodRoute spec.template.perPodIngress
  spec.template.persistentVolumeClaim: metadata
spec.template.podSet.metadata spec.template.pod.metadata spec.template.perPodService.metadata
  spec.template.perPodRoute.metadata spec.template.perPodIngress.metadata
  spec.template.persistentVolumeClaim.metadata: annotations labels
spec.template.pod: affinity dnsConfig@0.46.0 dnsPolicy@0.46.0 enableServiceLinks hostAliases hostUsers@0.50.0
  imagePullSecrets metadata priorityClassName schedulerName securityContext templatedVolumes@1.2.0
  terminationGracePeriodSeconds tmpDirSizeLimit tolerations topologySpreadConstraints volumes
spec.template.kafkaContainer spec.template.initContainer: env securityContext volumeMounts
`,
};
