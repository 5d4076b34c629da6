import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { compareVersions, reaches } from '../../contract/compare-versions';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { type Json, list, objectNameOf } from '../../contract/json';
import { placeholderIn } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/options';
import { type Found, someOf } from '../../contract/rule';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/model';
import { NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { WITHOUT_SECURITY_GROUPS } from '../../controllers/aws-load-balancer-controller/rules';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws.facts';
import { isUnresolved, parseArn, partitionOfRegion } from '../../identity/aws/aws-arn';
import { currentJson, entryOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { CheckResult, NOTHING_FOUND, RuleSet, rulesOf } from '../../rules/rule-set';
import { annotationsOf, classOf } from '../../rules/service-json';
import { titled, tokenFindings, validateObject } from '../../rules/synth-object';
import { WORKLOAD_RULES } from '../../rules/workload-rules';
import { type BalancedService, servicesOf } from '../balanced-services';
import { atArguments, FlagNames } from '../flags';
import { CONTROLLER_WITH_ITS_SERVICES, servedBy, servedElsewhere, unitNameOf } from '../served-services';
import type { GatewayApiNeed } from '../tables';
import {
  type ClassClaim,
  containerOf,
  controllersIn,
  FLAG_TABLE,
  findCrds,
  flagsOf,
  gatesIn,
  gatewayClassesIn,
  hasServiceWebhook,
  type InstallationContext,
  isFor,
  isIgnoredByWebhook,
  type OtherInstallation,
  otherInstallations,
  registerController,
  serves,
  serviceAccountOf,
  versionIn,
} from './controllers';
import {
  CLUSTER_NAME,
  FEATURE_GATES,
  GATEWAY_API_BUNDLE,
  GATEWAY_API_GROUP,
  GATEWAY_API_NEEDS,
  GATEWAY_CONTROLLERS,
  KNOWN_VERSION,
  MISPRINTED_GATES,
  VPC_ID,
} from './installation.facts';
import { INSTALLATION_RULE_ROWS, SERVED_RULE_ROWS } from './rules.facts';
import { AwsLoadBalancerControllerVersion } from './version';

const SOURCE = lbcFile('');

const GATES = new FlagNames(
  FEATURE_GATES.map(({ gate, since }) => [gate, since]),
  '',
  MISPRINTED_GATES,
);

function clusterNameFault(name: string | undefined): Found | undefined {
  if (!name) {
    return { case: 'missing', value: name };
  }
  const { longest, syntax } = CLUSTER_NAME;
  if (isUnresolved(name) || (name.length <= longest && syntax.test(name))) {
    return undefined;
  }
  return { case: name.length > longest ? 'long' : 'invalid', length: name.length, longest, value: name };
}

/** A flag that is missing, or has a value that AWS does not have; one that is known later is taken as it is. */
function unlikeAws(value: string | undefined, isKnown: (value: string) => boolean): Found | undefined {
  return value && (isUnresolved(value) || isKnown(value)) ? undefined : { case: value ? 'invalid' : 'missing', value };
}

const known = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !isUnresolved(text) && !placeholderIn(text);

function mayAgree(flag: string, one: Json, other: Json): boolean {
  const [a, b] = [flagsOf(one)[flag], flagsOf(other)[flag]];
  return !known(a) || !known(b) || a === b;
}

function accountOf(serviceAccount: Json | undefined): string | undefined {
  const arn = serviceAccount?.metadata?.annotations?.[ROLE_ARN_ANNOTATION];
  const account = typeof arn === 'string' ? parseArn(arn)?.account : undefined;
  return known(account) ? account : undefined;
}

/** True if two installations find the same balancers: by one name of a cluster, in one network unless they look by tags. */
function findSameBalancers(mine: Json, other: OtherInstallation, { serviceAccount }: InstallationContext): boolean {
  const name = flagsOf(mine)['cluster-name'];
  const theirs = other.deployment;
  const [account, foreign] = [accountOf(serviceAccount), accountOf(other.serviceAccount)];
  const looksByTag = [mine, theirs].some((deployment) => gatesIn(deployment).EnableRGTAPI === 'true');
  return (
    name !== undefined &&
    name === flagsOf(theirs)['cluster-name'] &&
    !placeholderIn(name) &&
    mayAgree('aws-region', mine, theirs) &&
    (mayAgree('aws-vpc-id', mine, theirs) || looksByTag) &&
    (account === undefined || foreign === undefined || account === foreign)
  );
}

function servedByBoth(mine: Json, other: Json): string | undefined {
  const [own, theirs] = [mine, other].map((deployment) => flagsOf(deployment)['load-balancer-class'] ?? AWS_LBC_CLASS);
  const serve = [mine, other].every((deployment) => gatesIn(deployment).EnableServiceController !== 'false');
  const areApart =
    [mine, other].every((deployment) => flagsOf(deployment)['watch-namespace']) &&
    !mayAgree('watch-namespace', mine, other);
  return serve && own === theirs && !areApart ? own : undefined;
}

const plainVersion = (text: string) => /^v?(\d+\.\d+\.\d+)/.exec(text)?.[1];

function crdFault(crd: Json, wanted: string, { since }: GatewayApiNeed): string | undefined {
  const served = list<Json>(crd.spec?.versions)
    .filter((version) => version?.served === true)
    .map(({ name }) => String(name));
  if (!served.includes(wanted)) {
    return `serves ${served.join(', ') || 'no version'}, not ${wanted}`;
  }
  const bundle = annotationsOf(crd)[GATEWAY_API_BUNDLE];
  const version = bundle === undefined ? undefined : plainVersion(bundle);
  return version !== undefined && compareVersions(version, since) < 0 ? `is of the Gateway API ${bundle}` : undefined;
}

/** The gates of the Gateway API that are on; that of listener sets does nothing without another one. */
function gatesOn(deployment: Json): string[] {
  const gates = gatesIn(deployment);
  const isOn = gates.NLBGatewayAPI === 'true' || gates.ALBGatewayAPI === 'true';
  return Object.keys(GATEWAY_API_NEEDS[0].kinds).filter((gate) => isOn && gates[gate] === 'true');
}

function gatewayApiFaults(deployment: Json, context: InstallationContext): Found[] {
  const { gatewayApiCrds: given, version = '', saysGatewayApi, findCrds } = context;
  const on = gatesOn(deployment);
  const need = GATEWAY_API_NEEDS.find(({ of }) => reaches({ version }, of)) ?? GATEWAY_API_NEEDS[0];
  const { since: oldest } = need;
  if (given !== undefined) {
    const known = plainVersion(given);
    const isWrong = on.length > 0 && (known === undefined || compareVersions(known, oldest) < 0);
    return isWrong ? [{ case: known ? 'old' : 'invalid', oldest, value: given }] : [];
  }
  return on.flatMap((gate) => {
    const kinds = Object.entries(need.kinds[gate]).map(([plural, wanted]) => ({
      name: `${plural}.${GATEWAY_API_GROUP}`,
      wanted,
    }));
    const missing = kinds.map(({ name }) => name).filter((name) => findCrds(name).length === 0);
    const unfit = kinds.flatMap(({ name, wanted }) => {
      const faults = findCrds(name).map((crd) => crdFault(crd, wanted, need));
      return faults.length > 0 && faults.every((fault) => fault !== undefined) ? [`${name} ${faults[0]}`] : [];
    });
    const of = { oldest, value: gate };
    return [
      ...(missing.length > 0 && saysGatewayApi ? [{ ...of, case: 'missing', missing: missing.join(', ') }] : []),
      ...(unfit.length > 0 ? [{ ...of, case: 'unfit', unfit: someOf(unfit) }] : []),
    ];
  });
}

function newNames(deployment: Json): [what: string, value: string][] {
  const flags = Object.keys(flagsOf(deployment)).filter((flag) => FLAG_TABLE.names.mayBeNew(flag));
  const gates = Object.keys(gatesIn(deployment)).filter((gate) => GATES.mayBeNew(gate));
  return [
    ...flags.map((flag): [string, string] => [`flag --${flag}`, flag]),
    ...gates.map((gate): [string, string] => [`gate ${gate}`, gate]),
  ];
}

function gateFindings(deployment: Json, context: InstallationContext): Found[] {
  return Object.entries(gatesIn(deployment)).flatMap(([gate, value]): Found[] => {
    const fault = GATES.fault(gate, `feature gate ${gate}`, context);
    const isRead = !GATES.has(gate) || /^(true|false)$/.test(value);
    const unread = { what: `the feature gate ${gate} is '${value}'`, remedy: 'write true or false', value };
    return fault ? [fault] : isRead ? [] : [unread];
  });
}

export const INSTALLATION_RULES: readonly Rule<InstallationContext>[] = rulesOf({
  rows: INSTALLATION_RULE_ROWS,
  source: SOURCE,
  read: (deployment: Json, _: InstallationContext) => flagsOf(deployment),
  finds: {
    'cluster-name-invalid': (flags) => clusterNameFault(flags['cluster-name']),
    'aws-region-invalid': (flags) =>
      unlikeAws(flags['aws-region'], (region) => partitionOfRegion(region) !== undefined),
    'vpc-id-invalid': (flags) => unlikeAws(flags['aws-vpc-id'], (vpc) => VPC_ID.test(vpc)),
    'cluster-name-duplicate': (flags, mine, context) =>
      context.others
        .filter((other) => findSameBalancers(mine, other, context))
        .map(({ path }) => ({ path, value: flags['cluster-name'] })),
    'controller-duplicate-in-chart': (flags, mine, { others }) =>
      others
        .filter(({ inChart, deployment }) => inChart && !mayAgree('cluster-name', mine, deployment))
        .map(({ path, deployment }) => {
          const served = servedByBoth(mine, deployment);
          return served === undefined ? undefined : { name: flags['cluster-name'], served, value: path };
        }),
    'flag-unknown': (flags, _, context) => FLAG_TABLE.unknown(Object.keys(flags), context),
    'flag-newer-than-facts': (_, deployment, { isKnownVersion, version = '' }) =>
      !isKnownVersion &&
      newNames(deployment).map(([what, value]) => ({ new: what, version, known: KNOWN_VERSION, value })),
    'flag-value-invalid': (flags) => FLAG_TABLE.unreadable(flags),
    'flag-duplicate': (_, deployment) => FLAG_TABLE.repeated(list(containerOf(deployment).args).map(String)),
    'flag-reserved': (flags) => FLAG_TABLE.fixed(flags),
    'feature-gate-unknown': (_, deployment, context) => gateFindings(deployment, context),
    'gateway-api-crds-mismatch': (_, deployment, context) => gatewayApiFaults(deployment, context),
    'gateway-class-gate-disabled': (_, deployment, { gatewayClasses }) =>
      gatewayClasses.map(({ path, json }) => {
        const value = String(json.spec?.controllerName);
        const gate = GATEWAY_CONTROLLERS.find(({ controller }) => controller === value)?.gate;
        const isOn = gate === undefined || (gatesIn(deployment)[gate] ?? 'true') === 'true';
        return isOn ? undefined : { gate, name: objectNameOf(json), path, value };
      }),
    'feature-gate-not-for-nlb': (_, deployment, { nlbOnly }) =>
      nlbOnly && gatesIn(deployment).ALBGatewayAPI === 'true' && {},
    'controller-without-replicas': (_, { spec }) => {
      const { replicas = 1 } = spec ?? {};
      return (!Number.isInteger(replicas) || replicas < 1) && { value: String(replicas) };
    },
    'image-version-mismatch': (_, deployment, { version }) => {
      const image = String(containerOf(deployment).image ?? '');
      const tag = /:([^/:@]+)(@.*)?$/.exec(image)?.[1];
      const isOther = tag !== undefined && /^v?\d+\.\d+\.\d+$/.test(tag) && tag.replace(/^v/, '') !== version;
      return isOther && { version, image, value: tag };
    },
    'crds-version-mismatch': (_, __, { isKnownVersion, version, writesCrds }) =>
      !isKnownVersion && writesCrds && { known: KNOWN_VERSION, value: version },
    'class-without-controller': (_, __, { services = [], claiming: { loadBalancerClass } }) =>
      services
        .filter(
          ({ owner, loadBalancerClass: named }) =>
            named !== undefined &&
            named !== loadBalancerClass &&
            (owner ?? (named.split('/')[0] === DOMAIN && AWS_LBC_CONTROLLER)) === AWS_LBC_CONTROLLER,
        )
        .map(({ name, loadBalancerClass: value }) => ({ class: loadBalancerClass, name, value })),
    'webhook-on-foreign-service': (_, __, { services = [], claiming }) =>
      services
        .filter((service) => claiming.webhook && !isIgnoredByWebhook(service, claiming))
        .filter(
          ({ owner, json }) => owner !== undefined && owner !== AWS_LBC_CONTROLLER && classOf(json()) === undefined,
        )
        .map(({ name, owner: value }) => ({ name, value })),
  },
  after: {
    'crds-version-mismatch': [
      CONTROLLER_WITH_ITS_SERVICES,
      // of two controllers each Service may be for any
      { ...servedElsewhere((deployment) => flagsOf(deployment)['watch-namespace'] || undefined), needs: ['services'] },
    ],
  },
});

const [DOMAIN] = AWS_LBC_CLASS.split('/');

export interface ServingOptions {
  readonly gates: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
  readonly reservesCapacity: boolean;
}

/** A rule holds while its gate is off, or while the role may not reserve capacity. */
function holds(id: keyof typeof SERVED_RULE_ROWS, { gates, reservesCapacity }: ServingOptions): boolean {
  const { gate } = SERVED_RULE_ROWS[id] as { readonly gate?: string };
  if (gate === undefined) {
    return !reservesCapacity;
  }
  const byDefault = FEATURE_GATES.find((fact) => fact.gate === gate)?.byDefault === true;
  return gates[gate] === undefined ? !byDefault : gates[gate] !== 'true';
}

function reservedCapacity(annotations: Readonly<Record<string, string>>): Found | undefined {
  const key = AWS_LBC.minimumCapacity.key();
  return annotations[key] === undefined ? undefined : { key, value: annotations[key] };
}

export const SERVED_SERVICE_RULES: readonly Rule<ServingOptions>[] = rulesOf({
  rows: SERVED_RULE_ROWS,
  source: SOURCE,
  read: (service: Json, _: ServingOptions) => annotationsOf(service),
  finds: {
    'service-controller-disabled': () => ({}),
    'ip-targets-gate-disabled': (annotations, _, { flags }) =>
      (annotations[AWS_LBC.targetType.key()] ?? flags['default-target-type']) === NlbTargetType.IP && {
        value: NlbTargetType.IP,
      },
    'security-groups-gate-disabled': (annotations, service) => {
      const bare = { ...service, metadata: { annotations: { ...annotations, [AWS_LBC.disableNlbSg.key()]: 'true' } } };
      const found = WITHOUT_SECURITY_GROUPS.flatMap((rule) => rule.check(bare, KUBERNETES) ?? []);
      // a Service that sets it as well has a finding of its own
      return (
        AWS_LBC.disableNlbSg.on(annotations) !== true && found.map(({ what, value }) => ({ setting: what, value }))
      );
    },
    'capacity-gate-disabled': reservedCapacity,
    'capacity-not-permitted': reservedCapacity,
  },
}).map((rule) => ({ ...rule, concerns: (_, serving) => holds(rule.id as keyof typeof SERVED_RULE_ROWS, serving) }));

/** The rules that can find something in Services that an installation serves in this way: mostly none. */
export function servedRules(serving: ServingOptions): readonly Rule<ServingOptions>[] {
  return SERVED_SERVICE_RULES.filter(({ concerns }) => concerns?.([], serving));
}

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
  readonly serviceMutatorWebhook: boolean;
  readonly reservesCapacity: boolean;
}

export function checkInstallation(host: Construct, installed: Installed): void {
  registerController(host, installed.deployment);
  // one object stands for all of them: nothing else renders this one before it is written
  validateObject(host, installed.clusterRole, { check: () => checkInstalled(host, installed) });
}

function checkInstalled(host: Construct, installed: Installed): CheckResult {
  const { deployment, version, clusterRole, serviceMutatorWebhook, reservesCapacity, ...known } = installed;
  const { loadBalancerClass } = installed;
  const among = entryOf(deployment);
  const serviceAccount = currentJson(installed.serviceAccount);
  const { json, namespace = json.metadata?.namespace } = among;
  const claiming = { loadBalancerClass, webhook: serviceMutatorWebhook, namespace };
  const services = servicesOf(host);
  const result = checkController(among, services, reservesCapacity, {
    ...besideController(among, services, claiming),
    ...known,
    serviceAccount,
    version: version.version,
    isKnownVersion: version._isKnown,
    saysGatewayApi: true,
  });
  return atArguments(json, result).and(CheckResult.of(tokenFindings(host, [serviceAccount, json].map(titled))));
}

export function checkControllerManifest(among: IndexedObject, services: readonly BalancedService[]): CheckResult {
  const flags = flagsOf(among.json);
  const version = versionIn(among.json);
  const claiming = {
    loadBalancerClass: flags['load-balancer-class'] ?? AWS_LBC_CLASS,
    webhook: hasServiceWebhook(among),
    namespace: among.namespace,
  };
  return checkController(among, services, true, {
    ...besideController(among, services, claiming),
    serviceAccount: serviceAccountOf(among)?.json,
    version,
    isKnownVersion: version === undefined ? undefined : AwsLoadBalancerControllerVersion.of(version)._isKnown,
  });
}

function besideController(
  among: IndexedObject,
  services: readonly BalancedService[],
  claiming: ClassClaim,
): InstallationContext {
  const { index } = among;
  const others = otherInstallations(among);
  const isOnly = controllersIn(index).length === 1;
  const own = services.filter((service) => isFor(claiming, service));
  return {
    findCrds: (name) => findCrds(index, name),
    gatewayClasses: isOnly ? gatewayClassesIn(index) : [],
    others,
    claiming,
    services: isOnly ? services : undefined,
    served: servedBy(among, own),
    unit: unitNameOf(among),
  };
}

function checkController(
  { json }: IndexedObject,
  services: readonly BalancedService[],
  reservesCapacity: boolean,
  context: InstallationContext,
): CheckResult {
  const result = AWS_LBC_RULE_SET.check(json, context).and(OF_WORKLOADS.check(json, KUBERNETES));
  const serving = { gates: gatesIn(json), flags: flagsOf(json), reservesCapacity };
  return context.services ? result.and(checkServices(services, context.claiming, serving)) : result;
}

function checkServices(
  services: readonly BalancedService[],
  claiming: ClassClaim,
  serving: ServingOptions,
): CheckResult {
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
      const { errors, warnings } = set.check(service.json(), serving);
      const named = (one: LoadBalancerFinding) => ({ ...one, what: `${one.what} (${service.name})`, at: '' });
      return before.and(CheckResult.of(errors.map(named), warnings.map(named)));
    }, NOTHING_FOUND);
}
