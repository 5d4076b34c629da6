import { ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type AttachedTenant, documentKey, type PlacedService } from './attached-tenant';

/** The balancer that objects publish something at. */
export interface PublishingBalancer {
  readonly name: string;
  readonly namespace?: string;
}

/**
 * Makes the objects that publish a Service, as far as they do not exist yet: what holds all ports of a tenant is made
 * with its first Service. Their content is lazy, since later Services add to it.
 */
export function publishObjects(
  scope: Construct,
  tenant: AttachedTenant,
  balancer: PublishingBalancer,
  service: PlacedService,
  known: Set<string>,
): void {
  for (const document of tenant.documentsOf(balancer, [service])) {
    const key = documentKey(document);
    if (known.has(key)) {
      continue;
    }
    known.add(key);
    const { apiVersion, kind, metadata, ...content } = document;
    const lazy = Object.keys(content).map((field) => [
      field,
      Lazy.any({ produce: () => tenant.document(service.balancer, balancer, key)[field] }),
    ]);
    new ApiObject(scope, `${kind}-${metadata.name}`, { apiVersion, kind, metadata, ...Object.fromEntries(lazy) });
  }
}
