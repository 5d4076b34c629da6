import { Judgement } from '../../rules/rule-set';
import { type Fault, faultsIn, reported, rulesOf } from '../fault';
import { imageFault } from '../guard/rules';
import { TenancyIdentity } from '../guard/tenancy-identity';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import type { SharedServicesAtRunTimeProps } from './options';
import { RUN_TIME_MESSAGES, RUN_TIME_RULES, WATCH_RULES } from './rules.facts';

export const RUN_TIME = rulesOf(RUN_TIME_RULES, RUN_TIME_MESSAGES);

export function settingFaults(
  { replicas, resync, image }: SharedServicesAtRunTimeProps,
  registry: TenancyRegistry,
  controller: TenancyIdentity,
): (Fault | undefined)[] {
  const { engine, platform = [], oneTeam, path } = registry.settings;
  const { dangerous } = engine.isolation;
  const known = [...platform, ...TenancyIdentity.knownControllers()];
  const isKept = !oneTeam && platform.length > 0 && dangerous.length > 0;
  const [, , namespace, name] = String(controller.username).split(':');
  const seconds = resync?.toSeconds({ integral: false }) ?? 1;
  const isCount = replicas === undefined || (Number.isInteger(replicas) && replicas >= 1);
  const isPlatform = known.some(({ username }) => username === controller.username);
  return [
    ...faultsIn(RUN_TIME, {
      'run-time-settings': !isCount && { replicas },
      resyncIsSeconds: !(Number.isInteger(seconds) && seconds >= 1) && { seconds },
    }),
    imageFault(RUN_TIME['run-time-settings'], image),
    ...faultsIn(RUN_TIME, {
      'run-time-not-platform': isKept && !isPlatform && { username: controller.username, namespace, name, path },
    }),
  ];
}

export function judgeRunTime(registry: TenancyRegistry): Judgement {
  const { engine, path } = registry.settings;
  const tenants = [...registry.tenants.values()];
  const ranges = tenants.flatMap(({ options }) => options.runtimePorts ?? []);
  const isStatusOnly = tenants.some(({ services }) => services.length > 0);
  const none = faultsIn(RUN_TIME, {
    'no-runtime-ports': ranges.length === 0 && {
      path,
      isStatusOnly: isStatusOnly ? ', so only Services that the app attaches get a status' : '',
    },
  });
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const room = engine.ports.perBalancer - registry.lockedPortsAt(0).length;
  const warnings = faultsIn(RUN_TIME, {
    'runtime-ports-exceed-balancer': wanted > room && { path, wanted, room: Math.max(0, room), value: wanted },
  });
  const of = (faults: Fault[]) => reported(faults, engine.name);
  return Judgement.of(of(isStatusOnly ? [] : none), of([...(isStatusOnly ? none : []), ...warnings]));
}

export const WATCH = rulesOf(WATCH_RULES);
