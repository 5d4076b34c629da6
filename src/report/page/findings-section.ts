import type { Report } from '../report';
import { element, type Markup } from './markup';
import { inThousands, named, section, table, tag, termsOf } from './parts';

const MOST_FINDINGS = 200;

/** Errors and warnings of the manifests; nothing if they were not checked. */
export function findingsSection({ findings }: Report): Markup | undefined {
  if (findings === undefined) {
    return undefined;
  }
  const rest = findings.length - MOST_FINDINGS;
  return section(
    'findings',
    'Findings',
    findings.length === 0
      ? element('p', { class: 'muted' }, 'No rule finds an error or a warning.')
      : element(
          'div',
          { class: 'card' },
          table(
            'Errors and warnings of check',
            [{ title: 'Object' }, { title: 'Finding' }, { title: 'What to do' }, { title: 'Where it is written' }],
            findings
              .slice(0, MOST_FINDINGS)
              .map(({ level, ruleId, object, what, remedy, place }) => [
                named(object),
                [tag(level === 'error' ? 'bad' : 'warn', level), ' ', what, termsOf(ruleId)],
                remedy,
                place,
              ]),
          ),
          rest > 0
            ? element('p', { class: 'muted' }, `and ${inThousands(rest)} more, which the JSON of this report has`)
            : undefined,
        ),
  );
}
