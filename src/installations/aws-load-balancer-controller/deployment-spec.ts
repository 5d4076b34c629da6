import type { Json } from '../../contract/json';
import { HOSTNAME_LABEL, POD_TEMPLATE_HASH_LABEL } from '../../contract/kubernetes.facts';
import type { NodeTaint } from '../../contract/node-taint';
import { keepOnPool, spreadPods } from '../../contract/placed-pod';
import { PodSpread } from '../../contract/pod-spread';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import type {
  AwsLoadBalancerControllerInstallationProps,
  AwsLoadBalancerControllerResources,
} from './aws-load-balancer-controller-installation.options';
import {
  CERTIFICATE_FOLDER,
  IMAGE_REPOSITORY,
  NAME_LABEL,
  POD,
  POD_ANNOTATIONS,
  PORT_NAMES,
  PORTS,
  PROBES,
  RESOURCES,
} from './installation.facts';
import type { InstallationNames } from './installation-names';

/** What the Deployment says beside its metadata. */
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
    priorityClassName: props.priorityClassName ?? POD.priorityClassName,
    securityContext: { fsGroup: POD.fsGroup },
    serviceAccountName: deployment,
    terminationGracePeriodSeconds: POD.terminationGracePeriodSeconds,
    ...(props.tolerations?.length && { tolerations: props.tolerations.map(tolerationOf) }),
    volumes: [{ name: 'cert', secret: { defaultMode: 420, secretName: certificate } }],
  };
  place(pod, props, selector);
  return {
    replicas: props.replicas ?? 2,
    revisionHistoryLimit: POD.revisionHistoryLimit,
    selector: { matchLabels: { ...selector } },
    template: { metadata: { annotations: { ...POD_ANNOTATIONS }, labels: { ...selector } }, spec: pod },
  };
}

/** The image where nobody names another one. */
export function imageOf(version: string): string {
  return `${IMAGE_REPOSITORY}:v${version}`;
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
    name: AWS_LBC,
    args: [...args],
    image: props.image ?? imageOf(version),
    imagePullPolicy: 'IfNotPresent',
    livenessProbe: probe(PROBES.liveness),
    readinessProbe: probe(PROBES.readiness),
    ports: [
      { name: PORT_NAMES.webhook, containerPort: PORTS.webhook, protocol: 'TCP' },
      { name: PORT_NAMES.metrics, containerPort: PORTS.metrics, protocol: 'TCP' },
    ],
    resources: resourcesOf(props.resources),
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
    volumeMounts: [{ name: 'cert', mountPath: CERTIFICATE_FOLDER, readOnly: true }],
  };
}

function probe({ path, ...how }: { readonly path: string } & Json): Json {
  return { ...how, httpGet: { path, port: PORTS.health, scheme: 'HTTP' } };
}

function resourcesOf(said: AwsLoadBalancerControllerResources = {}): Json {
  const limits = {
    ...(said.cpuLimit !== undefined && { cpu: said.cpuLimit }),
    ...(said.memoryLimit !== undefined && { memory: said.memoryLimit.asString() }),
  };
  return {
    ...(Object.keys(limits).length > 0 && { limits }),
    requests: {
      cpu: said.cpuRequest ?? RESOURCES.cpuRequest,
      memory: said.memoryRequest?.asString() ?? RESOURCES.memoryRequest,
    },
  };
}

/** On different nodes where that is possible. */
function apart(): Json {
  const matchExpressions = [{ key: NAME_LABEL, operator: 'In', values: [AWS_LBC] }];
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          podAffinityTerm: { labelSelector: { matchExpressions }, topologyKey: HOSTNAME_LABEL },
          weight: POD.antiAffinityWeight,
        },
      ],
    },
  };
}

function tolerationOf({ key, effect, value }: NodeTaint): Json {
  return { effect, key, ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }) };
}
