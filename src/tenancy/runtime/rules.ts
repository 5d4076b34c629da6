import { Judgement } from '../../rules/judgement';
import { errorRule, type Fault, reported, warningRule } from '../fault';
import { imageFault } from '../guard/prop-faults';
import { TenancyIdentity } from '../guard/tenancy-identity';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import type { SharedServicesAtRunTimeProps } from './shared-services-at-run-time.options';

export const NO_RUNTIME_PORTS = errorRule(
  'no-runtime-ports',
  'a tenant has ports for Services that are created at run time; without attached Services this is an error',
);
export const RUNTIME_PORTS_EXCEED_BALANCER = warningRule(
  'runtime-ports-exceed-balancer',
  'the first balancer has room for all ports that tenants may have at run time',
);
export const ENGINE_WITHOUT_RUN_TIME = errorRule(
  'engine-without-run-time',
  'the engine for Services that are created at run time makes or takes a Gateway',
);
export const RUN_TIME_NAMESPACE = errorRule(
  'run-time-namespace',
  'the namespaces of the hook and of the balancer are known, since one names the other',
);

export const RUN_TIME_SETTINGS = errorRule(
  'run-time-settings',
  'the hook has pods that run, and looks at Services in time',
);
export const RUN_TIME_NOT_PLATFORM = errorRule(
  'run-time-not-platform',
  'the policies of the shared load balancer let its controller write what it publishes in namespaces of tenants',
);

/** What is wrong with the props of the hook, and with who calls it. */
export function settingFaults(
  { replicas, resync, image }: SharedServicesAtRunTimeProps,
  registry: TenancyRegistry,
  controller: TenancyIdentity,
): (Fault | undefined)[] {
  const { engine, platform = [], oneTeam, path } = registry.settings;
  const { dangerous, platform: own = [] } = engine.isolation;
  const known = [...platform, ...own, ...TenancyIdentity.knownControllers()];
  const isKept = !oneTeam && platform.length + own.length > 0 && dangerous.length > 0;
  const [, , namespace, name] = String(controller.username).split(':');
  const seconds = resync?.toSeconds({ integral: false }) ?? 1;
  const isCount = replicas === undefined || (Number.isInteger(replicas) && replicas >= 1);
  return [
    isCount
      ? undefined
      : { rule: RUN_TIME_SETTINGS, what: `replicas is ${replicas}`, remedy: 'use a whole number from 1' },
    Number.isInteger(seconds) && seconds >= 1
      ? undefined
      : { rule: RUN_TIME_SETTINGS, what: `resync is ${seconds} seconds`, remedy: 'use whole seconds from 1' },
    imageFault(RUN_TIME_SETTINGS, image),
    isKept && !known.some(({ username }) => username === controller.username)
      ? {
          rule: RUN_TIME_NOT_PLATFORM,
          what: `the policies would refuse what ${controller.username} writes for tenants`,
          remedy: `add TenancyIdentity.serviceAccount('${namespace}', '${name}') to platform of ${path}`,
        }
      : undefined,
  ];
}

/** What is wrong, or will surprise, about serving Services at run time. */
export function judgeRunTime(registry: TenancyRegistry): Judgement {
  const { engine, path } = registry.settings;
  const tenants = [...registry.tenants.values()];
  const ranges = tenants.flatMap(({ options }) => options.runtimePorts ?? []);
  const errors: Fault[] = [];
  const warnings: Fault[] = [];
  if (ranges.length === 0) {
    const isStatusOnly = tenants.some(({ services }) => services.length > 0);
    const found = isStatusOnly ? warnings : errors;
    found.push({
      rule: NO_RUNTIME_PORTS,
      what: `no tenant of ${path} has ports for Services that are created at run time${isStatusOnly ? ', so only Services that the app attaches get a status' : ''}`,
      remedy:
        "give the tenants that may create some their ports: addTenant('team-a', { runtimePorts: { first: 31000, last: 31019 } })",
    });
  }
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const room = engine.ports.perBalancer - registry.lockedPortsAt(0).length;
  if (wanted > room) {
    warnings.push({
      rule: RUNTIME_PORTS_EXCEED_BALANCER,
      what: `the tenants of ${path} may have ${wanted} ports at run time, and its first balancer has room for ${Math.max(0, room)} beside those of the lock file: the last Services are not served`,
      remedy: 'give them smaller ranges, or use an engine with more ports',
      value: String(wanted),
    });
  }
  return Judgement.of(reported(errors, engine.name), reported(warnings, engine.name));
}
