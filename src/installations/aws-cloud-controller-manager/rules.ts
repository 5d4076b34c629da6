import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { cidrFault, isIpv6 } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { flagsAmong } from '../../contract/program-flags';
import type { Finding } from '../../contract/rule';
import { arnFault, isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import { entryOf, lookAt } from '../../rules/app-objects';
import { judgeObject, titled, tokenFindings } from '../../rules/judged-object';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { Judgement, RuleSet } from '../../rules/rule-set';
import type { BalancedService } from '../balanced-services';
import { FlagTable } from '../flags';
import { CONTROLLER_WITH_ITS_SERVICES, type ServedContext, servedBy, unitNameOf } from '../served-services';
import { VERSION_TAG } from '../workloads';
import { cloudServices, cloudServicesAmong, type SameCluster, sameClusterAs, sameClusterBeside } from './app';
import {
  AWS_IDS,
  CCM,
  CCM_FLAGS,
  CCM_KNOWN_MINORS,
  CCM_LEASE,
  CCM_NAMESPACE,
  CCM_SOURCES,
  CCM_TAGGING_FLAGS,
  CLOUD_CONFIG_FILE,
  CLOUD_CONFIG_SINCE,
} from './installation.facts';
import { globalOf, runs } from './objects';
import { AwsCloudController } from './options';

export interface CloudControllerContext extends ServedContext {
  /** The version; unset if no image shows it. */
  readonly version?: string;
  /** True for an installation of this library, whose permissions are for the default lease. */
  readonly isInstallation?: boolean;
  /** The finished ConfigMap with the cloud config. */
  readonly configMap?: Json;
  readonly sameCluster?: SameCluster;
}

const FLAGS = new FlagTable(CCM_FLAGS);

function argsIn(workload: Json): string[] {
  return list(workload.spec?.template?.spec?.containers?.[0]?.args).map(String);
}

function flagsIn(workload: Json): Record<string, string> {
  const flags = flagsAmong(argsIn(workload), (flag) => FLAGS.isBoolean(flag));
  return Object.fromEntries(flags.map(({ name, value }) => [name, value]));
}

function reachesMinor(version: string, minor: string): boolean {
  return KubernetesVersion.of(version).isAtLeast(KubernetesVersion.of(minor));
}

/** Flags with which the program, or one of its controllers, does not start. */
function flagFindings(workload: Json, { version, isInstallation }: CloudControllerContext): Finding[] {
  const flags = flagsIn(workload);
  const long = argsIn(workload).filter((arg) => arg.startsWith('--'));
  const isKnownVersion = version !== undefined && CCM_KNOWN_MINORS.includes(KubernetesVersion.of(version).version);
  return [
    ...FLAGS.unknown(
      long.map((arg) => arg.slice(2).split('=')[0]),
      { isKnownVersion, version: version?.split('-')[0] },
    ),
    ...FLAGS.unreadable(flags),
    ...FLAGS.repeated(long),
    ...(isInstallation ? FLAGS.fixed(flags) : []),
    ...togetherFindings(workload, flags),
  ];
}

function togetherFindings(workload: Json, flags: Readonly<Record<string, string>>): Finding[] {
  const missing = CCM_TAGGING_FLAGS.filter((flag) => !flags[flag]);
  const ranges = (flags['cluster-cidr'] ?? '').split(',').filter(Boolean);
  const wrong = ranges.map(cidrFault).find((fault) => fault !== undefined);
  const isPair = ranges.length < 2 || (ranges.length === 2 && isIpv6(ranges[0]) !== isIpv6(ranges[1]));
  const makesRoutes = flags['configure-cloud-routes'] === 'true' && runs(flags, AwsCloudController.ROUTE);
  const several = workload.kind === 'DaemonSet' || (workload.spec?.replicas ?? 1) > 1;
  const faults: [boolean, string, string][] = [
    [
      runs(flags, AwsCloudController.TAGGING) && missing.length > 0,
      `runs the controller of tags without --${missing.join(' and --')}: the whole program ends`,
      "write tags such as 'team=edge' and resources such as 'instance', or leave TAGGING out",
    ],
    [wrong !== undefined, `has --cluster-cidr with a wrong range: ${wrong}`, 'write the range of pods'],
    [!wrong && !isPair, `has --cluster-cidr with ${ranges.join(', ')}`, 'write one range, or one of each family'],
    [
      makesRoutes && ranges.length === 0,
      'runs the controller of routes, which fails without --cluster-cidr',
      'write the range of pods in clusterCidrs, or leave ROUTE out',
    ],
    [
      flags['leader-elect'] === 'false' && several,
      'has several pods and --leader-elect=false: all of them work at once',
      'leave the flag out, or run one pod',
    ],
    [
      flags['cluster-name'] !== undefined && /^$|[\s"]/.test(flags['cluster-name']),
      `has the cluster name '${flags['cluster-name']}', by whose tag it finds nothing`,
      'write the name of the cluster',
    ],
  ];
  return faults.filter(([isWrong]) => isWrong).map(([, what, remedy]) => ({ what, remedy }));
}

function configFindings(file: string, version: string | undefined): Finding[] {
  const global = globalOf(file);
  const configured = (key: string): string | undefined => global[key.toLowerCase()];
  const { region, vpc, subnetid, rolearn } = global;
  const ids = Object.keys(AWS_IDS).flatMap((key): Finding[] => {
    const id = configured(key);
    return id === undefined || isUnresolved(id) || AWS_IDS[key].test(id)
      ? []
      : [{ what: `${key} '${id}' is not an id of AWS`, remedy: 'write the id, not the name', value: id }];
  });
  const tooNew = Object.keys(CLOUD_CONFIG_SINCE).flatMap((key): Finding[] => {
    const since = CLOUD_CONFIG_SINCE[key];
    return configured(key) === undefined || version === undefined || reachesMinor(version, since)
      ? []
      : [
          {
            what: `${key} came with ${since}, and ${CCM} ${version} silently ignores it`,
            remedy: `leave it out, or install ${since} or newer`,
          },
        ];
  });
  const isStrange = region && !isUnresolved(region) && partitionOfRegion(region) === undefined;
  const role = rolearn && arnFault(rolearn, 'iam', /^role\/./, 'arn:aws:iam::111122223333:role/name');
  const lonely =
    vpc && !subnetid && !rolearn
      ? `VPC '${vpc}' does nothing without SubnetID or RoleARN: the instance that it runs on is asked instead`
      : subnetid && !vpc
        ? `SubnetID '${subnetid}' does nothing without VPC`
        : undefined;
  return [
    ...ids,
    ...tooNew,
    ...(isStrange && !/\[\s*ServiceOverride/i.test(file)
      ? [{ what: `Region '${region}' is not an AWS region`, remedy: 'use one such as eu-west-1', value: region }]
      : []),
    ...(role ? [{ what: `RoleARN ${role}`, remedy: 'write the ARN of the role', value: rolearn }] : []),
    ...(lonely ? [{ what: lonely, remedy: 'name network and subnet, or leave both out' }] : []),
  ];
}

const servesServices = (workload: Json) => runs(flagsIn(workload), AwsCloudController.SERVICE);

export const CLOUD_CONTROLLER_RULES: readonly Rule<CloudControllerContext>[] = [
  {
    id: 'cloud-controller-flag',
    severity: 'error',
    says: 'flag with which the cloud controller manager does not start',
    source: CCM_SOURCES.config,
    judge: flagFindings,
  },
  {
    id: 'cloud-config',
    severity: 'error',
    says: 'value of the cloud config that the program refuses or ignores',
    source: CCM_SOURCES.config,
    needs: ['configMap'],
    judge: (_, { configMap, version }) =>
      configFindings(String(configMap?.data?.[CLOUD_CONFIG_FILE.key] ?? ''), version),
  },
  {
    id: 'cloud-controller-twice',
    severity: 'error',
    says: 'two cloud controller managers of one cluster',
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
    says: 'image of another version than the one that is installed',
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
    says: 'version that is newer than the facts of this library: its flags are not checked',
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
    says: 'security group of all Classic Load Balancers that loses its rule with the first one that is deleted',
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
    says: 'Services for a service controller that is switched off',
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

export const CLOUD_CONTROLLER_RULE_SET = new RuleSet(CLOUD_CONTROLLER_RULES, CCM);

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

export interface Installed {
  readonly workload: ApiObject;
  readonly configMap: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly version: string;
}

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
        isInstallation: true,
        configMap,
        sameCluster: sameClusterAs(host),
        unit: unitNameOf(among),
        served: servedBy(among, cloudServices(host)),
      }).and(Judgement.of(tokenFindings(host, [serviceAccount, configMap, workload].map(titled))));
    },
  });
}
