import type { YamlPath } from '../contract/yaml-source';
import { annotationsOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import { type EffectFinding, isAmong, isAround, judgedSides, reads, rulesOf } from './findings-on-side';
import { podCauses } from './pod-causes';
import { sourceOf } from './refusal-causes';
import { annotationOrField, causeOf, isWorse } from './said';
import type { SideBalancer, Sides } from './side';

// What rules find on the newer side and did not find on the older one, as what it does to a live balancer.

/**
 * The causes of a balancer that is on both sides, with what rules find in its Service and behind it.
 *
 * @param causes what the edits of its fields do, each by itself
 */
export function withFindings(
  causes: readonly Cause[],
  before: SideBalancer,
  after: SideBalancer,
  sides: Sides,
): readonly Cause[] {
  const judged = judgedSides(sides);
  const now = judged.after.ofBalancer(after);
  const isLost = judged.before.behind(before.service).length > 0 && judged.after.behind(after.service).length === 0;
  if (now.length === 0 && !isLost && causes.length === 0) {
    return causes;
  }
  const old = judged.before.ofBalancer(before);
  const found = [
    ...podCauses({ before: before.service, after: after.service, old, now }, judged, sides),
    ...refusedCauses(causes, { before, after, old, now }),
  ];
  const gated = causes.map((cause) => withoutIgnored(cause, old, now));
  return [...gated.filter((cause) => !found.some((one) => isSaidBetter(cause, one))), ...found];
}

/** Whether a cause is about the same field as a finding that is as bad or worse. */
function isSaidBetter(cause: Cause, found: Cause): boolean {
  return !cause.places && !found.places && !isWorse(cause, found) && isAround(found.path, cause.path);
}

/** The edit of a field whose value counts on neither side does nothing. */
function withoutIgnored(cause: Cause, old: readonly EffectFinding[], now: readonly EffectFinding[]): Cause {
  const { path, from, to } = cause;
  if (cause.outcome === 'kept' || cause.places) {
    return cause;
  }
  const [was, is] = [old, now].map((all) =>
    all.find((one) => one.effect === 'ignored' && isAround(one.path, path) && one.path.length <= path.length),
  );
  const ignored = is ?? was;
  const counts = (from !== undefined && !was) || (to !== undefined && !is);
  if (!ignored || counts) {
    return cause;
  }
  const { needs: _, remedy: __, whom: ___, lasts: ____, ...rest } = cause;
  return { ...rest, outcome: 'kept', why: ignored.what, source: sourceOf(rulesOf(ignored)) };
}

/** What its findings say of a Service on both sides. */
interface Found {
  readonly before: SideBalancer;
  readonly after: SideBalancer;
  readonly old: readonly EffectFinding[];
  readonly now: readonly EffectFinding[];
}

/** What the owner refuses; what it refused before keeps it from later edits. */
function refusedCauses(causes: readonly Cause[], { after, old, now }: Found): Cause[] {
  const refused = now.filter(({ effect, who }) => effect === 'refused' && who !== SERVER);
  const isTold = (finding: EffectFinding) =>
    causes.some(({ outcome, path, places }) => outcome === 'refused' && !places && isOfOne(path, finding.path));
  const fresh = refused.filter((finding) => !isAmong(finding, old) && !isTold(finding));
  const waiting = causes.some(
    ({ outcome, path, staysAsMade }) => outcome === 'kept' && !staysAsMade && isRead(path, after),
  );
  const [standing] = waiting ? refused.filter((finding) => isAmong(finding, old)) : [];
  return [
    ...firstOfEach(fresh).map((finding) => ({
      ...refusalOf(
        finding,
        after,
        `${finding.who} refuses the Service, and later edits wait behind it: ${finding.what}`,
      ),
      ...editedFieldOf(finding, causes),
    })),
    ...(standing && fresh.length === 0
      ? [refusalOf(standing, after, `not carried out while ${standing.who} refuses the Service: ${standing.what}`)]
      : []),
  ];
}

/** The field whose edit brings about what a rule finds, where another one than the finding names was edited. */
function editedFieldOf(finding: EffectFinding, causes: readonly Cause[]): Partial<Cause> {
  const own = causes.filter(({ places }) => !places);
  const isNamed = own.some(({ path }) => isAround(path, finding.path));
  const isRead = ({ path }: Cause) => rulesOf(finding).some((rule) => reads(rule, String(path[2])));
  const edited = isNamed ? undefined : (own.find(isRead) ?? own[0]);
  return edited ? { field: edited.field, path: edited.path, from: edited.from, to: edited.to } : {};
}

const SERVER = 'kubernetes';

function isRead(path: YamlPath, { controller }: SideBalancer): boolean {
  const kind = controller && 'catalogue' in controller ? controller : undefined;
  return path[1] === 'annotations' && (kind === undefined || kind.catalogue.find(String(path[2])) !== undefined);
}

/** A refusal of the owner; it may be another one where the owner is a guess. */
export function refusalOf(finding: EffectFinding, { guess, service }: SideBalancer, why: string): Cause {
  const { path, remedy } = finding;
  const [key] = path.slice(2);
  const to = path[1] === 'annotations' ? annotationsOf(service)[String(key)] : finding.value;
  const place = { field: annotationOrField(path), path, to };
  return causeOf(place, {
    outcome: guess === undefined ? 'refused' : 'unknown',
    why,
    remedy,
    source: sourceOf(rulesOf(finding)),
    ...(guess !== undefined && { needs: [guess] }),
  });
}

/** Whether two fields are of one subject: one annotation, or the spec. */
function isOfOne(one: YamlPath, other: YamlPath): boolean {
  return one[0] === 'spec' ? other[0] === 'spec' : isAround(one, other);
}

export function firstOfEach(findings: readonly EffectFinding[]): EffectFinding[] {
  return findings.filter((one, i) => !findings.slice(0, i).some(({ path }) => isOfOne(path, one.path)));
}
