import type { IConstruct } from 'constructs';
import { type Json, mapIn } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import { appIndexOf } from '../rules/app-objects';
import { balancerModelOf, type ControllerDefinition, definitionOf, neededToMake } from '../rules/controller-definition';
import { allKinds, likelyOwner } from '../rules/known-kinds';
import { wantsLoadBalancer } from '../rules/service-json';
import { synthObjectsUnder } from '../rules/synth-watch';
import { Workloads } from '../rules/workload-rules';
import type { BalancerToReport } from './paths';

export function appBalancers(root: IConstruct): BalancerToReport[] {
  const objects = appIndexOf(root).under(root);
  const beside = objects.filter(({ kind }) => kind !== 'Service').map(({ json }) => json);
  const workloads = new Workloads(beside);
  const planned = synthObjectsUnder(root)
    .filter(({ plan }) => plan !== undefined)
    .flatMap((object) =>
      object.balancedServices.map((service) =>
        reported(service, object.path, { name: object.plan?.owner, controller: object.controller, beside, workloads }),
      ),
    );
  const plain = objects
    .filter((object) => object.kind === 'Service' && !object.isChecked && wantsLoadBalancer(object.json))
    .map(({ json, path }) => reported(json, path, { beside, workloads }));
  return [...planned, ...plain];
}

interface Surroundings {
  readonly name?: string;
  readonly controller?: ILoadBalancerController;
  readonly beside: readonly Json[];
  readonly workloads: Workloads;
}

function reported(
  service: Json,
  path: string,
  { name, controller, beside, workloads }: Surroundings,
): BalancerToReport {
  const kind = name === undefined ? likelyOwner(service)?.kind : allKinds().find((each) => each.name === name);
  const maker = controller && definitionOf(controller) ? controller : kind;
  const made = balancerModelOf(service, maker, beside);
  const owner = name ?? kind?.name ?? 'unknown';
  const metadata = mapIn(service, 'metadata');
  return {
    service,
    namespace: String(metadata.namespace ?? 'default'),
    name: String(metadata.name ?? ''),
    owner,
    ...(name === undefined && kind ? { isGuess: true } : {}),
    ...(made ? { made } : { unknown: unknownOf(owner, kind) }),
    ...(maker ? { controller: maker } : {}),
    workloads: workloads.of(service),
    place: path,
  };
}

function unknownOf(owner: string, kind: ControllerDefinition | undefined): string {
  if (kind) {
    return neededToMake(kind);
  }
  return owner === 'unknown'
    ? 'needs a class, or annotations of one controller'
    : `needs what ${owner} makes of it, which is not known here`;
}
