import { type Json, list } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import { HealthCheckProtocol, LoadBalancerScheme } from '../../contract/options';
import { editDistance, type Found } from '../../contract/rule';
import type { Rule, RuleContext } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationAt, annotationsOf, classOf, isLocal, portAt, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { certificateRules, tlsWithoutCertificate, tooManyRules, twiceInSubnet } from '../aws/rules';
import { annotationsAmong } from '../shared/model';
import { AWS_LBC, AWS_LBC_SOURCE } from './annotations';
import { NLB_ATTRIBUTES, TARGET_GROUP_KEYS } from './codecs';
import {
  type Annotations,
  attributesOf,
  HTTP_CHECK,
  hasIpTargets,
  hasUdpPort,
  isCheckedByTcp,
  isInstanceLocal,
  lacks,
  lacksNodePorts,
  lbcFile,
  listenersOf,
  portsIn,
  preservedBy,
  protocolOf,
  schemeOf,
  sourceRangesOf,
} from './model';
import { NlbBackendProtocol, NlbIpAddressType } from './options';
import { AWS_LBC_RULE_ROWS } from './rules.facts';

const PER_SUBNET = [
  AWS_LBC.eipAllocations,
  AWS_LBC.privateIpv4Addresses,
  AWS_LBC.ipv6Addresses,
  AWS_LBC.sourceNatIpv6Prefixes,
];

const OTHER_NLB_ATTRIBUTES: readonly string[] = [
  'ipv6.deny_all_igw_traffic',
  'secondary_ips.auto_assigned.per_subnet',
  'zonal_shift.config.enabled',
];

const KNOWN_ATTRIBUTES: readonly string[] = [...NLB_ATTRIBUTES, ...OTHER_NLB_ATTRIBUTES];

const NLB_TARGET_GROUP_ATTRIBUTES: readonly string[] = [
  ...TARGET_GROUP_KEYS,
  'load_balancing.cross_zone.enabled',
  'target_group_health.dns_failover.minimum_healthy_targets.percentage',
  'target_group_health.unhealthy_state_routing.minimum_healthy_targets.count',
  'target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage',
];

