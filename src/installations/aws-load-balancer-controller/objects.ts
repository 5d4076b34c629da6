import { ApiObject, type ApiObjectMetadata, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { HOSTNAME_LABEL, POD_TEMPLATE_HASH_LABEL, VERSION_LABEL } from '../../contract/kubernetes.facts';
import type { NodeTaint } from '../../contract/node-pool';
import { PodSpread } from '../../contract/options';
import { keepOnPool, spreadPods } from '../../contract/pod-placement';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { type BoundCertificate, clusterScoped } from '../objects';
import type { LabelRequirement, Part, RbacFact, WebhookFact } from '../tables';
import { crdsOf } from './crds';
import * as facts from './installation.facts';
import { NAME_SUFFIX, POD_ANNOTATIONS, RESOURCES } from './installation.facts';
import type { AwsLoadBalancerControllerInstallationProps } from './options';

export interface InstallationPlan {
  readonly props: AwsLoadBalancerControllerInstallationProps;
  readonly names: InstallationNames;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly parts: ReadonlySet<Part>;
  readonly version: string;
}

export interface InstallationObjects {
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly deployment: ApiObject;
  /** The Secret with the certificate of the webhooks. */
  readonly certificateSecret: string;
}

/** Makes the objects of an installation under a construct, in the order in which they can be applied. */
export function makeObjects(scope: Construct, plan: InstallationPlan): InstallationObjects {
  const { props, names, gates, parts, version } = plan;
  if (props.crds !== false) {
    for (const crd of crdsOf(parts)) {
      clusterScoped(scope, crd.metadata.name, crd as ApiObjectProps);
    }
  }
  const make = makerIn(scope, names);
  const serviceAccount = make(facts.API.core, 'ServiceAccount', names.deployment, names.namespace, {
    automountServiceAccountToken: true,
    annotations: props.identity.serviceAccountAnnotations,
  });
  const clusterRole = permit(make, plan);
  const certificate = props.certificate._bind(scope, {
    prefix: names.prefix,
    namespace: names.namespace,
    service: names.webhookService,
    labels: names.labels,
    organization: names.deployment,
  });
  const deployment = make(facts.API.apps, 'Deployment', names.deployment, names.namespace, {
    spec: deploymentSpec(props, names, version, argsOf(props, gates), certificate.secretName),
  });
  if ((props.replicas ?? 2) > 1) {
    make(facts.API.policy, 'PodDisruptionBudget', names.deployment, names.namespace, {
      spec: { maxUnavailable: 1, selector: { matchLabels: { ...names.selector } } },
    });
  }
  make(facts.API.core, 'Service', names.webhookService, names.namespace, {
    labels: { [facts.COMPONENT_LABEL]: 'webhook' },
    spec: {
      ports: [{ name: facts.PORT_NAMES.webhook, port: facts.PORTS.service, targetPort: facts.PORT_NAMES.webhook }],
      selector: { ...names.selector },
    },
  });
  configureWebhooks(make, plan, certificate, 'mutating', 'MutatingWebhookConfiguration');
  configureWebhooks(make, plan, certificate, 'validating', 'ValidatingWebhookConfiguration');
  if (props.ingressClass ?? !props.nlbOnly) {
    make(facts.API.networking, 'IngressClass', props.ingressClassName ?? facts.INGRESS_CLASS.name, undefined, {
      spec: { controller: facts.INGRESS_CLASS.controller },
    });
  }
  return { certificateSecret: certificate.secretName, serviceAccount, clusterRole, deployment };
}

/** What an object says beside its kind and name; labels and annotations go into its metadata. */
type Saying = Json & Pick<ApiObjectMetadata, 'labels' | 'annotations'>;
type Make = (apiVersion: string, kind: string, name: string, namespace: string | undefined, says: Saying) => ApiObject;

function makerIn(scope: Construct, names: InstallationNames): Make {
  return (apiVersion, kind, name, namespace, { labels, annotations, ...says }) => {
    const metadata = { name, namespace, labels: { ...names.labels, ...labels }, annotations };
    const object = { apiVersion, kind, metadata, ...says };
    return namespace === undefined ? clusterScoped(scope, kind, object) : new ApiObject(scope, kind, object);
  };
}

function permit(make: Make, { names, parts }: InstallationPlan): ApiObject {
  const { clusterRole, clusterRoleBinding, leaderRole, leaderRoleBinding, namespace } = names;
  const subjects = [{ kind: 'ServiceAccount', name: names.deployment, namespace }];
  const granted = (rules: readonly RbacFact[]) => rules.filter(({ part }) => parts.has(part)).map(ruleOf);
  make(facts.API.rbac, 'Role', leaderRole, namespace, { rules: granted(facts.LEADER_ELECTION_RULES) });
  make(facts.API.rbac, 'RoleBinding', leaderRoleBinding, namespace, {
    roleRef: { apiGroup: facts.RBAC_GROUP, kind: 'Role', name: leaderRole },
    subjects,
  });
  const role = make(facts.API.rbac, 'ClusterRole', clusterRole, undefined, { rules: granted(facts.CLUSTER_RULES) });
  make(facts.API.rbac, 'ClusterRoleBinding', clusterRoleBinding, undefined, {
    roleRef: { apiGroup: facts.RBAC_GROUP, kind: 'ClusterRole', name: clusterRole },
    subjects,
  });
  return role;
}

function ruleOf({ part: _, ...rule }: RbacFact): Json {
  return Object.fromEntries(Object.entries(rule).map(([field, values]) => [field, [...values]]));
}

function configureWebhooks(
  make: Make,
  { names, parts, props }: InstallationPlan,
  { annotations, caBundle }: BoundCertificate,
  type: WebhookFact['type'],
  kind: string,
): void {
  // the other needs of the part stay: its reconciler runs in any case, and does not start without them
  const checked = new Set([...parts].filter((part) => part !== 'ingress' || servesIngresses(props)));
  make(facts.API.admission, kind, names.webhooks, undefined, {
    annotations: { ...annotations },
    webhooks: webhooksOf(type, checked, names, caBundle, props),
  });
}

type Given = Pick<AwsLoadBalancerControllerInstallationProps, 'podMutatorFailurePolicy'>;

function webhooksOf(
  type: WebhookFact['type'],
  parts: ReadonlySet<Part>,
  names: InstallationNames,
  caBundle: string | undefined,
  given: Given,
): Json[] {
  return facts.WEBHOOKS.filter((fact) => fact.type === type && parts.has(fact.part)).map((fact) =>
    webhookOf(fact, names, caBundle, given),
  );
}

function webhookOf(fact: WebhookFact, names: InstallationNames, caBundle: string | undefined, given: Given): Json {
  const { namespaces = [], objects = [], conditions, failurePolicyProp } = fact;
  const system = [...new Set([facts.KUBE_SYSTEM, names.namespace])];
  const own = fact.sparesItself
    ? [{ key: facts.NAME_LABEL, operator: 'NotIn' as const, values: [AWS_LBC_CONTROLLER] }]
    : [];
  const spared: LabelRequirement[] = fact.sparesSystem
    ? [{ key: facts.NAMESPACE_NAME_LABEL, operator: 'NotIn', values: system }]
    : [];
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: {
      ...(caBundle !== undefined && { caBundle }),
      service: { name: names.webhookService, namespace: names.namespace, path: fact.path },
    },
    failurePolicy: (failurePolicyProp && given[failurePolicyProp]) ?? fact.failurePolicy,
    ...(conditions && { matchConditions: conditions.map((condition) => ({ ...condition })) }),
    name: fact.name,
    ...selectorOf('namespaceSelector', [...namespaces, ...spared]),
    ...selectorOf('objectSelector', [...own, ...objects]),
    rules: [
      {
        apiGroups: [fact.group],
        apiVersions: [fact.version],
        operations: [...fact.operations],
        resources: [fact.resource],
        // the default, written out: the list is one field to a client that applies it, and would differ from what the API server has
        scope: '*',
      },
    ],
    sideEffects: 'None',
    timeoutSeconds: fact.asksAws ? facts.ASKS_AWS_SECONDS : facts.WEBHOOK_SECONDS,
  };
}

