import { type Json, mapIn, mapsIn } from '../../contract/json';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { versionsIn } from '../../controllers/aws-load-balancer-controller/kinds';
import { DEFINITIONS_OF } from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { lacksNodePorts } from '../../controllers/aws-load-balancer-controller/reading';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND, ROUTE_KINDS } from '../../gateway/gateway.facts';
import { parentOf } from '../../gateway/gateways-in-app';
import { TARGET_GROUPS_KIND } from '../../predicted/gateway-relations';
import { backendsOf } from '../../predicted/gateway-routes';
import { NLB_CONFIGURATION_KIND } from '../../predicted/gateway-services';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { AWS_GATEWAY_VERSION, NLB_GATEWAY_CONTROLLER } from '../../tenancy/engines/aws-network-load-balancer/facts';
import { AWS_GATEWAY_GROUP } from '../../tenancy/guard/guard.facts';
import { RULES } from './rules.facts';

// What people write in Gateways of the AWS controller and in their settings, which the API server takes.

const PASSES_AS_TCP = '3.1.0';

type GatewayRule = Rule<ObjectContext>;

const isIn = (one: IndexedObject, namespace: unknown): boolean =>
  one.namespace === undefined || namespace === undefined || one.namespace === namespace;

function isNlb({ index, json }: IndexedObject): boolean {
  const classes = index.named(GATEWAY_GROUP, GATEWAY_CLASS_KIND, { name: mapIn(json, 'spec').gatewayClassName });
  return (
    classes.length > 0 && classes.every((one) => mapIn(one.json, 'spec').controllerName === NLB_GATEWAY_CONTROLLER)
  );
}

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
  {
    ...RULES['nlb-passthrough-certificate'],
    judge({ spec }, context) {
      const old = isBeforePassing(context);
      return old && context.among && isNlb(context.among)
        ? mapsIn(spec, 'listeners').flatMap((listener, i) =>
            passesTls(listener) && context.among && !hasCertificate(context.among, listener.port)
              ? {
                  what: `listener '${listener.name}' is to pass TLS through, and version ${old.version} of ${AWS_LBC_CONTROLLER} makes a TLS listener, which AWS refuses without a certificate`,
                  remedy: 'use a listener of protocol TCP with a TCPRoute',
                  value: 'Passthrough',
                  at: `/spec/listeners/${i}/tls/mode`,
                }
              : [],
          )
        : undefined;
    },
  },
];

