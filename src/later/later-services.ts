import { isMap, type Json } from '../contract/json';
import type { Manifest } from '../rules/manifest-objects';
import { balancersOfGateways } from './gateway-services';
import { servicesOfKafkas } from './kafka-services';
import { type Later, titleOf } from './later';

/**
 * What is known of balancers that operators and controllers make of other objects than Services.
 *
 * @param isEach whether those that are alike are all there, and not the first one with the names of the others
 * @param older what is applied before them: what lives of it keeps its names
 */
export function laterServices(manifests: readonly Manifest[], isEach = false, older?: readonly Manifest[]): Later {
  const [kafkas, gateways] = [servicesOfKafkas(manifests, isEach, older), balancersOfGateways(manifests)];
  const templates = manifests.flatMap((manifest) => {
    const note = inOtherObject(manifest);
    return note === undefined ? [] : [{ manifest, note }];
  });
  return {
    services: [...kafkas.services, ...gateways.services],
    possible: gateways.possible,
    nlbs: gateways.nlbs,
    notes: [...kafkas.notes, ...gateways.notes, ...templates.map(({ note }) => note)],
    unlisted: [...(kafkas.unlisted ?? []), ...(gateways.unlisted ?? []), ...templates.map(({ manifest }) => manifest)],
    others: kafkas.others + gateways.others,
  };
}

/** Kinds of Kubernetes itself make no Services; `Kafka` and the kinds of Gateways are looked at by themselves. */
const OF_KUBERNETES = /^(v1|(apps|batch|autoscaling|policy)\/.*|([a-z.]+\.)?k8s\.io\/.*)$/;
const KNOWN_KINDS = ['Kafka', 'EnvoyProxy'];

/** A template of a load balanced Service in an object of a kind that is not known here. */
function inOtherObject({ file, line, object }: Manifest): string | undefined {
  const { kind, apiVersion } = object;
  if (OF_KUBERNETES.test(apiVersion) || KNOWN_KINDS.includes(kind)) {
    return undefined;
  }
  const path = pathOfType(object, []);
  return (
    path &&
    `${file}:${line}: ${kind} ${titleOf(object)}: ${path.join('.')} is LoadBalancer, so its controller may make a load balancer; it is not listed`
  );
}

function pathOfType(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (Array.isArray(value)) {
    return first(value.map((item, i) => () => pathOfType(item, [...path, String(i)])));
  }
  if (!isMap(value)) {
    return undefined;
  }
  const found = Object.keys(value).find((key) => TYPE_FIELD.test(key) && isBalanced(value[key]));
  return found !== undefined
    ? [...path, found]
    : first(
        Object.entries(value as Json).map(
          ([key, inner]) =>
            () =>
              pathOfType(inner, [...path, key]),
        ),
      );
}

const TYPE_FIELD = /type$/i;

function isBalanced(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'loadbalancer';
}

function first<T>(looks: readonly (() => T | undefined)[]): T | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
