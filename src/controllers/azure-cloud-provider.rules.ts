import { isIP } from 'node:net';
import { cidrFault } from '../contract/kubernetes-syntax';
import type { Rule } from '../rules/rule';
import { annotationsOf } from '../rules/service-json';
import {
  AZURE,
  AZURE_ADDRESSES,
  AZURE_IGNORED,
  AZURE_PRIVATE_LINK,
  AZURE_PUBLIC_ONLY,
  AZURE_SOURCE,
  azureDocs,
  azureFile,
  network,
} from './azure-cloud-provider.annotations';
import { AZURE_PROBE_RULES, AZURE_PROBE_WINDOW } from './azure-cloud-provider.probe-rules';
import { AzureReading, forwardsSctp, isPublicAddress } from './azure-cloud-provider.reading';

const LOAD_BALANCER = azureFile('pkg/provider/azure_loadbalancer.go');
const PRIVATE_LINK = azureFile('pkg/provider/azure_privatelinkservice.go');
const ACCESS = azureFile('pkg/provider/loadbalancer/accesscontrol.go');

/** Broken by options alone. */
const BY_OPTIONS: readonly Rule[] = [
  {
    id: 'azure-configurations-with-address',
    severity: 'error',
    says: 'load balancer configurations and a fixed address exclude each other: the address decides the balancer',
    source: LOAD_BALANCER,
    judge(service) {
      const reading = new AzureReading(service);
      const address = AZURE_ADDRESSES.find((entry) => reading.isSet(entry));
      const fixed = address?.on(reading.annotations) ?? service.spec?.loadBalancerIP;
      return reading.isSet(AZURE.configurations) && fixed
        ? {
            what: `configurations are chosen while ${address?.fact.option ?? 'spec.loadBalancerIP'} fixes '${fixed}'`,
            wayOut: 'leave out configurations, the Service goes where the address is',
            value: String(fixed),
          }
        : undefined;
    },
  },
  {
    id: 'azure-pls-addresses',
    severity: 'error',
    says: 'a private link service has no more fixed addresses than its address count',
    source: PRIVATE_LINK,
    judge(service) {
      const { annotations } = new AzureReading(service);
      const fixed = new Set(AZURE.plsIpConfigurationIpAddress.on(annotations) ?? []).size;
      const count = AZURE.plsIpConfigurationIpAddressCount.on(annotations) ?? 1;
      return fixed > count
        ? {
            what: `plsIpConfigurationIpAddress fixes ${fixed} addresses of a private link service that has ${count}`,
            wayOut: 'raise plsIpConfigurationIpAddressCount',
            value: String(fixed),
          }
        : undefined;
    },
  },
];

/** Rules that need no more than annotations: broken by options alone, they are so for every Service. */
export const AZURE_OPTION_RULES: readonly Rule[] = [AZURE_PROBE_WINDOW, ...BY_OPTIONS];

