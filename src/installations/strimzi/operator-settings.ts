import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { StrimziClusterOperatorInstallationProps } from './strimzi-cluster-operator-installation.options';
import type { StrimziWatch } from './strimzi-watch';

/** An installation, its defaults applied. */
export interface OperatorSettings {
  readonly props: StrimziClusterOperatorInstallationProps;
  /** With the gate of server-side apply. */
  readonly version: StrimziVersion;
  readonly gates: ReadonlyMap<string, boolean>;
  readonly watch: StrimziWatch;
  readonly name: string;
  readonly namespace?: string;
  readonly replicas: number;
  readonly leaderElection: boolean;
  readonly createsClusterScoped: boolean;
}
