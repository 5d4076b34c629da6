import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { serves } from '../../kafka/operator/cluster-operators';
import { appIndexOf, constructOf } from '../../rules/app-objects';
import { cloudServices } from '../aws-cloud-controller-manager/controllers';
import { AwsCloudControllerManagerInstallation } from '../aws-cloud-controller-manager/installation';
import { isFor } from '../aws-load-balancer-controller/controllers';
import { AwsLoadBalancerControllerInstallation } from '../aws-load-balancer-controller/installation';
import { type BalancedService, servicesOf } from '../balanced-services';
import { someOf } from '../served-services';
import { operatorsOf, resourcesOf } from '../strimzi/app';

export interface Server {
  readonly installation: IConstruct;
  /** The object by which it is validated. */
  readonly judged: ApiObject;
  readonly served: (places: readonly IConstruct[]) => IConstruct[];
}

const isInside = (construct: IConstruct, places: readonly IConstruct[]) =>
  places.some((place) => construct.node.scopes.includes(place));

function ofServices(
  installation: IConstruct & { readonly clusterRole: ApiObject },
  services: readonly BalancedService[],
): Server {
  // the last scope of what asks for a balancer is the construct itself
  const hosts = services.map(({ scopes }) => scopes[scopes.length - 1] as IConstruct);
  return {
    installation,
    judged: installation.clusterRole,
    served: (places) => hosts.filter((host) => isInside(host, places)),
  };
}

function serverOf(construct: IConstruct): Server[] {
  if (construct instanceof AwsCloudControllerManagerInstallation) {
    return [ofServices(construct, cloudServices(construct))];
  }
  if (construct instanceof AwsLoadBalancerControllerInstallation) {
    const claiming = construct._claiming;
    const services = servicesOf(construct).filter((service) => isFor(claiming, service));
    return [ofServices(construct, services)];
  }
  const operator = ApiObject.isApiObject(construct)
    ? operatorsOf(appIndexOf(construct)).find(({ installation }) => installation?.object === construct)
    : undefined;
  return operator
    ? [
        {
          installation: operator.installation?.host ?? construct,
          judged: construct as ApiObject,
          served: (places) =>
            resourcesOf(appIndexOf(construct)).kafkas.flatMap(({ object }) => {
              const kafka = constructOf(object);
              return kafka && isInside(kafka, places) && serves(operator, object) ? [kafka] : [];
            }),
        },
      ]
    : [];
}

export function serversIn(constructs: readonly IConstruct[]): Server[] {
  return constructs.flatMap((construct) => construct.node.findAll().flatMap(serverOf));
}

/**
 * What is before its own controller: on deletion the controller would go first. Whatever has another one in time, such as
 * that of its own cluster, is left out.
 *
 * @param constructs those of a stage
 * @param before those of the stages before
 */
export function reversed(
  constructs: readonly IConstruct[],
  before: readonly IConstruct[],
): { readonly installation: IConstruct; readonly served: string } | undefined {
  if (before.length === 0) {
    return undefined;
  }
  const inTime = new Set(serversIn(before).flatMap(({ served }) => served(before)));
  for (const { installation, served } of serversIn(constructs)) {
    const late = served(before).filter((construct) => !inTime.has(construct));
    if (late.length > 0) {
      return { installation, served: someOf(late.map(({ node }) => node.path)) };
    }
  }
  return undefined;
}
