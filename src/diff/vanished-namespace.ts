import type { Manifest } from '../rules/manifest-objects';
import { namespaceOf } from './match';
import { namespaceOn } from './objects-on-side';
import type { SideBalancer, Sides } from './side';

/** Namespaces that the API server does not delete. kubernetes/kubernetes v1.36.3, pkg/kubeapiserver/admission/config.go */
const IMMORTAL: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The Namespace of a balancer, where the newer side does not have it any more. */
export function vanishedNamespace(balancer: SideBalancer, { before, after, options }: Sides): Manifest | undefined {
  const name = namespaceOf(balancer);
  if (before.isLive && options.prune !== true) {
    return undefined; // a cluster has more than the manifests that are applied to it
  }
  return IMMORTAL.includes(name) || namespaceOn(after, name) ? undefined : namespaceOn(before, name);
}
