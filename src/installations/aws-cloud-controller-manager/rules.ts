import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/rule';
import { titled, tokenFindings } from '../../rules/unresolved-tokens';
import { servedInOneChart } from '../served-services';
import { VERSION_TAG } from '../workloads';
import { cloudServices, twiceFindings } from './app';
import { CCM, CCM_KNOWN_MINORS, CLOUD_CONFIG_FILE } from './facts';
import { globalOf, runs } from './objects';
import { AwsCloudController } from './options';

/** The warning about one security group for all Classic Load Balancers. */
export const SHARED_SECURITY_GROUP = {
  id: 'shared-security-group',
  severity: 'warning',
  says: 'Classic Load Balancers share a security group only where the node ports are opened by hand.',
} as const;

/** The warning about Services of a service controller that does not run. */
export const SERVICE_CONTROLLER_AWAY = {
  id: 'service-controller-away',
  severity: 'warning',
  says: 'Services are for a controller that runs.',
} as const;

/** The warning about a version that is newer than all that are known here. */
export const CLOUD_CONTROLLER_NEWER_THAN_FACTS = {
  id: 'cloud-controller-newer-than-facts',
  severity: 'warning',
  says: 'The version that is installed is one that is known here: of others flags are not judged, and the rest as of the newest one.',
} as const;

function newerThanFacts(version: string): LoadBalancerFinding[] {
  const newest = CCM_KNOWN_MINORS[CCM_KNOWN_MINORS.length - 1];
  const installed = KubernetesVersion.of(version);
  return installed.version !== newest && installed.isAtLeast(KubernetesVersion.of(newest))
    ? [
        {
          ruleId: CLOUD_CONTROLLER_NEWER_THAN_FACTS.id,
          who: CCM,
          what: `version ${version} is installed, and ${newest} is the newest one known here, as which it is judged`,
          remedy: `look up in its changelog what it changes, and acknowledge this`,
          value: version,
        },
      ]
    : [];
}

/** What a finished workload says by flag. */
function flagsIn(workload: Json): Record<string, string> {
  const args: string[] = workload.spec?.template?.spec?.containers?.[0]?.args ?? [];
  return Object.fromEntries(args.map((arg) => /^--([^=]+)=?([\s\S]*)$/.exec(arg)?.slice(1) ?? [arg, '']));
}

/** The error of an image whose tag says another version than that which is installed. */
export const CLOUD_CONTROLLER_IMAGE_VERSION = {
  id: 'cloud-controller-image-version',
  severity: 'error',
  says: 'The image is of the version that is installed.',
} as const;

function imageFindings(workload: Json, version: string): LoadBalancerFinding[] {
  const image = String(workload.spec?.template?.spec?.containers?.[0]?.image ?? '');
  const tag = VERSION_TAG.exec(image)?.[1];
  return tag === undefined || tag === version
    ? []
    : [
        {
          ruleId: CLOUD_CONTROLLER_IMAGE_VERSION.id,
          who: CCM,
          what: `version ${version} is installed from the image '${image}'`,
          remedy: 'name the version of the image',
          value: tag,
        },
      ];
}

/** What the finished objects of an installation are warned of. */
export function warningsOf(workload: Json, configMap: Json): LoadBalancerFinding[] {
  const config = globalOf(configMap.data?.[CLOUD_CONFIG_FILE.key] ?? '');
  const makesBalancers = runs(flagsIn(workload), AwsCloudController.SERVICE);
  const opensNodes = config.disablesecuritygroupingress !== 'true';
  return makesBalancers && config.elbsecuritygroup && opensNodes
    ? [
        {
          ruleId: SHARED_SECURITY_GROUP.id,
          who: CCM,
          what: `all Classic Load Balancers have the security group '${config.elbsecuritygroup}', whose rule in the group of the nodes goes with the first Service that is deleted: the others get no traffic then`,
          remedy: 'set disableSecurityGroupIngress as well, and open the node ports to that group by hand',
          value: config.elbsecuritygroup,
        },
      ]
    : [];
}

/** Judges an installation whenever its app is synthesized. */
export class CloudControllerManagerJudge implements ObjectJudge {
  public constructor(
    private readonly host: Construct,
    private readonly workload: ApiObject,
    private readonly configMap: ApiObject,
    private readonly serviceAccount: ApiObject,
    private readonly version: string,
  ) {}

  public judge(): Judgement {
    const judgement = new Judgement();
    const [workload, configMap, serviceAccount] = [this.workload, this.configMap, this.serviceAccount].map(lookAt);
    judgement.errors = [
      ...twiceFindings(this.host),
      ...imageFindings(workload, this.version),
      ...tokenFindings(this.host, [serviceAccount, configMap, workload].map(titled)),
    ];
    judgement.warnings = [
      ...newerThanFacts(this.version),
      ...warningsOf(workload, configMap),
      ...(runs(flagsIn(workload), AwsCloudController.SERVICE) ? this.served() : this.unserved()),
    ];
    return judgement;
  }

  private served(): LoadBalancerFinding[] {
    return servedInOneChart(this.host, CCM, cloudServices(this.host));
  }

  /** Nobody serves what is meant for a controller that does not run. */
  private unserved(): LoadBalancerFinding[] {
    const [first, ...others] = cloudServices(this.host);
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return first
      ? [
          {
            ruleId: SERVICE_CONTROLLER_AWAY.id,
            who: CCM,
            what: `its service controller is off, and the app has ${first.name}${more} for it: they get no balancer, and nobody takes their finalizer off`,
            remedy: `give them the controller that serves instead, or add AwsCloudController.SERVICE; acknowledge it where their charts are applied to another cluster than chart '${Chart.of(this.host).node.id}'`,
          },
        ]
      : [];
  }
}
