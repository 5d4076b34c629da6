import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import { cidrFault, isIpv6 } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { Found } from '../../contract/rule';

import { arnFault, isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import { currentJson, entryOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { CheckResult, RuleSet, rulesOf } from '../../rules/rule-set';
import { titled, tokenFindings, validateObject } from '../../rules/synth-object';
import { type BalancedService, servicesOf } from '../balanced-services';
import { atArguments, FlagTable } from '../flags';
import { VERSION_TAG } from '../objects';
import { CONTROLLER_WITH_ITS_SERVICES, type ServedContext, servedBy, unitNameOf } from '../served-services';
import { cloudServicesIn, otherOfSameCluster, type SameCluster, sameClusterAs } from './controllers';
import {
  AWS_IDS,
  CCM,
  CCM_FLAGS,
  CCM_KNOWN_MINORS,
  CCM_LEASE,
  CCM_NAMESPACE,
  CCM_TAGGING_FLAGS,
  CLOUD_CONFIG_FILE,
  CLOUD_CONFIG_SINCE,
} from './installation.facts';
import { globalOf, isControllerEnabled, ROUTE_CONTROLLER, SERVICE_CONTROLLER, TAGGING_CONTROLLER } from './objects';
import { CLOUD_CONTROLLER_RULE_ROWS } from './rules.facts';

export interface CloudControllerContext extends ServedContext {
  readonly version?: string;
  /** True for an installation of this library, whose permissions are for the default lease. */
  readonly isInstallation?: boolean;
  readonly configMap?: Json;
  readonly sameCluster?: SameCluster;
}

const FLAGS = new FlagTable(CCM_FLAGS);

function argsIn(workload: Json): string[] {
  return list(workload.spec?.template?.spec?.containers?.[0]?.args).map(String);
}

const flagsIn = (workload: Json) => FLAGS.read(argsIn(workload));

function reachesMinor(version: string, minor: string): boolean {
  return KubernetesVersion.of(version).isAtLeast(KubernetesVersion.of(minor));
}

function flagFindings(workload: Json, { version, isInstallation }: CloudControllerContext): readonly Found[] {
  const flags = flagsIn(workload);
  const isKnownVersion = version !== undefined && CCM_KNOWN_MINORS.includes(KubernetesVersion.of(version).version);
  const words = argsIn(workload);
  const names = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0]);
  return [
    ...FLAGS.unknown(names, { isKnownVersion, version: version?.split('-')[0] }),
    ...FLAGS.unreadable(flags),
    ...FLAGS.repeated(words),
    ...(isInstallation ? FLAGS.fixed(flags) : []),
    ...togetherFindings(workload, flags),
  ];
}

