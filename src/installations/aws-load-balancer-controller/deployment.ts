import type { Json } from '../../contract/json';
import { HOSTNAME_LABEL, POD_TEMPLATE_HASH_LABEL, VERSION_LABEL } from '../../contract/kubernetes.facts';
import type { NodeTaint } from '../../contract/node-pool';
import { PodSpread } from '../../contract/options';
import { keepOnPool, spreadPods } from '../../contract/pod-placement';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import * as facts from './installation.facts';
import { NAME_SUFFIX, POD_ANNOTATIONS, RESOURCES } from './installation.facts';
import type { AwsLoadBalancerControllerInstallationProps } from './options';

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
