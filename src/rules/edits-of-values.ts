import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { type Edit, type EditedValue, editFrom, editOfValue, type Outcome } from '../contract/edit';
import { isMap, isSet, type Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import {
  type ChangedField,
  type ConcernedBalancers,
  changedFields,
  type ObjectEditFact,
  type ObjectEdits,
} from '../contract/object-edits';
import { withDefaults } from '../contract/schema/walk';
import type { ControllerDefinition, EditedKind, ServiceField } from './controller-definition';
import { CASES_OF_ALL, SERVICE_FIELD_EDITS } from './field-edits.facts';

const KUBERNETES: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

export const SERVICE_FIELDS = Object.keys(SERVICE_FIELD_EDITS) as readonly ServiceField[];

export function fieldEdit(field: ServiceField, kind?: ControllerDefinition): Edit {
  const own = kind?.fieldEdits?.[field];
  const edit = own && kind ? editFrom(own, kind.facts.source) : editFrom(SERVICE_FIELD_EDITS[field], KUBERNETES);
  const unless = [...(edit.unless ?? []), ...(CASES_OF_ALL[field] ?? [])];
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

const NOT_IN_TABLE = { outcome: 'unknown' as Outcome, what: 'what an edit of this field does was not read' };

const OWNER_UNKNOWN = {
  outcome: 'unknown' as Outcome,
  what: 'it reaches the Services; what becomes of a balancer depends on its controller',
};

/**
 * What edits of an object do to the balancers that are made of it; nothing where nothing changes.
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
    const facts = field.row === undefined ? NOT_IN_TABLE : kind.edits[field.row];
    return factsOf(facts).map(
      (fact): ObjectEdit => ({
        field,
        edit:
          passedOn(fact, field, owner) ??
          editOfValue(editFrom((isReplaced && fact.byReplace) || fact, kind.source), field),
        concerns: concernedBy(fact, field),
        ...(fact.becomes !== undefined && { becomes: fact.becomes }),
        ...(fact.types && { types: fact.types }),
      }),
    );
  });
}

function filledIn(object: Json, { fields }: EditedKind): Json {
  return fields && isMap(object.spec) ? { ...object, spec: withDefaults(object.spec, fields) } : object;
}

export function factsOf(row: ObjectEdits[string]): readonly ObjectEditFact[] {
  return Array.isArray(row) ? row : [row as ObjectEditFact];
}

/** What the owner makes of the field that it becomes, unless the row itself has a case that holds. */
function passedOn(fact: ObjectEditFact, field: ChangedField, owner?: ControllerDefinition): Edit | undefined {
  if (fact.becomes === undefined || fact.unless?.some(({ holds }) => holds(field))) {
    return undefined;
  }
  if (fact.becomes === 'metadata.annotations') {
    const key = String(field.path.at(-1));
    const what = `${owner?.name} does not read ${key}`;
    const ignored: Edit | undefined = owner && { outcome: 'kept', notApplied: true, what, source: owner.facts.source };
    return owner && (editOfAnnotation(owner, key, field, false) ?? ignored);
  }
  const wanted = SERVICE_FIELDS.find((one) => one === fact.becomes);
  const { before = fact.absent, after = fact.absent } = field;
  return wanted && editOfValue(fieldEdit(wanted, owner), { ...field, before, after }, false);
}

export function editOfField(field: ServiceField, edited: EditedValue, kind?: ControllerDefinition): Edit {
  return editOfValue(fieldEdit(field, kind), edited);
}

/** What an edit of an annotation does with the worst value; nothing for keys that are not in the catalogue. */
export function worstEdit({ catalogue, annotationEdits }: ControllerDefinition, key: string): Edit | undefined {
  return annotationEdits?.get(catalogue.find(key)?.fact.key ?? key);
}

/**
 * What an edit of an annotation does, its values read as its controller reads them; nothing for keys that are not in
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

function concernedBy({ concerns, ofAll }: ObjectEditFact, { keys }: ChangedField): ConcernedBalancers {
  const { listeners, brokers } = keys;
  return {
    ...(!ofAll && typeof listeners === 'string' && { listener: listeners }),
    ...(concerns === 'bootstrap' && { bootstrap: 'only' as const }),
    ...((concerns === 'nodes' || concerns === 'node') && { bootstrap: 'not' as const }),
    ...(concerns === 'node' && typeof brokers === 'number' && { nodes: [brokers] }),
  };
}

/** A field that the Services get, with the verdict of all controllers. */
export function passedTo(
  field: ServiceField | 'metadata.annotations',
  more: Partial<ObjectEditFact> = {},
): ObjectEditFact {
  const { outcome, notApplied, what, source } =
    field === 'metadata.annotations'
      ? { ...OWNER_UNKNOWN, notApplied: undefined, source: undefined }
      : fieldEdit(field);
  return { outcome, what, ...(notApplied && { notApplied }), ...(source && { source }), becomes: field, ...more };
}