function togetherFindings(workload: Json, flags: Readonly<Record<string, string>>): Found[] {
  const missing = CCM_TAGGING_FLAGS.filter((flag) => !flags[flag]);
  const ranges = (flags['cluster-cidr'] ?? '').split(',').filter(Boolean);
  const wrong = ranges.map(cidrFault).find((fault) => fault !== undefined);
  const isPair = ranges.length < 2 || (ranges.length === 2 && isIpv6(ranges[0]) !== isIpv6(ranges[1]));
  const makesRoutes = flags['configure-cloud-routes'] === 'true' && isControllerEnabled(flags, ROUTE_CONTROLLER);
  const several = workload.kind === 'DaemonSet' || (workload.spec?.replicas ?? 1) > 1;
  const name = flags['cluster-name'];
  const faults: Record<string, Found | false | undefined> = {
    tags: isControllerEnabled(flags, TAGGING_CONTROLLER) && missing.length > 0 && { missing: missing.join(' and --') },
    range: wrong !== undefined && { wrong },
    ranges: !wrong && !isPair && { ranges: ranges.join(', ') },
    routes: makesRoutes && ranges.length === 0 && {},
    leader: flags['leader-elect'] === 'false' && several && {},
    name: name !== undefined && /^$|[\s"]/.test(name) && { name },
  };
  return Object.entries(faults).flatMap(([id, found]) => (found ? [{ ...found, case: id }] : []));
}

function configFindings(file: string, version: string | undefined): Found[] {
  const global = globalOf(file);
  const configured = (key: string): string | undefined => global[key.toLowerCase()];
  const { region, vpc, subnetid: subnet, rolearn } = global;
  const ids = Object.keys(AWS_IDS).flatMap((key): Found[] => {
    const value = configured(key);
    return value === undefined || isUnresolved(value) || AWS_IDS[key].test(value) ? [] : [{ case: 'id', key, value }];
  });
  const tooNew = Object.keys(CLOUD_CONFIG_SINCE).flatMap((key): Found[] => {
    const since = CLOUD_CONFIG_SINCE[key];
    return configured(key) === undefined || version === undefined || reachesMinor(version, since)
      ? []
      : [{ case: 'since', key, since, program: CCM, version }];
  });
  const isStrange = region && !isUnresolved(region) && partitionOfRegion(region) === undefined;
  const role = rolearn && arnFault(rolearn, 'iam', /^role\/./, 'arn:aws:iam::111122223333:role/name');
  return [
    ...ids,
    ...tooNew,
    ...(isStrange && !/\[\s*ServiceOverride/i.test(file) ? [{ case: 'region', value: region }] : []),
    ...(role ? [{ case: 'role', role, value: rolearn }] : []),
    ...(vpc && !subnet && !rolearn ? [{ case: 'vpc', vpc }] : []),
    ...(subnet && !vpc ? [{ case: 'subnet', subnet }] : []),
  ];
}

const cloudConfigIn = (configMap: Json | undefined) => String(configMap?.data?.[CLOUD_CONFIG_FILE.key] ?? '');
const servesServices = (workload: Json) => isControllerEnabled(flagsIn(workload), SERVICE_CONTROLLER);

export const CLOUD_CONTROLLER_RULES: readonly Rule<CloudControllerContext>[] = rulesOf({
  rows: CLOUD_CONTROLLER_RULE_ROWS,
  read: (workload: Json, _: CloudControllerContext) => workload,
  finds: {
    'cloud-controller-flag-invalid': (workload, _, context) => flagFindings(workload, context),
    'cloud-config-invalid': (_, __, { configMap, version }) => configFindings(cloudConfigIn(configMap), version),
    'cloud-controller-duplicate': (_, __, { sameCluster }) =>
      sameCluster && {
        path: sameCluster.path,
        lease: `${CCM_NAMESPACE}/${CCM_LEASE}`,
        value: sameCluster.clusterName,
      },
    'cloud-controller-image-version-mismatch': (workload, _, { version }) => {
      const image = String(workload.spec?.template?.spec?.containers?.[0]?.image ?? '');
      const tag = VERSION_TAG.exec(image)?.[1];
      return tag !== undefined && tag !== version && { version, image, value: tag };
    },
    'cloud-controller-newer-than-facts': (_, __, { version = '' }) => {
      const newest = CCM_KNOWN_MINORS[CCM_KNOWN_MINORS.length - 1];
      const isNewer = KubernetesVersion.of(version).version !== newest && reachesMinor(version, newest);
      return isNewer && { newest, value: version };
    },
    'shared-security-group-rule-loss': (workload, _, { configMap }) => {
      const { elbsecuritygroup: value, disablesecuritygroupingress: isClosed } = globalOf(cloudConfigIn(configMap));
      return servesServices(workload) && value && isClosed !== 'true' && { value };
    },
    'cloud-controller-service-controller-disabled': (workload, _, { unit, served: [first, ...others] }) => {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      return first && !servesServices(workload) && { name: first.name, more, unit };
    },
  },
  after: {
    'shared-security-group-rule-loss': [
      {
        ...CONTROLLER_WITH_ITS_SERVICES,
        check: (workload, context) =>
          servesServices(workload) ? CONTROLLER_WITH_ITS_SERVICES.check(workload, context) : undefined,
      },
    ],
  },
});

export const CLOUD_CONTROLLER_RULE_SET = new RuleSet(CLOUD_CONTROLLER_RULES, CCM);

export function cloudControllerContext(
  among: IndexedObject,
  services: readonly BalancedService[],
): CloudControllerContext {
  const images = list<Json>(among.json.spec?.template?.spec?.containers).map(({ image }) => String(image ?? ''));
  const version = images.map((image) => VERSION_TAG.exec(image)?.[1]).find((tag) => tag !== undefined);
  return {
    version,
    configMap: configMapOf(among),
    sameCluster: otherOfSameCluster(among, (workload) => {
      const { region, vpc: vpcId } = globalOf(cloudConfigIn(configMapOf(workload)));
      return { region, vpcId };
    }),
    unit: unitNameOf(among),
    served: servedBy(among, cloudServicesIn(among.index, services)),
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

export interface InstallationParts {
  readonly workload: ApiObject;
  readonly configMap: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly version: string;
}

export function checkInstallation(host: Construct, { version, clusterRole, ...objects }: InstallationParts): void {
  // one object stands for all of them: no rule reads this one, and nothing else renders it before it is written
  validateObject(host, clusterRole, {
    check() {
      const [workload, configMap, serviceAccount] = [objects.workload, objects.configMap, objects.serviceAccount].map(
        currentJson,
      );
      const among = entryOf(objects.workload);
      const result = CLOUD_CONTROLLER_RULE_SET.check(workload, {
        ...cloudControllerContext(among, servicesOf(host)),
        version,
        isInstallation: true,
        configMap,
        sameCluster: sameClusterAs(host),
      });
      return atArguments(workload, result).and(
        CheckResult.of(tokenFindings(host, [serviceAccount, configMap, workload].map(titled))),
      );
    },
  });
}