/** The rules for Services of the Azure cloud provider. */
export const AZURE_RULES: readonly Rule[] = [
  ...BY_OPTIONS,
  ...AZURE_PROBE_RULES,
  {
    id: 'azure-unknown-port',
    severity: 'error',
    says: 'annotations of single ports name a port of the Service by its number',
    source: LOAD_BALANCER,
    judge(service) {
      const reading = new AzureReading(service);
      const known = new Set([...reading.ports.map((port) => port.port), service.spec?.healthCheckNodePort].map(String));
      return [...reading.ofPorts()]
        .filter(({ port }) => !known.has(port))
        .map(({ key, port }) => ({
          what: `${key} is for port '${port}', which the Service lacks`,
          wayOut: 'name a port of the Service by its number',
          value: port,
        }));
    },
  },
  {
    id: 'azure-two-range-lists',
    severity: 'error',
    says: 'source ranges stand in spec.loadBalancerSourceRanges or in an annotation, not in both',
    source: ACCESS,
    judge(service) {
      const reading = new AzureReading(service);
      return reading.ranges.length > 0 && reading.annotatesRanges
        ? {
            what: `spec.loadBalancerSourceRanges '${reading.ranges.join(',')}' stands beside ranges in an annotation`,
            wayOut: 'keep spec.loadBalancerSourceRanges',
            value: reading.ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'azure-range-has-host-bits',
    severity: 'error',
    says: 'source ranges have no bits set beyond their prefix length: such a range is dropped and shut out',
    source: azureFile('pkg/util/iputil/prefix.go'),
    judge(service) {
      const range = network();
      return new AzureReading(service).ranges
        .filter((text) => !cidrFault(text.trim()) && 'fault' in range.decode(text.trim()))
        .map((text) => ({
          what: `source range '${text}' has bits set beyond its prefix length, so nobody in it can connect`,
          wayOut: 'write the network address, like 10.0.0.0/8',
          value: text,
        }));
    },
  },
  {
    id: 'azure-tags-with-ranges',
    severity: 'warning',
    says: 'service tags do not work beside spec.loadBalancerSourceRanges: kube-proxy drops what is not in the ranges',
    source: azureDocs('loadbalancer'),
    judge(service) {
      const reading = new AzureReading(service);
      return reading.ranges.length > 0 && reading.isSet(AZURE.allowedServiceTags)
        ? {
            what: `kube-proxy drops the clients of service tags '${AZURE.allowedServiceTags.on(reading.annotations) ?? ''}' that are not in spec.loadBalancerSourceRanges`,
            wayOut: "use allowedIpRanges for the ranges, or add the tags' ranges to them",
            value: reading.ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'azure-deny-all-without-ranges',
    severity: 'warning',
    says: 'denying all but the source ranges does nothing where there are none',
    source: ACCESS,
    judge(service) {
      const reading = new AzureReading(service);
      const denies = reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges);
      return denies && reading.ranges.length === 0 && !reading.annotatesRanges
        ? {
            what: 'denyAllExceptLoadBalancerSourceRanges denies nothing, because there are no ranges',
            wayOut: 'give source ranges, or leave it out',
          }
        : undefined;
    },
  },
  {
    id: 'azure-ranges-admit-network',
    severity: 'warning',
    says: 'ranges in an annotation do not keep the virtual network out of an internal balancer',
    source: ACCESS,
    judge(service) {
      const reading = new AzureReading(service);
      return reading.internal && reading.annotatesRanges && !reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges)
        ? {
            what: 'everything in the virtual network can connect, whatever allowedIpRanges says',
            wayOut: 'set denyAllExceptLoadBalancerSourceRanges, or use spec.loadBalancerSourceRanges',
          }
        : undefined;
    },
  },
  {
    id: 'azure-ha-ports-public',
    severity: 'error',
    says: 'high availability ports exist on internal balancers only; a public one gets a rule for each port',
    source: LOAD_BALANCER,
    judge(service) {
      const reading = new AzureReading(service);
      return reading.isOn(AZURE.enableHighAvailabilityPorts) && !reading.internal
        ? {
            what: 'enableHighAvailabilityPorts has no effect on a public balancer',
            wayOut: 'make it internal, or leave it out',
          }
        : undefined;
    },
  },
  {
    id: 'azure-sctp',
    severity: 'error',
    says: 'SCTP needs an internal Standard balancer',
    source: LOAD_BALANCER,
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const sctp = reading.ports.find((port) => port.protocol === 'SCTP' && !reading.isOn(AZURE.portNoLbRule, port));
      return sctp && !forwardsSctp(reading.internal, reading.sku)
        ? {
            what: `port ${sctp.port} is SCTP, which only an internal Standard balancer forwards`,
            wayOut: 'make it internal, or use another protocol',
            value: 'SCTP',
          }
        : undefined;
    },
  },
  {
    id: 'azure-private-address-of-public',
    severity: 'error',
    says: 'the fixed address of a public balancer is a public one',
    source: azureFile('pkg/provider/azure_publicip_repo.go'),
    judge(service) {
      const reading = new AzureReading(service);
      const fixed = [AZURE.loadBalancerIpv4, AZURE.loadBalancerIpv6].map((entry) => entry.on(reading.annotations));
      const odd = [...fixed, service.spec?.loadBalancerIP].find(
        (ip) => typeof ip === 'string' && isIP(ip) !== 0 && !isPublicAddress(ip),
      );
      return odd && !reading.internal
        ? {
            what: `a public balancer is to have the address '${odd}', which is no public one`,
            wayOut: 'use the address of a public IP, or make the balancer internal',
            value: odd,
          }
        : undefined;
    },
  },
  {
    id: 'azure-ignored-by-sku',
    severity: 'warning',
    says: 'an annotation that the SKU of the balancer ignores does nothing, without an event',
    source: LOAD_BALANCER,
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const { sku } = reading;
      return (sku ? AZURE_IGNORED[sku] : [])
        .filter((entry) => reading.isSet(entry))
        .map((entry) => ({
          what: `${entry.key()} is ignored by ${sku === 'basic' ? 'Basic' : sku === 'standard' ? 'a single Standard balancer' : 'Standard balancers'}`,
          wayOut: 'leave it out, or say which balancers the cluster has: standard(), multipleStandard() or basic()',
          value: reading.annotations[entry.key()],
        }));
    },
  },
  {
    id: 'azure-mode-names-pool',
    severity: 'warning',
    says: 'the mode annotation names a VM set, which is not called like the node pool',
    source: azureFile('pkg/provider/azure_standard.go'),
    judge(service, context) {
      const reading = new AzureReading(service, context);
      const mode = AZURE.mode.on(reading.annotations);
      const read = reading.sku === undefined || reading.sku === 'basic';
      return read && mode && /^[a-z][a-z0-9]{0,11}$/.test(mode)
        ? {
            what: `'${mode}' looks like the name of a node pool, but ${AZURE.mode.key()} names a VM set`,
            wayOut: "use Azure's name, such as pool-1-availabilitySet-27255451 or aks-pool1-27255451-vmss",
            value: mode,
          }
        : undefined;
    },
  },
  {
    id: 'azure-ignored-by-scheme',
    severity: 'warning',
    says: 'a subnet is for internal balancers, public IPs and their attributes for public ones',
    source: LOAD_BALANCER,
    judge(service) {
      const reading = new AzureReading(service);
      const { internal } = reading;
      return (internal ? AZURE_PUBLIC_ONLY : [AZURE.internalSubnet])
        .filter((entry) => reading.isSet(entry))
        .map((entry) => ({
          what: `${entry.key()} is ignored, because the balancer is ${internal ? 'internal' : 'public'}`,
          wayOut: internal
            ? 'leave it out, or make the balancer public'
            : `leave it out, or set ${AZURE.loadBalancerInternal.key()} to exactly true`,
          value: reading.annotations[entry.key()],
        }));
    },
  },
  {
    id: 'azure-no-node-port',
    severity: 'error',
    says: 'without floating IP (and on internal IPv6 always) the rules target node ports, so every port needs one',
    source: azureDocs('loadbalancer'),
    judge(service) {
      const reading = new AzureReading(service);
      const bare = reading.portsWithoutNodePort;
      const onIpv6 = reading.internal && reading.families.includes('IPv6');
      const allPorts = reading.internal && reading.isOn(AZURE.enableHighAvailabilityPorts);
      return bare.length > 0 && (onIpv6 || (reading.isOn(AZURE.disableFloatingIp) && !allPorts))
        ? {
            what: `port ${bare[0].port} has no node port, which the rule ${onIpv6 ? 'of an internal IPv6 frontend' : 'without floating IP'} targets`,
            wayOut: 'let node ports be allocated, or give nodePort',
            value: String(bare[0].port),
          }
        : undefined;
    },
  },
  {
    id: 'azure-pls-without-create',
    severity: 'warning',
    says: 'annotations of a private link service do nothing unless one is made',
    source: PRIVATE_LINK,
    judge(service) {
      const reading = new AzureReading(service);
      const idle = AZURE_PRIVATE_LINK.filter((entry) => reading.isSet(entry));
      return idle.length > 0 && !reading.isOn(AZURE.plsCreate)
        ? {
            what: `${idle.map((entry) => entry.key()).join(', ')} without a private link service`,
            wayOut: `set ${AZURE.plsCreate.key()} to true, or leave it out`,
          }
        : undefined;
    },
  },
  {
    id: 'azure-pls-frontend',
    severity: 'error',
    says: 'a private link service needs an internal balancer or one without floating IP, and IPv4',
    source: PRIVATE_LINK,
    judge(service) {
      const reading = new AzureReading(service);
      if (!reading.isOn(AZURE.plsCreate)) {
        return undefined;
      }
      if (reading.families.length === 1 && reading.families[0] === 'IPv6') {
        return { what: 'a private link service cannot have an IPv6 frontend', wayOut: 'use IPv4', value: 'IPv6' };
      }
      return reading.internal || reading.isOn(AZURE.disableFloatingIp)
        ? undefined
        : {
            what: 'a private link service cannot have a public frontend with floating IP',
            wayOut: 'make the balancer internal, or set disableFloatingIp',
          };
    },
  },
  {
    id: 'azure-removed-annotation',
    severity: 'warning',
    says: 'shared security rules are gone since v1.36.0',
    source: AZURE_SOURCE,
    judge(service) {
      const key = AZURE.sharedSecurityRule.key();
      const value = annotationsOf(service)[key];
      return value === undefined
        ? undefined
        : { what: `${key} is not read since v1.36.0`, wayOut: 'leave it out', value: String(value) };
    },
  },
  {
    id: 'azure-load-balancer-ip',
    severity: 'warning',
    says: 'spec.loadBalancerIP is deprecated; Azure has annotations of its own',
    source: azureDocs('loadbalancer'),
    judge(service) {
      const ip = service.spec?.loadBalancerIP;
      const entry = String(ip).includes(':') ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
      return ip
        ? { what: `spec.loadBalancerIP '${ip}' is deprecated`, wayOut: `use ${entry.key()}`, value: String(ip) }
        : undefined;
    },
  },
];
