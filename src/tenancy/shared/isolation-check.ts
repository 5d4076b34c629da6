import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { lookAt } from '../../rules/judge-object';
import type { EngineIsolation } from '../engines/contract/engine';
import { type Fault, reported } from '../fault';
import { changeOf, isolatingObjectsIn, isWritten } from '../guard/isolation';
import type { AttachedTenant, PublishedObject } from './attached-tenant';
import { ISOLATION_REMOVED, ISOLATION_WEAKENED } from './rules';
import type { TenancyFindings, TenancyRegistry } from './tenancy-registry';

/** What is wrong, and what will surprise, with patches, removals and other objects of the app. */
export function findingsOfWritten(host: Construct, registry: TenancyRegistry): TenancyFindings {
  const { errors, warnings } = registry.findings();
  return {
    errors: [...errors, ...faultsOfIsolation(host, registry)],
    warnings,
  };
}

/**
 * Isolating objects that were removed or patched: policies with their bindings, the balancers, and what tenants have at
 * them. Of the latter there may be thousands, so only patched ones are rendered.
 */
function faultsOfIsolation(host: IConstruct, { settings, tenants }: TenancyRegistry): LoadBalancerFinding[] {
  const { oneTeam, engine } = settings;
  if (oneTeam) {
    return [];
  }
  const isolating = isolatingObjectsIn(host).flatMap(({ object, weaknessOf }) => {
    const { kind, name, node } = object;
    const title = `${kind} ${name} (${node.path})`;
    if (isWritten(object) && !isPatched(object)) {
      return [];
    }
    return isWritten(object)
      ? weakened(title, weaknessOf(lookAt(object)))
      : removed(`${title}, which keeps tenants apart,`);
  });
  const published = [...tenants.values()].flatMap((tenant) =>
    tenant.objects.flatMap((object) => {
      if (isWritten(object) && !object.isPatched) {
        return [];
      }
      const title = `${object.kind} ${tenant.name}/${object.name} (${object.node.path})`;
      return isWritten(object)
        ? weakened(title, weaknessOf(object, tenant, engine.isolation.weaknessOf))
        : removed(`${title}, with which tenant ${tenant.name} is published,`);
    }),
  );
  return reported([...isolating, ...published], engine.name);
}

/** By what cdk8s keeps of patches. Policies name every tenant: unpatched ones are not rendered again. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  return patches?.length !== 0;
}

/** A published object holds what its tenant has; it may hold more if that reaches no other tenant. */
function weaknessOf(
  object: PublishedObject,
  tenant: AttachedTenant,
  weakness: EngineIsolation['weaknessOf'],
): string | undefined {
  const found = lookAt(object);
  const { metadata, ...made } = object.made;
  const { name } = metadata;
  return (
    changeOf({ ...made, metadata: { name, namespace: tenant.name } }, found, { additions: true }) ?? weakness(found)
  );
}

function weakened(title: string, weakness: string | undefined): Fault[] {
  return weakness === undefined
    ? []
    : [
        {
          rule: ISOLATION_WEAKENED,
          what: `${title} was patched, and isolates tenants less than it was made to: ${weakness}`,
          remedy: 'remove the patch, or set oneTeam if all tenants are one team',
        },
      ];
}

function removed(title: string): Fault[] {
  return [
    {
      rule: ISOLATION_REMOVED,
      what: `${title} was removed`,
      remedy: 'leave it where it was made, or set oneTeam if all tenants are one team',
    },
  ];
}
