import { shown } from '../contract/json';
import { STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import {
  annotationKeyFault,
  dnsLabelFault,
  labelValueFault,
  serviceNameFault,
  tokenFault,
} from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { each, eachEntry, faultFinding, keyFault, refuses } from './api-server-rule';
import type { Rule } from './rule';
import { finalizersOf } from './service-json';

const NAME_REMEDY = 'give it a shorter or simpler name';

/** Since when a digit may begin the name of a Service. kubernetes/kubernetes v1.36.3, pkg/features/kube_features.go */
const LETTERLESS_SINCE = KubernetesVersion.of('1.36');

/** What the API server refuses in the metadata of a Service. */
export const SERVICE_METADATA_RULES: readonly Rule[] = [
  refuses('service-name', 'invalid name of a Service', (service, { kubernetes }) => {
    const name = service.metadata?.name;
    if (typeof name === 'string') {
      const fault = kubernetes.isAtLeast(LETTERLESS_SINCE) ? dnsLabelFault(name) : serviceNameFault(name);
      const finding = faultFinding(tokenFault(name) ?? fault, 'metadata.name', NAME_REMEDY);
      return finding && { ...finding, at: '/metadata/name' };
    }
    return service.metadata?.generateName
      ? undefined
      : { what: 'the Service has no name', remedy: 'name it', at: '/metadata/name' };
  }),
  {
    id: 'generated-name',
    who: 'kubernetes',
    severity: 'warning',
    says: 'generated name creates another Service at each apply',
    source: {
      repository: 'kubernetes/kubernetes',
      version: 'v1.36.3',
      file: 'staging/src/k8s.io/apiserver/pkg/registry/rest/create.go',
    },
    judge: ({ metadata }) =>
      typeof metadata?.name !== 'string' && metadata?.generateName
        ? {
            what: `the Service has generateName ${shown(metadata.generateName)}, so each time it is created makes another balancer, and kubectl apply refuses it`,
            remedy: 'give it a name',
            value: String(metadata.generateName),
          }
        : undefined,
  },
  refuses('namespace-name', 'invalid name of a namespace', ({ metadata }) =>
    typeof metadata?.namespace === 'string'
      ? faultFinding(dnsLabelFault(metadata.namespace), 'metadata.namespace', NAME_REMEDY)
      : undefined,
  ),
  refuses('label-syntax', 'invalid label', ({ metadata }) =>
    eachEntry(metadata?.labels, (key, value) =>
      faultFinding(
        keyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : undefined),
        'metadata.labels',
        'use a label that Kubernetes accepts',
      ),
    ),
  ),
  refuses('annotation-syntax', 'invalid annotation key, or a value that is not a string', (service) =>
    eachEntry(service.metadata?.annotations, (key, value) =>
      faultFinding(
        (keyFault(key) && annotationKeyFault(key)) ?? (typeof value === 'string' ? tokenFault(value) : undefined),
        'metadata.annotations',
        'write qualified names, and values in quotes',
      ),
    ),
  ),
  refuses('finalizer-syntax', 'finalizer without a domain, or with an invalid name', (service) =>
    each(finalizersOf(service), (finalizer) =>
      faultFinding(
        typeof finalizer === 'string' && finalizer.includes('/')
          ? keyFault(finalizer)
          : STANDARD_FINALIZERS.includes(finalizer)
            ? undefined
            : `'${finalizer}' has no domain before a slash`,
        'metadata.finalizers',
        'write domain/name',
      ),
    ),
  ),
];
