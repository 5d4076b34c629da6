import { KubernetesVersion } from './kubernetes-version';

/** The version for which manifests are written where nobody says otherwise: the oldest that upstream supports. */
export const DEFAULT_KUBERNETES = KubernetesVersion.V1_34;
