import { knownKinds } from '../../rules/controller-definition';
import { OPENING_OPTIONS } from './guard.facts';

/**
 * The annotations of a class that let clients in whom the source ranges keep out: a policy that checks the ranges would check nothing.
 *
 * @param loadBalancerClass the class
 * @param controller the name of its controller, where it has a class of its own
 */
export function openingAnnotations(loadBalancerClass: string, controller?: string): string[] {
  const { controllers, options, catalogue } = OPENING_OPTIONS;
  const serves = knownKinds().filter(
    ({ name, classes }) => name === controller || (controller === undefined && classes.includes(loadBalancerClass)),
  );
  const keys = knownKinds().find(({ name }) => name === catalogue)?.catalogue;
  return serves.some(({ name }) => controllers.includes(name))
    ? options.flatMap((option) => keys?.ofOption(option)?.key() ?? [])
    : [];
}
