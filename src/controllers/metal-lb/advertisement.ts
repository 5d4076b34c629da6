import { createHash } from 'node:crypto';
import { ApiObject, Chart, Names } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { METALLB_API_VERSION } from './annotations';

/** A name that is unique in MetalLB's namespace, and the same whenever the Service is the same. */
export function advertisementName(scope: Construct): string {
  const { namespace } = Chart.of(scope);
  const hash = createHash('sha256')
    .update(JSON.stringify([namespace ?? '', scope.node.path]))
    .digest('hex')
    .slice(0, 8);
  return `${Names.toDnsLabel(scope, { includeHash: false, maxLen: 54 })}-${hash}`;
}

/** What was asked of an advertisement that stands already. */
const asked = new WeakMap<IConstruct, string>();

/** One advertisement a host, however often it binds; constructs refuses a second one that says something else. */
export function ensureAdvertisement(scope: Construct, kind: string, name: string, namespace: string, spec: Json): void {
  const present = scope.node.tryFindChild(kind);
  const wanted = { apiVersion: METALLB_API_VERSION, kind, metadata: { name, namespace }, spec };
  if (!present || asked.get(present) !== JSON.stringify(wanted)) {
    asked.set(new ApiObject(scope, kind, wanted), JSON.stringify(wanted));
  }
}
