import { deleted, type EditFact, interrupted, kept, orphans, stays, unknown } from '../../contract/edit';
import { ofServices, where } from '../../contract/edit-cases';
import { isSet, type Json, mapIn } from '../../contract/json';
import type { InstallEdits } from '../../rules/install-edits';
import { annotationsOf, classOf } from '../../rules/service-json';
import { AWS } from './annotations';

// What flags of the controller, and values of its chart, do to Network Load Balancers of Services that are live. v3.5.0

const CONFIG = 'pkg/config/controller_config.go';
const RUNTIME = 'pkg/config/runtime_config.go';

const OF_PROGRAM = kept('it is about the program itself', RUNTIME);
const OF_WORK = kept('it decides how often and how fast the controller works, and not what it makes', CONFIG);
const OF_OTHERS = kept('it is for Ingresses, Gateways and accelerators, and not for Services', CONFIG);
const OF_ROLLOUT = kept(
  'it decides how and where the controller runs',
  'helm/aws-load-balancer-controller/values.yaml',
);
const OF_GROUPS: EditFact = unknown(
  'which security groups of balancers and which rules of nodes it then changes',
  CONFIG,
);
const OF_CLOUD: EditFact = unknown('whether the controller found the same value by itself', 'pkg/aws/cloud_config.go');

const flags = (fact: EditFact, ...names: readonly string[]) => names.map((name): [string, EditFact] => [name, fact]);

const has =
  (...annotations: readonly { key(): string }[]) =>
  (service: Json) =>
    annotations.some((annotation) => annotation.key() in annotationsOf(service));

const isWatched = (namespace: unknown, service: Json) =>
  !isSet(namespace) || namespace === '' || namespace === (mapIn(service, 'metadata').namespace ?? 'default');

/** By the name of the flag. */
const FLAGS: Readonly<Record<string, EditFact>> = {
  'cluster-name': orphans(
    'it finds its balancers by the name of the cluster: those that are live stay behind in the cloud, and others with other addresses are made',
    'pkg/deploy/tracking/provider.go',
  ),
  'load-balancer-class': {
    ...deleted(
      'it serves the class of the Service no more: as it starts it takes the balancers down whose Services have its finalizer, and leaves the others behind',
      'pkg/service/service_utils.go',
    ),
    unless: [
      ofServices(
        'the Service is claimed by its annotations',
        kept('the class is not looked at'),
        (service) => classOf(service) === undefined,
      ),
    ],
  },
  'watch-namespace': {
    ...unknown(
      'it sees no Service of other namespaces any more: nothing changes their balancers, and a deletion of theirs waits',
      RUNTIME,
    ),
    unless: [
      where('the namespace of the Service is looked at', kept('it sees the Service'), ({ after, objects }) =>
        isWatched(after, objects.after),
      ),
    ],
  },
  'default-target-type': {
    ...interrupted(
      'target groups of the other type are made, and their targets must pass a health check',
      'pkg/service/model_build_target_group.go',
    ),
    unless: [ofServices('the Service says its own', kept('its annotation goes first'), has(AWS.targetType))],
  },
  'default-load-balancer-scheme': {
    ...stays('a balancer that is there keeps its scheme'),
    file: 'pkg/service/model_build_load_balancer.go',
  },
  'default-ssl-policy': {
    ...interrupted(
      'listeners with TLS get the other policy in place: clients that it does not allow are refused',
      'pkg/service/model_build_listener.go',
    ),
    unless: [
      ofServices('no listener has TLS', kept('it is for listeners with TLS'), (service) => !has(AWS.sslCert)(service)),
      ofServices('the Service says its own', kept('its annotation goes first'), has(AWS.sslNegotiationPolicy)),
    ],
  },
  ...Object.fromEntries([
    ...flags(
      kept('tags change in place', 'pkg/deploy/elbv2/tagging_manager.go'),
      'default-tags',
      'external-managed-tags',
    ),
    ...flags(
      OF_PROGRAM,
      ...['log-level', 'metrics-bind-addr', 'health-probe-bind-addr', 'webhook-bind-port', 'webhook-cert-dir'],
      ...['webhook-cert-file', 'webhook-key-file', 'kube-ca-pem-filepath', 'leader-election-id'],
      'leader-election-namespace',
    ),
    ...flags(
      OF_WORK,
      ...['sync-period', 'aws-max-retries', 'aws-api-throttle', 'service-max-concurrent-reconciles'],
      ...['targetgroupbinding-max-concurrent-reconciles', 'targetgroupbinding-max-exponential-backoff-delay'],
      ...['targetgroupbinding-requeue-duration', 'lb-stabilization-monitor-interval'],
    ),
    ...flags(
      OF_OTHERS,
      ...['ingress-class', 'ingress-max-concurrent-reconciles', 'disable-ingress-class-annotation'],
      ...['disable-ingress-group-name-annotation', 'tolerate-non-existent-backend-service'],
      ...['tolerate-non-existent-backend-action', 'allowed-certificate-authority-arns', 'default-pca-arn'],
      ...['enable-shield', 'enable-waf', 'enable-wafv2', 'required-secrets-label'],
      ...['gateway-class-max-concurrent-reconciles', 'alb-gateway-max-concurrent-reconciles'],
      ...['nlb-gateway-max-concurrent-reconciles', 'globalaccelerator-max-concurrent-reconciles'],
      'globalaccelerator-max-exponential-backoff-delay',
    ),
    ...flags(
      OF_GROUPS,
      ...['backend-security-group', 'enable-backend-security-group', 'enable-manage-backend-security-group-rules'],
      ...['disable-restricted-sg-rules', 'service-target-eni-security-group-tags'],
    ),
    ...flags(OF_CLOUD, 'aws-region', 'aws-vpc-id', 'aws-vpc-tags', 'aws-api-endpoints'),
  ]),
};

