import { isSet, type Json, list, mapIn, mapsIn } from '../contract/json';
import { podTemplateOf } from '../contract/pod-placement';
import { AWS_LBC_CONTROLLER } from '../controllers/aws-load-balancer-controller/annotations';
import {
  AWS_GATEWAY_GROUP,
  AWS_GATEWAY_VERSION,
  NLB_CONFIGURATION_KIND,
  NLB_GATEWAY_CONTROLLER,
  TARGET_GROUPS_KIND,
} from '../controllers/aws-load-balancer-controller/facts';
import { DEFINITIONS_OF } from '../controllers/aws-load-balancer-controller/kinds.facts';
import {
  LOAD_BALANCER_CONFIGURATION_RULES,
  portlessService,
  TARGET_GROUP_CONFIGURATION_RULES,
  versionsIn,
} from '../controllers/aws-load-balancer-controller/target-group-binding/kinds';
import { type IndexedObject, type ObjectIndex, titleOf } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { RuleSet, rulesOf } from '../rules/rule-set';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND, ROUTE_KINDS } from './gateway.facts';
import { isRouteAttached } from './gateway-app-rules';
import { backendsOf, gatewayOf, parentOf } from './gateways-in-app';
import { AWS_ROWS } from './rules.facts';

// Findings in Gateways, routes and settings for the AWS Load Balancer Controller, which the API server takes.

const PASSES_AS_TCP = '3.1.0';

/** The version whose definitions are the first ones with v1 of the kinds. */
const SERVES_V1 = '3.5.0';

const READS_CHECK_PROTOCOL = '2.15.0';

function isIn({ namespace }: { readonly namespace?: unknown }, other: unknown): boolean {
  return namespace === undefined || other === undefined || namespace === other;
}

/** True if a controller serves a Gateway: its name begins with a text. */
function isOf({ index, json }: IndexedObject, controller: string): boolean {
  const classes = index.named(GATEWAY_GROUP, GATEWAY_CLASS_KIND, { name: mapIn(json, 'spec').gatewayClassName });
  const names = classes.map((one) => String(mapIn(one.json, 'spec').controllerName));
  return names.length > 0 && names.every((name) => name.startsWith(controller));
}

const isNlb = (gateway: IndexedObject): boolean => isOf(gateway, NLB_GATEWAY_CONTROLLER);

const passesTls = (listener: Json): boolean =>
  listener.protocol === 'TLS' && mapIn(listener, 'tls').mode === 'Passthrough';

function settingsOf({ index }: IndexedObject): readonly Json[] {
  return index.of(AWS_GATEWAY_GROUP, NLB_CONFIGURATION_KIND).map(({ json }) => mapIn(json, 'spec'));
}

function hasCertificate(gateway: IndexedObject, port: unknown): boolean {
  return settingsOf(gateway)
    .flatMap((settings) => mapsIn(settings, 'listenerConfigurations'))
    .some((one) => one.protocolPort === `TLS:${port}` && one.defaultCertificate !== undefined);
}

function isPassedThrough(route: IndexedObject): boolean {
  return mapsIn(route.json.spec, 'parentRefs').some((reference) => {
    const gateway = parentOf(route, reference);
    const isFor = (listener: Json) =>
      passesTls(listener) &&
      [undefined, listener.name].includes(reference.sectionName) &&
      [undefined, listener.port].includes(reference.port);
    return (
      gateway?.kind === GATEWAY_KIND &&
      isNlb(gateway) &&
      isRouteAttached(route, [reference]) &&
      mapsIn(gateway.json.spec, 'listeners').some(isFor)
    );
  });
}

/** The properties of target groups in some settings: the default ones, and those for some routes. */
function propertiesIn(spec: unknown): { readonly properties: Json; readonly at: string }[] {
  return [
    { properties: mapIn(spec, 'defaultConfiguration'), at: '/spec/defaultConfiguration' },
    ...mapsIn(spec, 'routeConfigurations').map((one, i) => ({
      properties: mapIn(one, 'targetGroupProps'),
      at: `/spec/routeConfigurations/${i}/targetGroupProps`,
    })),
  ];
}

function defaultsOf(among: IndexedObject): unknown[] {
  return settingsOf(among).map((settings) => mapIn(settings, 'defaultTargetGroupConfiguration').name);
}

