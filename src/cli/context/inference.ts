import { type Json, printable } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import { findOtherController } from '../../controllers/other-controller';
import { hasPools, withPoolFor } from '../../controllers/vendors/side-objects';
import { OPERATOR } from '../../kafka/strimzi/releases';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { KnownContext } from '../check-report';
import type { CheckContext, InstalledController } from './check-context';
import {
  areSame,
  controllerOf,
  findKind,
  inWords,
  joinWords,
  leavingClassless,
  unnamedController,
} from './context-controllers';
import { operatorOf } from './context-file';
import {
  evidenceInWords,
  type Observation,
  observeKeeper,
  observeKubelet,
  observeNodePools,
  observeOperators,
  observeRegion,
  observeStrimzi,
} from './observed-cluster';
import { type ObservedControllers, observeControllers, runningControllers } from './observed-controllers';

/** Versions that somebody names beside the files: they hold over what files say. */
export interface VersionOverrides {
  readonly by: 'from' | 'to';
  readonly versions: Readonly<Record<string, string>>;
}

export function inVersions(context: CheckContext, { by, versions }: VersionOverrides): CheckContext {
  const { [KUBERNETES]: kubernetes, [OPERATOR.name]: operator, ...controllers } = versions;
  const named = Object.entries(controllers).map(([name, version]) => `${name} ${version}`);
  const { said, ...strimzi } = operator === undefined ? { said: undefined } : operatorOf(operator);
  const given = [
    ...(kubernetes === undefined ? [] : [knownOf('kubernetes', `Kubernetes ${kubernetes}`, `--kubernetes-${by}`)]),
    ...(said === undefined ? [] : [knownOf('strimzi', `Strimzi ${said}`, `--strimzi-${by}`)]),
    ...(named.length === 0 ? [] : [knownOf('controllers', `controllers ${joinWords(named)}`, `--controller-${by}`)]),
  ];
  const isOver = ({ field }: KnownContext) =>
    field !== 'controllers' && given.some((one) => one.field !== undefined && one.field === field);
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

function knownOf(field: KnownContext['field'], what: string, from: string): KnownContext {
  return { field, what, from, isInferred: false };
}

function inVersion(
  installed: readonly InstalledController[],
  versions: Readonly<Record<string, string>> = {},
): InstalledController[] {
  return installed.map(({ name, options }) => ({
    name,
    options: Object.hasOwn(versions, name) ? { ...options, version: versions[name] } : options,
  }));
}

/** A controller with its options; of a version that is too old to be looked at by itself, as if its version were not known. */
function builtIn({ name, options }: InstalledController): ILoadBalancerController {
  try {
    return controllerOf({ name, options });
  } catch {
    const { version: _, ...others } = options;
    return controllerOf({ name, options: others });
  }
}

export interface Evidence extends ObservedControllers {
  readonly strimzi?: Observation<StrimziVersion>;
  readonly region?: Observation<string>;
  readonly nodePools: readonly Observation<NodePool>[];
  readonly kubelet?: Observation<string>;
}

export function evidenceIn(index: ObjectIndex, later: readonly IndexedObject[] = []): Evidence {
  return {
    ...observeControllers(index, later),
    strimzi: observeStrimzi(index),
    region: observeRegion(index),
    nodePools: observeNodePools(index),
    kubelet: observeKubelet(index),
  };
}

const OTHERS = unnamedController('any controller that the files do not show');

/**
 * Fills what the context file is silent about from the objects of the files; what the file says is left as it is.
 *
 * Controllers in workloads run for sure, but the objects never show that no other one runs: a controller that cannot be asked
 * stands beside them, so that no Service is said to have no owner. Which of the known ones claims a Service stays a guess
 * (`areControllersInferred`), and so does the version of Strimzi: what rests on them is a warning at most. Of the version of
 * Kubernetes, Nodes show a lower bound alone, from which nothing is concluded.
 */
export function inferredContext(
  index: ObjectIndex,
  written: CheckContext,
  later: readonly IndexedObject[] = [],
): CheckContext {
  const isNone = written.installed?.length === 0;
  const seen = written.controllers && !isNone ? undefined : seenIn(observeControllers(index, later), isNone);
  const strimzi = written.strimzi || written.isStrimziOlder ? undefined : observeStrimzi(index);
  const region = written.region === undefined ? observeRegion(index) : undefined;
  const keeper = written.keeper === undefined ? observeKeeper(index) : undefined;
  const nodePools = written.nodePools ? [] : observeNodePools(index);
  const operators = observeOperators(index);
  const installed = seen ? installedBy(seen, written.versions) : [];
  const completed = completedBy(index, written);
  const from = (what: string, by: readonly IndexedObject[], isInferred = true): KnownContext => ({
    what: printable(what),
    from: evidenceInWords(by),
    isInferred,
  });
  const names = `controllers ${joinWords((seen?.controllers ?? []).map(({ value }) => inWords(value)))}`;
  const doubt = seen?.doubt === undefined ? '' : `, but not who claims which Service: ${seen.doubt}`;
  const known = [
    ...completed.filter(isChanged).map(({ value, by }) => from(optionsInWords(value), by, false)),
    ...(seen && seen.controllers.length > 0
      ? [from(`${names}${doubt}`, [...new Set(seen.controllers.flatMap(({ by }) => by))])]
      : []),
    ...(strimzi ? [from(`Strimzi ${strimzi.value.version}`, strimzi.by)] : []),
    ...operators.map(({ operator, value, by }) => from(`${operator.name} ${value}`, by)),
    ...(keeper ? [from('a LoadBalancerKeeper', keeper.by)] : []),
    ...(region ? [from(`region ${region.value}`, region.by)] : []),
    ...nodePools.map(({ value, by }) => from(`node pool ${value.name}`, by)),
  ];
  return {
    ...written,
    known: [...written.known, ...known],
    ...(hasPools(index) && { withPoolFor: (service: Json) => withPoolFor(index, service) }),
    ...(completed.some(isChanged) && {
      controllers: completed.map(({ value }) => builtIn(value)),
      installed: completed.map(({ value }) => value),
    }),
    ...(seen?.doubt !== undefined && { shown: seen.controllers.map(({ value }) => builtIn(value)) }),
    ...(installed.length > 0 && { controllers: [...installed.map(builtIn), OTHERS], areControllersInferred: true }),
    ...(strimzi && { strimzi: strimzi.value, isStrimziInferred: true }),
    ...(operators.length > 0 && {
      operators: Object.fromEntries(operators.map(({ operator, value }) => [operator.id, value])),
    }),
    ...(keeper && { keeper: keeper.value }),
    ...(region && { region: region.value, isRegionInferred: true }),
    ...(nodePools.length > 0 && { nodePools: Object.fromEntries(nodePools.map(({ value }) => [value.name, value])) }),
  };
}

function seenIn(seen: ObservedControllers, isOthersAlone: boolean): ObservedControllers {
  const others = seen.controllers.filter(({ value }) => findOtherController(value.name));
  return isOthersAlone ? { controllers: others, ...(others.length > 1 && { doubt: seen.doubt }) } : seen;
}

interface Completed extends Observation<InstalledController> {
  readonly written: InstalledController;
}

function completedBy(index: ObjectIndex, { installed = [] }: CheckContext): Completed[] {
  const running = installed.length === 0 ? [] : [...runningControllers(index), ...leavingClassless(index)];
  return installed.map((written) => {
    const [only, ...others] = running.filter(({ value }) => value.name === written.name);
    const isAlone = others.length === 0 && installed.filter(({ name }) => name === written.name).length === 1;
    return only && isAlone
      ? { written, value: { ...written, options: { ...only.value.options, ...written.options } }, by: only.by }
      : { written, value: written, by: [] };
  });
}

function isChanged({ value, written }: Completed): boolean {
  return !areSame(value, written);
}

function optionsInWords({ name, options: { version, ...options } }: InstalledController): string {
  const others = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  return [inWords({ name, options: { version } }), ...others].join(', ');
}

/** Programs that run according to the objects, in the versions that are named beside them; what has such a version runs as well. */
function installedBy({ controllers, doubt }: ObservedControllers, versions: CheckContext['versions'] = {}) {
  const seen = doubt === undefined ? controllers.map(({ value }) => value) : [];
  const others = Object.keys(versions).filter((name) => findKind(name) && seen.every((one) => one.name !== name));
  return inVersion([...seen, ...others.map((name) => ({ name, options: {} }))], versions);
}
