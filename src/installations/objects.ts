import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { RenderStage, renderLate } from '../contract/late-rendering';

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

export function objectsIn(constructs: readonly IConstruct[]): ApiObject[] {
  return constructs.flatMap((construct) =>
    construct.node.findAll().filter((found): found is ApiObject => ApiObject.isApiObject(found)),
  );
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
