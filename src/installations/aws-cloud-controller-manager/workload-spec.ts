import { createHash } from 'node:crypto';
import type { Json } from '../../contract/late-rendering';
import { keepOnPool } from '../../contract/placed-pod';
import {
  CCM,
  CCM_IMAGE_REPOSITORY,
  CCM_LABEL,
  CCM_NAMES,
  CCM_POD,
  CCM_VERSION,
  CLOUD_CONFIG_FILE,
  CLOUD_CONFIG_HASH,
  CONTROL_PLANE_LABEL,
  UNINITIALIZED_TAINT,
} from './aws-cloud-controller-manager.facts';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';
import { flagsOf } from './controller-args';

const VOLUME = 'cloud-config';

function container(props: AwsCloudControllerManagerInstallationProps): Json {
  const { folder } = CLOUD_CONFIG_FILE;
  return {
    name: CCM,
    image: props.image ?? `${CCM_IMAGE_REPOSITORY}:v${props.version ?? CCM_VERSION}`,
    args: Object.entries(flagsOf(props)).map(([flag, value]) => `--${flag}=${value}`),
    resources: { requests: { cpu: CCM_POD.cpuRequest } },
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
    ],
    serviceAccountName: CCM_NAMES.serviceAccount,
    priorityClassName,
    // the resolver of the node: that of the cluster may wait for nodes that this program has not seen yet
    dnsPolicy,
    ...(hostNetwork && { hostNetwork }),
    containers: [container(props)],
    volumes: [{ name: VOLUME, configMap: { name: configMapName(props) } }],
  };
  if (nodePool) {
    keepOnPool(spec, nodePool);
  }
  return spec;
}

/** The name of the ConfigMap with the cloud config. */
export function configMapName({ name = CCM }: AwsCloudControllerManagerInstallationProps): string {
  return `${name}-${CCM_NAMES.cloudConfig}`;
}

/** The `spec` of the DaemonSet, or of the Deployment. */
export function workloadSpec(props: AwsCloudControllerManagerInstallationProps, cloudConfig: string): Json {
  const { name = CCM, replicas } = props;
  const labels = { [CCM_LABEL]: name };
  const hash = createHash('sha256').update(cloudConfig).digest('hex').slice(0, 16);
  return {
    ...(replicas === undefined ? { updateStrategy: { type: 'RollingUpdate' } } : { replicas }),
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations: { [CLOUD_CONFIG_HASH]: hash } }, spec: pod(props) },
  };
}
