import type { Json } from '../../contract/json';
import { GATEWAY_GROUP } from '../../gateway/gateway.facts';
import type { PublishedKind } from '../engines/publishers';
import { DECORATOR_GROUP, DECORATOR_KINDS } from './runtime.facts';

/**
 * What the controller does in the whole cluster for these Services, and nothing else: its own manifests give it every
 * right on everything.
 */
export function controllerRules(kinds: readonly PublishedKind[]): Json[] {
  return [
    rule(DECORATOR_GROUP, DECORATOR_KINDS, ['get', 'list', 'watch']),
    rule('', ['namespaces'], ['list', 'watch']),
    rule('', ['events'], ['create', 'patch']),
    // the object itself is written even where its status alone has changed
    rule('', ['services'], ['list', 'watch', 'update']),
    rule('', ['services/status'], ['update']),
    ...groupsOf(kinds).map(([group, resources]) =>
      rule(group, resources, ['list', 'watch', 'create', 'update', 'delete']),
    ),
    rule(GATEWAY_GROUP, ['gateways', 'tlsroutes'], ['list', 'watch']),
  ];
}

/** What several replicas of it need, of which one works. */
export function leaderRules(): Json[] {
  return [rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update'])];
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Json {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

function groupsOf(kinds: readonly PublishedKind[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { apiVersion, resource } of kinds) {
    const [group] = apiVersion.split('/');
    groups.set(group, [...(groups.get(group) ?? []), resource].sort());
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}
