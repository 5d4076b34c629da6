import { KubernetesVersion } from '../../contract/kubernetes-version';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { AwsCloudController } from './aws-cloud-controller';
import { CCM, CCM_KNOWN_MINORS, CCM_LEASE, CCM_NAMESPACE, CCM_VERSION } from './aws-cloud-controller-manager.facts';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';
import { type ConfigFault, reachesMinor } from './cloud-config-faults';
import {
  CCM_FLAGS,
  CCM_FLAGS_SINCE,
  CCM_LEADER_FLAG,
  CCM_LEASE_FLAGS,
  CCM_PRINTING_FLAGS,
  CCM_TAGGING_FLAGS,
  type CloudControllerFlagKind,
  FLAG_VALUES,
} from './flags.facts';

const ID = 'cloud-controller-flag';

/** Flags that props write. */
const OWN_FLAGS: ReadonlyMap<string, string> = new Map([
  ['v', 'logVerbosity'],
  ['cloud-provider', 'nothing: it is aws'],
  ['cloud-config', 'cloudConfig'],
  ['cluster-name', 'clusterName'],
  ['configure-cloud-routes', 'controllers'],
  ['cluster-cidr', 'clusterCidrs'],
  ['controllers', 'controllers'],
  ['concurrent-service-syncs', 'concurrentServiceSyncs'],
  ['use-service-account-credentials', 'nothing: its permissions are made for one service account'],
]);

const KINDS: ReadonlyMap<string, CloudControllerFlagKind> = new Map(
  (Object.keys(CCM_FLAGS) as CloudControllerFlagKind[]).flatMap((kind) =>
    CCM_FLAGS[kind].map((flag) => [flag, kind] as const),
  ),
);

/** The version that a flag came with, where an older one is installed. */
function tooNew(flag: string, version: string): string | undefined {
  const since = Object.hasOwn(CCM_FLAGS_SINCE, flag) ? CCM_FLAGS_SINCE[flag] : undefined;
  return since === undefined || reachesMinor(version, since) ? undefined : since;
}

function nameFault(flag: string, version: string): ConfigFault | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(flag)) {
    return [
      `additionalFlags has '${flag}', which is no name of a flag`,
      'write it in lower case with dashes between words, and none before them',
      ID,
    ];
  }
  const own = OWN_FLAGS.get(flag);
  if (own !== undefined) {
    return [`additionalFlags has ${flag}`, `use ${own}`, ID];
  }
  if ((CCM_PRINTING_FLAGS as readonly string[]).includes(flag)) {
    return [`additionalFlags has ${flag}, with which the program prints it and ends`, 'leave it out', ID];
  }
  if ((CCM_LEASE_FLAGS as readonly string[]).includes(flag)) {
    return [
      `additionalFlags has ${flag}, and its permissions are for the lease ${CCM_NAMESPACE}/${CCM_LEASE} alone`,
      'leave it out',
      ID,
    ];
  }
  const since = tooNew(flag, version);
  if (since) {
    return [
      `additionalFlags has ${flag}, which ${CCM} ${version} does not know: it does not start`,
      `leave it out, or install ${since}`,
      ID,
    ];
  }
  return CCM_KNOWN_MINORS.includes(KubernetesVersion.of(version).version) && !KINDS.has(flag)
    ? [
        `additionalFlags has ${flag}, which ${CCM} ${version} does not know: it does not start`,
        'write one that it knows, or name the version that knows it',
        ID,
      ]
    : undefined;
}

function valueFault(flag: string, said: string): ConfigFault | undefined {
  const value = String(said);
  const { syntax, like } = FLAG_VALUES[KINDS.get(flag) ?? 'text'];
  return isUnresolved(value) || syntax.test(value)
    ? undefined
    : [`additionalFlags has ${flag} with '${value}'`, `write ${like}`, ID];
}

/** All that is wrong with flags that have no prop. */
export function flagFaults({
  additionalFlags = {},
  controllers = [],
  replicas,
  version = CCM_VERSION,
}: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const faults = Object.entries(additionalFlags).map(
    ([flag, value]) => nameFault(flag, version) ?? valueFault(flag, value),
  );
  const together: ConfigFault[] =
    String(additionalFlags[CCM_LEADER_FLAG]) === 'false' && replicas !== 0 && replicas !== 1
      ? [
          [
            `additionalFlags has ${CCM_LEADER_FLAG} with 'false', and there may be several pods: all of them would work at once`,
            'leave it out, or write replicas: 1',
            ID,
          ],
        ]
      : [];
  const untold = CCM_TAGGING_FLAGS.filter((flag) => !additionalFlags[flag]);
  const tagging: ConfigFault[] =
    controllers.includes(AwsCloudController.TAGGING) && untold.length > 0
      ? [
          [
            `the controller of tags runs, and additionalFlags lacks ${untold.join(' and ')}: the whole program ends`,
            "write tags such as 'team=edge' and resources such as 'instance', or leave TAGGING out",
            ID,
          ],
        ]
      : [];
  return [...faults.filter((fault) => fault !== undefined), ...together, ...tagging];
}
