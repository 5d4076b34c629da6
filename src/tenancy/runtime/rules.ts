import { Judgement } from '../../rules/rule-set';
import { type Fault, faultOf, reported, rulesOf } from '../fault';
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
  return [
    isCount ? undefined : faultOf(RUN_TIME['run-time-settings'], { replicas }),
    Number.isInteger(seconds) && seconds >= 1 ? undefined : faultOf(RUN_TIME.resyncIsSeconds, { seconds }),
    imageFault(RUN_TIME['run-time-settings'], image),
    isKept && !known.some(({ username }) => username === controller.username)
      ? faultOf(RUN_TIME['run-time-not-platform'], { username: controller.username, namespace, name, path })
      : undefined,
  ];
}

export function judgeRunTime(registry: TenancyRegistry): Judgement {
  const { engine, path } = registry.settings;
  const tenants = [...registry.tenants.values()];
  const ranges = tenants.flatMap(({ options }) => options.runtimePorts ?? []);
  const errors: Fault[] = [];
  const warnings: Fault[] = [];
  if (ranges.length === 0) {
    const isStatusOnly = tenants.some(({ services }) => services.length > 0);
    const found = isStatusOnly ? warnings : errors;
    found.push(
      faultOf(RUN_TIME['no-runtime-ports'], {
        path,
        isStatusOnly: isStatusOnly ? ', so only Services that the app attaches get a status' : '',
      }),
    );
  }
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const room = engine.ports.perBalancer - registry.lockedPortsAt(0).length;
  if (wanted > room) {
    warnings.push(
      faultOf(RUN_TIME['runtime-ports-exceed-balancer'], { path, wanted, room: Math.max(0, room) }, String(wanted)),
    );
  }
  return Judgement.of(reported(errors, engine.name), reported(warnings, engine.name));
}

export const WATCH = rulesOf(WATCH_RULES);
