import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { findingsIn } from '../../contract/finding';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import { judgementOf } from '../../rules/judgement-of';
import { Judgement } from '../../rules/rule';
import { titled, tokenFindings } from '../../rules/unresolved-tokens';
import { WORKLOAD_RULES } from '../../rules/workload-rules';
import { type AppService, objectsOf, servicesOf } from '../app-services';
import { servedElsewhere, servedInOneChart } from '../served-services';
import { AWS_ACCOUNT_RULES, NAME_RULES } from './account-rules';
import {
  budgetsOver,
  controllersIn,
  crdsNamed,
  flagsOf,
  gatesIn,
  gatewayClassesIn,
  hasIngressClass,
  othersThan,
  settleController,
  settleHost,
  standingTwice,
} from './app';
import { FLAG_RULES } from './flag-rules';
import { GATEWAY_API_RULES } from './gateway-api-rules';
import type { InstallationContext, InstallationDocuments } from './installation-rule';
import { OPERATION_RULES, POD_RULES } from './pod-rules';
import { SECOND_INSTALLATION_RULES } from './second-installation-rules';
import { type Claiming, isFor, SERVED_SERVICE_RULES, SERVICE_CLAIM_RULES, type Serving, serves } from './service-rules';
import type { AwsLoadBalancerControllerVersion } from './version';

/** All rules for an installation. */
export const INSTALLATION_RULES = [
  ...NAME_RULES,
  ...AWS_ACCOUNT_RULES,
  ...SECOND_INSTALLATION_RULES,
  ...FLAG_RULES,
  ...GATEWAY_API_RULES,
  ...POD_RULES,
  ...OPERATION_RULES,
];

const KUBERNETES = { kubernetes: DEFAULT_KUBERNETES };

/** What rules say of the finished objects of an installation. */
export function judgeInstallation(documents: InstallationDocuments, context: InstallationContext): Judgement {
  const workload = judgementOf(WORKLOAD_RULES, AWS_LBC, (rule) => rule.judge(documents.deployment, KUBERNETES));
  return judgementOf(INSTALLATION_RULES, AWS_LBC, (rule) => rule.judge(documents, context)).and(workload);
}

/** The objects of an installation, and what was said of it. */
export interface Installed {
  readonly deployment: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly budget?: ApiObject;
  readonly ingressClass?: ApiObject;
  readonly version: AwsLoadBalancerControllerVersion;
  readonly loadBalancerClass: string;
  readonly writesCrds: boolean;
  readonly nlbOnly: boolean;
  readonly contradictedGates: readonly string[];
  readonly gatewayApiCrds?: string;
  readonly vpcArn?: string;
  /** Whether its webhook gives its class to Services that have none. */
  readonly serviceMutatorWebhook: boolean;
  /** Whether its role may reserve capacity. */
  readonly reservesCapacity: boolean;
}

/** Judges an installation whenever its app is synthesized. */
export class InstallationJudge implements ObjectJudge {
  public constructor(
    private readonly host: Construct,
    private readonly installed: Installed,
  ) {
    settleController(installed.deployment, installed.serviceAccount);
    settleHost(host);
  }

  public judge(): Judgement {
    const { deployment, serviceAccount, clusterRole, budget, ingressClass, version, ...said } = this.installed;
    const objects = objectsOf(this.host);
    const documents = {
      deployment: lookAt(deployment),
      serviceAccount: lookAt(serviceAccount),
      clusterRole: lookAt(clusterRole),
      budget: budget && lookAt(budget),
      ingressClass: ingressClass && lookAt(ingressClass),
    };
    const controllers = controllersIn(objects);
    const others = othersThan(deployment, controllers);
    const judgement = judgeInstallation(documents, {
      ...said,
      version: version.version,
      isKnownVersion: version._isKnown,
      crdsNamed: (name) => crdsNamed(objects, name),
      gatewayClasses: controllers.length > 1 ? [] : gatewayClassesIn(objects),
      foreignBudgets: budgetsOver(documents.deployment, objects),
      hasIngressClass: others.some(({ inChart }) => inChart) && hasIngressClass(deployment.chart, objects),
      twice: standingTwice(this.host, objects),
      others,
    });
    const { loadBalancerClass, reservesCapacity, serviceMutatorWebhook: webhook } = said;
    const claiming = { loadBalancerClass, webhook, namespace: documents.deployment.metadata?.namespace };
    const services = servicesOf(this.host);
    const served = services.filter((service) => isFor(claiming, service));
    judgement.warnings = [...judgement.warnings, ...servedInOneChart(this.host, AWS_LBC, served)];
    const written = [documents.serviceAccount, documents.deployment];
    judgement.errors = [...judgement.errors, ...tokenFindings(this.host, written.map(titled))];
    // of two installations nobody knows which one a Service is for
    if (controllers.length > 1) {
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
}

/** What rules say of the Services of an app that has one installation. */
export function judgeServices(services: readonly AppService[], claiming: Claiming, serving: Serving): Judgement {
  const judgement = new Judgement();
  const rules = SERVED_SERVICE_RULES.filter((rule) => rule.concerns(serving));
  for (const service of services) {
    for (const rule of SERVICE_CLAIM_RULES) {
      judgement.keep(rule, AWS_LBC, findingsIn(rule.judge(service, claiming)));
    }
    // most apps switch nothing off: then no Service is rendered for this
    if (rules.length > 0 && (service.owner ?? AWS_LBC) === AWS_LBC && serves(claiming, service.json())) {
      for (const rule of rules) {
        const said = findingsIn(rule.judge(service.json(), serving));
        const verdicts = said.map(({ what, ...verdict }) => ({ ...verdict, what: `${what} (${service.name})` }));
        judgement.keep(rule, AWS_LBC, verdicts);
      }
    }
  }
  return judgement;
}
