import type { Json } from '../contract/json';
import type { LoadBalancerPlan } from '../contract/options';
import { appIndexOf, perPass } from '../rules/app-objects';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../rules/objects';
import { typedService } from '../rules/service-fields';
import { classOf, wantsLoadBalancer } from '../rules/service-json';
import type { SynthObject } from '../rules/synth-object';
import { SynthWatch } from '../rules/synth-watch';

export interface BalancedService {
  readonly name: string;
  readonly namespace?: string;
  readonly loadBalancerClass?: string;
  /** Intended owner of the balancer; unknown for plain manifests. */
  readonly owner?: string;
  readonly unit: unknown;
  /** Scopes around it, the outermost first: the construct that asked for it is the last one. */
  readonly scopes: readonly unknown[];
  json(): Json;
}

export const servicesOf = perPass((root): readonly BalancedService[] => [
  ...SynthWatch.of(root).objects.flatMap((object) => {
    const { plan } = object;
    return plan ? [plannedService(object, plan)] : [];
  }),
  ...plainServicesIn(appIndexOf(root), ({ isChecked }) => !isChecked),
]);

export function plainServicesIn(
  index: ObjectIndex,
  isPlain: (service: IndexedObject) => boolean = () => true,
): readonly BalancedService[] {
  return index
    .of('', 'Service')
    .filter((service) => isPlain(service) && wantsLoadBalancer(service.json))
    .map((service) => {
      const { namespace, unit, scopes } = service;
      const json = typedService(service.json).service;
      return {
        name: kindAndTitleOf(service),
        namespace,
        unit,
        scopes,
        loadBalancerClass: classOf(json),
        json: () => json,
      };
    });
}

function plannedService(object: SynthObject, plan: LoadBalancerPlan): BalancedService {
  const { owner, loadBalancerClass, annotations } = plan;
  const { kind, name, metadata } = object.target;
  const { namespace } = metadata;
  return {
    unit: object.target.chart,
    scopes: object.host.node.scopes,
    name: kindAndTitleOf({ kind, name, namespace }),
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
