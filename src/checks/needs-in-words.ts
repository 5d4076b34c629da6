/** What is known of the objects that rules compare, and of what they look up, in words of a user. */
const NEEDS: Readonly<Record<string, string>> = {
  kind: 'controllers',
  controller: 'controllers',
  pods: 'workload',
  nodePool: 'nodePools',
  version: 'a version of the controller that is known here',
  isKnownVersion: 'a version of the controller that is known here',
  serviceAccount: 'the ServiceAccount of the controller',
  clusterRole: 'the ClusterRole of the controller',
  configMap: 'the ConfigMap of its cloud configuration',
};

const IN_CONTEXT: ReadonlySet<string> = new Set([
  'controllers',
  'kubernetes',
  'strimzi',
  'workload',
  ...Object.keys(NEEDS),
]);

/** What a file or the context can say, by its name or in words: what constructs alone know is not asked for. */
export function isSayable(need: string): boolean {
  return IN_CONTEXT.has(need) || need.includes(' ');
}

/** What is needed, each once. */
export function inWordsOfUsers(needs: readonly string[]): string[] {
  return [...new Set(needs.map((need) => NEEDS[need] ?? need))];
}
