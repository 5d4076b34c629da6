import { maskedCidr } from '../../contract/annotation-codecs-network';
import { cidrFault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { AZURE, AZURE_CONTROLLER, AZURE_GROUPS } from './annotations';
import { AZURE_FILES, AZURE_IGNORED, azureDocs, azureFile } from './facts';
import { AzureReading, forwardsSctp } from './reading';
import {
  AZURE_ADDRESS_RULES,
  AZURE_ONE_CHOICE,
  AZURE_PRIVATE_LINK_ADDRESSES,
  AZURE_PRIVATE_LINK_RULES,
} from './rules.addresses';
import { AZURE_PROBE_RULES, AZURE_PROBE_WINDOW } from './rules.probes';
import { AZURE_VM_SET_OF_ANOTHER_POOL } from './rules.vm-set';

/** Balancers that ignore an annotation, as text. */
const IGNORING = {
  basic: 'Basic',
  standard: 'a single Standard balancer',
  'multiple-standard': 'Standard balancers',
  unknown: 'Standard balancers, which AKS makes today',
};

/** The rules about which balancer a Service gets, and how it forwards. */
export const AZURE_BALANCER_RULES: readonly Rule[] = [
  {
    id: 'azure-unknown-port',
    severity: 'warning',
    effect: 'ignored',
    says: 'annotation for a port that the Service does not have',
    source: AZURE_FILES.loadBalancer,
    reads: AZURE_GROUPS.ports,
    judge(service) {
      const reading = new AzureReading(service);
      const known = new Set([...reading.ports.map((port) => port.port), service.spec?.healthCheckNodePort].map(String));
      return [...reading.ofPorts()]
        .filter(({ port }) => !known.has(port))
        .map(({ key, port }) => ({
          what: `${key} is for port '${port}', which the Service lacks`,
          remedy: 'name a port of the Service by its number',
          value: port,
        }));
    },
  },
  {
    id: 'azure-ha-ports-public',
    severity: 'warning',
    effect: 'ignored',
    says: 'high availability ports on a public balancer',
    source: AZURE_FILES.loadBalancer,
    reads: [AZURE.enableHighAvailabilityPorts],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.isOn(AZURE.enableHighAvailabilityPorts) && !reading.internal
        ? {
            what: 'enableHighAvailabilityPorts has no effect on a public balancer',
            remedy: 'make it internal, or leave it out',
            value: 'true',
          }
        : undefined;
    },
  },
  {
    id: 'azure-sctp',
    severity: 'error',
    effect: 'refused',
    says: 'SCTP port on a balancer that is not an internal Standard balancer',
    source: AZURE_FILES.loadBalancer,
    on: ['spec.ports'],
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const sctp = reading.ports.find((port) => port.protocol === 'SCTP' && !reading.isOn(AZURE.portNoLbRule, port));
      return sctp && !forwardsSctp(reading.internal, reading.sku)
        ? {
            what: `port ${sctp.port} is SCTP, which only an internal Standard balancer forwards`,
            remedy: 'make it internal, or use another protocol',
            value: 'SCTP',
          }
        : undefined;
    },
  },
  AZURE_VM_SET_OF_ANOTHER_POOL,
  {
    id: 'azure-basic-retired',
    severity: 'warning',
    says: 'SKU Basic was retired on 2025-09-30',
    source: {
      repository: 'Azure AKS documentation',
      version: '2026-11-22',
      file: 'upgrade-basic-load-balancer-on-aks',
    },
    on: ['spec.ports'],
    judge: (service, context) =>
      new AzureReading(service, context).sku === 'basic'
        ? {
            what: 'Basic load balancers were retired on 2025-09-30, and AKS moves the availability sets of such clusters',
            remedy:
              'use AzureCloudProvider.standard() or multipleStandard(), or name another sku of the controller in load-balancers.yaml',
            value: 'basic',
          }
        : undefined,
  },
  {
    id: 'azure-ignored-by-sku',
    severity: 'warning',
    says: 'annotation that the SKU of the balancer ignores',
    source: AZURE_FILES.loadBalancer,
    reads: Object.values(AZURE_IGNORED).flat(),
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const { sku } = reading;
      // of a cluster that is not described: what AKS makes today
      return AZURE_IGNORED[sku ?? 'multiple-standard']
        .filter((entry) => reading.isSet(entry))
        .map((entry) => ({
          what: `${entry.key()} is ignored by ${IGNORING[sku ?? 'unknown']}`,
          remedy: sku
            ? 'leave it out, or set sku to standard, multipleStandard or basic, as the balancers of the cluster have it'
            : `leave it out, or set sku: basic of ${AZURE_CONTROLLER} in load-balancers.yaml if the cluster still has Basic balancers`,
          value: reading.annotations[entry.key()],
          ...(sku && { effect: 'ignored' as const }),
        }));
    },
  },
  {
    id: 'azure-mode-names-pool',
    severity: 'warning',
    says: 'mode annotation names a node pool instead of a VM set',
    source: azureFile('pkg/provider/azure_standard.go'),
    reads: [AZURE.mode],
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const mode = AZURE.mode.on(reading.annotations);
      const read = reading.sku === undefined || reading.sku === 'basic';
      return read && mode && /^[a-z][a-z0-9]{0,11}$/.test(mode)
        ? {
            what: `'${mode}' looks like the name of a node pool, but ${AZURE.mode.key()} names a VM set`,
            remedy: "use Azure's name, such as pool-1-availabilitySet-27255451 or aks-pool1-27255451-vmss",
            value: mode,
          }
        : undefined;
    },
  },
  {
    id: 'azure-ignored-by-scheme',
    severity: 'warning',
    effect: 'ignored',
    says: 'annotation that a balancer of this scheme ignores',
    source: AZURE_FILES.loadBalancer,
    reads: [...AZURE_GROUPS.public, AZURE.internalSubnet],
    judge(service) {
      const reading = new AzureReading(service);
      const { internal } = reading;
      return (internal ? AZURE_GROUPS.public : [AZURE.internalSubnet])
        .filter((entry) => reading.isSet(entry))
        .map((entry) => ({
          what: `${entry.key()} is ignored, because the balancer is ${internal ? 'internal' : 'public'}`,
          remedy: internal
            ? 'leave it out, or make the balancer public'
            : `leave it out, or set ${AZURE.loadBalancerInternal.key()} to exactly true`,
          value: reading.annotations[entry.key()],
        }));
    },
  },
  {
    id: 'azure-no-node-port',
    severity: 'error',
    says: 'port without a node port and without floating IP',
    source: azureDocs('loadbalancer'),
    on: ['spec.ports'],
    judge(service) {
      const reading = new AzureReading(service);
      const bare = reading.portsWithoutNodePort;
      const onIpv6 = reading.internal && reading.families.includes('IPv6');
      const allPorts = reading.internal && reading.isOn(AZURE.enableHighAvailabilityPorts);
      return bare.length > 0 && (onIpv6 || (reading.isOn(AZURE.disableFloatingIp) && !allPorts))
        ? {
            what: `port ${bare[0].port} has no node port, which the rule ${onIpv6 ? 'of an internal IPv6 frontend' : 'without floating IP'} targets`,
            remedy: 'let node ports be allocated, or give nodePort',
            value: String(bare[0].port),
          }
        : undefined;
    },
  },
];

