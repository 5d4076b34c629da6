import { type Json, pointedAt } from '../json';
import type { Citation } from '../kubernetes.facts';
import { type DescribedRule, type Finding, filled, type Messages, type Mistake, messageOf } from '../rule';
import { type Misfit, misfitsIn, SchemaFault, type SchemaPart, type SchemaRelease } from './walk';
import { WAYS } from './ways.facts';

// The rules that a schema makes of a part of a document, one for each way not to fit. The API server refuses some misfits, and
// drops unknown fields silently unless it is asked to be strict.

export interface SchemaSubject<Context extends object> {
  /** The ids of the rules begin so. */
  readonly prefix: string;
  /** Name in the docs: `a listener`. */
  readonly called: string;
  readonly source: Citation;
  /** Rules about some fields: what does not fit there is reported by them alone. */
  readonly fieldRules?: readonly FieldRule[];
  /** The ways not to fit that have rules; all where none are named. */
  readonly faults?: readonly SchemaFault[];
  /** Those of them that are warnings: where newer releases are not known, a field may be one of theirs. */
  readonly warnings?: readonly SchemaFault[];
  /** The part of an object; nothing where its schema is not known. */
  part(object: Json, context: Context): SchemaPart | undefined;
  /** Beginning of messages. */
  title?(object: Json): string;
  /** Remedy for an unknown or removed field, if there is something better than to correct or remove it. */
  remedy?(misfit: Misfit): string | undefined;
}

/** A rule about some fields of a schema, with an id and sentences of its own. It is an error. */
export interface FieldRule {
  readonly id: string;
  readonly says: string;
  /** Source of the fields, if it differs from that of the schema. */
  readonly source?: Citation;
  /** Paths below the part: `listeners.port`. */
  readonly fields: readonly string[];
  /** Message for a value that does not fit; undefined if the message of all fields is clear. */
  finding(value: unknown, misfit: Misfit, object: Json): Mistake | undefined;
  /** Further rules of these fields, which a schema cannot state. */
  beside?(object: Json): readonly Finding[];
}

interface SchemaRule<Context extends object> extends DescribedRule {
  readonly source: Citation;
  check(object: Json, context: Context): readonly Finding[] | undefined;
}

function misfitFinding(misfit: Misfit, release: SchemaRelease, remedy?: string): Finding {
  const { where, at, name, value, renamed } = misfit;
  const { product, version, readFrom } = release;
  const way = WAYS.find(({ fault }) => fault === misfit.fault) as Messages;
  const found = messageOf(way, {
    ...misfit,
    product,
    version,
    readFrom,
    ...(renamed && way.cases && { case: 'renamed', newName: renamed.to, holds: renamed.holds }),
    releases: renamed && (renamed.isTooNew ? `older than ${renamed.since}` : `${renamed.since} and newer`),
    place: name === 'type' ? `${where} ${value}` : where,
  });
  const isGiven = remedy !== undefined && OF_REMEDY.includes(misfit.fault);
  const isAbsent = misfit.fault === SchemaFault.MISSING && !renamed;
  return { what: found.what, remedy: isGiven ? remedy : found.remedy, ...(!isAbsent && { value }), at };
}

const OF_REMEDY = [SchemaFault.UNKNOWN, SchemaFault.REMOVED];

export function schemaRules<Context extends object>(subject: SchemaSubject<Context>): SchemaRule<Context>[] {
  const { prefix, called, source, faults, warnings = [], fieldRules = [] } = subject;
  const walks = new KeptWalks();
  const claimed = new Set(fieldRules.flatMap(({ fields }) => fields));
  const misfits = (object: Json, context: Context, isAsked: (misfit: Misfit) => boolean) => {
    const part = subject.part(object, context);
    const found = part ? walks.misfitsIn(part, context).filter(isAsked) : [];
    return part && found.length > 0 ? { found, release: part.release } : undefined;
  };
  const rules = WAYS.filter(({ fault }) => !faults || faults.includes(fault)).map(
    ({ fault, id, title }): SchemaRule<Context> => ({
      id: `${prefix}-${id}`,
      severity: warnings.includes(fault) ? 'warning' : 'error',
      says: filled(title, { called }),
      source,
      check(object, context) {
        const asked = misfits(object, context, (one) => one.fault === fault && !claimed.has(one.path));
        if (!asked) {
          return undefined;
        }
        const title = subject.title?.(object);
        const findings = asked.found.map((misfit) => misfitFinding(misfit, asked.release, subject.remedy?.(misfit)));
        return title === undefined ? findings : findings.map((one) => ({ ...one, what: `${title}: ${one.what}` }));
      },
    }),
  );
  return [
    ...fieldRules.map(
      ({ fields, finding, beside, ...rule }): SchemaRule<Context> => ({
        source,
        ...rule,
        severity: 'error',
        check(object, context) {
          const asked = misfits(object, context, ({ path }) => fields.includes(path));
          const findings = asked?.found.map((misfit) => ({
            at: misfit.at,
            ...(finding(pointedAt(object, misfit.at), misfit, object) ?? misfitFinding(misfit, asked.release)),
          }));
          return [...(findings ?? []), ...(beside?.(object) ?? [])];
        },
      }),
    ),
    ...rules,
  ];
}

/** Every rule of a schema asks for the same walk: one is kept for each context, which each validation makes for itself. */
class KeptWalks {
  private readonly kept = new WeakMap<object, { readonly map: unknown; readonly misfits: readonly Misfit[] }>();

  public misfitsIn(part: SchemaPart, key: object): readonly Misfit[] {
    const before = this.kept.get(key);
    if (before !== undefined && before.map === part.map) {
      return before.misfits;
    }
    const misfits = misfitsIn(part);
    this.kept.set(key, { map: part.map, misfits });
    return misfits;
  }
}
