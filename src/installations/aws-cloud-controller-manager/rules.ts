import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { flagsAmong } from '../../contract/program-flags';
import { entryOf } from '../../rules/app-objects';
import { judgeObject, lookAt } from '../../rules/judge-object';
import { Judgement } from '../../rules/judgement';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { titled, tokenFindings } from '../../rules/unresolved-tokens';
import type { BalancedService } from '../balanced-services';
import { CONTROLLER_WITH_ITS_SERVICES, type ServedContext, servedBy, unitNameOf } from '../served-services';
import { VERSION_TAG } from '../workloads';
import { cloudServices, cloudServicesAmong, type SameCluster, sameClusterAs, sameClusterBeside } from './app';
import { CCM, CCM_KNOWN_MINORS, CCM_LEASE, CCM_NAMESPACE, CCM_SOURCES, CLOUD_CONFIG_FILE } from './installation.facts';
import { globalOf, runs } from './objects';
import { AwsCloudController } from './options';

/** What is known beside the finished workload. */
export interface CloudControllerContext extends ServedContext {
  /** The version that is installed; unknown where no image shows it. */
  readonly version?: string;
  /** The finished ConfigMap with the cloud config, where there is one. */
  readonly configMap?: Json;
  readonly sameCluster?: SameCluster;
}

/** What a finished workload sets by flag. */
function flagsIn(workload: Json): Record<string, string> {
  const args = list(workload.spec?.template?.spec?.containers?.[0]?.args).map(String);
  return Object.fromEntries(flagsAmong(args).map(({ name, value }) => [name, value]));
}

const servesServices = (workload: Json) => runs(flagsIn(workload), AwsCloudController.SERVICE);

/** All rules for an installation. */
export const CLOUD_CONTROLLER_RULES: readonly Rule<CloudControllerContext>[] = [
  {
    id: 'cloud-controller-twice',
    severity: 'error',
    says: 'a cluster has one cloud controller manager',
    source: CCM_SOURCES.lease,
    judge: (_, { sameCluster }) =>
      sameCluster && {
        what: `it is installed for cluster '${sameCluster.clusterName}' by ${sameCluster.path} already: both have the same ServiceAccount, ClusterRole and lease ${CCM_NAMESPACE}/${CCM_LEASE}, so only one of them works`,
        remedy: 'keep one of them, or put each into a chart of its own with the name of its own cluster',
        value: sameCluster.clusterName,
      },
  },
  {
    id: 'cloud-controller-image-version',
    severity: 'error',
    says: 'the image is of the version that is installed',
    source: 'ours',
    needs: ['version'],
    judge(workload, { version }) {
      const image = String(workload.spec?.template?.spec?.containers?.[0]?.image ?? '');
      const tag = VERSION_TAG.exec(image)?.[1];
      return tag === undefined || tag === version
        ? undefined
        : {
            what: `version ${version} is installed from the image '${image}'`,
            remedy: 'name the version of the image',
            value: tag,
          };
    },
  },
  {
    id: 'cloud-controller-newer-than-facts',
    severity: 'warning',
    says: 'the version that is installed is one that is known here: of others flags are not checked, and the rest as of the newest one',
    source: 'ours',
    needs: ['version'],
    judge(_, { version = '' }) {
      const newest = CCM_KNOWN_MINORS[CCM_KNOWN_MINORS.length - 1];
      const installed = KubernetesVersion.of(version);
      return installed.version !== newest && installed.isAtLeast(KubernetesVersion.of(newest))
        ? {
            what: `version ${version} is installed, and ${newest} is the newest one known here, as which it is checked`,
            remedy: 'look up in its changelog what it changes, and acknowledge this',
            value: version,
          }
        : undefined;
    },
  },
  {
    id: 'shared-security-group',
    severity: 'warning',
    says: 'Classic Load Balancers share a security group only where the node ports are opened by hand',
    source: CCM_SOURCES.config,
    needs: ['configMap'],
    judge(workload, { configMap }) {
      const config = globalOf(configMap?.data?.[CLOUD_CONFIG_FILE.key] ?? '');
      const opensNodes = config.disablesecuritygroupingress !== 'true';
      return servesServices(workload) && config.elbsecuritygroup && opensNodes
        ? {
            what: `all Classic Load Balancers have the security group '${config.elbsecuritygroup}', whose rule in the group of nodes goes with the first Service that is deleted: the others lose their traffic`,
            remedy: 'set disableSecurityGroupIngress as well, and open the node ports to that group by hand',
            value: config.elbsecuritygroup,
          }
        : undefined;
    },
  },
  {
    ...CONTROLLER_WITH_ITS_SERVICES,
    judge: (workload, context) =>
      servesServices(workload) ? CONTROLLER_WITH_ITS_SERVICES.judge(workload, context) : undefined,
  },
  {
    id: 'service-controller-away',
    severity: 'warning',
    says: 'Services are for a controller that runs',
    source: 'ours',
    judge(workload, { unit, served: [first, ...others] }) {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      return first && !servesServices(workload)
        ? {
            what: `its service controller is off, and the app has ${first.name}${more} for it: they get no balancer, and keep their finalizer`,
            remedy: `give them the controller that serves instead, or add AwsCloudController.SERVICE; acknowledge it where their charts are applied to another cluster than ${unit}`,
          }
        : undefined;
    },
  },
];

/** All rules for a finished workload that runs the controller. */
export const CLOUD_CONTROLLER_RULE_SET = new RuleSet(CLOUD_CONTROLLER_RULES, CCM);

/**
 * What manifests show of an installation.
 *
 * @param services what gets balancers beside it
 */
export function writtenCloudController(
  among: IndexedObject,
  services: readonly BalancedService[],
): CloudControllerContext {
  const images = list<Json>(among.json.spec?.template?.spec?.containers).map(({ image }) => String(image ?? ''));
  const version = images.map((image) => VERSION_TAG.exec(image)?.[1]).find((tag) => tag !== undefined);
  return {
    version,
    configMap: configMapOf(among),
    sameCluster: sameClusterBeside(among),
    unit: unitNameOf(among),
    served: servedBy(among, cloudServicesAmong(among.index, services)),
  };
}

/** The ConfigMap with a cloud config that a workload mounts. */
function configMapOf(among: IndexedObject): Json | undefined {
  const names = list<Json>(among.json.spec?.template?.spec?.volumes).map((volume) => volume?.configMap?.name);
  return names
    .flatMap((name) =>
      name === undefined
        ? []
        : (among.index.nearest(among, '', 'ConfigMap', { namespace: among.namespace, name }) ?? []),
    )
    .map(({ json }) => json)
    .find(({ data }) => data?.[CLOUD_CONFIG_FILE.key] !== undefined);
}

/** The objects of an installation, and its version. */
export interface Installed {
  readonly workload: ApiObject;
  readonly configMap: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly version: string;
}

/** Has an installation validated at each synth. */
export function judgeInstallation(host: Construct, { version, clusterRole, ...objects }: Installed): void {
  // one object stands for all of them: no rule reads this one, and nothing else renders it before it is written
  judgeObject(host, clusterRole, {
    judge() {
      const [workload, configMap, serviceAccount] = [objects.workload, objects.configMap, objects.serviceAccount].map(
        lookAt,
      );
      const among = entryOf(objects.workload);
      return CLOUD_CONTROLLER_RULE_SET.judge(workload, {
        version,
        configMap,
        sameCluster: sameClusterAs(host),
        unit: unitNameOf(among),
        served: servedBy(among, cloudServices(host)),
      }).and(Judgement.of(tokenFindings(host, [serviceAccount, configMap, workload].map(titled))));
    },
  });
}