export const AWS_LBC_RULES: readonly Rule[] = rulesOf({
  rows: AWS_LBC_RULE_ROWS,
  source: AWS_LBC_SOURCE,
  catalogue: AWS_LBC,
  read: annotationsOf,
  after: {
    'quic-with-instance-targets': certificateRules(AWS_LBC.sslCert),
    'quic-port-not-udp': [
      tlsWithoutCertificate({
        certificate: AWS_LBC.sslCert,
        settings: [AWS_LBC.sslPorts, AWS_LBC.sslNegotiationPolicy, AWS_LBC.alpnPolicy, AWS_LBC.backendProtocol],
        isPlain: (text) => text === NlbBackendProtocol.TCP,
        source: lbcFile('pkg/service/model_build_listener.go'),
      }),
    ],
  },
  finds: {
    'balancer-on-wrong-type': (annotations, service) =>
      service.spec?.type !== 'LoadBalancer' &&
      (!lacksNodePorts(service) || hasIpTargets(annotations)) && { value: typeOf(service) },
    'access-logs-without-bucket': (annotations) => {
      const attributes = AWS_LBC.loadBalancerAttributes.on(annotations);
      const old = AWS_LBC.accessLogEnabled.on(annotations) === true;
      const bucket = attributes?.accessLogsS3Bucket ?? (old ? AWS_LBC.accessLogBucket.on(annotations) : undefined);
      return (old || attributes?.accessLogsS3Enabled === true) && bucket === undefined && {};
    },
    'deletion-protection-blocks-deletion': (annotations) =>
      AWS_LBC.loadBalancerAttributes.on(annotations)?.deletionProtection === true && { value: 'true' },
    'type-annotation-ignored': (annotations, service) => {
      const type = annotations[AWS_LBC.type.key()];
      // a webhook may have given the class to a live Service
      const isWritten = service.metadata?.uid === undefined;
      return (
        isWritten && type !== undefined && classOf(service) !== undefined && { class: classOf(service), value: type }
      );
    },
    'obsolete-annotation-override': (annotations) => {
      const attributes = AWS_LBC.loadBalancerAttributes.on(annotations);
      const logs = attributes?.accessLogsS3Enabled ?? attributes?.accessLogsS3Bucket ?? attributes?.accessLogsS3Prefix;
      const oldZones = annotations[AWS_LBC.crossZone.key()] !== undefined && attributes?.crossZone !== undefined;
      const oldLogs = AWS_LBC.accessLogEnabled.on(annotations) === true && logs !== undefined;
      return [
        ...(oldZones ? [{ read: AWS_LBC.crossZone.key(), value: 'load_balancing.cross_zone.enabled' }] : []),
        ...(oldLogs ? [{ read: AWS_LBC.accessLogEnabled.key(), value: 'access_logs.s3' }] : []),
      ];
    },
    'load-balancer-attribute-misspelt': (annotations) => misspelt(unknownAttributes(annotations), KNOWN_ATTRIBUTES),
    'load-balancer-attribute-unknown': (annotations) =>
      unknownAttributes(annotations)
        .filter((key) => nearestAttribute(key, KNOWN_ATTRIBUTES) === undefined)
        .map((value) => ({ known: KNOWN_ATTRIBUTES.join(', '), value })),
    'target-group-attribute-misspelt': (annotations, service) => {
      const all = [
        AWS_LBC.targetGroupAttributes.on(annotations),
        ...portsOf(service).map(({ port }) =>
          AWS_LBC.targetGroupAttributesPerPort.on(annotations, { port: String(port) }),
        ),
      ];
      const others = new Set(all.flatMap((one) => Object.keys(one?.additional ?? {})));
      const unknown = [...others].filter((key) => !NLB_TARGET_GROUP_ATTRIBUTES.includes(key));
      return misspelt(unknown, NLB_TARGET_GROUP_ATTRIBUTES);
    },
    'source-nat-prefixes-without-source-nat': (annotations) =>
      AWS_LBC.sourceNatIpv6Prefixes.on(annotations) && !hasSourceNat(annotations) && {},
    'subnet-or-address-duplicate': (annotations) =>
      [AWS_LBC.subnets, AWS_LBC.eipAllocations, AWS_LBC.privateIpv4Addresses, AWS_LBC.ipv6Addresses].map((entry) =>
        twiceInSubnet(entry.key(), entry.on(annotations) ?? []),
      ),
    'address-count-mismatch': (annotations) => {
      const subnets = AWS_LBC.subnets.on(annotations)?.length;
      return (
        subnets !== undefined &&
        addressesIn(annotations)
          .filter(({ count }) => count !== subnets)
          .map((addresses) => ({ ...addresses, subnets }))
      );
    },
    'addresses-scheme-mismatch': (annotations) => {
      const scheme = schemeOf(annotations);
      const eips = AWS_LBC.eipAllocations.on(annotations);
      const addresses = AWS_LBC.privateIpv4Addresses.on(annotations);
      return [
        ...(eips && scheme === LoadBalancerScheme.INTERNAL ? [{ case: 'internal', value: eips.join(', ') }] : []),
        ...(addresses && scheme === LoadBalancerScheme.INTERNET_FACING
          ? [{ case: 'public', value: addresses.join(', ') }]
          : []),
      ];
    },
    'ipv6-without-dualstack': (annotations, service) => {
      const type = annotations[AWS_LBC.ipAddressType.key()];
      if (type !== undefined && type !== NlbIpAddressType.IPV4) {
        return undefined;
      }
      const ranges = AWS_LBC.securityGroups.on(annotations) ? [] : sourceRangesOf(service, annotations);
      const needs: readonly [string, unknown][] = [
        ['IP family IPv6', list(service.spec?.ipFamilies).includes('IPv6')],
        ...ranges.filter(isIpv6).map((range): [string, unknown] => [`source range ${range}`, true]),
        ['fixed IPv6 addresses', AWS_LBC.ipv6Addresses.on(annotations)],
        ['IPv6 source NAT', AWS_LBC.enablePrefixForIpv6SourceNat.on(annotations)],
      ];
      return needs.filter(([, needed]) => needed).map(([setting]) => ({ setting, value: type }));
    },
    'udp-with-dualstack': (annotations, service) =>
      isDualstack(annotations) &&
      !hasSourceNat(annotations) &&
      listenersOf(service, annotations).some((listener) => listener.hasUdp) &&
      {},
    'addresses-without-subnets': (annotations) =>
      !(AWS_LBC.subnets.key() in annotations) &&
      addressesIn(annotations).map(({ key, count, value }) => ({
        key,
        entries: count === 1 ? '1 entry' : `${count} entries`,
        value,
      })),
    'ipv6-targets': (_, service) => {
      const families = list(service.spec?.ipFamilies);
      return families.includes('IPv4') && families.includes('IPv6') && { value: families.join(', ') };
    },
    'load-balancer-ip-ignored': (_, { spec }) => spec?.loadBalancerIP && { value: String(spec.loadBalancerIP) },
    'quic-with-instance-targets': (annotations) => {
      const ports = AWS_LBC.quicEnabledPorts.on(annotations);
      return ports && !hasIpTargets(annotations) && { value: String(ports) };
    },
    'sctp-unsupported': (_, service) =>
      portsOf(service)
        .filter((port) => protocolOf(port) === 'SCTP')
        .map((one) => ({
          port: one.port,
          value: 'SCTP',
          at: portAt(service, 'protocol', (port) => port === one),
        })),
    'port-shared-by-protocols': (annotations, service) => {
      const numbers =
        portsOf(service).length < 2 ? [] : listenersOf(service, annotations).map((listener) => listener.port);
      const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
      return twice.map((value) => ({ value, at: portAt(service, 'port', ({ port }) => String(port) === value) }));
    },
    'too-many-listeners': (annotations, service) => {
      const count = portsOf(service).length > 50 ? listenersOf(service, annotations).length : 0;
      return count > 50 && { value: String(count) };
    },
    'ssl-port-unknown': (annotations, service) =>
      AWS_LBC.sslPorts
        .on(annotations)
        ?.filter((port) => lacks(service, port))
        .map((value) => ({ ports: portsIn(service), value })),
    'quic-port-not-udp': (annotations, service) =>
      AWS_LBC.quicEnabledPorts.on(annotations) &&
      listenersOf(service, annotations)
        .filter(({ isQuic, hasUdp }) => isQuic && !hasUdp)
        .map(({ port, protocol }) => ({ protocol, value: port })),
    'port-setting-unknown-port': (annotations, service) => {
      const listed = [AWS_LBC.proxyProtocolPerTargetGroup, AWS_LBC.quicEnabledPorts].flatMap((entry) =>
        (entry.on(annotations) ?? [])
          .map(String)
          .filter((port) => lacks(service, port))
          .map((value) => ({ key: entry.key(), value })),
      );
      const ignored = keysForNoListener(service, annotations).map((key) => ({ key, value: key, effect: IGNORED }));
      return [...listed, ...ignored].map((found) => ({ ports: portsIn(service), ...found }));
    },
    'action-target-invalid': eachTarget(({ serviceName, servicePort }, found, annotations) => {
      if (found.length !== 1) {
        return undefined;
      }
      const [target] = found;
      if (lacksNodePorts(target) && !hasIpTargets(annotations)) {
        return { case: 'node-ports', type: target.spec?.type ?? 'ClusterIP', value: serviceName };
      }
      return servicePort === undefined || !lacks(target, servicePort)
        ? undefined
        : { case: 'port', serviceName, ports: portsIn(target) || 'none', value: servicePort };
    }),
    'action-target-unknown': eachTarget(({ serviceName }, found) =>
      found.length > 0 ? undefined : { value: serviceName },
    ),
    'node-labels-with-ip-targets': (annotations) =>
      hasIpTargets(annotations) && annotationsAmong(annotations, [AWS_LBC.targetNodeLabels]),
    'instance-targets-without-node-ports': (annotations, service) => {
      if (hasIpTargets(annotations)) {
        return undefined;
      }
      if (lacksNodePorts(service)) {
        return { case: 'type', value: typeOf(service), at: '/spec/type' };
      }
      return (
        service.spec?.allocateLoadBalancerNodePorts === false &&
        portsOf(service)
          .filter((port) => !port.nodePort)
          .map((one) => ({
            case: 'port',
            value: String(one.port),
            at: portAt(service, 'port', (port) => port === one),
          }))
      );
    },
    'client-address-with-udp': (annotations, service) =>
      listenersOf(service, annotations)
        .filter(({ hasUdp, port }) => hasUdp && attributesOf(annotations, port).preserveClientIp === false)
        .map(({ port, protocol }) => ({ port, protocol, value: 'false' })),
    'stickiness-with-tls': (annotations, service) =>
      listenersOf(service, annotations)
        .filter(({ isTls, port }) => isTls && attributesOf(annotations, port).stickiness === true)
        .map(({ port }) => ({ value: port })),
    'local-policy-ignored': (annotations, service) =>
      isLocal(service) && hasIpTargets(annotations) && { value: 'Local' },
    'session-affinity-ignored': (_, service) => service.spec?.sessionAffinity === 'ClientIP' && { value: 'ClientIP' },
    'proxy-protocol-conflict': (annotations) =>
      AWS_LBC.proxyProtocol.on(annotations) && annotationsAmong(annotations, [AWS_LBC.proxyProtocolPerTargetGroup]),
    'client-address-lost-in-conversion': (annotations, service) =>
      isDualstack(annotations) &&
      AWS_LBC.targetGroupAttributes.on(annotations)?.preserveClientIp === true && {
        family: list(service.spec?.ipFamilies).includes('IPv6') ? 'IPv4' : 'IPv6',
        value: NlbIpAddressType.DUALSTACK,
      },
    'health-check-port-unknown': (annotations, service) => {
      const value = AWS_LBC.healthCheckPort.on(annotations);
      if (value === undefined || value === TRAFFIC_PORT || /^\d+$/.test(value)) {
        return undefined;
      }
      const port = portsOf(service).find((other) => other.name === value);
      if (!port) {
        return { case: 'unknown', value };
      }
      const { targetPort } = port;
      return hasIpTargets(annotations) && typeof targetPort === 'string' && { case: 'named', targetPort, value };
    },
    'local-policy-health-check-override': (annotations, service) => {
      const port = AWS_LBC.healthCheckPort.on(annotations);
      const protocol = AWS_LBC.healthCheckProtocol.on(annotations);
      const ownPort = port !== undefined && port !== String(service.spec?.healthCheckNodePort);
      return (
        isInstanceLocal(service, annotations) &&
        (ownPort || (protocol && protocol !== HealthCheckProtocol.HTTP)) && {
          check: [protocol, port].filter(Boolean).join(' '),
          value: port ?? protocol,
          at: annotationAt((port === undefined ? AWS_LBC.healthCheckProtocol : AWS_LBC.healthCheckPort).key()),
        }
      );
    },
    'proxy-protocol-with-local-policy': (annotations, service) =>
      isInstanceLocal(service, annotations) &&
      annotations[AWS_LBC.healthCheckPort.key()] === undefined &&
      (AWS_LBC.proxyProtocol.on(annotations) ??
        AWS_LBC.proxyProtocolPerTargetGroup.on(annotations) ??
        AWS_LBC.targetGroupAttributes.on(annotations)?.proxyProtocolV2) &&
      {},
    'udp-health-check-by-tcp': (annotations, service) =>
      (annotations[AWS_LBC.healthCheckPort.key()] ?? TRAFFIC_PORT) === TRAFFIC_PORT &&
      hasUdpPort(service) &&
      !isInstanceLocal(service, annotations) &&
      listenersOf(service, annotations)
        .filter(({ hasUdp, protocol }) => hasUdp && !protocol.startsWith('TCP'))
        .map(({ port: value, protocol }) => ({
          protocol,
          value,
          at: portAt(service, 'port', ({ port }) => String(port) === value),
        })),
    'health-check-path-with-tcp': (annotations, service) =>
      isCheckedByTcp(service, annotations) && annotationsAmong(annotations, HTTP_CHECK),
    'security-group-settings-without-groups': (annotations) =>
      isWithoutGroups(annotations) &&
      annotationsAmong(annotations, [
        AWS_LBC.securityGroups,
        AWS_LBC.securityGroupPrefixLists,
        AWS_LBC.inboundSgRulesOnPrivateLinkTraffic,
      ]),
    'backend-rules-disabled': (annotations) =>
      !isWithoutGroups(annotations) &&
      !(AWS_LBC.securityGroups.key() in annotations) &&
      AWS_LBC.manageBackendSecurityGroupRules.on(annotations) === false &&
      annotationsAmong(annotations, [AWS_LBC.manageBackendSecurityGroupRules]),
    'source-ranges-with-security-groups': (annotations, service) => {
      const groups = AWS_LBC.securityGroups.on(annotations);
      const sources = sourcesOf(service, annotations);
      const [entry] = annotationsAmong(annotations, [AWS_LBC.sourceRanges, AWS_LBC.securityGroupPrefixLists]);
      const isField = list(service.spec?.loadBalancerSourceRanges).length > 0;
      const place = isField ? { at: '/spec/loadBalancerSourceRanges' } : { key: entry?.key };
      return groups && sources.length > 0 && { ...place, groups: groups.join(', '), value: sources.join(', ') };
    },
    'source-ranges-duplicate': (annotations, service) => {
      const old = AWS_LBC.sourceRanges.on(annotations);
      const field = list(service.spec?.loadBalancerSourceRanges);
      return old && field.length > 0 && String(old) !== String(field) && { value: old.join(', ') };
    },
    'source-ranges-without-security-group': (annotations, service) => {
      const ranges = isWithoutGroups(annotations) ? sourceRangesOf(service, annotations) : [];
      const preserves = preservedBy(service, annotations);
      const seen = (port: Json) => preserves(port) ?? !hasIpTargets(annotations);
      const unruled = AWS_LBC.manageBackendSecurityGroupRules.on(annotations) === false;
      const open = portsOf(service).some((port) => protocolOf(port) === 'TCP' && !seen(port));
      return ranges.length > 0 && (open || unruled) && { value: ranges.join(', ') };
    },
    'security-group-rules-exceeded': (annotations, service) =>
      !(AWS_LBC.securityGroups.key() in annotations) &&
      !isWithoutGroups(annotations) &&
      tooManyRules(portsOf(service).length, sourcesOf(service, annotations)),
  },
});