/** The values of its chart that become a flag. */
const FLAG_OF_VALUE: Readonly<Record<string, string>> = {
  clusterName: 'cluster-name',
  loadBalancerClass: 'load-balancer-class',
  watchNamespace: 'watch-namespace',
  defaultTargetType: 'default-target-type',
  defaultLoadBalancerScheme: 'default-load-balancer-scheme',
  defaultSSLPolicy: 'default-ssl-policy',
  defaultTags: 'default-tags',
  externalManagedTags: 'external-managed-tags',
  logLevel: 'log-level',
  metricsBindAddr: 'metrics-bind-addr',
  webhookBindPort: 'webhook-bind-port',
  syncPeriod: 'sync-period',
  awsMaxRetries: 'aws-max-retries',
  awsApiThrottle: 'aws-api-throttle',
  awsApiEndpoints: 'aws-api-endpoints',
  serviceMaxConcurrentReconciles: 'service-max-concurrent-reconciles',
  targetgroupbindingMaxConcurrentReconciles: 'targetgroupbinding-max-concurrent-reconciles',
  targetgroupbindingMaxExponentialBackoffDelay: 'targetgroupbinding-max-exponential-backoff-delay',
  targetgroupbindingRequeueDuration: 'targetgroupbinding-requeue-duration',
  lbStabilizationMonitorInterval: 'lb-stabilization-monitor-interval',
  ingressClass: 'ingress-class',
  ingressMaxConcurrentReconciles: 'ingress-max-concurrent-reconciles',
  disableIngressClassAnnotation: 'disable-ingress-class-annotation',
  disableIngressGroupNameAnnotation: 'disable-ingress-group-name-annotation',
  tolerateNonExistentBackendService: 'tolerate-non-existent-backend-service',
  tolerateNonExistentBackendAction: 'tolerate-non-existent-backend-action',
  enableShield: 'enable-shield',
  enableWaf: 'enable-waf',
  enableWafv2: 'enable-wafv2',
  albGatewayMaxConcurrentReconciles: 'alb-gateway-max-concurrent-reconciles',
  nlbGatewayMaxConcurrentReconciles: 'nlb-gateway-max-concurrent-reconciles',
  globalAcceleratorMaxConcurrentReconciles: 'globalaccelerator-max-concurrent-reconciles',
  globalAcceleratorMaxExponentialBackoffDelay: 'globalaccelerator-max-exponential-backoff-delay',
  backendSecurityGroup: 'backend-security-group',
  enableBackendSecurityGroup: 'enable-backend-security-group',
  enableManageBackendSecurityGroupRules: 'enable-manage-backend-security-group-rules',
  disableRestrictedSecurityGroupRules: 'disable-restricted-sg-rules',
  serviceTargetENISGTags: 'service-target-eni-security-group-tags',
  region: 'aws-region',
  vpcId: 'aws-vpc-id',
  vpcTags: 'aws-vpc-tags',
};

/** Values of its chart that become no flag, and say nothing of balancers. */
const VALUES_OF_ROLLOUT: readonly string[] = [
  ...['replicaCount', 'autoscaling', 'revisionHistoryLimit', 'imagePullSecrets', 'resources', 'priorityClassName'],
  ...['podSecurityContext', 'securityContext', 'terminationGracePeriodSeconds', 'topologySpreadConstraints'],
  ...['configureDefaultAffinity', 'updateStrategy', 'serviceAnnotations', 'deploymentAnnotations', 'podAnnotations'],
  ...['podLabels', 'additionalLabels', 'podDisruptionBudget', 'livenessProbe', 'readinessProbe', 'serviceMonitor'],
  ...['enableCertManager', 'certManager', 'keepTLSSecret', 'ingressClassParams', 'createIngressClassResource'],
  ...['ingressClassConfig', 'webhookConfig', 'podMutatorWebhookConfig'],
];

/** What another installation of the controller does to Network Load Balancers that are live. */
export const AWS_LBC_INSTALL_EDITS: InstallEdits = {
  flags: FLAGS,
  // pkg/config, the defaults beside the names
  defaults: {
    'load-balancer-class': 'service.k8s.aws/nlb',
    'default-target-type': 'instance',
    'default-load-balancer-scheme': 'internal',
    'default-ssl-policy': 'ELBSecurityPolicy-2016-08',
    'watch-namespace': '',
    'enable-backend-security-group': 'true',
    'enable-manage-backend-security-group-rules': 'false',
    'disable-restricted-sg-rules': 'false',
  },
  flagOfValue: FLAG_OF_VALUE,
  values: Object.fromEntries(flags(OF_ROLLOUT, ...VALUES_OF_ROLLOUT)),
  replicas: 'replicaCount',
};
