import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import { OPERATOR } from '../../kafka/strimzi/releases';

import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import type { KnownContext } from '../check-report';
import type { CheckContext, InstalledController } from './check-context';
import { controllerOf, joined } from './context-controllers';
import { operatorOf } from './context-file';

/** Versions that somebody names beside the files: they hold over what files say. */
export interface GivenVersions {
  /** How the options end that name them. */
  readonly by: 'from' | 'to';
  /** Of Kubernetes, of Strimzi and of controllers, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * What is known of a cluster in which some things run in other versions.
 *
 * @param context what the context file says
 */
export function inVersions(context: CheckContext, { by, versions }: GivenVersions): CheckContext {
  const { [KUBERNETES]: kubernetes, [OPERATOR.name]: operator, ...controllers } = versions;
  const named = Object.entries(controllers).map(([name, version]) => `${name} ${version}`);
  const { said, ...strimzi } = operator === undefined ? { said: undefined } : operatorOf(operator);
  const given = [
    ...(kubernetes === undefined ? [] : [knownOf(`${START.kubernetes}${kubernetes}`, `--kubernetes-${by}`)]),
    ...(said === undefined ? [] : [knownOf(`${START.strimzi}${said}`, `--strimzi-${by}`)]),
    ...(named.length === 0 ? [] : [knownOf(`${START.controllers}${joined(named)}`, `--controller-${by}`)]),
  ];
  const isOver = ({ what }: KnownContext) =>
    (kubernetes !== undefined && what.startsWith(START.kubernetes)) ||
    (said !== undefined && what.startsWith(START.strimzi));
  return {
    ...context,
    ...(kubernetes !== undefined && { kubernetes: KubernetesVersion.of(kubernetes) }),
    ...(operator !== undefined && { strimzi: undefined, isStrimziOlder: undefined, ...strimzi }),
    ...(context.installed && {
      controllers: inVersion(context.installed, versions).map((one) => builtIn(one)),
      installed: inVersion(context.installed, versions),
    }),
    known: [...context.known.filter((one) => !isOver(one)), ...given],
    versions,
  };
}

/** How sentences begin that say what is known. */
const START = { kubernetes: 'Kubernetes ', strimzi: 'Strimzi ', controllers: 'controllers ' };

function knownOf(what: string, from: string): KnownContext {
  return { what, from, isInferred: false };
}

/** Controllers in the versions that are given for them. */
export function inVersion(
  installed: readonly InstalledController[],
  versions: Readonly<Record<string, string>> = {},
): InstalledController[] {
  return installed.map(({ name, options }) => ({
    name,
    options: Object.hasOwn(versions, name) ? { ...options, version: versions[name] } : options,
  }));
}

/** A controller with its options; of a version that is too old to be looked at by itself, as if its version were not known. */
export function builtIn({ name, options }: InstalledController): ILoadBalancerController {
  try {
    return controllerOf({ name, options });
  } catch {
    const { version: _, ...others } = options;
    return controllerOf({ name, options: others });
  }
}
