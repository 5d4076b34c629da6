import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, type Json, list } from '../../contract/json';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AwsCloudProvider } from '../../controllers/aws-cloud-provider/controller';
import { likelyOwner } from '../../rules/claimants';
import { lookAt } from '../../rules/judge-object';
import { type AppService, objectsOf, servicesOf } from '../app-services';
import { METALLB_GROUP } from '../metal-lb/metal-lb-kinds.facts';
import { SERVICE_WEBHOOK } from './aws-cloud-controller-manager.facts';

/** Whether somebody else takes Services without a class: MetalLB, or a webhook that gives them one. */
function takesClassless(object: ApiObject): boolean {
  return (
    object.apiGroup === METALLB_GROUP ||
    (object.kind === SERVICE_WEBHOOK.kind &&
      list<Json>(lookAt(object).webhooks)
        .flatMap((webhook) => list<Json>(webhook?.rules))
        .some((rule) => isMap(rule) && list(rule.resources).includes(SERVICE_WEBHOOK.resource)))
  );
}

function isClassless({ json }: AppService): boolean {
  const service = json();
  const { name } = likelyOwner(service)?.kind ?? AwsCloudProvider._kind;
  return name === AWS_CLOUD_CONTROLLER && AwsCloudProvider._kind.claim(service, undefined).claimed === 'yes';
}

/**
 * The Services of an app that the service controller serves where it runs. Of one that is in the app as it is, its manifest
 * tells, unless the app has more that takes such Services.
 */
export function cloudServices(host: IConstruct): AppService[] {
  const objects = objectsOf(host);
  const isShared = objects.some(takesClassless);
  return servicesOf(host).filter((service) =>
    service.owner === undefined ? !isShared && isClassless(service) : service.owner === AWS_CLOUD_CONTROLLER,
  );
}
