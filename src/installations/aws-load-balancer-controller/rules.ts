import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { judgeObject, lookAt } from '../../rules/judge-object';
import { Judgement, NOTHING_FOUND } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { titled, tokenFindings } from '../../rules/unresolved-tokens';
import { WORKLOAD_RULES } from '../../rules/workload-rules';
import { type AppService, objectsOf, servicesOf } from '../app-services';
import { CONTROLLER_WITH_ITS_SERVICES, servedBy, servedElsewhere } from '../served-services';
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
import type { Claiming, InstallationContext } from './installation-rule';
import { OPERATION_RULES, POD_RULES } from './pod-rules';
import { SECOND_INSTALLATION_RULES } from './second-installation-rules';
import { isFor, SERVICE_CLAIM_RULES, type Serving, servedRules, serves } from './service-rules';
import type { AwsLoadBalancerControllerVersion } from './version';

/** All rules for an installation. */
export const INSTALLATION_RULES: readonly Rule<InstallationContext>[] = [
  ...NAME_RULES,
  ...AWS_ACCOUNT_RULES,
  ...SECOND_INSTALLATION_RULES,
  ...FLAG_RULES,
  ...GATEWAY_API_RULES,
  ...POD_RULES,
  ...OPERATION_RULES,
  CONTROLLER_WITH_ITS_SERVICES,
  // of two controllers each Service may be for any
  { ...servedElsewhere((deployment) => flagsOf(deployment)['watch-namespace'] || undefined), needs: ['services'] },
  ...SERVICE_CLAIM_RULES,
];

const RULES = new RuleSet(INSTALLATION_RULES, AWS_LBC);
const OF_WORKLOADS = new RuleSet(WORKLOAD_RULES, AWS_LBC);
const KUBERNETES = { kubernetes: DEFAULT_KUBERNETES };

/** The objects of an installation, and what was decided of it. */
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

/** Has an installation validated at each synth. */
export function judgeInstallation(host: Construct, installed: Installed): void {
  settleController(installed.deployment, installed.serviceAccount);
  settleHost(host);
  // one object stands for all of them: nothing else renders this one before it is written
  judgeObject(host, installed.clusterRole, { judge: () => judged(host, installed) });
}

function judged(host: Construct, installed: Installed): Judgement {
  const {
    deployment: object,
    version,
    budget,
    ingressClass,
    loadBalancerClass,
    reservesCapacity,
    ...known
  } = installed;
  const objects = objectsOf(host);
  const [deployment, serviceAccount, clusterRole] = [object, installed.serviceAccount, installed.clusterRole].map(
    lookAt,
  );
  const controllers = controllersIn(objects);
  const others = othersThan(object, controllers);
  const isOnly = controllers.length === 1;
  const claiming = {
    loadBalancerClass,
    webhook: installed.serviceMutatorWebhook,
    namespace: deployment.metadata?.namespace,
  };
  const services = servicesOf(host);
  const judgement = RULES.judge(deployment, {
    ...known,
    serviceAccount,
    clusterRole,
    budget: budget && lookAt(budget),
    ingressClass: ingressClass && lookAt(ingressClass),
    version: version.version,
    isKnownVersion: version._isKnown,
    crdsNamed: (name) => crdsNamed(objects, name),
    gatewayClasses: isOnly ? gatewayClassesIn(objects) : [],
    foreignBudgets: budgetsOver(deployment, objects),
    hasIngressClass: others.some(({ inChart }) => inChart) && hasIngressClass(object.chart, objects),
    twice: standingTwice(host, objects),
    others,
    claiming,
    services: isOnly ? services : undefined,
    served: servedBy(
      host,
      services.filter((service) => isFor(claiming, service)),
    ),
    chart: object.chart.node.id,
  })
    .and(OF_WORKLOADS.judge(deployment, KUBERNETES))
    .and(Judgement.of(tokenFindings(host, [serviceAccount, deployment].map(titled))));
  return isOnly
    ? judgement.and(
        judgedServices(services, claiming, {
          gates: gatesIn(deployment),
          flags: flagsOf(deployment),
          reservesCapacity,
        }),
      )
    : judgement;
}

/** The Services of an app that has one installation. */
function judgedServices(services: readonly AppService[], claiming: Claiming, serving: Serving): Judgement {
  const rules = servedRules(serving);
  if (rules.length === 0) {
    return NOTHING_FOUND; // most apps switch nothing off: then no Service is rendered for this
  }
  const set = new RuleSet(rules, AWS_LBC);
  return services
    .filter((service) => (service.owner ?? AWS_LBC) === AWS_LBC && serves(claiming, service.json()))
    .reduce((before, service) => {
      const { errors, warnings } = set.judge(service.json(), serving);
      const named = ({ what, ...finding }: LoadBalancerFinding) => ({ ...finding, what: `${what} (${service.name})` });
      return before.and(Judgement.of(errors.map(named), warnings.map(named)));
    }, NOTHING_FOUND);
}
