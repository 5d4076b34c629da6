import { printable } from '../../contract/json';
import type { CheckedObject, CheckFinding, UnknownAnswer } from '../check-report';
import type { AcceptedFinding, CheckContext } from './check-context';

export interface Accepted {
  readonly findings: readonly CheckFinding[];
  readonly notes: readonly string[];
  readonly idleForAll: readonly string[];
}

/**
 * Marks findings that the context file accepts. An entry counts up to its last day; a finding that it accepted says so when the
 * day is over. Entries that no finding fits are told, unless a rule has no answer where they would.
 */
export function accept(
  findings: readonly CheckFinding[],
  { accepted }: Pick<CheckContext, 'accepted'>,
  today?: string,
  unknown: readonly UnknownAnswer[] = [],
): Accepted {
  const isOver = ({ until }: AcceptedFinding) => until !== undefined && today !== undefined && until < today;
  const valid = accepted.filter((entry) => !isOver(entry));
  const over = accepted.filter(isOver);
  const marked = findings.map((finding) => {
    const entry = valid.find((one) => isFor(one, finding));
    if (entry) {
      const { reason, until } = entry;
      return { ...finding, accepted: { reason, ...(until !== undefined && { until }) } };
    }
    const past = over.find((one) => isFor(one, finding));
    return past ? { ...finding, remedy: `${finding.remedy}; ${wasAccepted(past)}` } : finding;
  });
  const idle = accepted.filter(
    (entry) => !findings.some((finding) => isFor(entry, finding)) && !unknown.some((answer) => isFor(entry, answer)),
  );
  const idleForAll = idle.filter(({ isForAll }) => isForAll).map(noLonger);
  return { findings: marked, notes: idle.map(noLonger), idleForAll };
}

function wasAccepted({ until, reason, place }: AcceptedFinding): string {
  return printable(`it was accepted until ${until} (${place.file}:${place.line}: ${reason})`);
}

function noLonger({ rule, object, place }: AcceptedFinding): string {
  const where = object === undefined ? '' : ` at ${object}`;
  const at = `${place.file}:${place.line}:${place.column}`;
  return printable(`${at}: ${rule}${where} is accepted and no longer found; take the entry out`);
}

function isFor({ rule, object }: AcceptedFinding, { ruleId, object: found }: CheckFinding | UnknownAnswer): boolean {
  return rule === ruleId && (object === undefined || titlesOf(found).includes(object));
}

function titlesOf({ kind, namespace, name, madeBy }: CheckedObject): string[] {
  const title = namespace === undefined ? name : `${namespace}/${name}`;
  const [maker] = (madeBy ?? '').split(',');
  return [title, `${kind} ${title}`, ...(maker === '' ? [] : [maker, maker.slice(maker.indexOf(' ') + 1)])];
}
