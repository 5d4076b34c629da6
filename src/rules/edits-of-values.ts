import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { type Edit, type EditedValue, type EditRow, editFrom, editOfValue, hasEffect } from '../contract/edit';
import { isMap, isSet, type Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import {
  type ChangedField,
  type ConcernedBalancers,
  changedFields,
  type ObjectEditRow,
  type ObjectEdits,
} from '../contract/object-edits';
import { withDefaults } from '../contract/schema/walk';
import type { ControllerDefinition, EditedKind, ServiceField } from './controller-definition';
import { SERVICE_FIELD_EDITS } from './field-edits.facts';

const KUBERNETES: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

export const SERVICE_FIELDS = Object.keys(SERVICE_FIELD_EDITS) as readonly ServiceField[];

export function fieldEdit(field: ServiceField, kind?: ControllerDefinition): Edit {
  const ofAll = editFrom(SERVICE_FIELD_EDITS[field], KUBERNETES);
  const own = kind?.fieldEdits?.[field];
  if (!own || !kind) {
    return ofAll;
  }
  const edit = editFrom(own, kind.facts.source);
  const unless = [...(edit.unless ?? []), ...(ofAll.unless ?? [])];
  return unless.length === 0 ? edit : { ...edit, unless };
}

export interface ObjectEdit {
  readonly field: ChangedField;
  readonly edit: Edit;
  readonly concerns: ConcernedBalancers;
  readonly becomes?: string;
  /** The types of listener that it matters to, where that is not all. */
  readonly types?: readonly string[];
}

const NOT_IN_TABLE: ObjectEditRow = { unknown: 'what an edit of this field does was not read' };

const OWNER_UNKNOWN: EditRow = {
  unknown: 'it reaches the Services; what becomes of a balancer depends on its controller',
};

/**
 * Effects of edits of an object on the balancers that are made of it; none if nothing changes.
 * @param isReplaced whether the whole object is replaced, and not applied
 */
export function objectEdits(
  kind: EditedKind,
  before: Json | undefined,
  after: Json | undefined,
  owner?: ControllerDefinition,
  isReplaced = false,
): ObjectEdit[] {
  const [old, now] = [before, after].map((object) => object && filledIn(object, kind));
  return changedFields(kind.edits, old, now).flatMap((field) => {
    const rows = field.row === undefined ? NOT_IN_TABLE : kind.edits[field.row];
    return rowsOf(rows).map((row): ObjectEdit => {
      const edit = editOfRow(row, kind.source);
      const replaced = isReplaced && row.byReplace ? editFrom(row.byReplace, kind.source) : edit;
      return {
        field,
        edit: passedOn(row, edit, field, owner) ?? editOfValue(replaced, field),
        concerns: concernedBy(row, field),
        ...(row.becomes !== undefined && { becomes: row.becomes }),
        ...(row.types && { types: row.types }),
      };
    });
  });
}

function filledIn(object: Json, { fields }: EditedKind): Json {
  return fields && isMap(object.spec) ? { ...object, spec: withDefaults(object.spec, fields) } : object;
}

export function rowsOf(rows: ObjectEdits[string]): readonly ObjectEditRow[] {
  return [rows].flat();
}

/** A row as an edit, with the effect of the field of Services that it becomes unless it has one. */
export function editOfRow(row: ObjectEditRow, of: Citation): Edit {
  const { becomes } = row;
  const passed = becomes === undefined || becomes === ANNOTATIONS ? undefined : fieldEdit(becomes as ServiceField);
  const effect = passed ? { [passed.outcome]: passed.what } : becomes === ANNOTATIONS ? OWNER_UNKNOWN : {};
  return editFrom({ source: passed?.source, ...(hasEffect(row) ? {} : effect), ...row }, of);
}

const ANNOTATIONS = 'metadata.annotations';

/** Effect of the field that it becomes, unless the row itself has a case that holds. */
function passedOn(
  row: ObjectEditRow,
  { unless }: Edit,
  field: ChangedField,
  owner?: ControllerDefinition,
): Edit | undefined {
  if (row.becomes === undefined || unless?.some(({ holds }) => holds(field))) {
    return undefined;
  }
  if (row.becomes === ANNOTATIONS) {
    const key = String(field.path.at(-1));
    const what = `${owner?.name} does not read ${key}`;
    const ignored: Edit | undefined = owner && { outcome: 'kept', notApplied: true, what, source: owner.facts.source };
    return owner && (editOfAnnotation(owner, key, field, false) ?? ignored);
  }
  const wanted = SERVICE_FIELDS.find((one) => one === row.becomes);
  const { before = row.absent, after = row.absent } = field;
  return wanted && editOfValue(fieldEdit(wanted, owner), { ...field, before, after }, false);
}

export function editOfField(field: ServiceField, edited: EditedValue, kind?: ControllerDefinition): Edit {
  return editOfValue(fieldEdit(field, kind), edited);
}

/** Effect of an edit of an annotation with the worst value; undefined for keys that are not in the catalogue. */
export function worstEdit({ catalogue, annotationEdits }: ControllerDefinition, key: string): Edit | undefined {
  return annotationEdits?.get(catalogue.find(key)?.fact.key ?? key);
}

/**
 * Effect of an edit of an annotation, with values as its controller reads them; undefined for keys that are not in
 * the catalogue. A value that cannot be read counts as the worst one.
 */
export function editOfAnnotation(
  kind: ControllerDefinition,
  key: string,
  edited: EditedValue,
  isService = true,
): Edit | undefined {
  const worst = worstEdit(kind, key);
  const entry = kind.catalogue.find(key);
  if (!worst || !entry) {
    return worst;
  }
  const [before, after] = [edited.before, edited.after].map((text) => readAs(entry, text));
  if (!before || !after) {
    return worst;
  }
  return before.text === after.text
    ? { outcome: 'kept', what: 'it is read as the same value', source: worst.source }
    : editOfValue(worst, { ...edited, before: before.value, after: after.value }, isService);
}

/** A value as its controller reads it, and as it is written at its simplest; nothing where it cannot be read. */
function readAs(entry: AnyAnnotation, text: unknown): { value?: unknown; text?: string } | undefined {
  if (!isSet(text)) {
    return {};
  }
  const read = typeof text === 'string' ? entry.decode(text) : undefined;
  try {
    return read && 'value' in read ? { value: read.value, text: entry.encode(read.value) } : undefined;
  } catch {
    return undefined;
  }
}

function concernedBy({ concerns, ofAll }: ObjectEditRow, { keys }: ChangedField): ConcernedBalancers {
  const { listeners, brokers } = keys;
  return {
    ...(!ofAll && typeof listeners === 'string' && { listener: listeners }),
    ...(concerns === 'bootstrap' && { bootstrap: 'only' as const }),
    ...((concerns === 'nodes' || concerns === 'node') && { bootstrap: 'not' as const }),
    ...(concerns === 'node' && typeof brokers === 'number' && { nodes: [brokers] }),
  };
}
