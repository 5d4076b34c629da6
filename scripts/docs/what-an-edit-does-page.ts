import { type Edit, ON_EDIT, type OnEdit } from '../../src/contract/edit';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { fieldEdit, SERVICE_FIELDS } from '../../src/rules/service-edits.facts';
import { code, page, source, table } from './markdown';

const MEANING: Readonly<Record<OnEdit, string>> = {
  orphans: 'it can leave a balancer that no object leads to',
  deleted: 'the balancer is taken down',
  replaced: 'clients have to go to another address',
  interrupted: 'the balancer and its address stay, but clients are cut off or refused for a while',
  refused: 'the API server or the controller does not accept it; later edits may wait behind it',
  unknown: 'neither read nor seen: count on the worst',
  ignored: 'the live balancer stays as it was made',
  kept: 'the balancer is changed in place; its address and its connections stay',
};

/** What each edit of a Service does to its live balancer. */
export function whatAnEditDoesPage(kinds: readonly ControllerDefinition[]): string {
  const edits = kinds.flatMap(({ catalogue }) => [...catalogue.edits.values()]);
  const unknown = edits.filter(({ onEdit }) => onEdit === 'unknown').length;
  return page(
    '# What an edit does',
    `What happens to a live balancer when an annotation or a field of its Service is added, changed or taken out: the worst that a value can do which the controller reads. Of ${edits.length} annotations ${unknown} are **unknown**.`,
    table(
      ['edit', 'means'],
      ON_EDIT.map((onEdit) => [wordOf(onEdit), MEANING[onEdit]]),
    ),
    '## Fields of a Service',
    'What all controllers have in common, then each controller that differs.',
    table(['field', 'controller', 'edit', 'what happens', 'source'], SERVICE_FIELDS.flatMap(fieldRows(kinds))),
    ...kinds.flatMap((kind) => [`## Annotations of ${kind.name}`, annotationsOf(kind)]),
    '[Finalizers](finalizers.md), [keep the address](../how-to/keep-the-address.md), [all annotations](../reference/controllers.md).',
  );
}

/** What is lost for good is bold, and so is what is not known. */
function wordOf(onEdit: OnEdit): string {
  const isGrave = ON_EDIT.indexOf(onEdit) < ON_EDIT.indexOf('interrupted') || onEdit === 'unknown';
  return isGrave ? `**${onEdit}**` : onEdit;
}

function cellsOf(edit: Edit): string[] {
  return [wordOf(edit.onEdit), edit.what, source(edit.source)];
}

function fieldRows(kinds: readonly ControllerDefinition[]) {
  return (field: (typeof SERVICE_FIELDS)[number]): string[][] => [
    [code(field), 'all', ...cellsOf(fieldEdit(field))],
    ...kinds
      .filter(({ fieldEdits }) => fieldEdits?.[field] !== undefined)
      .map((kind) => ['', kind.name, ...cellsOf(fieldEdit(field, kind))]),
  ];
}

/** Its annotations, worst first; those that are alike in all stay together. */
function annotationsOf({ catalogue }: ControllerDefinition): string {
  const rows = [...catalogue.edits].sort(([, a], [, b]) => ON_EDIT.indexOf(a.onEdit) - ON_EDIT.indexOf(b.onEdit));
  return table(
    ['annotation', 'edit', 'what happens', 'source'],
    rows.map(([key, edit]) => [code(key), ...cellsOf(edit)]),
  );
}
