import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { LoadBalancerFinding } from '../../contract/options';
import { AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { entryOf } from '../../rules/app-objects';
import { judgeObject, lookAt } from '../../rules/judge-object';
import { Judgement, NOTHING_FOUND } from '../../rules/judgement';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { titled, tokenFindings } from '../../rules/unresolved-tokens';
import { WORKLOAD_RULES } from '../../rules/workload-rules';
import { type BalancedService, servicesOf } from '../balanced-services';
import { CONTROLLER_WITH_ITS_SERVICES, servedBy, servedElsewhere, unitNameOf } from '../served-services';
import {
  controllersIn,
  crdsNamed,
  flagsOf,
  gatesIn,
  gatewayClassesIn,
  hasServiceWebhook,
  othersThan,
  serviceAccountOf,
  settleController,
  versionIn,
} from './app';
import { FLAG_RULES } from './flag-rules';
import { GATEWAY_API_RULES } from './gateway-api-rules';
import type { Claiming, InstallationContext } from './installation-rule';
import { AWS_ACCOUNT_RULES, OPERATION_RULES } from './operation-rules';
import { SECOND_INSTALLATION_RULES } from './second-installation-rules';
import { isFor, SERVICE_CLAIM_RULES, type Serving, servedRules, serves } from './service-rules';
import { AwsLoadBalancerControllerVersion } from './version';

/** All rules for an installation. */
export const INSTALLATION_RULES: readonly Rule<InstallationContext>[] = [
  ...AWS_ACCOUNT_RULES,
  ...SECOND_INSTALLATION_RULES,
  ...FLAG_RULES,
  ...GATEWAY_API_RULES,
  ...OPERATION_RULES,
  CONTROLLER_WITH_ITS_SERVICES,
  // of two controllers each Service may be for any
  { ...servedElsewhere((deployment) => flagsOf(deployment)['watch-namespace'] || undefined), needs: ['services'] },
  ...SERVICE_CLAIM_RULES,
];

/** All rules for a finished Deployment of the controller. */
export const AWS_LBC_RULE_SET = new RuleSet(INSTALLATION_RULES, AWS_LBC_CONTROLLER);
const OF_WORKLOADS = new RuleSet(WORKLOAD_RULES, AWS_LBC_CONTROLLER);
const KUBERNETES = { kubernetes: DEFAULT_KUBERNETES };

/** The objects of an installation, and what was decided of it. */
export interface Installed {
  readonly deployment: ApiObject;
  readonly serviceAccount: ApiObject;
  readonly clusterRole: ApiObject;
  readonly version: AwsLoadBalancerControllerVersion;
  readonly loadBalancerClass: string;
  readonly writesCrds: boolean;
  readonly nlbOnly: boolean;
  readonly gatewayApiCrds?: string;
  /** Whether its webhook gives its class to Services that have none. */
  readonly serviceMutatorWebhook: boolean;
  /** Whether its role may reserve capacity. */
  readonly reservesCapacity: boolean;
}

/** Has an installation validated at each synth. */
export function judgeInstallation(host: Construct, installed: Installed): void {
  settleController(host, installed.deployment);
  // one object stands for all of them: nothing else renders this one before it is written
  judgeObject(host, installed.clusterRole, { judge: () => judged(host, installed) });
}

function judged(host: Construct, installed: Installed): Judgement {
  const { deployment, version, clusterRole, serviceMutatorWebhook, reservesCapacity, ...known } = installed;
  const { loadBalancerClass } = installed;
  const among = entryOf(deployment);
  const serviceAccount = lookAt(installed.serviceAccount);
  const { json, namespace = json.metadata?.namespace } = among;
  const claiming = { loadBalancerClass, webhook: serviceMutatorWebhook, namespace };
  const services = servicesOf(host);
  return judgedController(among, services, reservesCapacity, {
    ...besideController(among, services, claiming),
    ...known,
    serviceAccount,
    version: version.version,
    isKnownVersion: version._isKnown,
    saysGatewayApi: true,
  }).and(Judgement.of(tokenFindings(host, [serviceAccount, json].map(titled))));
}

/**
 * Validates a Deployment of the controller as manifests show it; what an installation was made with stays unknown.
 *
 * @param services what gets balancers beside it
 */
export function judgeWrittenController(among: IndexedObject, services: readonly BalancedService[]): Judgement {
  const flags = flagsOf(among.json);
  const version = versionIn(among.json);
  const claiming = {
    loadBalancerClass: flags['load-balancer-class'] ?? AWS_LBC_CLASS,
    webhook: hasServiceWebhook(among),
    namespace: among.namespace,
  };
  return judgedController(among, services, true, {
    ...besideController(among, services, claiming),
    serviceAccount: serviceAccountOf(among)?.json,
    version,
    isKnownVersion: version === undefined ? undefined : AwsLoadBalancerControllerVersion.of(version)._isKnown,
  });
}

/** What is beside a controller. */
function besideController(
  among: IndexedObject,
  services: readonly BalancedService[],
  claiming: Claiming,
): InstallationContext {
  const { index } = among;
  const others = othersThan(among);
  const isOnly = controllersIn(index).length === 1;
  const own = services.filter((service) => isFor(claiming, service));
  return {
    crdsNamed: (name) => crdsNamed(index, name),
    gatewayClasses: isOnly ? gatewayClassesIn(index) : [],
    others,
    claiming,
    services: isOnly ? services : undefined,
    served: servedBy(among, own),
    unit: unitNameOf(among),
  };
}

function judgedController(
  { json }: IndexedObject,
  services: readonly BalancedService[],
  reservesCapacity: boolean,
  context: InstallationContext,
): Judgement {
  const judgement = AWS_LBC_RULE_SET.judge(json, context).and(OF_WORKLOADS.judge(json, KUBERNETES));
  const serving = { gates: gatesIn(json), flags: flagsOf(json), reservesCapacity };
  return context.services ? judgement.and(judgedServices(services, context.claiming, serving)) : judgement;
}

/** The Services of an app that has one installation. */
function judgedServices(services: readonly BalancedService[], claiming: Claiming, serving: Serving): Judgement {
  const rules = servedRules(serving);
  if (rules.length === 0) {
    return NOTHING_FOUND; // most apps switch nothing off: then no Service is rendered for this
  }
  const set = new RuleSet(rules, AWS_LBC_CONTROLLER);
  return services
    .filter(
      (service) => (service.owner ?? AWS_LBC_CONTROLLER) === AWS_LBC_CONTROLLER && serves(claiming, service.json()),
    )
    .reduce((before, service) => {
      const { errors, warnings } = set.judge(service.json(), serving);
      const named = ({ what, ...finding }: LoadBalancerFinding) => ({ ...finding, what: `${what} (${service.name})` });
      return before.and(Judgement.of(errors.map(named), warnings.map(named)));
    }, NOTHING_FOUND);
}
