import { listOf, mapOf, oneOf, type SchemaField, Shape } from './walk';

// Fields that the schemas of many kinds have.

export const TEXT: SchemaField = { shape: Shape.TEXT };
export const REQUIRED_TEXT: SchemaField = { shape: Shape.TEXT, required: true };
export const BOOLEAN: SchemaField = { shape: Shape.BOOLEAN };
export const INTEGER: SchemaField = { shape: Shape.INTEGER };
export const INT32: SchemaField = { shape: Shape.INTEGER, format: 'int32' };
export const INT64: SchemaField = { shape: Shape.INTEGER, format: 'int64' };
export const INTEGER_OR_TEXT: SchemaField = { shape: Shape.INTEGER_OR_TEXT };
export const TEXTS: SchemaField = { shape: Shape.TEXTS };
export const INTEGERS: SchemaField = { shape: Shape.INTEGERS };
export const TEXT_MAP: SchemaField = { shape: Shape.TEXT_MAP };
export const TEXTS_MAP: SchemaField = { shape: Shape.TEXTS_MAP };
export const QUANTITIES: SchemaField = { shape: Shape.QUANTITIES };

// kubernetes/apimachinery v0.36, pkg/apis/meta/v1/types.go

/** `metav1.LabelSelector` */
export const SELECTOR = mapOf(
  {
    matchExpressions: listOf(
      { key: REQUIRED_TEXT, operator: REQUIRED_TEXT, values: { ...TEXTS, listType: 'atomic' } },
      { listType: 'atomic' },
    ),
    matchLabels: TEXT_MAP,
  },
  { mapType: 'atomic' },
);

/** `[]metav1.Condition` */
export const CONDITIONS = listOf({
  lastTransitionTime: { ...REQUIRED_TEXT, format: 'date-time' },
  message: { ...REQUIRED_TEXT, atMost: 32768 },
  observedGeneration: { ...INT64, atLeast: 0 },
  reason: { ...REQUIRED_TEXT, atLeast: 1, atMost: 1024, pattern: /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/ },
  status: { ...oneOf('True', 'False', 'Unknown'), required: true },
  type: {
    ...REQUIRED_TEXT,
    atMost: 316,
    pattern:
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
  },
});