function selectorOf(field: string, requirements: readonly LabelRequirement[]): Json {
  const matchExpressions = requirements.map((requirement) => ({
    ...requirement,
    ...(requirement.values && { values: [...requirement.values] }),
  }));
  return matchExpressions.length > 0 ? { [field]: { matchExpressions } } : {};
}

export function partsOf(gates: Readonly<Record<string, boolean>>, serviceWebhook: boolean): ReadonlySet<Part> {
  const parts = new Set<Part>(['core', 'ingress']);
  if (gates.NLBGatewayAPI || gates.ALBGatewayAPI) {
    parts.add('gateway');
  }
  if (gates.GlobalAcceleratorController) {
    parts.add('global-accelerator');
  }
  if (gates.ALBTargetControlAgent) {
    parts.add('alb-target-control');
  }
  if (serviceWebhook) {
    parts.add('service-webhook');
  }
  return parts;
}

export interface InstallationNames {
  readonly namespace: string;
  /** The Deployment, its service account and its disruption budget. */
  readonly deployment: string;
  /** What the names around its webhooks begin with. */
  readonly prefix: string;
  readonly webhooks: string;
  readonly webhookService: string;
  readonly clusterRole: string;
  readonly clusterRoleBinding: string;
  readonly leaderRole: string;
  readonly leaderRoleBinding: string;
  /** What distinguishes its pods from others. */
  readonly selector: Readonly<Record<string, string>>;
  /** What all of its objects have. */
  readonly labels: Readonly<Record<string, string>>;
}

