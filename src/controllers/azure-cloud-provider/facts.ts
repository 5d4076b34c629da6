import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { AZURE_GROUPS } from './annotations';

/** How the keys of single ports begin. */
export const AZURE_PORT_PREFIX = 'service.beta.kubernetes.io/port_';

/** Which Azure Load Balancers a cluster has; it has one kind only. */
export type AzureSku = 'standard' | 'multiple-standard' | 'basic';

/** Annotations that one kind of balancer ignores. */
export const AZURE_IGNORED: Readonly<Record<AzureSku, readonly AnyAnnotation[]>> = {
  standard: AZURE_GROUPS.notStandard,
  'multiple-standard': AZURE_GROUPS.notMultipleStandard,
  basic: AZURE_GROUPS.notBasic,
};
