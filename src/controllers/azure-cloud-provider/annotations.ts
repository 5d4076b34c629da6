import { AnnotationCatalogue, type AnyAnnotation } from '../../contract/annotation-catalogue';
import { AZURE_ACCESS } from './access.annotations';
import { AZURE_ADDRESS } from './addresses.annotations';
import { AZURE_BALANCER } from './balancer.annotations';
import { AZURE_PLS } from './private-link.annotations';
import { AZURE_PORT, AZURE_PROBE } from './probe.annotations';
import { AZURE_PORT_PREFIX, AZURE_PREFIX, type AzureSku } from './product.annotations';

/** The annotations of the Azure cloud provider. */
export const AZURE = {
  ...AZURE_BALANCER,
  ...AZURE_ADDRESS,
  ...AZURE_ACCESS,
  ...AZURE_PROBE,
  ...AZURE_PORT,
  ...AZURE_PLS,
};

/** Entries of one port of the Service. */
export const AZURE_OF_PORTS: readonly AnyAnnotation[] = Object.values(AZURE_PORT);

const STANDARD_ONLY: readonly AnyAnnotation[] = [
  AZURE.loadBalancerIpv6,
  AZURE.disableTcpReset,
  AZURE.enableHighAvailabilityPorts,
  AZURE.pipNameIpv6,
  AZURE.pipPrefixId,
  AZURE.pipPrefixIdIpv6,
  AZURE.pipIpTags,
  AZURE.additionalPublicIps,
  ...Object.values(AZURE_PLS),
];

/** Entries that one kind of balancer ignores. */
export const AZURE_IGNORED: Readonly<Record<AzureSku, readonly AnyAnnotation[]>> = {
  standard: [AZURE.mode, AZURE.configurations],
  'multiple-standard': [AZURE.mode],
  basic: [AZURE.configurations, ...STANDARD_ONLY],
};

/** All of them. */
export const AZURE_CATALOGUE = new AnnotationCatalogue([AZURE_PREFIX, AZURE_PORT_PREFIX], Object.values(AZURE));
