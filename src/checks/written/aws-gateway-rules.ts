import { type Json, mapIn, mapsIn } from '../../contract/json';
import { versionsIn } from '../../controllers/aws-load-balancer-controller/kinds';
import { DEFINITIONS_OF } from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { lacksNodePorts } from '../../controllers/aws-load-balancer-controller/made';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND, ROUTE_KINDS } from '../../gateway/gateway.facts';
import { isTaken } from '../../gateway/gateway-app-rules';
import { gatewayOf, parentOf } from '../../gateway/gateways-in-app';
import { controllersIn, flagsOf } from '../../installations/aws-load-balancer-controller/controllers';
import { TARGET_GROUPS_KIND } from '../../predicted/gateway-relations';
import { backendsOf } from '../../predicted/gateway-routes';
import { NLB_CONFIGURATION_KIND } from '../../predicted/gateway-services';
import { type IndexedObject, titleOf } from '../../rules/objects';
import type { ObjectContext, Rule } from '../../rules/rule';
import { AWS_GATEWAY_VERSION, NLB_GATEWAY_CONTROLLER } from '../../tenancy/engines/aws-network-load-balancer/facts';
import { AWS_GATEWAY_GROUP } from '../../tenancy/guard/guard.facts';
import { ruleOf } from './messages';
import { RULES } from './rules.facts';

// What people write in Gateways of the AWS controller and in their settings, which the API server takes.

const PASSES_AS_TCP = '3.1.0';

type GatewayRule = Rule<ObjectContext>;

const isIn = (one: IndexedObject, namespace: unknown): boolean =>
  one.namespace === undefined || namespace === undefined || one.namespace === namespace;

/** Whether a controller serves a Gateway: its name begins with a text. */
function isOf({ index, json }: IndexedObject, controller: string): boolean {
  const classes = index.named(GATEWAY_GROUP, GATEWAY_CLASS_KIND, { name: mapIn(json, 'spec').gatewayClassName });
  const names = classes.map((one) => String(mapIn(one.json, 'spec').controllerName));
  return names.length > 0 && names.every((name) => name.startsWith(controller));
}

const isNlb = (gateway: IndexedObject): boolean => isOf(gateway, NLB_GATEWAY_CONTROLLER);

const passesTls = (listener: Json): boolean =>
  listener.protocol === 'TLS' && mapIn(listener, 'tls').mode === 'Passthrough';

/** Whether a version is older than the one from which on TLS is passed through as TCP; nothing where it is not known. */
function isBeforePassing(context: ObjectContext): { readonly version: string } | undefined {
  return versionsIn(context).find((version) => !version.reaches(PASSES_AS_TCP));
}

function settingsOf({ index }: IndexedObject): readonly IndexedObject[] {
  return index.of(AWS_GATEWAY_GROUP, NLB_CONFIGURATION_KIND);
}

function hasCertificate(gateway: IndexedObject, port: unknown): boolean {
  return settingsOf(gateway).some(({ json }) =>
    mapsIn(json.spec, 'listenerConfigurations').some(
      ({ protocolPort, defaultCertificate }) => protocolPort === `TLS:${port}` && defaultCertificate !== undefined,
    ),
  );
}

export const WRITTEN_GATEWAY_RULES: readonly GatewayRule[] = [
  ruleOf(RULES['nlb-passthrough-certificate'], ({ spec }, context) => {
    const old = isBeforePassing(context);
    const { among } = context;
    return (
      old &&
      among &&
      isNlb(among) &&
      mapsIn(spec, 'listeners').map((listener, i) =>
        passesTls(listener) && !hasCertificate(among, listener.port)
          ? {
              name: listener.name,
              version: old.version,
              value: 'Passthrough',
              at: `/spec/listeners/${i}/tls/mode`,
            }
          : undefined,
      )
    );
  }),
];

function isPassedThrough(route: IndexedObject): boolean {
  return mapsIn(route.json.spec, 'parentRefs').some((reference) => {
    const gateway = parentOf(route, reference);
    return (
      gateway?.kind === GATEWAY_KIND &&
      isNlb(gateway) &&
      isTaken(route, [reference]) &&
      mapsIn(gateway.json.spec, 'listeners').some(
        (listener) =>
          passesTls(listener) &&
          (reference.sectionName === undefined || reference.sectionName === listener.name) &&
          (reference.port === undefined || reference.port === listener.port),
      )
    );
  });
}

