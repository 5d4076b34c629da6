import { isMap, isSet, type Json, mapIn, mapsIn, shown } from '../../contract/json';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import {
  AUTO_MODE_BINDING_API_VERSION,
  DEFINITIONS_OF,
  TARGET_GROUP_BINDING_API_VERSION,
} from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { lacksNodePorts } from '../../controllers/aws-load-balancer-controller/model';
import { versionsIn } from '../../controllers/aws-load-balancer-controller/target-group-binding/kinds';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND, ROUTE_KINDS } from '../../gateway/gateway.facts';
import { isTaken } from '../../gateway/gateway-app-rules';
import { gatewayOf, parentOf } from '../../gateway/gateways-in-app';
import { controllersIn, flagsOf } from '../../installations/aws-load-balancer-controller/controllers';
import { backendsOf, NLB_CONFIGURATION_KIND, TARGET_GROUPS_KIND } from '../../predicted/gateway-relations';
import { definitionOf } from '../../rules/controller-definition';
import { groupOf, type IndexedObject, titleOf } from '../../rules/objects';
import type { FileContext } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { AWS_GATEWAY_VERSION, NLB_GATEWAY_CONTROLLER } from '../../tenancy/engines/aws-network-load-balancer/facts';
import { AWS_GATEWAY_GROUP } from '../../tenancy/guard/guard.facts';
import { AWS_ROWS } from './rules.facts';
import { BINDING_STACK_LABELS, INGRESS_GROUP } from './written.facts';

// Findings in Gateways, their settings and bindings for controllers of AWS, which the API server takes.

const PASSES_AS_TCP = '3.1.0';

/** The version whose definitions are the first ones with v1 of the kinds. */
const SERVES_V1 = '3.5.0';

const READS_CHECK_PROTOCOL = '2.15.0';

const BINDING_GROUP = groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION });

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
      isTaken(route, [reference]) &&
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
function mayBeNamed({ index, name, namespace }: IndexedObject): boolean {
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

function isLedTo({ index, namespace }: IndexedObject, name: unknown): boolean {
  const kinds = Object.values(ROUTE_KINDS).flat();
  const routes = kinds.flatMap((kind) => index.of(GATEWAY_GROUP, kind));
  const backends = routes.filter((route) => isTaken(route)).flatMap(backendsOf);
  return routes.length === 0 || backends.some((one) => one.name === name && isIn(one, namespace));
}

function portlessService(among: IndexedObject, key: { readonly namespace?: string; readonly name: unknown }) {
  const service = among.index.nearest(among, '', 'Service', key);
  return service && lacksNodePorts(service.json)
    ? { name: service.name, type: mapIn(service.json, 'spec').type ?? 'ClusterIP' }
    : undefined;
}

function stackLabelOf({ metadata }: Json): string | undefined {
  const labels: unknown = metadata?.labels;
  return isMap(labels) ? BINDING_STACK_LABELS.find((label) => label in labels) : undefined;
}

const isOfController = ({ apiVersion }: Json): boolean => groupOf({ apiVersion }) === BINDING_GROUP;

const isUnserved = (binding: Json, { controllers }: FileContext): boolean =>
  isOfController(binding) &&
  controllers?.every((one) => definitionOf(one) !== undefined && one.name !== AWS_LBC_CONTROLLER) === true;

export const AWS_RULES = rulesOf({
  rows: AWS_ROWS,
  read: ({ spec }: Json, context: FileContext) => ({
    spec,
    /** The version of a controller that is older than another one; undefined if none is known to be. */
    olderThan: (since: string) => versionsIn(context).find((version) => !version.reaches(since))?.version,
  }),
  finds: {
    'nlb-passthrough-unsupported-version': ({ spec, olderThan }, _, { among }) => {
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
    'nlb-passthrough-tls-target-group': ({ olderThan }, _, { among }) =>
      olderThan(PASSES_AS_TCP) === undefined &&
      isPassedThrough(among) &&
      backendsOf(among)
        .filter((service) => !mayHave(among, service, 'protocol', 'TCP'))
        .map(({ name }) => ({ versions: `${PASSES_AS_TCP} to ${DEFINITIONS_OF}`, value: name })),
    'route-without-node-ports': ({ spec }, _, { among }) => {
      const [gateway] = mapsIn(spec, 'parentRefs').flatMap((one) => {
        const parent = isTaken(among, [one]) ? parentOf(among, one) : undefined;
        const of = parent?.kind === GATEWAY_KIND ? parent : parent && gatewayOf(parent);
        return of && isOf(of, `${AWS_GATEWAY_GROUP}/`) ? [titleOf(of)] : [];
      });
      // the flag is for the whole controller
      const isIp = controllersIn(among.index).some(({ json }) => flagsOf(json)['default-target-type'] === 'ip');
      return (
        gateway !== undefined &&
        !isIp &&
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
    'nlb-configuration-unused': (_, __, { among }) => !mayBeNamed(among) && {},
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
    'target-group-without-node-ports': ({ spec }, _, { among }) => {
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
    'target-group-configuration-unused': (_, __, { among }) => {
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
    'binding-without-controller': (_, binding, context) =>
      isUnserved(binding, context) && {
        group: BINDING_GROUP,
        apiVersion: AUTO_MODE_BINDING_API_VERSION,
        value: binding.apiVersion,
      },
    'binding-without-node-ports': ({ spec }, _, { among }) => {
      const { namespace } = among;
      const service = portlessService(among, { namespace, name: mapIn(spec, 'serviceRef').name });
      return service && spec?.targetType === 'instance' && { ...service, value: 'instance' };
    },
    'binding-copy-of-generated': (_, binding, { among: { index } }) => {
      const value = stackLabelOf(binding);
      // a dump of a cluster has what the controller made it for
      const isDump = index.of(INGRESS_GROUP, 'Ingress').length + index.of('', 'Service').length > 0;
      const at = `/metadata/labels/${value?.replaceAll('/', '~1')}`;
      return value !== undefined && !isDump && { stack: shown(binding.metadata.labels[value]), value, at };
    },
    'binding-without-networking': ({ spec }, binding, context) =>
      isOfController(binding) &&
      !isUnserved(binding, context) &&
      spec?.networking === undefined &&
      stackLabelOf(binding) === undefined &&
      {},
    'binding-version-deprecated': (_, { apiVersion }) =>
      isOfController({ apiVersion }) &&
      apiVersion !== TARGET_GROUP_BINDING_API_VERSION && {
        shown: shown(apiVersion),
        stored: TARGET_GROUP_BINDING_API_VERSION,
        value: apiVersion,
      },
  },
});