function isPassedThrough(route: IndexedObject): boolean {
  return mapsIn(route.json.spec, 'parentRefs').some((reference) => {
    const gateway = parentOf(route, reference);
    return (
      gateway?.kind === GATEWAY_KIND &&
      isNlb(gateway) &&
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

/** Whether the target groups of a Service may be of TCP: its own settings say so, or those that are the default of a balancer. */
function mayBeTcp(route: IndexedObject, service: { readonly namespace?: string; readonly name: unknown }): boolean {
  const { index } = route;
  const all = index.of(AWS_GATEWAY_GROUP, TARGET_GROUPS_KIND);
  const own = all.filter((one) => isIn(one, service.namespace) && targetOf(one)?.name === service.name);
  const defaults = settingsOf(route).flatMap(({ json }): unknown[] =>
    [mapIn(json.spec, 'defaultTargetGroupConfiguration').name ?? []].flat(),
  );
  const found = own.length > 0 ? own : all.filter(({ name }) => defaults.includes(name));
  const isElsewhere = found.length === 0 && defaults.length > 0;
  return (
    isElsewhere || found.some(({ json }) => propertiesIn(json).some(({ properties }) => properties.protocol === 'TCP'))
  );
}

export const WRITTEN_TLS_ROUTE_RULES: readonly GatewayRule[] = [
  {
    ...RULES['nlb-passthrough-target-group'],
    judge(_, context) {
      const { among } = context;
      const backends = among && !isBeforePassing(context) && isPassedThrough(among) ? backendsOf(among) : [];
      return backends
        .filter((service) => among && !mayBeTcp(among, service))
        .map(({ name }) => ({
          what: `Service ${name} gets no connection: in versions ${PASSES_AS_TCP} to ${DEFINITIONS_OF} of ${AWS_LBC_CONTROLLER} a listener that passes TLS through is of TCP, and AWS refuses the target group of a TLSRoute behind it, which is of TLS`,
          remedy: `write a ${TARGET_GROUPS_KIND} for Service ${name} with protocol TCP, or use a listener of protocol TCP with a TCPRoute`,
          value: String(name),
          at: '/spec/rules',
        }));
    },
  },
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
  {
    ...RULES['aws-gateway-api-version'],
    judge({ apiVersion, kind }, context) {
      const old = versionsIn(context).find((version) => !version.reaches(SERVES_V1));
      return old && apiVersion === AWS_GATEWAY_VERSION
        ? {
            what: `the API server does not know ${kind} of ${apiVersion}: version ${old.version} of ${AWS_LBC_CONTROLLER} defines ${AWS_GATEWAY_GROUP}/v1beta1 alone`,
            remedy: `write ${AWS_GATEWAY_GROUP}/v1beta1, or use version ${SERVES_V1} or newer`,
            value: apiVersion,
            at: '/apiVersion',
          }
        : undefined;
    },
  },
];

export const WRITTEN_NLB_CONFIGURATION_RULES: readonly GatewayRule[] = [
  ...WRITTEN_AWS_GATEWAY_KIND_RULES,
  {
    ...RULES['nlb-configuration-unused'],
    judge: (_, { among }) =>
      among && isNamed(among) === false
        ? {
            what: `no Gateway or GatewayClass of these files names the ${NLB_CONFIGURATION_KIND}, so its settings have no effect`,
            remedy:
              'name it in spec.infrastructure.parametersRef of the Gateway, or in spec.parametersRef of its class',
            at: '/metadata/name',
          }
        : undefined,
  },
];

const READS_CHECK_PROTOCOL = '2.15.0';

export const WRITTEN_TARGET_GROUP_RULES: readonly GatewayRule[] = [
  ...WRITTEN_AWS_GATEWAY_KIND_RULES,
  {
    ...RULES['target-group-health-check-protocol'],
    judge(object, context) {
      const old = versionsIn(context).find((version) => !version.reaches(READS_CHECK_PROTOCOL));
      const all = old ? propertiesIn(object) : [];
      return all.flatMap(({ properties, at }) => {
        const protocol: unknown = mapIn(properties, 'healthCheckConfig').healthCheckProtocol;
        return protocol === undefined || protocol === 'http'
          ? []
          : {
              what: `the health check is not one by ${protocol}: version ${old?.version} of ${AWS_LBC_CONTROLLER} only accepts http, https and tcp, and makes HTTP of each`,
              remedy: `leave healthCheckProtocol out: a Network Load Balancer then checks by TCP; or use version ${READS_CHECK_PROTOCOL} or newer`,
              value: String(protocol),
              at: `${at}/healthCheckConfig/healthCheckProtocol`,
            };
      });
    },
  },
  {
    ...RULES['target-group-without-node-ports'],
    judge(object, { among }) {
      const target = among && targetOf(among);
      const service =
        target?.kind === 'Service'
          ? among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name: target.name })
          : undefined;
      const all = propertiesIn(object);
      const hasIp = all.slice(1).some(({ properties }) => properties.targetType === 'ip');
      return among && service && lacksNodePorts(service.json) && isLedTo(among, service.name)
        ? all
            .filter(({ properties }, i) => properties.targetType === 'instance' && !(i === 0 && hasIp))
            .map(({ at }) => ({
              what: `the targets are instances, and Service ${service.name} is of type ${mapIn(service.json, 'spec').type ?? 'ClusterIP'}, which has no node port: the Gateway is not reconciled`,
              remedy: 'set targetType to ip, or make the Service one of type NodePort',
              value: 'instance',
              at: `${at}/targetType`,
            }))
        : undefined;
    },
  },
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
              ? `no route of these files leads to Service ${target.name}, so its ${TARGET_GROUPS_KIND} has no effect`
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
  const backends = routes.flatMap(backendsOf);
  return (
    routes.length === 0 ||
    backends.some(
      (one) =>
        one.name === name && (one.namespace === undefined || namespace === undefined || one.namespace === namespace),
    )
  );
}