/** True if target groups of a Service may have a value: its own settings have it, or those that are the default of a balancer. */
function mayHave(
  route: IndexedObject,
  service: ReturnType<typeof backendsOf>[number],
  key: string,
  ...values: readonly unknown[]
): boolean {
  const all = route.index.of(AWS_GATEWAY_GROUP, TARGET_GROUPS_KIND);
  const own = all.filter((one) => isIn(one, service.namespace) && targetOf(one)?.name === service.name);
  const defaults = defaultsOf(route).flat().filter(isSet);
  const found = own.length > 0 ? own : all.filter(({ name }) => defaults.includes(name));
  const isElsewhere = found.length === 0 && defaults.length > 0;
  const properties = found.flatMap(({ json }) => propertiesIn(json.spec).map((one) => one.properties));
  return isElsewhere || properties.some((one) => values.includes(one[key]));
}

function targetOf({ json }: IndexedObject): { readonly kind: unknown; readonly name: unknown } | undefined {
  const { kind = 'Service', name } = mapIn(json.spec, 'targetReference');
  return name === undefined ? undefined : { kind, name };
}

/** True if a Gateway or its class among the files names some settings, or none is among them that could. */
function mayBeNamed({ index, namespace }: IndexedObject, name: unknown): boolean {
  const gateways = index.of(GATEWAY_GROUP, GATEWAY_KIND).filter((one) => isIn(one, namespace));
  const classes = index.of(GATEWAY_GROUP, GATEWAY_CLASS_KIND);
  const references = [
    ...gateways.map(({ json }) => mapIn(mapIn(json.spec, 'infrastructure'), 'parametersRef')),
    ...classes
      .map(({ json }) => mapIn(json.spec, 'parametersRef'))
      .filter((one) => [one.namespace, undefined].includes(namespace)),
  ];
  return (
    gateways.length + classes.length === 0 ||
    references.some((one) => one.kind === NLB_CONFIGURATION_KIND && one.name === name)
  );
}

/** The backends of the routes that a Gateway takes; undefined if no route is among the objects. */
function leadingBackends(index: ObjectIndex): ReturnType<typeof backendsOf> | undefined {
  return index.once(leadingBackends, () => {
    const kinds = Object.values(ROUTE_KINDS).flat();
    const routes = kinds.flatMap((kind) => index.of(GATEWAY_GROUP, kind));
    return routes.length === 0 ? undefined : routes.filter((route) => isRouteAttached(route)).flatMap(backendsOf);
  });
}

function isLedTo({ index, namespace }: IndexedObject, name: unknown): boolean {
  return leadingBackends(index)?.some((one) => one.name === name && isIn(one, namespace)) ?? true;
}

const IP_BY_DEFAULT = /(^| )--?default-target-type[= ]ip( |$)/;

/** True if a controller among the objects makes pods the targets by default; the flag is for the whole controller. */
function hasIpByDefault(index: ObjectIndex): boolean {
  const wordsOf = ({ command, args }: Json) => [...list(command), ...list(args)].join(' ');
  return index.once(hasIpByDefault, () =>
    index
      .of('apps', 'Deployment')
      .some(({ json }) =>
        mapsIn(podTemplateOf(json)?.spec, 'containers').some((one) => IP_BY_DEFAULT.test(wordsOf(one))),
      ),
  );
}

/** True if a class among the objects is of the controller: without one, no route is known to be its own. */
function hasClasses(index: ObjectIndex): boolean {
  const isOwn = ({ json }: IndexedObject) =>
    String(mapIn(json, 'spec').controllerName).startsWith(`${AWS_GATEWAY_GROUP}/`);
  return index.once(hasClasses, () => index.of(GATEWAY_GROUP, GATEWAY_CLASS_KIND).some(isOwn));
}

