import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { compareVersions } from '../../contract/compare-versions';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { isMap, type Json, list } from '../../contract/json';
import { VERSION_LABEL } from '../../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../../contract/options';
import { flagsAmong, wordsOf } from '../../contract/program-flags';
import { AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { entryOf, lookAt, setJudged } from '../../rules/app-objects';
import { judgeObject, titled, tokenFindings } from '../../rules/judged-object';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { Judgement, NOTHING_FOUND, RuleSet } from '../../rules/rule-set';
import { WORKLOAD_RULES } from '../../rules/workload-rules';
import { type BalancedService, servicesOf } from '../balanced-services';
import { CONTROLLER_WITH_ITS_SERVICES, servedBy, servedElsewhere, unitNameOf } from '../served-services';
import { VERSION_TAG } from '../workloads';
import { FLAG_RULES } from './flag-rules';
import { GATEWAY_API_RULES } from './gateway-api-rules';
import {
  FLAGS,
  GATEWAY_API_GROUP,
  NAME_LABEL,
  OLDEST_VERSION,
  OWN_FLAGS,
  SERVICE_WEBHOOK_NAME,
} from './installation.facts';
import type { Claiming, InstallationContext, OtherInstallation } from './installation-rule';
import { AWS_ACCOUNT_RULES, OPERATION_RULES } from './operation-rules';
import { SECOND_INSTALLATION_RULES } from './second-installation-rules';
import { isFor, SERVICE_CLAIM_RULES, type Serving, servedRules, serves } from './service-rules';
import { AwsLoadBalancerControllerVersion } from './version';

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

export const AWS_LBC_RULE_SET = new RuleSet(INSTALLATION_RULES, AWS_LBC_CONTROLLER);
const OF_WORKLOADS = new RuleSet(WORKLOAD_RULES, AWS_LBC_CONTROLLER);
const KUBERNETES = { kubernetes: DEFAULT_KUBERNETES };

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

const BOOLEAN_FLAGS = new Set(FLAGS.filter(({ takes }) => takes === 'boolean').map(({ flag }) => flag));

const HOSTS = new WeakSet<Construct>();

export function settleController(host: Construct, deployment: ApiObject): void {
  HOSTS.add(host);
  setJudged(deployment);
}

export function crdsNamed(index: ObjectIndex, name: string): Json[] {
  return index
    .of('apiextensions.k8s.io', 'CustomResourceDefinition')
    .filter((object) => object.name === name)
    .map(({ json }) => json);
}

export function gatewayClassesIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.of(GATEWAY_API_GROUP, 'GatewayClass');
}

function isOfInstallation({ scopes }: IndexedObject): boolean {
  return scopes.some((scope) => HOSTS.has(scope as Construct));
}

export function controllersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(controllersIn, () =>
    index
      .of('apps', 'Deployment')
      .filter(
        (object) =>
          (isOfInstallation(object) && object.isJudged) ||
          object.label(NAME_LABEL) === AWS_LBC_CONTROLLER ||
          runsController(object.json),
      ),
  );
}

/** Of two that rules validate the second one reports; beside one that no rule validates, the other does. */
export function othersThan(deployment: IndexedObject): OtherInstallation[] {
  const all = controllersIn(deployment.index);
  const place = all.indexOf(deployment);
  return all
    .filter((other, i) => other !== deployment && (i < place || !other.isJudged))
    .map((other) => ({
      path: other.path,
      inChart: other.unit === deployment.unit,
      deployment: other.json,
      serviceAccount: serviceAccountOf(other)?.json,
    }));
}

/** The ServiceAccount that a workload runs as, where it is known. */
export function serviceAccountOf(workload: IndexedObject): IndexedObject | undefined {
  const { index, namespace, json } = workload;
  const name = json.spec?.template?.spec?.serviceAccountName;
  return name === undefined ? undefined : index.nearest(workload, '', 'ServiceAccount', { namespace, name });
}

export function hasServiceWebhook({ index, namespace }: IndexedObject): boolean {
  return index
    .of('admissionregistration.k8s.io', 'MutatingWebhookConfiguration')
    .flatMap(({ json }) => list<Json>(json.webhooks))
    .some(
      (webhook) => webhook?.name === SERVICE_WEBHOOK_NAME && webhook.clientConfig?.service?.namespace === namespace,
    );
}

/** The version that the image or the label of a finished Deployment shows, where it is one that is known here or newer. */
export function versionIn(deployment: Json): string | undefined {
  const image = String(containerOf(deployment).image ?? '');
  const label = deployment.metadata?.labels?.[VERSION_LABEL];
  const version = VERSION_TAG.exec(image)?.[1] ?? /^v?(\d+\.\d+\.\d+)$/.exec(String(label))?.[1];
  return version !== undefined && compareVersions(version, OLDEST_VERSION) >= 0 ? version : undefined;
}

export function containerOf(deployment: Json): Json {
  const containers = containersOf(deployment);
  return (
    containers.find(({ name }) => name === AWS_LBC_CONTROLLER) ?? containers.find(isController) ?? containers[0] ?? {}
  );
}

function runsController(deployment: Json): boolean {
  return containersOf(deployment).some(isController);
}

function containersOf(deployment: Json): Json[] {
  return list<Json>(deployment.spec?.template?.spec?.containers).filter(isMap);
}

/** By its image, or where that has another name in a registry of one's own, by its flags. */
function isController(container: Json): boolean {
  const [image] = String(container.image ?? '').split(/[@]|:[^/]*$/);
  const flags = flagsIn(container);
  return (
    image.split('/').pop() === AWS_LBC_CONTROLLER ||
    (flags['cluster-name'] !== undefined && OWN_FLAGS.some((flag) => flags[flag] !== undefined))
  );
}

/** The flags of a finished Deployment; of a flag that is set twice the last one counts. */
export function flagsOf(deployment: Json): Readonly<Record<string, string>> {
  return flagsIn(containerOf(deployment));
}

/** Every rule asks for the flags: those of a finished container are read once. */
const READ = new WeakMap<Json, Readonly<Record<string, string>>>();

function flagsIn(container: Json): Readonly<Record<string, string>> {
  const read = READ.get(container) ?? readFlags(container);
  READ.set(container, read);
  return read;
}

function readFlags(container: Json): Record<string, string> {
  return Object.fromEntries(
    flagsAmong(wordsOf(container), (flag) => BOOLEAN_FLAGS.has(flag)).map(({ name, value }) => [name, value]),
  );
}

/** Pairs as the controller reads them; text between two commas without a sign of equality has no value. */
export function pairsIn(text: string | undefined): [key: string, value: string | undefined][] {
  return (text ?? '')
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key, ...value] = pair.split('=');
      return [key.trim(), value.length > 0 ? value.join('=').trim() : undefined];
    });
}

export function gatesIn(deployment: Json): Record<string, string> {
  return Object.fromEntries(pairsIn(flagsOf(deployment)['feature-gates']).map(([gate, value = '']) => [gate, value]));
}
