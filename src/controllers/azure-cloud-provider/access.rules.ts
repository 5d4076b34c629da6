import { maskedCidr } from '../../contract/annotation-codecs-network';
import { cidrFault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { AZURE } from './annotations';
import { AZURE_FILES, azureDocs, azureFile } from './product.annotations';
import { AzureReading } from './reading';

/** The rules about who may connect. */
export const AZURE_ACCESS_RULES: readonly Rule[] = [
  {
    id: 'azure-two-range-lists',
    severity: 'error',
    says: 'source ranges stand in spec.loadBalancerSourceRanges or in an annotation, not in both',
    source: AZURE_FILES.accessControl,
    judge(service) {
      const reading = new AzureReading(service);
      return reading.ranges.length > 0 && reading.annotatesRanges
        ? {
            what: `spec.loadBalancerSourceRanges '${reading.ranges.join(',')}' stands beside ranges in an annotation`,
            remedy: 'keep spec.loadBalancerSourceRanges',
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
      const range = maskedCidr();
      return new AzureReading(service).ranges
        .filter((text) => !cidrFault(text.trim()) && 'fault' in range.decode(text.trim()))
        .map((text) => ({
          what: `source range '${text}' has bits set beyond its prefix length, so nobody in it can connect`,
          remedy: 'write the network address, like 10.0.0.0/8',
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
            remedy: "use allowedIpRanges for the ranges, or add the tags' ranges to them",
            value: reading.ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'azure-deny-all-without-ranges',
    severity: 'warning',
    says: 'denying all but the source ranges does nothing where there are none',
    source: AZURE_FILES.accessControl,
    judge(service) {
      const reading = new AzureReading(service);
      const denies = reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges);
      return denies && reading.ranges.length === 0 && !reading.annotatesRanges
        ? {
            what: 'denyAllExceptLoadBalancerSourceRanges denies nothing, because there are no ranges',
            remedy: 'give source ranges, or leave it out',
          }
        : undefined;
    },
  },
  {
    id: 'azure-ranges-admit-network',
    severity: 'warning',
    says: 'ranges in an annotation do not keep the virtual network out of an internal balancer',
    source: AZURE_FILES.accessControl,
    judge(service) {
      const reading = new AzureReading(service);
      return reading.internal && reading.annotatesRanges && !reading.isOn(AZURE.denyAllExceptLoadBalancerSourceRanges)
        ? {
            what: 'everything in the virtual network can connect, whatever allowedIpRanges says',
            remedy: 'set denyAllExceptLoadBalancerSourceRanges, or use spec.loadBalancerSourceRanges',
          }
        : undefined;
    },
  },
];
