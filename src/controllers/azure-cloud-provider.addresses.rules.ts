import { isIP } from 'node:net';
import type { Rule } from '../rules/rule';
import { AZURE_ADDRESSES } from './azure-cloud-provider.addresses.annotations';
import { AZURE } from './azure-cloud-provider.annotations';
import { AZURE_FILES, azureDocs } from './azure-cloud-provider.product.annotations';
import { AzureReading, isPublicAddress } from './azure-cloud-provider.reading';

/** The rule about what decides the balancer, which options alone can break. */
export const AZURE_ONE_CHOICE: Rule = {
  id: 'azure-configurations-with-address',
  severity: 'error',
  says: 'load balancer configurations and a fixed address exclude each other: the address decides the balancer',
  source: AZURE_FILES.loadBalancer,
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
};

/** The rules about fixed addresses. */
export const AZURE_ADDRESS_RULES: readonly Rule[] = [
  AZURE_ONE_CHOICE,
  {
    id: 'azure-private-address-of-public',
    severity: 'error',
    says: 'the fixed address of a public balancer is a public one',
    source: AZURE_FILES.publicIps,
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
