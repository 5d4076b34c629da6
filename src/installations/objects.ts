import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json } from '../contract/json';
import { RenderStage, renderLate } from '../contract/late-rendering';
import { filled } from '../contract/rule';

/** An object without a namespace: cdk8s writes that of the chart into every object. */
export function clusterScoped(scope: Construct, id: string, props: ApiObjectProps): ApiObject {
  const object = new ApiObject(scope, id, props);
  renderLate(object, RenderStage.SCOPE, ({ metadata: { namespace, ...metadata }, ...json }) => ({
    apiVersion: json.apiVersion,
    kind: json.kind,
    metadata,
    ...json,
  }));
  return object;
}

/**
 * An object of a table. A text `{{name}}` is the value of that name, and a field or an entry without a value is left out;
 * the object itself if `if` names something absent. Without a namespace in its metadata it is of the whole cluster.
 */
export interface ObjectTemplate {
  /** The id of the construct: the kind if unset. */
  readonly id?: string;
  readonly if?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export type TemplateValues = Readonly<Record<string, unknown>>;

/** Makes the objects of a table, in its order; returns them by id. */
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
      const isOfCluster = !('namespace' in template.metadata);
      return [name, isOfCluster ? clusterScoped(scope, name, object) : new ApiObject(scope, name, object)];
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
  /** The name of its workload. */
  readonly name: string;
  readonly namespace?: string;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The name or the number of the port that metrics are at. */
  readonly port: string | number;
  /** The Secret with the certificate of its webhooks, where it has some. */
  readonly certificateSecret?: string;
}

export interface WebhookServer {
  /** Prefix of the names of its objects. */
  readonly prefix: string;
  readonly namespace: string;
  /** The Service that the API server calls. */
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The organization in the authority, if one is made. */
  readonly organization: string;
}

export interface BoundCertificate {
  readonly secretName: string;
  /** Annotations of the webhook configurations. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The CA bundle of each webhook, if it is known. */
  readonly caBundle?: string;
}

/** The tag of an image, where it is a version. */
export const VERSION_TAG = /:v?(\d+\.\d+\.\d+)(@.*)?$/;