const named = (ids: readonly string[]) => ids.flatMap((id) => AWS_LBC_RULES.filter((rule) => rule.id === id));

export const WITHOUT_SECURITY_GROUPS = named([
  'security-group-settings-without-groups',
  'source-ranges-without-security-group',
]);

/** Annotations of options that are wrong whatever a request adds to them. */
export function contradictionsIn(annotations: Annotations): readonly Rule[] {
  return named([
    'node-labels-with-ip-targets',
    'quic-with-instance-targets',
    'security-group-settings-without-groups',
    'source-ranges-with-security-groups',
    'source-nat-prefixes-without-source-nat',
    'subnet-or-address-duplicate',
    'address-count-mismatch',
    'access-logs-without-bucket',
    ...(AWS_LBC.scheme.key() in annotations || AWS_LBC.internal.key() in annotations
      ? ['addresses-scheme-mismatch']
      : []),
    ...(AWS_LBC.ipAddressType.key() in annotations ? ['ipv6-without-dualstack'] : []),
  ]);
}

const typeOf = ({ spec }: Json) => String(spec?.type ?? 'ClusterIP');
const isWithoutGroups = (annotations: Annotations) => AWS_LBC.disableNlbSg.on(annotations) === true;
const hasSourceNat = (annotations: Annotations) => AWS_LBC.enablePrefixForIpv6SourceNat.on(annotations) === true;
const isDualstack = (annotations: Annotations) => AWS_LBC.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK;