export function namesOf(deployment: string, namespace: string, version: string): InstallationNames {
  const prefix = deployment.endsWith(facts.NAME_SUFFIX) ? deployment.slice(0, -NAME_SUFFIX.length) : deployment;
  const selector = { [facts.INSTANCE_LABEL]: deployment, [facts.NAME_LABEL]: AWS_LBC_CONTROLLER };
  return {
    namespace,
    deployment,
    prefix,
    webhooks: `${prefix}-webhook`,
    webhookService: `${prefix}-webhook-service`,
    clusterRole: `${deployment}-role`,
    clusterRoleBinding: `${deployment}-rolebinding`,
    leaderRole: `${deployment}-leader-election-role`,
    leaderRoleBinding: `${deployment}-leader-election-rolebinding`,
    selector,
    labels: { ...selector, [facts.MANAGED_BY_LABEL]: 'cdk8s', [VERSION_LABEL]: `v${version}` },
  };
}

export function deploymentSpec(
  props: AwsLoadBalancerControllerInstallationProps,
  { deployment, selector }: InstallationNames,
  version: string,
  args: readonly string[],
  certificate: string,
): Json {
  const pod: Json = {
    affinity: apart(),
    containers: [container(props, version, args)],
    ...(props.hostNetwork && { hostNetwork: true }),
    priorityClassName: facts.POD.priorityClassName,
    securityContext: { fsGroup: facts.POD.fsGroup },
    serviceAccountName: deployment,
    terminationGracePeriodSeconds: facts.POD.terminationGracePeriodSeconds,
    ...(props.tolerations?.length && { tolerations: props.tolerations.map(tolerationOf) }),
    volumes: [{ name: 'cert', secret: { defaultMode: 420, secretName: certificate } }],
  };
  place(pod, props, selector);
  return {
    replicas: props.replicas ?? 2,
    revisionHistoryLimit: facts.POD.revisionHistoryLimit,
    selector: { matchLabels: { ...selector } },
    template: { metadata: { annotations: { ...POD_ANNOTATIONS }, labels: { ...selector } }, spec: pod },
  };
}

/** The default image. */
function imageOf(version: string): string {
  return `${facts.IMAGE_REPOSITORY}:v${version}`;
}