const AWS_RULES = rulesOf({
  rows: AWS_ROWS,
  read: ({ spec }: Json, context: ObjectContext) => ({
    spec,
    among: context.among as IndexedObject,
    /** The version of a controller that is older than another one; undefined if none is known to be. */
    olderThan: (since: string) => versionsIn(context).find((version) => !version.reaches(since))?.version,
  }),
  finds: {
    'nlb-passthrough-unsupported-version': ({ spec, olderThan, among }) => {
      const version = olderThan(PASSES_AS_TCP);
      return (
        version !== undefined &&
        isNlb(among) &&
        mapsIn(spec, 'listeners').map((listener, i) =>
          passesTls(listener) && !hasCertificate(among, listener.port)
            ? { name: listener.name, version, value: 'Passthrough', at: `/spec/listeners/${i}/tls/mode` }
            : undefined,
        )
      );
    },
    'nlb-passthrough-tls-target-group': ({ olderThan, among }) =>
      hasClasses(among.index) &&
      olderThan(PASSES_AS_TCP) === undefined &&
      isPassedThrough(among) &&
      backendsOf(among)
        .filter((service) => !mayHave(among, service, 'protocol', 'TCP'))
        .map(({ name }) => ({ versions: `${PASSES_AS_TCP} to ${DEFINITIONS_OF}`, value: name })),
    'route-without-node-ports': ({ spec, among }) => {
      if (!hasClasses(among.index) || hasIpByDefault(among.index)) {
        return undefined;
      }
      const [gateway] = mapsIn(spec, 'parentRefs').flatMap((one) => {
        const parent = isRouteAttached(among, [one]) ? parentOf(among, one) : undefined;
        const of = parent?.kind === GATEWAY_KIND ? parent : parent && gatewayOf(parent);
        return of && isOf(of, `${AWS_GATEWAY_GROUP}/`) ? [titleOf(of)] : [];
      });
      return (
        gateway !== undefined &&
        backendsOf(among).map((backend) => {
          const service = portlessService(among, backend);
          return service && !mayHave(among, backend, 'targetType', 'ip', 'instance')
            ? { gateway, type: service.type, value: backend.name }
            : undefined;
        })
      );
    },
    'gateway-api-unsupported-version': ({ olderThan }, { apiVersion, kind }) => {
      const version = apiVersion === AWS_GATEWAY_VERSION && olderThan(SERVES_V1);
      return version && { kind, version, since: SERVES_V1, value: apiVersion };
    },
    'nlb-configuration-unused': ({ among }, { metadata }) => !mayBeNamed(among, metadata?.name) && {},
    'target-group-health-check-unsupported-version': ({ spec, olderThan }) => {
      const version = olderThan(READS_CHECK_PROTOCOL);
      return (
        version !== undefined &&
        propertiesIn(spec).map(({ properties, at }) => {
          const value: unknown = mapIn(properties, 'healthCheckConfig').healthCheckProtocol;
          const place = { value, at: `${at}/healthCheckConfig/healthCheckProtocol` };
          return value === undefined || value === 'http'
            ? undefined
            : { version, since: READS_CHECK_PROTOCOL, ...place };
        })
      );
    },
    'target-group-without-node-ports': ({ spec, among }) => {
      const { kind, name } = targetOf(among) ?? {};
      const service = kind === 'Service' && portlessService(among, { namespace: among.namespace, name });
      const [first, ...others] = propertiesIn(spec);
      const hasIp = others.some(({ properties }) => properties.targetType === 'ip');
      return (
        service &&
        isLedTo(among, name) &&
        [...(hasIp ? [] : [first]), ...others]
          .filter(({ properties }) => properties.targetType === 'instance')
          .map(({ at }) => ({ ...service, value: 'instance', at: `${at}/targetType` }))
      );
    },
    'target-group-configuration-unused': ({ among }) => {
      const { kind, name } = targetOf(among) ?? {};
      if (kind !== 'Service' || typeof name !== 'string' || defaultsOf(among).includes(among.name)) {
        return undefined;
      }
      const services = among.index.of('', 'Service').filter((one) => isIn(one, among.namespace));
      const isHere = services.some((one) => one.name === name);
      return (
        services.length > 0 &&
        (!isHere || !isLedTo(among, name)) && {
          case: isHere ? 'unled' : 'elsewhere',
          namespace: among.namespace ?? 'default',
          value: name,
        }
      );
    },
  },
});

/** The rules above for objects of a kind. */
export function awsRulesFor(...kinds: readonly string[]): readonly Rule<ObjectContext>[] {
  return AWS_RULES.filter((rule) => kinds.some((kind) => rule.kinds?.includes(kind)));
}

export const NLB_CONFIGURATION_RULE_SET = new RuleSet(
  [...LOAD_BALANCER_CONFIGURATION_RULES, ...awsRulesFor(NLB_CONFIGURATION_KIND)],
  AWS_LBC_CONTROLLER,
);

export const TARGET_GROUPS_RULE_SET = new RuleSet(
  [...TARGET_GROUP_CONFIGURATION_RULES, ...awsRulesFor(TARGET_GROUPS_KIND)],
  AWS_LBC_CONTROLLER,
);

export const LISTENER_RULES_RULE_SET = new RuleSet(awsRulesFor('ListenerRuleConfiguration'), AWS_LBC_CONTROLLER);