function addressesIn(annotations: Annotations): { key: string; count: number; value: string }[] {
  return PER_SUBNET.flatMap((entry) => {
    const given = entry.on(annotations);
    return given ? [{ key: entry.key(), count: given.length, value: given.join(', ') }] : [];
  });
}

function sourcesOf(service: Json, annotations: Annotations): string[] {
  return [...sourceRangesOf(service, annotations), ...(AWS_LBC.securityGroupPrefixLists.on(annotations) ?? [])];
}

function unknownAttributes(annotations: Annotations): string[] {
  const others = Object.keys(AWS_LBC.loadBalancerAttributes.on(annotations)?.additional ?? {});
  return others.filter((key) => !OTHER_NLB_ATTRIBUTES.includes(key));
}

function nearestAttribute(key: string, known: readonly string[]): string | undefined {
  return known.find((one) => editDistance(key.toLowerCase(), one) <= 2);
}

function misspelt(keys: readonly string[], known: readonly string[]): Found[] {
  return keys.flatMap((value) => {
    const near = nearestAttribute(value, known);
    return near === undefined ? [] : [{ near, value }];
  });
}

const IGNORED = 'ignored' as const;

function keysForNoListener(service: Json, annotations: Annotations): string[] {
  return Object.keys(annotations).filter((key) => {
    const port = AWS_LBC.targetGroupAttributesPerPort.match(key)?.port;
    const isOfNoPort = port !== undefined && !portsOf(service).some((other) => String(other.port) === port);
    const of = AWS_LBC.listenerAttributes.match(key) ?? AWS_LBC.actions.match(key);
    const isServed = listenersOf(service, annotations).some((l) => l.port === of?.port && l.protocol === of?.protocol);
    return isOfNoPort || (of !== undefined && !isServed);
  });
}

interface Target {
  readonly serviceName: string;
  readonly servicePort?: string;
}

function targetsIn(annotations: Annotations): Target[] {
  return Object.keys(annotations).flatMap((key) => {
    const listener = AWS_LBC.actions.match(key);
    const groups = listener && AWS_LBC.actions.on(annotations, listener)?.targetGroups;
    return (groups ?? []).flatMap(({ serviceName, servicePort }) =>
      serviceName ? [{ serviceName, servicePort }] : [],
    );
  });
}

function eachTarget(look: (target: Target, found: readonly Json[], annotations: Annotations) => Found | undefined) {
  return (annotations: Annotations, service: Json, { among }: RuleContext) =>
    targetsIn(annotations).map((target) => {
      const { name, namespace } = service.metadata ?? {};
      const key = { name: target.serviceName, namespace };
      const others = among?.index.beside(among, '', 'Service', key).map(({ json }) => json);
      const found = target.serviceName === name ? [service] : others;
      return found && look(target, found, annotations);
    });
}
