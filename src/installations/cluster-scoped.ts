import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
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
