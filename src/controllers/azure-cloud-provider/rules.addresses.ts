import { isIP } from 'node:net';
import type { Rule } from '../../rules/rule';
import { AZURE, AZURE_GROUPS } from './annotations';
import { AZURE_FILES, azureDocs } from './facts';
import { AzureReading, isPublicAddress } from './reading';

/** The rule about what decides the balancer, which options alone can break. */
export const AZURE_ONE_CHOICE: Rule = {
  id: 'azure-configurations-with-address',
  severity: 'error',
  effect: 'refused',
  says: 'load balancer configurations are ignored beside a fixed address',
  source: AZURE_FILES.loadBalancer,
  reads: [AZURE.configurations],
  judge(service) {
    const reading = new AzureReading(service);
    const address = AZURE_GROUPS.addresses.find((entry) => reading.isSet(entry));
    const fixed = address?.on(reading.annotations) ?? service.spec?.loadBalancerIP;
    return reading.isSet(AZURE.configurations) && fixed
      ? {
          what: `configurations are chosen while ${address?.fact.option ?? 'spec.loadBalancerIP'} fixes '${fixed}'`,
          remedy: 'leave out configurations, the Service goes where the address is',
          value: String(fixed),
        }
      : undefined;
  },
};

/** Whether a value is set that is not an address: a placeholder of a template that was not filled in. */
const isUnreadable = (ip: unknown) => ip !== undefined && ip !== null && ip !== '' && isIP(String(ip)) === 0;

/** The rules about fixed addresses. */
export const AZURE_ADDRESS_RULES: readonly Rule[] = [
  AZURE_ONE_CHOICE,
  {
    id: 'azure-private-address-of-public',
    severity: 'error',
    effect: 'refused',
    says: 'a public balancer asks for a private address',
    source: AZURE_FILES.publicIps,
    on: ['spec.loadBalancerIP'],
    reads: [AZURE.loadBalancerIpv4, AZURE.loadBalancerIpv6],
    judge(service) {
      const reading = new AzureReading(service);
      const fixed = [AZURE.loadBalancerIpv4, AZURE.loadBalancerIpv6].map((entry) => entry.on(reading.annotations));
      const odd = [...fixed, service.spec?.loadBalancerIP].find(
        (ip) => typeof ip === 'string' && isIP(ip) !== 0 && !isPublicAddress(ip),
      );
      return odd && !reading.internal
        ? {
            what: `a public balancer is to have the address '${odd}', which is no public one`,
            remedy: 'use the address of a public IP, or make the balancer internal',
            value: odd,
          }
        : undefined;
    },
  },
  {
    id: 'azure-load-balancer-ip-unreadable',
    severity: 'warning',
    effect: 'ignored',
    says: 'spec.loadBalancerIP is not an address and is ignored',
    source: AZURE_FILES.utils,
    on: ['spec.loadBalancerIP'],
    judge(service) {
      const ip = service.spec?.loadBalancerIP;
      return isUnreadable(ip) && !new AzureReading(service).families.includes('IPv6')
        ? {
            what: `spec.loadBalancerIP '${ip}' is not an IP address, so it is ignored without an event and the balancer gets a dynamic address`,
            remedy: `write the address in ${AZURE.loadBalancerIpv4.key()}, or leave it out`,
            value: String(ip),
          }
        : undefined;
    },
  },
  {
    id: 'azure-load-balancer-ip-refused',
    severity: 'error',
    effect: 'refused',
    says: 'spec.loadBalancerIP of a Service with IPv6 is not an address, and the Azure API refuses it',
    source: AZURE_FILES.utils,
    on: ['spec.loadBalancerIP'],
    judge(service) {
      const ip = service.spec?.loadBalancerIP;
      return isUnreadable(ip) && new AzureReading(service).families.includes('IPv6')
        ? {
            what: `spec.loadBalancerIP '${ip}' is not an IP address, and reaches Azure as that of the IPv6 frontend, which refuses it`,
            remedy: `write the address in ${AZURE.loadBalancerIpv6.key()}, or leave it out`,
            value: String(ip),
          }
        : undefined;
    },
  },
  {
    id: 'azure-load-balancer-ip',
    severity: 'warning',
    says: 'deprecated spec.loadBalancerIP in place of the annotations of Azure',
    source: azureDocs('loadbalancer'),
    on: ['spec.loadBalancerIP'],
    supersedes: ['load-balancer-ip'],
    judge(service) {
      const ip = service.spec?.loadBalancerIP;
      const entry = String(ip).includes(':') ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
      return ip && !isUnreadable(ip)
        ? { what: `spec.loadBalancerIP '${ip}' is deprecated`, remedy: `use ${entry.key()}`, value: String(ip) }
        : undefined;
    },
  },
];

/** The rule about addresses of the service, which options alone can break. */
export const AZURE_PRIVATE_LINK_ADDRESSES: Rule = {
  id: 'azure-pls-addresses',
  severity: 'error',
  effect: 'refused',
  says: 'private link service has more fixed addresses than its address count',
  source: AZURE_FILES.privateLink,
  reads: [AZURE.plsIpConfigurationIpAddress],
  judge(service) {
    const { annotations } = new AzureReading(service);
    const fixed = new Set(AZURE.plsIpConfigurationIpAddress.on(annotations) ?? []).size;
    const count = AZURE.plsIpConfigurationIpAddressCount.on(annotations) ?? 1;
    return fixed > count
      ? {
          what: `plsIpConfigurationIpAddress fixes ${fixed} addresses of a private link service that has ${count}`,
          remedy: 'raise plsIpConfigurationIpAddressCount',
          value: String(fixed),
        }
      : undefined;
  },
};

/** The rules about private link services. */
export const AZURE_PRIVATE_LINK_RULES: readonly Rule[] = [
  AZURE_PRIVATE_LINK_ADDRESSES,
  {
    id: 'azure-pls-without-create',
    severity: 'warning',
    effect: 'ignored',
    says: 'settings of a private link service that is not created',
    source: AZURE_FILES.privateLink,
    reads: AZURE_GROUPS.privateLink,
    judge(service) {
      const reading = new AzureReading(service);
      const idle = AZURE_GROUPS.privateLink.filter((entry) => reading.isSet(entry));
      return idle.length > 0 && !reading.isOn(AZURE.plsCreate)
        ? {
            what: `${idle.map((entry) => entry.key()).join(', ')} without a private link service`,
            remedy: `set ${AZURE.plsCreate.key()} to true, or leave it out`,
          }
        : undefined;
    },
  },
  {
    id: 'azure-pls-frontend',
    severity: 'error',
    effect: 'refused',
    says: 'private link service on a frontend that does not support it',
    source: AZURE_FILES.privateLink,
    reads: [AZURE.plsCreate],
    judge(service) {
      const reading = new AzureReading(service);
      if (!reading.isOn(AZURE.plsCreate)) {
        return undefined;
      }
      if (reading.families.length === 1 && reading.families[0] === 'IPv6') {
        return { what: 'a private link service cannot have an IPv6 frontend', remedy: 'use IPv4', value: 'IPv6' };
      }
      return reading.internal || reading.isOn(AZURE.disableFloatingIp)
        ? undefined
        : {
            what: 'a private link service cannot have a public frontend with floating IP',
            remedy: 'make the balancer internal, or set disableFloatingIp',
          };
    },
  },
];
