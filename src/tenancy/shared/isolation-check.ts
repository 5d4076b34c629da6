import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { lookAt } from '../../rules/judge-object';
import { changeOf, fencesWithin } from '../guard/isolation';
import type { AttachedTenant, PublishedObject } from './attached-tenant';
import type { TenancyBook, TenancyFindings } from './tenancy-registry';

/** What is wrong and what is remarkable of what is written: patches, removals and other objects of the app included. */
export function findingsOfWritten(host: Construct, book: TenancyBook): TenancyFindings {
  const { errors, warnings } = book.findings();
  const { engine } = book.settings;
  const inApp = (engine.faultsInApp?.(host) ?? []).map((fault) => ({ who: engine.name, ...fault }));
  return { errors: [...errors, ...inApp, ...faultsOfFences(host, book)], warnings };
}

/**
 * What was removed or patched of what keeps tenants apart: policies with their bindings, the balancers, and what tenants
 * have at them. Of the latter there may be thousands, so that only what was patched is rendered.
 */
function faultsOfFences(host: IConstruct, { settings, tenants }: TenancyBook): LoadBalancerFinding[] {
  const { oneTeam, engine } = settings;
  if (oneTeam) {
    return [];
  }
  const fences = fencesWithin(host).flatMap(({ object, weaknessOf }) => {
    const { kind, name, node } = object;
    const title = `${kind} ${name} (${node.path})`;
    if (isThere(object) && !isPatched(object)) {
      return [];
    }
    return isThere(object)
      ? weakened(title, weaknessOf(lookAt(object)))
      : removed(`${title}, which keeps tenants apart,`);
  });
  const published = [...tenants.values()].flatMap((tenant) =>
    tenant.objects.flatMap((object) => {
      if (isThere(object) && !object.isPatched) {
        return [];
      }
      const title = `${object.kind} ${tenant.name}/${object.name} (${object.node.path})`;
      return isThere(object)
        ? weakened(title, weaknessOf(object, tenant, engine.weaknessOf))
        : removed(`${title}, with which tenant ${tenant.name} is published,`);
    }),
  );
  return [...fences, ...published].map((fault) => ({ who: engine.name, ...fault }));
}

/** What cdk8s keeps of patches. Policies name every tenant: they are not rendered once more where nobody patched them. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  return patches?.length !== 0;
}

type Fault = Omit<LoadBalancerFinding, 'who'>;

/** What is published says what its tenant has; it may say more where that reaches nobody else. */
function weaknessOf(
  object: PublishedObject,
  tenant: AttachedTenant,
  judge: TenancyBook['settings']['engine']['weaknessOf'],
): string | undefined {
  const found = lookAt(object);
  const { metadata, ...made } = object.made;
  const { name } = metadata;
  return (
    changeOf({ ...made, metadata: { name, namespace: tenant.name } }, found, { additions: true }) ?? judge?.(found)
  );
}

function weakened(title: string, weakness: string | undefined): Fault[] {
  return weakness === undefined
    ? []
    : [
        {
          ruleId: 'fence-weakened',
          what: `${title} was patched, and keeps tenants no longer apart as it was made to: ${weakness}`,
          remedy: 'take the patch back, or say oneTeam where all tenants are one team',
        },
      ];
}

function removed(title: string): Fault[] {
  return [
    {
      ruleId: 'fence-removed',
      what: `${title} was removed`,
      remedy: 'leave it where it was made, or say oneTeam where all tenants are one team',
    },
  ];
}

/** Whether an object is written: none of what it stands in was removed. */
function isThere(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isThere(scope));
}
