import { type Edit, OUTCOMES, type Outcome, wordOf } from '../../src/contract/edit';
import type { Citation } from '../../src/contract/kubernetes.facts';
import type { ObjectEditRow } from '../../src/contract/object-edits';
import { editedKinds } from '../../src/predicted/predicted';
import type { ControllerDefinition, EditedKind } from '../../src/rules/controller-definition';
import { editOfRow, fieldEdit, rowsOf as rowsAt, SERVICE_FIELDS } from '../../src/rules/edits-of-values';
import { code, page, shortSource, source, table } from './markdown';

const GRAVE: ReadonlySet<string> = new Set(['orphaned', 'deleted', 'replaced', 'unknown']);

const MEANING: Partial<Record<Outcome | 'ignored', string>> = {
  orphaned: 'a load balancer can stay behind that no object leads to',
  deleted: 'the load balancer is deleted',
  replaced: 'clients must use another address',
  interrupted: 'the load balancer and its address stay, but clients are cut off or refused for a while',
  refused: 'the API server or the controller does not accept the change; later edits may wait behind it',
  unknown: 'neither read in sources nor seen: assume the worst',
  ignored: 'the live load balancer stays as it is',
  kept: 'the load balancer is changed in place; its address and its connections stay',
};

/** Said once for all rows. */
const MEANS_NOTHING: readonly string[] = ['it is the default', 'the order means nothing'];

const CHANGES = table(
  ['effect', 'meaning'],
  [...OUTCOMES, 'ignored' as const].flatMap((word) => (MEANING[word] ? [[emphasized(word), MEANING[word]]] : [])),
);
const SAFE =
  'Each row has the worst effect that a valid value can have, then the conditions under which the effect is less. Writing out a default, leaving it out or reordering a list changes nothing.';

/** Where the API server's fields are read. */
const OF_KUBERNETES = { repository: 'kubernetes/kubernetes', version: 'v1.36.3' };

/** Effects of a changed field of a Service on its live load balancer, for all controllers and for those that differ. */
export function serviceFieldsPage(kinds: readonly ControllerDefinition[]): string {
  return page(
    '# Fields of a Service',
    `Effects of a change of a field on a live load balancer. ${SAFE} The effects of annotations are on [the page of each controller](controllers.md).`,
    CHANGES,
    `A row without a controller holds for every controller that has no row of its own, and its conditions hold for all. A file without a repository is in ${OF_KUBERNETES.repository} ${OF_KUBERNETES.version}, or in the repository of the row's controller.`,
    table(['field', 'controller', 'effect of a change', 'source'], SERVICE_FIELDS.flatMap(fieldRows(kinds))),
  );
}

/** Effects of a change of the objects that operators and controllers make Services or load balancers of. */
export function objectFieldsPage(kinds: readonly ControllerDefinition[]): string {
  return page(
    '# Fields of other objects',
    `Effects of a change of an object on the load balancers that are created from it. ${SAFE}`,
    CHANGES,
    ...editedKinds(kinds).flatMap((kind) => [`## ${titleOf(kind)}`, ...sectionsOf(kind)]),
  );
}

/** The effect of a change as one cell of a table. */
export function changeCell(edit: Edit): string {
  const [word, what] = cellsOf(edit);
  return `${word}: ${what}`;
}

/** What is lost for good is bold, and so is what is not known. */
function emphasized(word: string): string {
  return GRAVE.has(word) ? `**${word}**` : word;
}

function cellsOf({ what, unless = [], source: where, ...edit }: Edit): string[] {
  const less = unless.filter((one) => !MEANS_NOTHING.includes(one.what)).map(conditionOf);
  return [emphasized(wordOf(edit)), [what, ...less].join('<br>'), source(where)];
}

function conditionOf(less: NonNullable<Edit['unless']>[number]): string {
  return `${emphasized(wordOf(less))} if ${less.where}: ${less.what}`;
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
    ['field', 'load balancers', 'effect', 'description', 'source'],
    paths.flatMap((path) =>
      rowsAt(edits[path]).map((row, i) => [
        i === 0 ? fieldOf(path) : '',
        whoseOf(row, path),
        ...cellsOf(passed(row, of)),
      ]),
    ),
  );
}

function passed(row: ObjectEditRow, of: EditedKind['source']): Edit {
  const edit = editOfRow(row, of);
  return row.becomes === undefined ? edit : { ...edit, what: `becomes \`${row.becomes}\` of Services: ${edit.what}` };
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

function whoseOf({ concerns, ofAll }: ObjectEditRow, path: string): string {
  const listener = LISTENER.test(path) && !ofAll ? 'of the listener' : 'all';
  const WHOSE = { bootstrap: 'bootstrap', nodes: 'of brokers', node: 'of that broker' } as const;
  return concerns === undefined ? listener : WHOSE[concerns];
}

function fieldRows(kinds: readonly ControllerDefinition[]) {
  return (field: (typeof SERVICE_FIELDS)[number]): string[][] => {
    const ofAll = fieldEdit(field);
    const conditions = new Set(ofAll.unless?.map(conditionOf));
    const row = (edit: Edit, known: Pick<Citation, 'repository' | 'version'>) => [
      changeCell(edit),
      shortSource(edit.source, known),
    ];
    return [
      [code(field), '', ...row(ofAll, OF_KUBERNETES)],
      ...kinds
        .filter(({ fieldEdits }) => fieldEdits?.[field] !== undefined)
        .map((kind) => {
          const { unless, ...edit } = fieldEdit(field, kind);
          const own = unless?.filter((one) => !conditions.has(conditionOf(one)));
          return ['', kind.name, ...row({ ...edit, unless: own }, kind.facts.source)];
        }),
    ];
  };
}
