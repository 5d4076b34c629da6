import { Annotation, type AnnotationFact } from '../../contract/annotation-catalogue';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';

/** Upstream name of the controller. */
export const AZURE_CONTROLLER = 'cloud-provider-azure';

/** Where these facts were read. */
export const AZURE_SOURCE: Citation = {
  repository: 'kubernetes-sigs/cloud-provider-azure',
  version: 'v1.36.5',
  file: 'pkg/consts/consts.go',
};

/** A file of the same version. */
export const azureFile = (file: string): Citation => ({ ...AZURE_SOURCE, file });

/** A page of its documentation. */
export const azureDocs = (page: string): Citation => ({
  ...AZURE_SOURCE,
  version: 'documentation branch of 2026-08-13',
  file: `content/en/topics/${page}.md`,
});

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

/** The value of the mode annotation that lets the controller choose the VM set. */
export const AUTOMATIC_VM_SET = '__auto__';

const PREFIX = 'service.beta.kubernetes.io/';

/** How the keys of this controller begin, those of single ports apart. */
export const AZURE_PREFIX = `${PREFIX}azure-`;

/** How the keys of single ports begin. */
export const AZURE_PORT_PREFIX = `${PREFIX}port_`;

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

/** An entry of the catalogue, by its key without the prefix. */
export function azureEntry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = {
    badValue: 'refused',
    source: AZURE_FILES.loadBalancer,
    confidence: Confidence.SOURCE,
  } as const;
  return new Annotation<T>({ ...common, ...fact, key: PREFIX + name });
}

/** Which Azure Load Balancers a cluster has; it has one kind only. */
export type AzureSku = 'standard' | 'multiple-standard' | 'basic';
