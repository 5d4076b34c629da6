import { isIP } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { maskedCidr } from '../../contract/annotation-codecs-lists';
import { cidrFault } from '../../contract/kubernetes-syntax';
import { poolsOf } from '../../contract/pod-placement';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { isLocal, rangeAt } from '../../rules/service-json';
import { AZURE, AZURE_GROUPS, AZURE_SOURCE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import { AZURE_IGNORED, AzureReading, forwardsSctp, isPublicAddress, pathsOfTcpProbes } from './model';
import { AZURE_RULE_ROWS } from './rules.facts';

const IGNORING = {
  basic: 'Basic',
  standard: 'a single Standard balancer',
  'multiple-standard': 'Standard balancers',
  unknown: 'Standard balancers, which AKS makes today',
};

/** Every probe of a Service together may take so many seconds at most, exclusive. */
const PROBE_WINDOW_SECONDS = 120;

const PROBE_SETTINGS: readonly AnyAnnotation[] = [
  AZURE.portHealthProbeProtocol,
  AZURE.portHealthProbeRequestPath,
  AZURE.portHealthProbeInterval,
  AZURE.portHealthProbeNumOfProbe,
];

export const AZURE_RULES: readonly Rule[] = rulesOf({
  rows: AZURE_RULE_ROWS,
  source: AZURE_SOURCE,
  catalogue: { ...AZURE, ...AZURE_GROUPS },
  read: (service, context) => new AzureReading(service, context),
  finds: {
    'azure-configurations-with-address': (reading) => {
      const address = AZURE_GROUPS.addresses.find((entry) => reading.isSet(entry));
      const fixed = address?.on(reading.annotations) ?? reading.loadBalancerIp;
      return (
        reading.isSet(AZURE.configurations) &&
        Boolean(fixed) && { option: address?.fact.option ?? 'spec.loadBalancerIP', value: String(fixed) }
      );
    },
    'azure-private-address-on-public': (reading) => {
      const fixed = [AZURE.loadBalancerIpv4, AZURE.loadBalancerIpv6].map((entry) => entry.on(reading.annotations));
      const odd = [...fixed, reading.loadBalancerIp].find(
        (ip): ip is string => typeof ip === 'string' && isIP(ip) !== 0 && !isPublicAddress(ip),
      );
      return odd && !reading.internal && { value: odd };
    },
    'azure-load-balancer-ip-invalid': ({ loadBalancerIp, families }) =>
      isUnreadable(loadBalancerIp) && !families.includes('IPv6') && { value: String(loadBalancerIp) },
    'azure-load-balancer-ip-refused': ({ loadBalancerIp, families }) =>
      isUnreadable(loadBalancerIp) && families.includes('IPv6') && { value: String(loadBalancerIp) },
    'azure-load-balancer-ip-deprecated': ({ loadBalancerIp }) => {
      const entry = String(loadBalancerIp).includes(':') ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
      return (
        Boolean(loadBalancerIp) && !isUnreadable(loadBalancerIp) && { key: entry.key(), value: String(loadBalancerIp) }
      );
    },
    'azure-probe-window-too-long': (reading, service) => {
      const probes = [
        ...(reading.probesNodes ? [service.spec?.healthCheckNodePort] : []),
        ...reading.probed.map((port) => port.port),
      ].map((port) => reading.probeSeconds(port));
      const wide = probes.find(({ interval, threshold }) => interval * threshold >= PROBE_WINDOW_SECONDS);
      return wide && { ...wide, value: String(wide.interval * wide.threshold) };
    },
    'azure-probe-port-unknown': (reading) =>
      reading.probed
        .map((port) => reading.probePort(port))
        .filter((name) => name !== undefined && !/^\d+$/.test(name) && !reading.isOwnPort(name))
        .map((value) => ({ value })),
    'azure-probe-without-node-port': (reading) => {
      const bare = reading.portsWithoutNodePort;
      const blind = reading.probed.find((port) => {
        const own = reading.probePort(port);
        return bare.includes(port) && (own === undefined || reading.isOwnPort(own));
      });
      return (
        blind &&
        !reading.probesNodes &&
        !reading.isOn(AZURE.disableFloatingIp) && { value: String(blind.port), at: reading.portAt(blind, 'port') }
      );
    },
    'azure-probe-path-missing': (reading) =>
      reading.probed
        .filter((port) => reading.isPathUnset(port))
        .map((one) => ({
          port: one.port,
          portHealthProbeProtocol: AZURE.portHealthProbeProtocol.key({ port: one.port }),
          value: one.appProtocol,
          at: reading.portAt(one, 'appProtocol'),
        })),
    'azure-probe-ignored-with-local-policy': (reading, service) => {
      if (!reading.probesNodes) {
        return undefined;
      }
      const overridden = reading.probed.map((port) => String(port.port));
      const ignored = [...reading.ofPorts()]
        .filter(({ entry, port }) => PROBE_SETTINGS.includes(entry) && !overridden.includes(port))
        .filter(({ port }) => port !== String(service.spec?.healthCheckNodePort))
        .map(({ key }) => key);
      if (overridden.length === 0) {
        const whole = [AZURE.healthProbeProtocol, AZURE.healthProbeRequestPath];
        ignored.push(...whole.filter((entry) => reading.isSet(entry)).map((entry) => entry.key()));
      }
      return ignored.map((key) => ({ key, value: reading.annotations[key] }));
    },
    'azure-probe-port-overrides-local-policy': (reading, service) =>
      (reading.probesNodes ? reading.probed : [])
        .map((port) => ({ port: port.port, value: reading.probePort(port) as string }))
        .filter(({ value }) => !reading.isOwnPort(value) && value !== String(service.spec?.healthCheckNodePort)),
    'azure-probe-path-with-tcp': (reading) =>
      pathsOfTcpProbes(reading).map((key) => ({ key, value: reading.annotations[key] })),
    'azure-annotation-port-unknown': (reading, service) => {
      const known = new Set([...reading.ports.map((port) => port.port), service.spec?.healthCheckNodePort].map(String));
      return [...reading.ofPorts()]
        .filter(({ port }) => !known.has(port))
        .map(({ key, port }) => ({ key, value: port }));
    },
    'azure-ha-ports-public': (reading) =>
      reading.isOn(AZURE.enableHighAvailabilityPorts) && !reading.internal && { value: 'true' },
    'azure-sctp-unsupported': (reading) => {
      const sctp = reading.ports.find((port) => port.protocol === 'SCTP' && !reading.isOn(AZURE.portNoLbRule, port));
      return (
        sctp &&
        !forwardsSctp(reading.internal, reading.sku) && {
          port: sctp.port,
          value: 'SCTP',
          at: reading.portAt(sctp, 'protocol'),
        }
      );
    },
    'azure-vm-set-pool-mismatch': ({ annotations, sku }, service, { nodePool, pods = [] }) => {
      const set = AZURE.mode.on(annotations);
      const isOf = (name: string) => new RegExp(`^(aks-?)?${escaped(name)}(-|$)`, 'i').test(String(set));
      if (!set || set === AUTOMATIC_VM_SET) {
        return undefined;
      }
      const local = isLocal(service);
      const found = { value: set, ...(local && { effect: 'no-targets' as const }) };
      if (nodePool) {
        return sku !== 'basic' || [nodePool.name, ...Object.values(nodePool.labels)].some(isOf)
          ? undefined
          : {
              case: 'pinned',
              pool: nodePool.name,
              consequence: local ? ', and with policy Local no other node answers' : '',
              ...found,
            };
      }
      const pools = pods.map(poolsOf);
      const mayBeBasic = sku === undefined || sku === 'basic';
      return (
        mayBeBasic &&
        pools.length > 0 &&
        pools.every((names) => names.length > 0 && !names.some(isOf)) && {
          case: 'scheduled',
          pools: [...new Set(pools.flat())].join(' or '),
          consequence: local
            ? ': with policy Local no node of the backend has a pod, and no connection is answered'
            : ', from which each connection takes another hop',
          ...found,
        }
      );
    },
    'azure-basic-retired': ({ sku }) => sku === 'basic' && { value: 'basic' },
    // of a cluster that is not described: what AKS makes today
    'azure-annotation-ignored-by-sku': (reading) =>
      reading.written(AZURE_IGNORED[reading.sku ?? 'multiple-standard']).map((written) => ({
        ...written,
        case: reading.sku ? 'known' : 'unknown',
        balancer: IGNORING[reading.sku ?? 'unknown'],
        ...(reading.sku && { effect: 'ignored' as const }),
      })),
    'azure-mode-names-pool': ({ annotations, sku }) => {
      const mode = AZURE.mode.on(annotations);
      const read = sku === undefined || sku === 'basic';
      return read && mode && /^[a-z][a-z0-9]{0,11}$/.test(mode) && { value: mode };
    },
    'azure-annotation-ignored-by-scheme': (reading) =>
      reading
        .written(reading.internal ? AZURE_GROUPS.public : [AZURE.internalSubnet])
        .map((written) => ({ ...written, case: reading.internal ? 'internal' : 'public' })),
    'azure-port-without-node-port': (reading) => {
      const [bare] = reading.portsWithoutNodePort;
      const onIpv6 = reading.internal && reading.families.includes('IPv6');
      const allPorts = reading.internal && reading.isOn(AZURE.enableHighAvailabilityPorts);
      return (
        bare &&
        (onIpv6 || (reading.isOn(AZURE.disableFloatingIp) && !allPorts)) && {
          rule: onIpv6 ? 'of an internal IPv6 frontend' : 'without floating IP',
          value: String(bare.port),
          at: reading.portAt(bare, 'port'),
        }
      );
    },
    'azure-source-ranges-duplicate': ({ ranges, annotatesRanges }) =>
      ranges.length > 0 && annotatesRanges && { value: ranges.join(',') },
    'azure-source-range-host-bits': ({ ranges }, service) =>
      ranges
        .filter((text) => !cidrFault(text.trim()) && 'fault' in maskedCidr().decode(text.trim()))
        .map((value) => ({ value, at: rangeAt(service, value) })),
    'azure-service-tags-with-source-ranges': (reading) =>
      reading.ranges.length > 0 &&
      reading.isSet(AZURE.allowedServiceTags) && {
        allowedServiceTags: AZURE.allowedServiceTags.on(reading.annotations) ?? '',
        value: reading.ranges.join(','),
      },
    'azure-deny-all-without-source-ranges': (reading) =>
      reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges) &&
      reading.ranges.length === 0 &&
      !reading.annotatesRanges && { value: 'true' },
    'azure-source-ranges-open-to-vnet': (reading) =>
      reading.internal && reading.annotatesRanges && !reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges) && {},
    'azure-pls-too-many-addresses': ({ annotations }) => {
      const fixed = new Set(AZURE.plsIpConfigurationIpAddress.on(annotations) ?? []).size;
      const count = AZURE.plsIpConfigurationIpAddressCount.on(annotations) ?? 1;
      return fixed > count && { count, value: String(fixed) };
    },
    'azure-pls-without-create': (reading) => {
      const idle = reading.written(AZURE_GROUPS.privateLink);
      return idle.length > 0 && !reading.isOn(AZURE.plsCreate) && { keys: idle.map(({ key }) => key).join(', ') };
    },
    'azure-pls-frontend-unsupported': (reading) => {
      if (!reading.isOn(AZURE.plsCreate)) {
        return undefined;
      }
      if (reading.families.length === 1 && reading.families[0] === 'IPv6') {
        return { case: 'ipv6', value: 'IPv6' };
      }
      return !reading.internal && !reading.isOn(AZURE.disableFloatingIp) && { case: 'public' };
    },
  },
});

/** Rules that need no more than annotations: broken by options alone, they are so for every Service. */
export const AZURE_OPTION_RULES: readonly Rule[] = [
  'azure-probe-window-too-long',
  'azure-configurations-with-address',
  'azure-pls-too-many-addresses',
].flatMap((id) => AZURE_RULES.filter((rule) => rule.id === id));

function isUnreadable(ip: unknown): boolean {
  return ip !== undefined && ip !== null && ip !== '' && isIP(String(ip)) === 0;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&');
}
