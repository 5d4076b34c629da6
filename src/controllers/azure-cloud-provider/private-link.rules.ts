import type { Rule } from '../../rules/rule';
import { AZURE } from './annotations';
import { AZURE_PRIVATE_LINK } from './private-link.annotations';
import { AZURE_FILES } from './product.annotations';
import { AzureReading } from './reading';

/** The rule about addresses of the service, which options alone can break. */
export const AZURE_PRIVATE_LINK_ADDRESSES: Rule = {
  id: 'azure-pls-addresses',
  severity: 'error',
  says: 'a private link service has no more fixed addresses than its address count',
  source: AZURE_FILES.privateLink,
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
    says: 'annotations of a private link service do nothing unless one is made',
    source: AZURE_FILES.privateLink,
    judge(service) {
      const reading = new AzureReading(service);
      const idle = AZURE_PRIVATE_LINK.filter((entry) => reading.isSet(entry));
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
    says: 'a private link service needs an internal balancer or one without floating IP, and IPv4',
    source: AZURE_FILES.privateLink,
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
