import { Judgement } from '../../rules/judgement';
import { errorRules, type Fault, reported, warningRules } from '../fault';
import { imageFault } from '../guard/rules';
import { TenancyIdentity } from '../guard/tenancy-identity';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import type { SharedServicesAtRunTimeProps } from './options';

export const RUN_TIME = {
  ...errorRules({
    'no-runtime-ports': 'no tenant has runtimePorts: an error unless Services are attached',
    'engine-without-run-time': 'the engine cannot publish Services that are created at run time',
    'run-time-namespace': 'the namespace of an existing Gateway is unknown',
    'run-time-settings': 'replicas, resync or image of the hook are not valid',
    'run-time-not-platform': 'policies of the shared load balancer refuse what the controller of the hook writes',
  }),
  ...warningRules({
    'runtime-ports-exceed-balancer': 'the first balancer has fewer ports than the runtimePorts of all tenants',
  }),
};

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
      : { rule: RUN_TIME['run-time-settings'], what: `replicas is ${replicas}`, remedy: 'use a whole number from 1' },
    Number.isInteger(seconds) && seconds >= 1
      ? undefined
      : {
          rule: RUN_TIME['run-time-settings'],
          what: `resync is ${seconds} seconds`,
          remedy: 'use whole seconds from 1',
        },
    imageFault(RUN_TIME['run-time-settings'], image),
    isKept && !known.some(({ username }) => username === controller.username)
      ? {
          rule: RUN_TIME['run-time-not-platform'],
          what: `the policies would refuse what ${controller.username} writes for tenants`,
          remedy: `add TenancyIdentity.serviceAccount('${namespace}', '${name}') to platform of ${path}`,
        }
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
    found.push({
      rule: RUN_TIME['no-runtime-ports'],
      what: `no tenant of ${path} has ports for Services that are created at run time${isStatusOnly ? ', so only Services that the app attaches get a status' : ''}`,
      remedy:
        "give the tenants that may create some their ports: addTenant('team-a', { runtimePorts: { first: 31000, last: 31019 } })",
    });
  }
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const room = engine.ports.perBalancer - registry.lockedPortsAt(0).length;
  if (wanted > room) {
    warnings.push({
      rule: RUN_TIME['runtime-ports-exceed-balancer'],
      what: `the tenants of ${path} may have ${wanted} ports at run time, and its first balancer has room for ${Math.max(0, room)} beside those of the lock file: the last Services are not served`,
      remedy: 'give them smaller ranges, or use an engine with more ports',
      value: String(wanted),
    });
  }
  return Judgement.of(reported(errors, engine.name), reported(warnings, engine.name));
}

export const WATCH = errorRules({
  'watch-engine': 'tenants of an existing Gateway cannot be watched',
  'watch-interval': 'the interval is not 5 to 300 whole seconds',
  'watch-props': 'the image or the labels of the readers of metrics are not valid',
  'watch-not-platform': 'policies refuse the watch the ListenerSets that it must touch',
});
