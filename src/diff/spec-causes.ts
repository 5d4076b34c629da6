import type { EditedValue } from '../contract/edit';
import { isLimited } from '../contract/edits-that-open';
import { isSet, list, mapIn } from '../contract/json';
import { ownValue } from '../contract/own-value';
import { SERVICE_FIELDS, type ServiceField } from '../rules/service-edits.facts';
import { isLocal } from '../rules/service-json';
import type { Cause } from './balancer-change';
import { isWithin } from './ranges';
import type { Readers } from './readers';
import { causeOf, type Said, withRemedy } from './said';
import type { SideBalancer } from './side';
import { defaultOf, fieldsChanged, type SpecField } from './spec-fields';

/** Fields that are looked at elsewhere: ports one by one, and what is no change of a live balancer but of its life. */
const ELSEWHERE: ReadonlySet<string> = new Set(['type', 'externalName', 'loadBalancerClass', 'ports']);

/** Fields whose other spelling says the same. */
const SAME_AS: Readonly<Record<string, string>> = { clusterIPs: 'clusterIP' };

/** A changed field on the balancers of both sides. */
interface Edited {
  readonly field: SpecField;
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

/** What the edit of each field of the spec does, without the ports. */
export function specCauses(
  before: SideBalancer,
  after: SideBalancer,
  readers: Readers,
  isStanding: (field: string) => boolean,
): Cause[] {
  const changed = fieldsChanged(before.service, after.service, isStanding).filter(({ name }) => !ELSEWHERE.has(name));
  return changed
    .filter(({ name }) => !changed.some((other) => other.name === ownValue(SAME_AS, name)))
    .flatMap((field) => {
      const said = saidOf({ field, before, after }, readers);
      const [from, to] = [field.before ?? defaultOf(field.name), field.after ?? defaultOf(field.name)];
      const place = { field: `spec.${field.name}`, path: ['spec', field.name] };
      return said ? [causeOf({ ...place, from, to }, withRemedy(said))] : [];
    });
}

function saidOf(edited: Edited, readers: Readers): Said | undefined {
  const { field } = edited;
  const special = ownValue(SPECIAL, field.name)?.(edited, readers);
  if (special !== undefined) {
    return special === 'nothing' ? undefined : special;
  }
  const known = SERVICE_FIELDS.find((one) => one === `spec.${ownValue(SAME_AS, field.name) ?? field.name}`);
  return known === undefined ? NOT_KNOWN : readers.field(known, editedIn(edited));
}

function editedIn({ field: { before: old, after: now }, before, after }: Edited): Omit<EditedValue, 'objects'> {
  const [one, other] = [before, after].map(({ service }) => mapIn(service, 'spec'));
  return { before: old, after: now, around: { before: one, after: other } };
}

const NOT_KNOWN: Said = {
  outcome: 'unknown',
  why: 'a Service has no such field here: kubectl refuses it, and others drop it silently',
  needs: ['whether the API server knows the field'],
};

/** What the API server has chosen is not in manifests. */
const FILLED_IN: Said = {
  outcome: 'unknown',
  why: 'refused, unless it is what the API server has chosen already',
  needs: ['the live Service'],
  remedy: 'leave it out: the API server keeps what it has chosen',
};

type Special = (edited: Edited, readers: Readers) => Said | 'nothing' | undefined;

/** Fields of which the values matter. */
const SPECIAL: Readonly<Record<string, Special>> = {
  clusterIP: ({ field }) => (field.isFilledIn ? FILLED_IN : undefined),
  clusterIPs: (edited, readers) => (edited.field.isFilledIn ? FILLED_IN : secondFamily(edited, readers)),
  ipFamilies: (edited, readers) => (edited.field.isFilledIn ? FILLED_IN : secondFamily(edited, readers)),
  healthCheckNodePort: ({ field, before, after }) =>
    !isLocal(before.service) || !isLocal(after.service) ? 'nothing' : field.isFilledIn ? FILLED_IN : undefined,
  loadBalancerSourceRanges: (edited, readers) =>
    readers.field('spec.loadBalancerSourceRanges', editedIn(edited), (said) => widened(said, edited.field)),
  externalTrafficPolicy: (edited, readers) => {
    const said = readers.field('spec.externalTrafficPolicy', editedIn(edited));
    return said.outcome === 'kept' ? said : { ...said, ...policyMeans(edited, said) };
  },
  sessionAffinity: (edited, readers) => healed('spec.sessionAffinity', edited, readers),
  loadBalancerIP: (edited, readers) => healed('spec.loadBalancerIP', edited, readers),
};

/** The first family of a Service stays what it is; a second one comes and goes as it does by the policy. */
function secondFamily(edited: Edited, readers: Readers): Said | 'nothing' | undefined {
  const { field, before, after } = edited;
  if (list(field.before)[0] !== list(field.after)[0]) {
    return undefined;
  }
  const [old, now] = [before, after].map(({ service }) => mapIn(service, 'spec').ipFamilyPolicy);
  return old === now ? readers.field('spec.ipFamilyPolicy', editedIn(edited)) : 'nothing';
}

/** Who may connect already may do so afterwards; where no range is left, the tables say who decides then. */
function widened(said: Said, { before, after }: SpecField): Said {
  if (isLimited(before) && !isLimited(after)) {
    return said;
  }
  const isNarrower =
    isSet(after) && (!isSet(before) || list<string>(before).some((range) => !isWithin(range, list<string>(after))));
  return said.outcome === 'interrupted' && !isNarrower
    ? { outcome: 'kept', why: 'more clients may connect, and none loses access', source: said.source }
    : said;
}

/** What a controller refuses is no longer there. */
function healed(name: ServiceField, edited: Edited, readers: Readers): Said {
  const { owner } = edited.after;
  return readers.field(name, editedIn(edited), (said) =>
    said.outcome === 'refused' && !isSet(edited.field.after)
      ? {
          outcome: 'unknown',
          why: `${owner ?? 'its controller'} refused it, and edits that waited behind it are carried out now`,
          needs: ['what has changed since it was refused'],
          source: said.source,
        }
      : said,
  );
}

/** How long it takes until the balancer has noticed which nodes serve, and what pods see. */
function policyMeans({ field, before, after }: Edited, { why }: Said): Partial<Said> {
  if (field.after !== 'Local') {
    return { why: `${why}; pods then see addresses of nodes where they saw those of clients` };
  }
  const { interval, failures } = after.made?.healthCheck ?? before.made?.healthCheck ?? {};
  return interval === undefined || failures === undefined ? {} : { lasts: `up to ${interval * failures} s` };
}