/** The properties of target groups in some settings: the default ones, and those for some routes. */
function propertiesIn({ spec }: Json): { readonly properties: Json; readonly at: string }[] {
  return [
    { properties: mapIn(spec, 'defaultConfiguration'), at: '/spec/defaultConfiguration' },
    ...mapsIn(spec, 'routeConfigurations').map((one, i) => ({
      properties: mapIn(one, 'targetGroupProps'),
      at: `/spec/routeConfigurations/${i}/targetGroupProps`,
    })),
  ];
}

/** Whether target groups of a Service may have a value: its own settings have it, or those that are the default of a balancer. */
function mayHave(
  route: IndexedObject,
  service: ReturnType<typeof backendsOf>[number],
  key: string,
  ...values: readonly unknown[]
): boolean {
  const { index } = route;
  const all = index.of(AWS_GATEWAY_GROUP, TARGET_GROUPS_KIND);
  const own = all.filter((one) => isIn(one, service.namespace) && targetOf(one)?.name === service.name);
  const defaults = settingsOf(route).flatMap(({ json }): unknown[] =>
    [mapIn(json.spec, 'defaultTargetGroupConfiguration').name ?? []].flat(),
  );
  const found = own.length > 0 ? own : all.filter(({ name }) => defaults.includes(name));
  const isElsewhere = found.length === 0 && defaults.length > 0;
  return (
    isElsewhere ||
    found.some(({ json }) => propertiesIn(json).some(({ properties }) => values.includes(properties[key])))
  );
}

/** The target type of Services without settings of their own: the flag is for the whole controller. */
function areIpByDefault({ index }: IndexedObject): boolean {
  return controllersIn(index).some(({ json }) => flagsOf(json)['default-target-type'] === 'ip');
}

export const WRITTEN_ROUTE_RULES: readonly GatewayRule[] = [
  ruleOf(RULES['route-without-node-ports'], ({ spec }, { among: route }) => {
    const gateways = mapsIn(spec, 'parentRefs').flatMap((one) => {
      const parent = route && isTaken(route, [one]) ? parentOf(route, one) : undefined;
      const gateway = parent?.kind === GATEWAY_KIND ? parent : parent && gatewayOf(parent);
      return gateway && isOf(gateway, `${AWS_GATEWAY_GROUP}/`) ? [titleOf(gateway)] : [];
    });
    return (
      route &&
      gateways.length > 0 &&
      !areIpByDefault(route) &&
      backendsOf(route).map((backend) => {
        const service = route.index.nearest(route, '', 'Service', backend);
        return service && lacksNodePorts(service.json) && !mayHave(route, backend, 'targetType', 'ip', 'instance')
          ? {
              ...{ gateway: gateways[0], type: mapIn(service.json, 'spec').type ?? 'ClusterIP' },
              ...{ value: String(backend.name), at: '/spec/rules' },
            }
          : undefined;
      })
    );
  }),
];

export const WRITTEN_TLS_ROUTE_RULES: readonly GatewayRule[] = [
  ruleOf(RULES['nlb-passthrough-target-group'], (_, context) => {
    const { among } = context;
    const backends = among && !isBeforePassing(context) && isPassedThrough(among) ? backendsOf(among) : [];
    const versions = `${PASSES_AS_TCP} to ${DEFINITIONS_OF}`;
    return backends
      .filter((service) => among && !mayHave(among, service, 'protocol', 'TCP'))
      .map(({ name }) => ({ versions, value: String(name), at: '/spec/rules' }));
  }),
];

function targetOf({ json }: IndexedObject): { readonly kind: unknown; readonly name: unknown } | undefined {
  const { kind = 'Service', name } = mapIn(json.spec, 'targetReference');
  return name === undefined ? undefined : { kind, name };
}

/** Whether a Gateway or its class among the files names some settings; nothing where none could. */
function isNamed(settings: IndexedObject): boolean | undefined {
  const { index, name, namespace } = settings;
  const gateways = index.of(GATEWAY_GROUP, GATEWAY_KIND).filter((one) => isIn(one, namespace));
  const classes = index.of(GATEWAY_GROUP, GATEWAY_CLASS_KIND);
  const references = [
    ...gateways.map(({ json }) => mapIn(mapIn(json.spec, 'infrastructure'), 'parametersRef')),
    ...classes
      .map(({ json }) => mapIn(json.spec, 'parametersRef'))
      .filter((one) => [one.namespace, undefined].includes(namespace)),
  ];
  return gateways.length + classes.length === 0
    ? undefined
    : references.some((one) => one.kind === NLB_CONFIGURATION_KIND && one.name === name);
}

