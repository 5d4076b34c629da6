import { type Edit, editFrom, ON_EDIT, type OnEdit } from '../../src/contract/edit';
import type { ObjectEditFact } from '../../src/contract/object-edits';
import { editedKinds } from '../../src/later/edited-kinds';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { type EditedKind, factsOf } from '../../src/rules/edits-of-values';
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

/** Said once for all rows. */
const MEANS_NOTHING: readonly string[] = ['it is the default', 'the order means nothing'];

/** What each edit of a Service does to its live balancer. */
export function whatAnEditDoesPage(kinds: readonly ControllerDefinition[]): string {
  const edits = kinds.flatMap(({ annotationEdits = [] }) => [...annotationEdits.values()]);
  const unknown = edits.filter(({ onEdit }) => onEdit === 'unknown').length;
  return page(
    '# What an edit does',
    `What happens to a live balancer when an annotation or a field of its Service is added, changed or taken out: the worst that a value can do which the controller reads, and where it is less. Of ${edits.length} annotations ${unknown} are **unknown**. Below them the objects that operators and controllers make Services or balancers of. A default that is written out or left out, and another order of a list, keep it.`,
    table(
      ['edit', 'means'],
      ON_EDIT.map((onEdit) => [wordOf(onEdit), MEANING[onEdit]]),
    ),
    '## Fields of a Service',
    'What all controllers have in common, then each controller that differs.',
    table(['field', 'controller', 'edit', 'what happens', 'source'], SERVICE_FIELDS.flatMap(fieldRows(kinds))),
    ...kinds.flatMap((kind) => [`## Annotations of ${kind.name}`, annotationsOf(kind)]),
    ...editedKinds(kinds).flatMap((kind) => [`## ${titleOf(kind)}`, ...sectionsOf(kind)]),
    '[Finalizers](finalizers.md), [keep the address](../how-to/keep-the-address.md), [all annotations](../reference/controllers.md).',
  );
}

/** What is lost for good is bold, and so is what is not known. */
function wordOf(onEdit: OnEdit): string {
  const isGrave = ON_EDIT.indexOf(onEdit) < ON_EDIT.indexOf('interrupted') || onEdit === 'unknown';
  return isGrave ? `**${onEdit}**` : onEdit;
}

function cellsOf({ onEdit, what, unless = [], source: where }: Edit): string[] {
  const less = unless
    .filter((one) => !MEANS_NOTHING.includes(one.what))
    .map((one) => `${wordOf(one.onEdit)} where ${one.where}: ${one.what}`);
  return [wordOf(onEdit), [what, ...less].join('<br>'), source(where)];
}

function titleOf({ kind, who }: EditedKind): string {
  return who === undefined ? kind : `${kind} of \`${who}\``;
}

const LISTENER = /^spec\.kafka\.listeners\[[^\]]+\]/;

/** Listeners of Kafka have more rows than all else: they are a table of their own. */
function sectionsOf(kind: EditedKind): string[] {
  const paths = Object.keys(kind.edits);
  const ofListener = paths.filter((path) => LISTENER.test(path));
  const others = paths.filter((path) => !LISTENER.test(path));
  return [
    rowsOf(kind, others),
    ...(ofListener.length > 0
      ? [
          '### Its listeners',
          'Where the type is `loadbalancer`, or another one that clients outside reach.',
          rowsOf(kind, ofListener),
        ]
      : []),
  ];
}

function rowsOf({ edits, source: of }: EditedKind, paths: readonly string[]): string {
  return table(
    ['field', 'balancers', 'edit', 'what happens', 'source'],
    paths.flatMap((path) =>
      factsOf(edits[path]).map((fact, i) => [
        i === 0 ? fieldOf(path) : '',
        whoseOf(fact, path),
        ...cellsOf(passed(fact, of)),
      ]),
    ),
  );
}

function passed(fact: ObjectEditFact, of: EditedKind['source']): Edit {
  const edit = editFrom(fact, of);
  return fact.becomes === undefined ? edit : { ...edit, what: `becomes \`${fact.becomes}\` of Services: ${edit.what}` };
}

/** A path as people write it. */
function fieldOf(path: string): string {
  const text = path
    .replace(LISTENER, '')
    .replace(/^\./, '')
    .replace(/\[[^\]]*\]/g, '[]')
    .replace(/\{\}/g, '.*')
    .replace(/\{([^}]+)\}/g, "['$1']");
  if (text === '') {
    return path === '' ? 'the whole object' : 'a whole listener';
  }
  const isEntry = path.endsWith(']');
  return isEntry ? `${path.endsWith('[]') ? 'the order of' : 'an entry of'} ${code(text)}` : code(text);
}

function whoseOf({ concerns, ofAll }: ObjectEditFact, path: string): string {
  const listener = LISTENER.test(path) && !ofAll ? 'of the listener' : 'all';
  const WHOSE = { bootstrap: 'bootstrap', nodes: 'of brokers', node: 'of that broker' } as const;
  return concerns === undefined ? listener : WHOSE[concerns];
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
function annotationsOf({ annotationEdits = new Map() }: ControllerDefinition): string {
  const rows = [...annotationEdits].sort(([, a], [, b]) => ON_EDIT.indexOf(a.onEdit) - ON_EDIT.indexOf(b.onEdit));
  return table(
    ['annotation', 'edit', 'what happens', 'source'],
    rows.map(([key, edit]) => [code(key), ...cellsOf(edit)]),
  );
}
