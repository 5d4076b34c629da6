import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../contract/kubernetes.facts';
import { removeNamespace } from '../../contract/late-rendering';
import type { NodeTaint } from '../../contract/node-pool';
import { PodSpread } from '../../contract/options';
import { keepOnPool, spreadPods } from '../../contract/pod-placement';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { addObjects, filledTemplate, type TemplateValues } from '../objects';
import type { LabelRequirement, Part, RbacFact, WebhookFact } from '../tables';
import { crdsOf } from './crds';
import * as facts from './installation.facts';
import type { AwsLoadBalancerControllerInstallationProps } from './options';

export interface InstallationPlan {
  readonly props: AwsLoadBalancerControllerInstallationProps;
  readonly name: string;
  readonly namespace: string;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly version: string;
}

export interface InstallationObjects {
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly deployment: ApiObject;
  readonly certificateSecret: string;
}

export function makeObjects(scope: Construct, plan: InstallationPlan): InstallationObjects {
  const { props, name, namespace, gates, version } = plan;
  const parts = partsOf(gates, props.serviceMutatorWebhook === true);
  if (props.crds !== false) {
    for (const crd of crdsOf(parts)) {
      removeNamespace(new ApiObject(scope, crd.metadata.name, crd as ApiObjectProps));
    }
  }
  const prefix = name.endsWith(facts.NAME_SUFFIX) ? name.slice(0, -facts.NAME_SUFFIX.length) : name;
  const service = `${prefix}-webhook-service`;
  const granted = (rules: readonly RbacFact[]) =>
    rules.filter(({ part }) => parts.has(part)).map(({ part: _, ...rule }) => rule);
  const own = { name, namespace, version, prefix, service };
  const rights = addObjects(scope, facts.RIGHTS, {
    ...own,
    roleAnnotations: props.identity.serviceAccountAnnotations,
    leaderRules: granted(facts.LEADER_ELECTION_RULES),
    clusterRules: granted(facts.CLUSTER_RULES),
  });
  const labels = filledTemplate(facts.LABELS, { name, version }) as Record<string, string>;
  const certificate = props.certificate._bind(scope, { prefix, namespace, service, labels, organization: name });
  const { replicas = 2, ingressClass = !props.nlbOnly, ingressClassName = facts.INGRESS_CLASS } = props;
  // the other needs of the part stay: its reconciler runs in any case, and does not start without them
  const checked = facts.WEBHOOKS.filter(
    ({ part }) => parts.has(part) && (part !== 'ingress' || servesIngresses(props)),
  );
  const webhooks = (wanted: WebhookFact['type']) =>
    checked
      .filter(({ type }) => type === wanted)
      .map((fact) => webhookOf(fact, { ...own, caBundle: certificate.caBundle }, props));
  const workload = addObjects(scope, facts.WORKLOAD, {
    ...own,
    replicas,
    isSeveral: replicas > 1,
    pod: podOf(plan, certificate.secretName),
    webhookAnnotations: certificate.annotations,
    mutating: webhooks('mutating'),
    validating: webhooks('validating'),
    ingressClass: ingressClass ? ingressClassName : undefined,
  });
  return {
    certificateSecret: certificate.secretName,
    serviceAccount: rights.ServiceAccount,
    clusterRole: rights.ClusterRole,
    deployment: workload.Deployment,
  };
}

function webhookOf(fact: WebhookFact, own: TemplateValues, props: AwsLoadBalancerControllerInstallationProps): Json {
  const { namespaces = [], objects = [], requiredBy } = fact;
  const system = [...new Set([facts.KUBE_SYSTEM, String(own.namespace)])];
  const itself: LabelRequirement = { key: facts.NAME_LABEL, operator: 'NotIn', values: [AWS_LBC_CONTROLLER] };
  const spared: LabelRequirement = { key: facts.NAMESPACE_NAME_LABEL, operator: 'NotIn', values: system };
  return filledTemplate(facts.WEBHOOK, {
    ...own,
    ...fact,
    failurePolicy: requiredBy && props[requiredBy] ? 'Fail' : fact.failurePolicy,
    namespaceSelector: selectorOf([...namespaces, ...(fact.sparesSystem ? [spared] : [])]),
    objectSelector: selectorOf([...(fact.sparesItself ? [itself] : []), ...objects]),
    timeoutSeconds: fact.asksAws ? facts.ASKS_AWS_SECONDS : facts.WEBHOOK_SECONDS,
  });
}

function selectorOf(matchExpressions: readonly LabelRequirement[]): Json | undefined {
  return matchExpressions.length > 0 ? { matchExpressions } : undefined;
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

function podOf({ props, name, gates, version }: InstallationPlan, certificate: string): Json {
  const { hostNetwork, nodePool, resources, spread, tolerations = [] } = props;
  const pod = filledTemplate(facts.POD, {
    name,
    certificate,
    args: argsOf(props, gates),
    image: props.image ?? `${facts.IMAGE_REPOSITORY}:v${version}`,
    resources: { ...resources, requests: { ...facts.RESOURCES, ...resources?.requests } },
    hostNetwork: hostNetwork || undefined,
    tolerations: tolerations.length > 0 ? tolerations.map(tolerationOf) : undefined,
  });
  if (nodePool) {
    keepOnPool(pod, nodePool);
  }
  const nodes = spread ?? (nodePool ? PodSpread.PREFERRED : PodSpread.NONE);
  if (nodes !== PodSpread.NONE) {
    spreadPods(pod, {
      spread: nodes,
      matchLabels: filledTemplate(facts.SELECTOR, { name }),
      generation: POD_TEMPLATE_HASH_LABEL,
      zoneSpread: nodePool && nodePool.zones.length > 1 ? PodSpread.PREFERRED : PodSpread.NONE,
    });
  }
  return pod;
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

/** True if Ingresses are wanted: where they are not, the controller takes none, and none is checked. */
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
      props.ingressClassName ?? (servesIngresses(props) ? facts.INGRESS_CLASS : facts.NO_INGRESS_CLASS),
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
