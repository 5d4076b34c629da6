import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Citation } from '../../contract/kubernetes.facts';
import { AZURE_DOCS_SOURCE, AZURE_GROUPS, AZURE_SOURCE } from './annotations';

/** A file of the same version. */
export const azureFile = (file: string): Citation => ({ ...AZURE_SOURCE, file });

/** A page of its documentation. */
export const azureDocs = (page: string): Citation => ({ ...AZURE_DOCS_SOURCE, file: `content/en/topics/${page}.md` });

/** The files that several facts and rules were read in. */
export const AZURE_FILES = {
  loadBalancer: azureFile('pkg/provider/azure_loadbalancer.go'),
  healthProbe: azureFile('pkg/provider/azure_loadbalancer_healthprobe.go'),
  privateLink: azureFile('pkg/provider/azure_privatelinkservice.go'),
  publicIps: azureFile('pkg/provider/azure_publicip_repo.go'),
  access: azureFile('pkg/provider/loadbalancer/configuration.go'),
  accessControl: azureFile('pkg/provider/loadbalancer/accesscontrol.go'),
  utils: azureFile('pkg/provider/azure_utils.go'),
};

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
