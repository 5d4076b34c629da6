import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { isMap, type Json, list } from '../../contract/json';
import { podTemplateOf } from '../../contract/pod-placement';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, isLocal, portAt, portsOf, rangeAt, wantsLoadBalancer } from '../../rules/service-json';
import { HCLOUD, HCLOUD_CONTROLLER, HCLOUD_SOURCE } from './annotations';
import { ignoredByHcloud } from './model';
import { HetznerCertificateType } from './options';
import { HCLOUD_RULE_ROWS } from './rules.facts';

/** Variables of its environment with the default. docs/reference/load_balancer_envs.md */
const PLACEMENT_VARIABLES = ['HCLOUD_LOAD_BALANCERS_LOCATION', 'HCLOUD_LOAD_BALANCERS_NETWORK_ZONE'];

function containersOf(workload: Json): Json[] {
  return list<Json>(podTemplateOf(workload)?.spec?.containers).filter(isMap);
}

function managersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(managersIn, () =>
    [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')].filter(({ json }) =>
      containersOf(json).some(({ image }) => String(image).includes(`/${HCLOUD_CONTROLLER}`)),
    ),
  );
}

function mayHavePlacement(workload: Json): boolean {
  return containersOf(workload).some(
    ({ env, envFrom }) =>
      list(envFrom).length > 0 || list<Json>(env).some((variable) => PLACEMENT_VARIABLES.includes(variable?.name)),
  );
}

/** A flag of a Service, or else the default for it in the environment of the controller; undefined if neither is known. */
function flagOf(service: Json, entry: AnyAnnotation, variable: string, managers: readonly IndexedObject[]): boolean {
  const written = entry.on(annotationsOf(service));
  const values = managers.flatMap(({ json }) => containersOf(json)).flatMap(({ env }) => list<Json>(env).filter(isMap));
  const found = values.filter(({ name }) => name === variable).map(({ value }) => String(value));
  return written === undefined ? found.length > 0 && found.every((value) => TRUE.test(value)) : written === true;
}

const TRUE = /^(1|t|true)$/i;

export const HCLOUD_RULES: readonly Rule[] = rulesOf({
  rows: HCLOUD_RULE_ROWS,
  source: HCLOUD_SOURCE,
  catalogue: HCLOUD,
  read: annotationsOf,
  finds: {
    'hetzner-location-missing': (annotations, service, { among }) => {
      const isPlaced = [HCLOUD.location, HCLOUD.networkZone, HCLOUD.name].some((entry) => annotations[entry.key()]);
      const hasBalancer = list(service.status?.loadBalancer?.ingress).length > 0;
      const managers = among && wantsLoadBalancer(service) && !isPlaced && !hasBalancer ? managersIn(among.index) : [];
      const [first] = managers;
      return first && managers.every(({ json }) => !mayHavePlacement(json)) && { kind: first.kind, name: first.name };
    },
    'hetzner-network-zone-ignored': (annotations) => {
      const location = HCLOUD.location.on(annotations);
      const value = HCLOUD.networkZone.on(annotations);
      return location && value && { location, value };
    },
    'hetzner-protocol-unsupported': (_, service) => {
      const odd = portsOf(service).find((port) => (port.protocol ?? 'TCP') !== 'TCP');
      return odd && { port: odd.port, value: odd.protocol, at: portAt(service, 'protocol', (port) => port === odd) };
    },
    'hetzner-targets-unreachable': (annotations) =>
      HCLOUD.disablePublicNetwork.on(annotations) === true &&
      HCLOUD.usePrivateIp.on(annotations) === false && { value: 'false' },
    'hetzner-address-missing': (annotations, service, { among }) => {
      const managers = among ? managersIn(among.index) : [];
      const flag = (entry: AnyAnnotation, name: string) =>
        flagOf(service, entry, `HCLOUD_LOAD_BALANCERS_DISABLE_${name}`, managers);
      const isWithout =
        flag(HCLOUD.disablePublicNetwork, 'PUBLIC_NETWORK') && flag(HCLOUD.disablePrivateIngress, 'PRIVATE_INGRESS');
      const key = [HCLOUD.disablePrivateIngress, HCLOUD.disablePublicNetwork]
        .map((entry) => entry.key())
        .find((one) => one in annotations);
      return (
        isWithout &&
        wantsLoadBalancer(service) &&
        HCLOUD.hostname.on(annotations) === undefined && {
          case: HCLOUD.disablePrivateIngress.key() in annotations ? 'written' : 'configured',
          at: key && `/metadata/annotations/${key.replaceAll('/', '~1')}`,
        }
      );
    },
    'hetzner-port-without-node-port': (_, service) => {
      const bare = portsOf(service).find((port) => !port.nodePort);
      return service.spec?.allocateLoadBalancerNodePorts === false && bare && { port: bare.port, value: 'false' };
    },
    'hetzner-source-ranges-ignored': (_, service) => {
      const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges);
      return ranges.length > 0 && { value: ranges.join(', '), at: rangeAt(service, String(ranges[0])) };
    },
    'hetzner-certificate-domains-missing': (annotations) =>
      HCLOUD.certificateType.on(annotations) === HetznerCertificateType.MANAGED &&
      !HCLOUD.httpManagedCertificateDomains.on(annotations) && { value: 'managed' },
    'hetzner-local-policy-health-port': (annotations, service) => {
      const port = HCLOUD.healthCheckPort.on(annotations);
      const telling = [service.spec?.healthCheckNodePort, ...portsOf(service).map((each) => each.nodePort)];
      return (
        isLocal(service) &&
        port !== undefined &&
        !telling.includes(port) && { key: HCLOUD.healthCheckPort.key(), value: String(port) }
      );
    },
    'hetzner-http-check-with-tcp': (annotations, service) => {
      const ignored = ignoredByHcloud(service);
      return ignored.length > 0 && { key: ignored[0], keys: ignored.join(', '), value: annotations[ignored[0]] };
    },
    'hetzner-session-affinity-by-node': (_, service) =>
      service.spec?.sessionAffinity === 'ClientIP' && { value: 'ClientIP' },
  },
});
