import { isSet, type Json, mapIn } from '../contract/json';
import { printable } from '../contract/printable';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { typedService } from '../rules/service-fields';
import type { Cause } from './balancer-change';
import { firstOfEach, refusalOf } from './finding-causes';
import { judgedSides, pathOf, withEffects } from './findings-on-side';
import { isShared } from './has-no-balancer';
import { type Matched, NAME, NAMESPACE } from './match';
import { nodePortCauses } from './node-port-causes';
import { serviceOn } from './objects-on-side';
import { objectOf, refusedOf } from './refusal-causes';
import { annotationOrField } from './said';
import type { SideBalancer, Sides } from './side';

/** What becomes of a balancer that is on the newer side alone. */
export function createdCauses(pair: Matched & { readonly after: SideBalancer }, sides: Sides): Cause[] {
  const { after, movedFrom } = pair;
  const was = serviceOn(sides.before, after.id, after.written);
  const old = was && typedService(was.object).service;
  const spec = mapIn(old, 'spec');
  const type = old && String(spec.type ?? 'ClusterIP');
  const at =
    type === undefined
      ? atName(pair)
      : { field: 'spec.type', path: ['spec', 'type'], from: printable(type), to: 'LoadBalancer' };
  const before = was && { before: { manifest: was, path: at.path } };
  const base = {
    ...at,
    ...(before && {
      places: { ...before, after: { manifest: after.written, path: after.written.madeOf?.path ?? at.path } },
    }),
  };
  const refused = [
    ...addressCauses(spec, after),
    ...nodePortCauses(pair, sides),
    ...refusedAnew(after, was?.object, sides),
  ];
  if (refused.length > 0) {
    return refused;
  }
  if (isShared(after.service)) {
    const instead = movedFrom ? `, in the place of ${movedFrom.id}` : '';
    return [{ outcome: 'created', ...base, why: `its ports are opened on the balancer that tenants share${instead}` }];
  }
  const { state, needs } = claimOf(after);
  if (state !== 'made') {
    const why =
      state === 'pending'
        ? 'no controller that is installed claims it: it stays without a balancer and without an address'
        : 'whether and by whom a balancer is made for it is not known';
    return [{ outcome: 'unknown', ...base, why, needs: [needs ?? 'who owns it'] }];
  }
  return [
    {
      outcome: 'created',
      ...base,
      why: movedFrom
        ? `a balancer with an address of its own is made in the place of ${movedFrom.id}`
        : type === undefined
          ? 'there is a new balancer'
          : 'a balancer is made for the Service that is there',
    },
    ...wrongWith(after, sides),
  ];
}

/** What is wrong with a balancer that is made all the same. */
function wrongWith(after: SideBalancer, sides: Sides): Cause[] {
  const { errors, warnings } = judgedSides(sides).after.judge(after);
  const idle = withEffects(warnings, after.service).filter(({ effect }) => effect === 'no-targets');
  return [...errors, ...idle].map((finding) => {
    const path = pathOf(finding, after.service);
    return { outcome: 'created', field: annotationOrField(path), path, why: finding.what, remedy: finding.remedy };
  });
}

/** What the API server or the owner refuses in a Service that comes, or that becomes one with a balancer. */
function refusedAnew(after: SideBalancer, was: Json | undefined, sides: Sides): Cause[] {
  const had = was ? refusedOf(was, sides.after) : [];
  const byServer = withEffects(refusedOf(objectOf(after), sides.after), after.service).filter(
    ({ ruleId }) => !had.some((one) => one.ruleId === ruleId),
  );
  if (byServer.length > 0) {
    const why = (what: string) =>
      `the API server refuses ${was ? 'it, and the Service stays as it is' : 'the Service'}: ${what}`;
    return firstOfEach(byServer).map((finding) => ({
      ...refusalOf(finding, after, why(finding.what)),
      outcome: 'refused',
    }));
  }
  const byOwner = judgedSides(sides)
    .after.ofBalancer(after)
    .filter(({ effect, who }) => effect === 'refused' && who !== 'kubernetes');
  return firstOfEach(byOwner).map((finding) =>
    refusalOf(
      finding,
      after,
      `${finding.who} refuses the Service, which stays without a balancer that it can use: ${finding.what}`,
    ),
  );
}

function atName({ after, movedFrom, story }: Matched): Pick<Cause, 'field' | 'path' | 'from'> {
  const madeOf = after?.written.madeOf;
  if (story === 'namespace') {
    return { field: 'metadata.namespace', path: NAMESPACE, ...(movedFrom && { from: movedFrom.id }) };
  }
  return { field: 'metadata.name', path: madeOf?.path ?? NAME, ...(movedFrom && { from: movedFrom.id }) };
}

/** Whether a balancer is made, as far as it is known who claims it. */
function claimOf({ owner, ownership, unowned }: SideBalancer): {
  readonly state: 'made' | 'pending' | 'unknown';
  readonly needs?: string;
} {
  if (ownership === OwnershipState.UNCLAIMED) {
    return { state: 'pending', needs: unowned ?? 'a controller that claims it' };
  }
  return owner === undefined ? { state: 'unknown', needs: unowned } : { state: 'made' };
}

/** A cluster address is given once: a Service without one gets none with another type. kubernetes/kubernetes v1.36.3, pkg/registry/core/service/storage/storage.go */
function addressCauses(old: Readonly<Record<string, unknown>>, { service }: SideBalancer): Cause[] {
  const [from, to] = [old.clusterIP, mapIn(service, 'spec').clusterIP];
  const isHeadless = from === 'None';
  const isOther = isSet(from) && isSet(to) && from !== '' && to !== '' && from !== to;
  return isHeadless || (isOther && old.type !== 'ExternalName')
    ? [
        {
          outcome: 'refused',
          field: 'spec.clusterIP',
          path: ['spec', 'clusterIP'],
          from: printable(String(from)),
          ...(isSet(to) && { to: printable(String(to)) }),
          why: isHeadless
            ? 'a headless Service stays headless, and the API server refuses type LoadBalancer for it'
            : 'the cluster address of a Service cannot be changed: the API server refuses the update',
          remedy: isHeadless ? 'make a second Service for the balancer' : 'leave clusterIP out',
        },
      ]
    : [];
}
