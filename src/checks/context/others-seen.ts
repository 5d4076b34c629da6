import { isMap, type Json, list } from '../../contract/json';
import { OTHER_CONTROLLERS, type OtherController } from '../../controllers/marks.facts';
import { ownerSigns } from '../../controllers/other-controller';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { classOf } from '../../rules/service-json';
import type { InstalledController } from './context-controllers';
import { BALANCERS_OFF, NO_SERVICE_CONTROLLER } from './evidence.facts';
import { containersOf, providerIdOf, runsImage, type Seen } from './seen';

/**
 * Controllers without rules here, by workloads, Nodes and kinds that are theirs alone, and by the signs on Services.
 *
 * @param isShown whether other objects than Services show a controller with rules: annotations show no other one beside it then
 */
export function othersSeen(
  index: ObjectIndex,
  services: readonly (readonly IndexedObject[])[],
  isShown: boolean,
): readonly Seen<InstalledController>[] {
  const workloads = [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')];
  const nodes = index.of('', 'Node');
  const ofObjects = OTHER_CONTROLLERS.flatMap((other) => {
    const { workloadLabels, images = [], providerIds = [], kinds = [], hasOtherTasks = false } = other;
    const by = [
      ...workloads.filter(
        (workload) =>
          (workloadLabels && workload.label(workloadLabels.name) !== undefined) ||
          (!hasOtherTasks &&
            containersOf(workload.json).some((container) => images.some((image) => runsImage(container, image)))),
      ),
      ...(hasOtherTasks
        ? []
        : nodes.filter((node) => providerIds.some((start) => providerIdOf(node).startsWith(start)))),
      ...kinds.flatMap(({ group, kind }) => index.of(group, kind)),
    ];
    return by.length === 0 ? [] : [{ value: { name: other.id, options: {} }, by }];
  });
  const ofServices = services.flatMap((by) => {
    const loadBalancerClass = classOf(by[0].json);
    // a class shows no more than that it is served
    const options = loadBalancerClass === undefined ? {} : { classes: [loadBalancerClass] };
    return ownerSigns(by[0].json)
      .filter(({ isWritten = false }) => loadBalancerClass !== undefined || isWritten || !isShown)
      .map(({ other }) => ({ value: { name: other.id, options }, by }));
  });
  // a class tells nothing where more is seen
  const isWhole = ({ value }: Seen<InstalledController>) => value.options.classes === undefined;
  const whole = [...ofObjects, ...ofServices].filter(isWhole);
  return [
    ...whole,
    ...ofServices.filter((one) => !isWhole(one) && whole.every(({ value }) => value.name !== one.value.name)),
  ];
}

/** Whether a controller is the one that clusters of a cloud run by themselves. */
export function isOfCloud({ takesClassless, hasOtherTasks, id }: OtherController): boolean {
  return takesClassless && hasOtherTasks !== true && id.endsWith(CLOUD_CONTROLLER);
}

/** How the names of the cloud's own controllers end. */
const CLOUD_CONTROLLER = '-cloud-controller-manager';

/** Whether a cloud controller is told to leave balancers alone, and runs for its other tasks. */
export function makesNoBalancers({ json }: IndexedObject): boolean {
  const containers = containersOf(json);
  const words = containers.flatMap(({ command, args }) => [...list(command), ...list(args)].map(String));
  const off = words.some((word) => NO_SERVICE_CONTROLLER.test(word));
  return (
    off ||
    containers.some(({ env }) =>
      list<Json>(env).some(
        (one) => isMap(one) && one.name === BALANCERS_OFF.variable && one.value === BALANCERS_OFF.value,
      ),
    )
  );
}
