import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { lookAt } from '../rules/judge-object';
import { identityOf, type JudgedObject } from '../rules/judged-object';
import type { PlannedLoadBalancer } from '../rules/load-balancers';
import { perPass } from '../rules/per-pass';
import { classOf, wantsLoadBalancer } from '../rules/service-json';
import { SynthWatch } from '../rules/synth-watch';

/** A Service of an app that gets a balancer, or what an operator makes some of. */
export interface AppService {
  /** The construct that asked for it; of what is in the app as it is, the object itself. */
  readonly host: IConstruct;
  /** Kind, namespace and name, as a message has them. */
  readonly name: string;
  readonly namespace?: string;
  readonly loadBalancerClass?: string;
  /** Who is meant to own the balancer; unknown of plain manifests. */
  readonly owner?: string;
  /** The finished Service. */
  json(): Json;
}

/** The objects in a construct. */
export function objectsIn({ node }: IConstruct): ApiObject[] {
  return node.findAll().filter((found): found is ApiObject => ApiObject.isApiObject(found));
}

/** The objects of the app of a construct. */
export const objectsOf = perPass((root): readonly ApiObject[] => objectsIn(root));

/** Everything in the app of a construct that gets a balancer through Services of type LoadBalancer. */
export const servicesOf = perPass((root): readonly AppService[] => {
  const judged = SynthWatch.of(root).objects;
  const known = new Set(judged.map(({ identity }) => identity));
  const plain = objectsOf(root).filter((object) => object.kind === 'Service' && !known.has(identityOf(object)));
  return [
    ...judged.flatMap((object) => {
      const { planned } = object;
      return planned ? [plannedService(object, planned)] : [];
    }),
    ...plain.flatMap(plainService),
  ];
});

function plannedService(object: JudgedObject, { kind, name, namespace, plan }: PlannedLoadBalancer): AppService {
  const { owner, loadBalancerClass, annotations } = plan;
  return {
    host: object.host,
    name: shownAs(kind, name, namespace),
    namespace,
    loadBalancerClass,
    owner,
    json: () =>
      kind === 'Service'
        ? object.document
        : {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { annotations },
            spec: { type: 'LoadBalancer', loadBalancerClass },
          },
  };
}

function plainService(object: ApiObject): AppService[] {
  const json = lookAt(object);
  const { kind, name } = object;
  const { namespace } = object.metadata;
  return wantsLoadBalancer(json)
    ? [
        {
          host: object,
          name: shownAs(kind, name, namespace),
          namespace,
          loadBalancerClass: classOf(json),
          json: () => json,
        },
      ]
    : [];
}

function shownAs(kind: string, name: string, namespace: string | undefined): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
