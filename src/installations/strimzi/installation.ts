import { type ApiObject, Chart, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { PodSpread } from '../../contract/options';
import { SERVER_SIDE_APPLY_GATE } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { entryOf } from '../../rules/app-objects';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { atArguments } from '../flags';
import type { WatchedInstallation } from '../objects';
import { unitNameOf } from '../served-services';
import { registerOperator, servedObjects } from './app';
import { crdFaults, isIn } from './crd-faults';
import { DEFAULTS, FEATURE_GATES, METRICS_PORT, OPERATOR_NAME } from './installation.facts';
import { makeObjects, podLabels } from './objects';
import { gateSetBy, type OperatorSettings } from './operator';
import type { StrimziClusterOperatorInstallationProps } from './options';
import { STRIMZI_OPERATOR_RULE_SET } from './rules';

/**
 * The Strimzi operator, as its release installs it: Deployment, ServiceAccount, rights for the namespaces that it watches,
 * and the configuration of its log.
 *
 * Pass `version` as `strimzi` of the Kafka clusters that it serves: what they declare depends on it, and on its feature
 * gates. Put it into a chart of its own: an operator must outlive its clusters.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#deploying-cluster-operator-str
 */
export class StrimziClusterOperatorInstallation extends Construct {
  /** The version with its feature gates, for Kafka clusters that this operator serves. */
  public readonly version: StrimziVersion;

  /** The namespaces that are watched, `*` for all; undefined for its own alone. */
  public readonly watchNamespaces?: string[];

  /** The namespace of the operator; unset where there is none, which is an error at synth. */
  public readonly namespace?: string;

  /** Time that the operator waits for the addresses of a Kafka's Services, and for other resources. */
  public readonly operationTimeout: Duration;

  /** The Deployment, for patches and dependencies. */
  public readonly deployment: ApiObject;

  /** The ServiceAccount. */
  public readonly serviceAccount: ApiObject;

  /**
   * An installation of the operator.
   *
   * @param props what is wished for
   * @throws when a prop is of another kind than its own, or the file of `crds` cannot be read
   */
  public constructor(scope: Construct, id: string, props: StrimziClusterOperatorInstallationProps) {
    validateProps(scope, id, 'StrimziClusterOperatorInstallationProps', props);
    super(scope, id);
    const settings = this.settingsOf(props);
    this.version = settings.version;
    this.watchNamespaces = props.watchNamespaces;
    this.namespace = settings.namespace;
    this.operationTimeout = props.operationTimeout ?? Duration.seconds(DEFAULTS.operationTimeoutSeconds);
    const crds = props.crds?._readFor(this, settings.createsClusterScoped);
    const objects = makeObjects(this, settings);
    this.serviceAccount = objects.ServiceAccount;
    this.deployment = objects.Deployment;
    props.nodePool?.pin(this.deployment, PodSpread.NONE);
    registerOperator({ host: this, object: this.deployment, settings });
    const { version, createsClusterScoped } = settings;
    const definitions = props.crds && crds && { origin: props.crds.origin, faults: crdFaults(crds, version) };
    validateObject(this, this.deployment, {
      check: (deployment) => {
        const among = entryOf(this.deployment);
        const result = STRIMZI_OPERATOR_RULE_SET.check(deployment, {
          among,
          version,
          settings,
          kubernetes: props.kubernetes,
          definitions,
          wantsDefinitions: createsClusterScoped,
          unit: unitNameOf(among),
          served: servedObjects(among),
        });
        return atArguments(deployment, result);
      },
    });
  }

  /** @internal */
  public get _watched(): WatchedInstallation {
    const { name } = this.deployment;
    return { name, namespace: this.namespace, podLabels: podLabels(name), port: METRICS_PORT };
  }

  private settingsOf(props: StrimziClusterOperatorInstallationProps): OperatorSettings {
    const { featureGates = {} } = props;
    const gates = new Map(Object.entries(featureGates));
    const given = gateSetBy(props.version);
    if (given !== undefined && !gates.has(SERVER_SIDE_APPLY_GATE)) {
      gates.set(SERVER_SIDE_APPLY_GATE, given);
    }
    return {
      props,
      version: withGate(props.version, gates),
      gates,
      name: props.name ?? OPERATOR_NAME,
      namespace: props.namespace ?? Chart.of(this).namespace,
      replicas: props.replicas ?? 1,
      leaderElection: props.leaderElection ?? true,
      createsClusterScoped: props.createClusterScoped ?? true,
    };
  }
}

/** The version as its gates make it; gates that it does not have are reported by a rule. */
function withGate(version: StrimziVersion, gates: ReadonlyMap<string, boolean>): StrimziVersion {
  const gate = FEATURE_GATES.find(({ name }) => name === SERVER_SIDE_APPLY_GATE);
  const on = gates.get(SERVER_SIDE_APPLY_GATE);
  return gate && on !== undefined && isIn(version, gate)
    ? StrimziVersion.withServerSideApply(StrimziVersion.of(version.version), on)
    : version;
}
