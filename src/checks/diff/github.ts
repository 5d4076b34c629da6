import { LOSSES, type Outcome } from '../../diff/outcome';
import { annotation } from '../formats/github';
import { clipped, lackOf, withoutCommands } from '../formats/words';
import type { DiffReport, ReportedCause } from './diff-report';
import type { TextOptions } from './text';
import { fieldInWords, isAccepted, isListed, summaryOf, tellingCauses, told, whyInWords } from './words';

/** Annotations of a pull request, as commands of a workflow of GitHub Actions. What stays as it should and what was accepted is none. */
export function diffGithub(report: DiffReport, { cluster }: TextOptions = {}): string {
  const open = report.changes.filter(
    (change) => !isAccepted(change) && isListed(change) && change.outcome !== 'created',
  );
  const lines = [
    ...report.unreadable.map((document) => {
      const { side, place, what, remedy } = document;
      return annotation('error', side === 'after' ? place : undefined, lackOf(document), [
        ...(side === 'after' ? [] : [`${place.file}:${place.line}`]),
        clipped(what),
        `remedy: ${clipped(remedy)}`,
      ]);
    }),
    ...told(open).map(({ change, also }) => {
      const causes = tellingCauses(change);
      const place = causes.find(({ after }) => after)?.after ?? change.after?.place;
      const names = [change, ...also].map(({ title }) => title).join(', ');
      const within = cluster === undefined ? '' : ` in ${cluster}`;
      return annotation(commandFor(change.outcome), place, `load balancer ${change.outcome}`, [
        clipped(`${names}${within}`),
        ...causes.flatMap(causeLines),
      ]);
    }),
    ...report.notes.map((note) => annotation('notice', undefined, 'not compared', [clipped(note)])),
    withoutCommands(summaryOf(report)),
  ];
  return `${lines.join('\n')}\n`;
}

function commandFor(outcome: Outcome): string {
  return outcome === 'interrupted' ? 'warning' : LOSSES.has(outcome) ? 'error' : 'notice';
}

function causeLines(cause: ReportedCause): string[] {
  const { remedy } = cause;
  return [
    clipped(`${fieldInWords(cause)}: ${whyInWords(cause)}`),
    ...(remedy === undefined ? [] : [`remedy: ${clipped(remedy)}`]),
  ];
}
