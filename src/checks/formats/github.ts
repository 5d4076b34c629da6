import type { CheckReport, Level, Place } from '../check-report';
import { rulePage } from './format';
import { clipped, isStandardInput, lackOf, placeOf, summaryOf, titleOf, unknownLines, withoutCommands } from './words';

const COMMANDS: Record<Level, string> = { error: 'error', warning: 'warning', note: 'notice' };

/**
 * Annotations of a pull request, as commands of a workflow of GitHub Actions. What was accepted is none.
 *
 * @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function formatGithub(report: CheckReport): string {
  const open = report.findings.filter(({ accepted }) => !accepted);
  const lines = [
    ...report.unreadable.map((document) =>
      annotation('error', document.place, lackOf(document), [
        clipped(document.what),
        `remedy: ${clipped(document.remedy)}`,
      ]),
    ),
    ...open.map(({ level, place, ruleId, object, what, remedy }) =>
      annotation(COMMANDS[level], place, ruleId, [
        `${titleOf(object)}: ${clipped(what)}`,
        `remedy: ${clipped(remedy)}`,
        rulePage(ruleId),
      ]),
    ),
    ...unknownLines(report.unknown).map((line) => annotation('notice', undefined, 'unknown', [line])),
    ...report.notes.map((note) => annotation('notice', undefined, 'not checked', [clipped(note)])),
    withoutCommands(summaryOf(report)),
  ];
  return `${lines.join('\n')}\n`;
}

/** One command of a workflow. Standard input is no file of the repository: its place is in the message. */
export function annotation(command: string, place: Place | undefined, title: string, lines: readonly string[]): string {
  const isInFile = place !== undefined && !isStandardInput(place);
  const properties = [
    ...(isInFile ? [['file', place.file] as const, ['line', place.line] as const, ['col', place.column] as const] : []),
    ['title', title] as const,
  ];
  const message = [...(place && !isInFile ? [placeOf(place)] : []), ...lines].join('\n');
  const written = properties.map(([key, value]) => `${key}=${property(clipped(`${value}`))}`).join(',');
  return `::${command} ${written}::${data(message)}`;
}

/** What a runner reads back. actions/runner 079cdb1, src/Runner.Common/ActionCommand.cs */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