/** The rules about who may connect. */
export const AZURE_ACCESS_RULES: readonly Rule[] = [
  {
    id: 'azure-two-range-lists',
    severity: 'error',
    effect: 'refused',
    says: 'source ranges in the field and in an annotation',
    source: AZURE_FILES.accessControl,
    on: ['spec.loadBalancerSourceRanges'],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.ranges.length > 0 && reading.annotatesRanges
        ? {
            what: `spec.loadBalancerSourceRanges '${reading.ranges.join(',')}' is set beside ranges in an annotation`,
            remedy: 'keep spec.loadBalancerSourceRanges',
            value: reading.ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'azure-range-has-host-bits',
    severity: 'error',
    says: 'source range has bits set beyond its prefix length',
    source: azureFile('pkg/util/iputil/prefix.go'),
    on: ['spec.loadBalancerSourceRanges'],
    judge(service) {
      const range = maskedCidr();
      return new AzureReading(service).ranges
        .filter((text) => !cidrFault(text.trim()) && 'fault' in range.decode(text.trim()))
        .map((text) => ({
          what: `source range '${text}' has bits set beyond its prefix length, so no client in it can connect`,
          remedy: 'write the network address, like 10.0.0.0/8',
          value: text,
        }));
    },
  },
  {
    id: 'azure-tags-with-ranges',
    severity: 'warning',
    says: 'service tags beside spec.loadBalancerSourceRanges',
    source: azureDocs('loadbalancer'),
    reads: [AZURE.allowedServiceTags],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.ranges.length > 0 && reading.isSet(AZURE.allowedServiceTags)
        ? {
            what: `kube-proxy drops the clients of service tags '${AZURE.allowedServiceTags.on(reading.annotations) ?? ''}' that are not in spec.loadBalancerSourceRanges`,
            remedy: "use allowedIpRanges for the ranges, or add the tags' ranges to them",
            value: reading.ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'azure-deny-all-without-ranges',
    severity: 'warning',
    effect: 'ignored',
    says: 'denies all but the source ranges, and there are none',
    source: AZURE_FILES.accessControl,
    reads: [AZURE.denyAllExceptLoadBalancerSourceRanges],
    judge(service) {
      const reading = new AzureReading(service);
      const denies = reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges);
      return denies && reading.ranges.length === 0 && !reading.annotatesRanges
        ? {
            what: 'denyAllExceptLoadBalancerSourceRanges denies nothing, because there are no ranges',
            remedy: 'give source ranges, or leave it out',
            value: 'true',
          }
        : undefined;
    },
  },
  {
    id: 'azure-ranges-admit-network',
    severity: 'warning',
    says: 'ranges in an annotation leave the balancer open to the virtual network',
    source: AZURE_FILES.accessControl,
    reads: [AZURE.allowedIpRanges, AZURE.loadBalancerSourceRanges],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.internal && reading.annotatesRanges && !reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges)
        ? {
            what: 'everything in the virtual network can connect, regardless of allowedIpRanges',
            remedy: 'set denyAllExceptLoadBalancerSourceRanges, or use spec.loadBalancerSourceRanges',
          }
        : undefined;
    },
  },
];

/** Rules that need no more than annotations: broken by options alone, they are so for every Service. */
export const AZURE_OPTION_RULES: readonly Rule[] = [AZURE_PROBE_WINDOW, AZURE_ONE_CHOICE, AZURE_PRIVATE_LINK_ADDRESSES];

/** The rules for Services of the Azure cloud provider. */
export const AZURE_RULES: readonly Rule[] = [
  ...AZURE_ADDRESS_RULES,
  ...AZURE_PROBE_RULES,
  ...AZURE_BALANCER_RULES,
  ...AZURE_ACCESS_RULES,
  ...AZURE_PRIVATE_LINK_RULES,
];