/** The version whose definitions are the first ones with v1 of the kinds. */
const SERVES_V1 = '3.5.0';

export const WRITTEN_AWS_GATEWAY_KIND_RULES: readonly GatewayRule[] = [
  ruleOf(RULES['aws-gateway-api-version'], ({ apiVersion, kind }, context) => {
    const old = versionsIn(context).find((version) => !version.reaches(SERVES_V1));
    return (
      old &&
      apiVersion === AWS_GATEWAY_VERSION && {
        ...{ kind, version: old.version, since: SERVES_V1 },
        ...{ value: apiVersion, at: '/apiVersion' },
      }
    );
  }),
];

export const WRITTEN_NLB_CONFIGURATION_RULES: readonly GatewayRule[] = [
  ...WRITTEN_AWS_GATEWAY_KIND_RULES,
  ruleOf(
    RULES['nlb-configuration-unused'],
    (_, { among }) => among && isNamed(among) === false && { at: '/metadata/name' },
  ),
];

const READS_CHECK_PROTOCOL = '2.15.0';

export const WRITTEN_TARGET_GROUP_RULES: readonly GatewayRule[] = [
  ...WRITTEN_AWS_GATEWAY_KIND_RULES,
  ruleOf(RULES['target-group-health-check-protocol'], (object, context) => {
    const old = versionsIn(context).find((version) => !version.reaches(READS_CHECK_PROTOCOL));
    return (
      old &&
      propertiesIn(object).map(({ properties, at }) => {
        const protocol: unknown = mapIn(properties, 'healthCheckConfig').healthCheckProtocol;
        const place = { value: String(protocol), at: `${at}/healthCheckConfig/healthCheckProtocol` };
        return protocol === undefined || protocol === 'http'
          ? undefined
          : { version: old.version, since: READS_CHECK_PROTOCOL, ...place };
      })
    );
  }),
  ruleOf(RULES['target-group-without-node-ports'], (object, { among }) => {
    const target = among && targetOf(among);
    const service =
      target?.kind === 'Service'
        ? among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name: target.name })
        : undefined;
    const all = propertiesIn(object);
    const hasIp = all.slice(1).some(({ properties }) => properties.targetType === 'ip');
    return (
      among &&
      service &&
      lacksNodePorts(service.json) &&
      isLedTo(among, service.name) &&
      all
        .filter(({ properties }, i) => properties.targetType === 'instance' && !(i === 0 && hasIp))
        .map(({ at }) => ({
          ...{ name: service.name, type: mapIn(service.json, 'spec').type ?? 'ClusterIP' },
          ...{ value: 'instance', at: `${at}/targetType` },
        }))
    );
  }),
  {
    ...RULES['target-group-configuration-unused'],
    judge(_, { among }) {
      const target = among && targetOf(among);
      if (!among || target?.kind !== 'Service' || typeof target.name !== 'string' || isDefault(among)) {
        return undefined;
      }
      const services = among.index.of('', 'Service').filter((one) => isIn(one, among.namespace));
      const isHere = services.some(({ name }) => name === target.name);
      return services.length > 0 && (!isHere || !isLedTo(among, target.name))
        ? {
            what: isHere
              ? `no accepted route of these files leads to Service ${target.name}, so its ${TARGET_GROUPS_KIND} has no effect`
              : `Service ${target.name} is not in namespace ${among.namespace ?? 'default'} of these files: its ${TARGET_GROUPS_KIND} has no effect unless that is elsewhere`,
            remedy: isHere
              ? 'lead a route of a Gateway to it, or write the annotations of the Service for its own balancer'
              : 'name a Service of the same namespace',
            value: String(target.name),
            at: '/spec/targetReference/name',
          }
        : undefined;
    },
  },
];

function isDefault(settings: IndexedObject): boolean {
  return settingsOf(settings).some(
    ({ json }) => mapIn(json.spec, 'defaultTargetGroupConfiguration').name === settings.name,
  );
}

function isLedTo({ index, namespace }: IndexedObject, name: unknown): boolean {
  const routes = Object.values(ROUTE_KINDS)
    .flat()
    .flatMap((kind) => index.of(GATEWAY_GROUP, kind));
  const backends = routes.filter((route) => isTaken(route)).flatMap(backendsOf);
  return (
    routes.length === 0 ||
    backends.some(
      (one) =>
        one.name === name && (one.namespace === undefined || namespace === undefined || one.namespace === namespace),
    )
  );
}
