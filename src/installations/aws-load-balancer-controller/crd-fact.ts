import type { Part } from './part';

/** The types of fields: those of JSON, lists and maps of them, and types of Kubernetes. */
export type CrdType =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'object'
  | 'int-or-string'
  | '[]string'
  | '[]integer'
  | '[]object'
  | 'map[string]string'
  | 'map[string][]string'
  | 'map[string]quantity'
  | 'metav1.LabelSelector'
  | '[]metav1.Condition';

/** Constraints of a value. */
export interface CrdConstraints {
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  readonly mapType?: string;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** Rules in CEL. */
  readonly cel?: readonly string[];
}

/** A field by its path; `[]` marks the items of a list. */
export interface CrdField extends CrdConstraints {
  readonly path: string;
  readonly type: CrdType;
  /** Without it the object that it stands in is refused. */
  readonly required?: true;
  /** Constraints of each item of a list. */
  readonly items?: CrdConstraints;
}

/** A column of `kubectl get`: name, type, path, and priority where it is not 0. */
export type CrdColumn = readonly [name: string, type: string, jsonPath: string, priority?: number];

/** A version of a kind. */
export interface CrdVersionFact {
  readonly name: string;
  /** Objects are kept in this version. */
  readonly storage?: true;
  /** It has a status that is written apart. */
  readonly status?: true;
  /** What the API server tells whoever uses it. */
  readonly deprecated?: string;
  readonly columns: readonly CrdColumn[];
  /** Its fields; where they are those of another version, that one is named instead. */
  readonly fields?: readonly CrdField[];
  readonly fieldsOf?: string;
}

/** A kind that the controller brings along. */
export interface CrdFact {
  /** The part of the controller that needs it. */
  readonly part: Part;
  /** The file of the controller's repository. */
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersionFact[];
}
