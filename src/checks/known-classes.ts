import { editDistance } from '../contract/edit-distance';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../contract/rule';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { OTHER_CONTROLLERS } from '../controllers/marks.facts';
import { otherOfClass } from '../controllers/other-controller';
import { definitionOf, knownKinds } from '../rules/controller-definition';
import { classOf, wantsLoadBalancer } from '../rules/service-json';
import { OTHER_CLASSES } from './explain/known-words.facts';

export function knownClasses(): string[] {
  return [
    ...knownKinds().flatMap(({ classes }) => classes),
    ...new Set([...OTHER_CLASSES.map(({ name }) => name), ...OTHER_CONTROLLERS.flatMap(({ classes }) => classes)]),
  ].filter((name) => !name.endsWith('/'));
}

/** A known class that another one is a slip of the hand of. */
export function classLike(name: string): string | undefined {
  const all = knownClasses();
  if (all.includes(name) || otherOfClass(name)) {
    return undefined;
  }
  const near = all
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(2, Math.floor(known.length / 5)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.known ?? all.find((known) => known.endsWith(`/${name}`));
}

export const CLASS_WITHOUT_FINALIZER: DescribedNote = {
  id: 'class-without-finalizer',
  who: 'check',
  severity: 'note',
  says: 'class whose controller puts no finalizer on Services',
  source: 'ours',
};

/** What it means that the controller of a class is known to put no finalizer on Services. */
export function classWithoutFinalizer(
  service: Json,
  { controller, name: owner }: LoadBalancerOwner,
): LoadBalancerFinding[] {
  const name = classOf(service);
  const kind = controller && definitionOf(controller);
  const hasNone = kind && kind.finalizers.length === 0 && kind.untouchableFinalizers === undefined;
  const who = hasNone ? owner : OTHER_CLASSES.find((one) => one.name === name && one.isWithoutFinalizer)?.who;
  if (name === undefined || who === undefined || !wantsLoadBalancer(service)) {
    return [];
  }
  const finding = {
    what: `${who}, which serves class '${name}', puts no finalizer on Services: a deletion waits for nothing, and what ${who} made can stay while it does not run`,
    remedy: `keep ${who} running until its Services are gone`,
    value: String(name),
    at: '/spec/loadBalancerClass',
  };
  return [findingOf(CLASS_WITHOUT_FINALIZER, finding, 'check')];
}
