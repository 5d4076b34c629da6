import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json } from '../contract/json';
import { removeNamespace } from '../contract/late-rendering';
import { filled } from '../contract/rule';

/**
 * An object of a table. A text `{{name}}` is the value of that name, and a field or an entry without a value is left out;
 * the object itself if `if` names something absent. Without a namespace in its metadata it is of the whole cluster.
 */
export interface ObjectTemplate {
  readonly id?: string;
  readonly if?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export type TemplateValues = Readonly<Record<string, unknown>>;

export function addObjects(
  scope: Construct,
  templates: readonly ObjectTemplate[],
  values: TemplateValues,
): Readonly<Record<string, ApiObject>> {
  const wanted = templates.filter((template) => template.if === undefined || values[template.if]);
  return Object.fromEntries(
    wanted.map(({ id, if: _, ...template }) => {
      const object = filledTemplate(template, values) as ApiObjectProps;
      const name = filled(id ?? object.kind, values);
      const made = new ApiObject(scope, name, object);
      return [name, 'namespace' in template.metadata ? made : removeNamespace(made)];
    }),
  );
}

export function filledTemplate(template: unknown, values: TemplateValues): Json {
  if (typeof template === 'string') {
    const [, name] = /^\{\{(\w+)\}\}$/.exec(template) ?? [];
    const found = name === undefined ? filled(template, values) : values[name];
    return found as Json;
  }
  const isAbsent = (value: unknown) => value === undefined;
  if (Array.isArray(template)) {
    return template.map((one) => filledTemplate(one, values)).filter((one) => !isAbsent(one));
  }
  return isMap(template)
    ? Object.fromEntries(
        Object.entries(template)
          .map(([field, one]) => [field, filledTemplate(one, values)])
          .filter(([, value]) => !isAbsent(value)),
      )
    : (template as Json);
}

export interface WatchedInstallation {
  readonly name: string;
  readonly namespace?: string;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly port: string | number;
  readonly certificateSecret?: string;
}

export interface WebhookServer {
  readonly prefix: string;
  readonly namespace: string;
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly organization: string;
}

export interface BoundCertificate {
  readonly secretName: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly caBundle?: string;
}

export const VERSION_TAG = /:v?(\d+\.\d+\.\d+)(@.*)?$/;
