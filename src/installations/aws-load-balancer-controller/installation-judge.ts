import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller.product.annotations';
import type { ObjectJudge } from '../../rules/judged-object';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import { servicesIn } from '../app-services';
import { servedElsewhere, servedInOneChart } from '../served-services';
import { tokenFindings } from '../unresolved-tokens';
import { AWS_ACCOUNT_RULES } from './aws-account-rules';
import type { AwsLoadBalancerControllerVersion } from './aws-load-balancer-controller-version';
import { FLAG_RULES } from './flag-rules';
import { NAME_LABEL } from './installation.facts';
import { flagsOf, gatesIn } from './installation-reading';
import type { InstallationContext, InstallationDocuments, OtherInstallation } from './installation-rule';
import { NAME_RULES } from './name-rules';
import { OPERATION_RULES } from './operation-rules';
import { SECOND_INSTALLATION_RULES } from './second-installation-rules';
import { isFor } from './service-claim-rules';
import { judgeServices } from './serving-judge';

/** All rules for an installation. */
export const INSTALLATION_RULES = [
  ...NAME_RULES,
  ...AWS_ACCOUNT_RULES,
  ...SECOND_INSTALLATION_RULES,
  ...FLAG_RULES,
  ...OPERATION_RULES,
];

/** What rules say of the finished objects of an installation. */
export function judgeInstallation(documents: InstallationDocuments, context: InstallationContext): Judgement {
  return judgementOf(INSTALLATION_RULES, AWS_LBC, (rule) => rule.judge(documents, context));
}

/** The objects of an installation, and what was said of it. */
export interface Installed {
  readonly deployment: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly budget?: ApiObject;
  readonly ingressClass?: ApiObject;
  readonly version: AwsLoadBalancerControllerVersion;
  readonly loadBalancerClass: string;
  readonly writesCrds: boolean;
  readonly nlbOnly: boolean;
  readonly gatewayApiCrds?: string;
  readonly vpcArn?: string;
  /** Whether its webhook gives its class to Services that have none. */
  readonly serviceMutatorWebhook: boolean;
  /** Whether its role may reserve capacity. */
  readonly reservesCapacity: boolean;
}

/** Deployments of this library, and their service accounts. */
const OURS = new WeakMap<ApiObject, ApiObject>();

/** Judges an installation whenever its app is synthesized. */
export class InstallationJudge implements ObjectJudge {
  public constructor(
    private readonly host: Construct,
    private readonly installed: Installed,
  ) {
    OURS.set(installed.deployment, installed.serviceAccount);
  }

  public judge(): Judgement {
    const { deployment, serviceAccount, budget, ingressClass, version, ...said } = this.installed;
    const objects = this.host.node.root.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
    const documents = {
      deployment: deployment.toJson(),
      serviceAccount: serviceAccount.toJson(),
      budget: budget?.toJson(),
      ingressClass: ingressClass?.toJson(),
    };
    const judgement = judgeInstallation(documents, {
      ...said,
      version: version.version,
      isKnownVersion: version._isKnown,
      crdNames: objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ name }) => name),
      others: this.others(objects),
    });
    const { loadBalancerClass, reservesCapacity, serviceMutatorWebhook: webhook } = said;
    const claiming = { loadBalancerClass, webhook, namespace: documents.deployment.metadata?.namespace };
    const services = servicesIn(this.host, objects);
    const served = services.filter((service) => isFor(claiming, service));
    judgement.warnings = [...judgement.warnings, ...servedInOneChart(this.host, AWS_LBC, served)];
    const written = [documents.serviceAccount, documents.deployment];
    judgement.errors = [...judgement.errors, ...tokenFindings(this.host, AWS_LBC, written)];
    // of two installations nobody knows which one a Service is for
    if (deploymentsIn(objects).length > 1) {
      return judgement;
    }
    const flags = flagsOf(documents.deployment);
    const watched = flags['watch-namespace'];
    if (watched) {
      judgement.errors = [...judgement.errors, ...servedElsewhere(AWS_LBC, watched, served)];
    }
    return judgement.and(
      judgeServices(services, claiming, { gates: gatesIn(documents.deployment), flags, reservesCapacity }),
    );
  }

  /** The second of two says so; of a manifest by somebody else, this one does. */
  private others(objects: readonly ApiObject[]): OtherInstallation[] {
    const { deployment } = this.installed;
    const all = deploymentsIn(objects);
    const place = all.indexOf(deployment);
    return all
      .filter((other, i) => other !== deployment && (i < place || !OURS.has(other)))
      .map((other) => ({
        path: other.node.path,
        deployment: other.toJson(),
        serviceAccount: OURS.get(other)?.toJson(),
      }));
  }
}

function deploymentsIn(objects: readonly ApiObject[]): ApiObject[] {
  return objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.getLabel(NAME_LABEL) === AWS_LBC);
}