function place(
  pod: Json,
  { nodePool, spread }: AwsLoadBalancerControllerInstallationProps,
  selector: InstallationNames['selector'],
): void {
  if (nodePool) {
    keepOnPool(pod, nodePool);
  }
  const nodes = spread ?? (nodePool ? PodSpread.PREFERRED : PodSpread.NONE);
  if (nodes !== PodSpread.NONE) {
    spreadPods(pod, {
      spread: nodes,
      matchLabels: selector,
      generation: POD_TEMPLATE_HASH_LABEL,
      zoneSpread: nodePool && nodePool.zones.length > 1 ? PodSpread.PREFERRED : PodSpread.NONE,
    });
  }
}

function container(props: AwsLoadBalancerControllerInstallationProps, version: string, args: readonly string[]): Json {
  return {
    name: AWS_LBC_CONTROLLER,
    args: [...args],
    image: props.image ?? imageOf(version),
    imagePullPolicy: 'IfNotPresent',
    livenessProbe: probe(facts.PROBES.liveness),
    readinessProbe: probe(facts.PROBES.readiness),
    ports: [
      { name: facts.PORT_NAMES.webhook, containerPort: facts.PORTS.webhook, protocol: 'TCP' },
      { name: facts.PORT_NAMES.metrics, containerPort: facts.PORTS.metrics, protocol: 'TCP' },
    ],
    resources: { ...props.resources, requests: { ...RESOURCES, ...props.resources?.requests } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
    volumeMounts: [{ name: 'cert', mountPath: facts.CERTIFICATE_FOLDER, readOnly: true }],
  };
}

function probe({ path, ...how }: { readonly path: string } & Json): Json {
  return { ...how, httpGet: { path, port: facts.PORTS.health, scheme: 'HTTP' } };
}

/** On different nodes where that is possible. */
function apart(): Json {
  const matchExpressions = [{ key: facts.NAME_LABEL, operator: 'In', values: [AWS_LBC_CONTROLLER] }];
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          podAffinityTerm: { labelSelector: { matchExpressions }, topologyKey: HOSTNAME_LABEL },
          weight: facts.POD.antiAffinityWeight,
        },
      ],
    },
  };
}

function tolerationOf({ key, effect, value }: NodeTaint): Json {
  return { effect, key, ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }) };
}

export function gatesOf(given: Readonly<Record<string, boolean>> = {}): Record<string, boolean> {
  const listenerSets = given.NLBGatewayAPI === true || given.ALBGatewayAPI === true;
  const installed = facts.FEATURE_GATES.flatMap(({ gate, installed: byDefault }) =>
    byDefault === undefined ? [] : [[gate, gate === 'GatewayListenerSet' ? listenerSets : byDefault]],
  );
  return { ...Object.fromEntries(installed), ...given };
}

/** Whether Ingresses are wanted: where they are not, the controller takes none, and none is checked. */
export function servesIngresses(props: AwsLoadBalancerControllerInstallationProps): boolean {
  return !props.nlbOnly || props.ingressClass === true || props.ingressClassName !== undefined;
}

export function argsOf(
  props: AwsLoadBalancerControllerInstallationProps,
  gates: Readonly<Record<string, boolean>>,
): string[] {
  const { flags: others = {}, loadBalancerClass } = props;
  const flags: [string, string | undefined][] = [
    ['cluster-name', props.clusterName],
    [
      'ingress-class',
      props.ingressClassName ?? (servesIngresses(props) ? facts.INGRESS_CLASS.name : facts.NO_INGRESS_CLASS),
    ],
    ['aws-region', props.region],
    ['aws-vpc-id', props.vpcId],
    ...(props.nlbOnly ? NO_ADDONS : []).map((flag): [string, string] => [flag, 'false']),
    ...Object.entries(others).sort(byKey),
    ['feature-gates', pairs(gates)],
    ['load-balancer-class', loadBalancerClass],
  ];
  return flags.filter(([, value]) => value !== undefined && value !== '').map(([flag, value]) => `--${flag}=${value}`);
}

/** Switched off where only Network Load Balancers are made: the first one asks AWS for them too. pkg/deploy/shield */
const NO_ADDONS = ['enable-shield', 'enable-waf', 'enable-wafv2'];

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function pairs(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .sort(byKey)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
