import type { ApiObject } from 'cdk8s';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { lookAt } from '../../rules/judge-object';
import { NAME_LABEL } from './installation.facts';
import { runsController } from './installation-reading';
import type { OtherInstallation } from './installation-rule';

/** Deployments of this library, and their service accounts. */
const OURS = new WeakMap<ApiObject, ApiObject>();

/** Remembers the Deployment of an installation. */
export function settleController(deployment: ApiObject, serviceAccount: ApiObject): void {
  OURS.set(deployment, serviceAccount);
}

/** The Deployments of an app that run the controller. */
export function controllersIn(objects: readonly ApiObject[]): ApiObject[] {
  return objects.filter(
    (object) =>
      object.kind === 'Deployment' &&
      (OURS.has(object) || object.metadata.getLabel(NAME_LABEL) === AWS_LBC || runsController(lookAt(object))),
  );
}

/** The second of two says so; of a manifest by somebody else, this one does. */
export function othersThan(deployment: ApiObject, all: readonly ApiObject[]): OtherInstallation[] {
  const place = all.indexOf(deployment);
  return all
    .filter((other, i) => other !== deployment && (i < place || !OURS.has(other)))
    .map((other) => {
      const serviceAccount = OURS.get(other);
      return {
        path: other.node.path,
        inChart: other.chart === deployment.chart,
        deployment: lookAt(other),
        serviceAccount: serviceAccount && lookAt(serviceAccount),
      };
    });
}
