import { KubernetesVersion } from './kubernetes-version';

/** The version for which manifests are written unless it is set otherwise: old enough for nearly every cluster that is run today. */
export const DEFAULT_KUBERNETES = KubernetesVersion.V1_34;
