import { createHash } from 'node:crypto';
import type { Json } from '../../contract/json';
import { HOSTNAME_LABEL } from '../../contract/kubernetes.facts';
import { keepOnPool } from '../../contract/placed-pod';
import {
  CCM,
  CCM_HEALTH,
  CCM_HEALTH_FLAGS,
  CCM_IMAGE_REPOSITORY,
  CCM_LABEL,
  CCM_NAMES,
  CCM_PATIENCE,
  CCM_POD,
  CCM_VERSION,
  CLOUD_CONFIG_FILE,
  CLOUD_CONFIG_HASH,
  CONTROL_PLANE_LABEL,
  NETWORKLESS_TAINTS,
  UNINITIALIZED_TAINT,
} from './aws-cloud-controller-manager.facts';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';
import { flagsOf } from './controller-args';

const VOLUME = 'cloud-config';

/** Whoever says by flag where it listens must say how it is asked, by a patch. */
function probes({ additionalFlags = {} }: AwsCloudControllerManagerInstallationProps): Json {
  if (CCM_HEALTH_FLAGS.some((flag) => flag in additionalFlags)) {
    return {};
  }
  const { failures, failuresAtStart, periodSeconds, timeoutSeconds } = CCM_PATIENCE;
  const probe = (failureThreshold: number) => ({
    httpGet: { ...CCM_HEALTH },
    failureThreshold,
    periodSeconds,
    timeoutSeconds,
  });
  return { livenessProbe: probe(failures), startupProbe: probe(failuresAtStart) };
}

function container(props: AwsCloudControllerManagerInstallationProps): Json {
  const { folder } = CLOUD_CONFIG_FILE;
  return {
    name: CCM,
    image: props.image ?? `${CCM_IMAGE_REPOSITORY}:v${props.version ?? CCM_VERSION}`,
    args: Object.entries(flagsOf(props)).map(([flag, value]) => `--${flag}=${value}`),
    resources: { requests: { cpu: CCM_POD.cpuRequest } },
    ...probes(props),
    // its image runs as root, and it listens above 1024 and writes no file
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: VOLUME, mountPath: folder, readOnly: true }],
  };
}

function pod(props: AwsCloudControllerManagerInstallationProps): Json {
  const { hostNetwork = true, nodePool } = props;
  const { priorityClassName, dnsPolicy } = CCM_POD;
  const spec: Json = {
    ...(!nodePool && { nodeSelector: { [CONTROL_PLANE_LABEL]: '' } }),
    tolerations: [
      { key: UNINITIALIZED_TAINT, value: 'true', effect: 'NoSchedule' },
      ...(nodePool ? [] : [{ key: CONTROL_PLANE_LABEL, effect: 'NoSchedule' }]),
      ...(hostNetwork ? NETWORKLESS_TAINTS : []).map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
    ],
    serviceAccountName: CCM_NAMES.serviceAccount,
    priorityClassName,
    // the resolver of the node: that of the cluster may wait for nodes that this program has not seen yet
    dnsPolicy,
    ...(hostNetwork && { hostNetwork }),
    ...(hostNetwork && props.replicas !== undefined && { affinity: { podAntiAffinity: apart(props) } }),
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container(props)],
    volumes: [{ name: VOLUME, configMap: { name: configMapName(props) } }],
  };
  if (nodePool) {
    keepOnPool(spec, nodePool);
  }
  return spec;
}

/** On the network of one node two of them want one port. */
function apart({ name = CCM }: AwsCloudControllerManagerInstallationProps): Json {
  const term = { labelSelector: { matchLabels: { [CCM_LABEL]: name } }, topologyKey: HOSTNAME_LABEL };
  return { requiredDuringSchedulingIgnoredDuringExecution: [term] };
}

/** How its pods are replaced: on the network of the node the new one has its port only after the old one. */
function rollout({ replicas, hostNetwork = true }: AwsCloudControllerManagerInstallationProps): Json {
  if (replicas === undefined) {
    return { updateStrategy: { type: 'RollingUpdate' } };
  }
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return hostNetwork ? { replicas, strategy } : { replicas };
}

/** The name of the ConfigMap with the cloud config. */
export function configMapName({ name = CCM }: AwsCloudControllerManagerInstallationProps): string {
  return `${name}-${CCM_NAMES.cloudConfig}`;
}

/** The `spec` of the DaemonSet, or of the Deployment. */
export function workloadSpec(props: AwsCloudControllerManagerInstallationProps, cloudConfig: string): Json {
  const { name = CCM } = props;
  const labels = { [CCM_LABEL]: name };
  const hash = createHash('sha256').update(cloudConfig).digest('hex').slice(0, 16);
  return {
    ...rollout(props),
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations: { [CLOUD_CONFIG_HASH]: hash } }, spec: pod(props) },
  };
}
