import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import type { PublishedKind } from '../engines/contract/runtime-publisher';
import { clusterObject } from '../guard/cluster-object';
import { DECORATOR_API, HOOK_VERSION } from './runtime.facts';

/** What calls the hook. */
interface ControllersAsk {
  readonly name: string;
  /** What is made for Services. */
  readonly kinds: readonly PublishedKind[];
  /** The labels of the Services that are looked at. */
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly resyncPeriodSeconds?: number;
  /** Where a hook is called. */
  readonly urlOf: (hook: string) => string;
  /** The labels of the Service that has the table of ports which are set aside, where there is one. */
  readonly seatLabels?: Readonly<Record<string, string>>;
}

/**
 * The controller of Services, and the one of the table of ports: that has no finalizer, so that the table goes with the hook.
 *
 * @returns the controller of Services
 */
export function makeControllers(host: Construct, ask: ControllersAsk): ApiObject {
  const { name, kinds, serviceLabels, resyncPeriodSeconds, seatLabels } = ask;
  const webhook = (hook: string) => ({ version: HOOK_VERSION, webhook: { url: ask.urlOf(hook), timeout: '10s' } });
  if (seatLabels) {
    decoratorController(host, 'SeatsController', `${name}-seats`, {
      resources: [servicesWith(seatLabels)],
      hooks: { sync: webhook('seats'), customize: webhook('customize-seats') },
    });
  }
  return decoratorController(host, 'Controller', name, {
    resources: [servicesWith(serviceLabels)],
    attachments: kinds.map(({ apiVersion, resource }) => ({
      apiVersion,
      resource,
      updateStrategy: { method: 'InPlace' },
    })),
    resyncPeriodSeconds,
    hooks: { sync: webhook('sync'), finalize: webhook('finalize'), customize: webhook('customize') },
  });
}

function decoratorController(host: Construct, id: string, name: string, spec: Json): ApiObject {
  return clusterObject(host, id, {
    apiVersion: DECORATOR_API,
    kind: 'DecoratorController',
    name,
    content: { spec },
  });
}

function servicesWith(matchLabels: Readonly<Record<string, string>>): Json {
  return { apiVersion: 'v1', resource: 'services', labelSelector: { matchLabels } };
}
