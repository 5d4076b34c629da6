import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';

// What is wrong with a listener is wrong with its Services as well, and is told of the listener alone: whoever wrote it sees
// no Services.

/** By the rule about a listener, the rules about Services that say the same again. */
const SAID_AGAIN: Readonly<Record<string, readonly string[]>> = {
  'listener-name': ['target-port', 'port-name'],
  'listener-class-syntax': ['class-syntax'],
  'listener-finalizer-syntax': ['finalizer-syntax'],
  'listener-metadata-key': ['label-syntax', 'annotation-syntax'],
  'listener-node-port': ['node-port'],
  'listener-port-range': ['service-ports'],
  'listener-source-range': ['source-range'],
};

/** What is wrong with Services beside what is said of their listener already. */
export function withoutRepetition(
  ofServices: readonly LoadBalancerFinding[],
  ofListener: readonly LoadBalancerFinding[],
): LoadBalancerFinding[] {
  const again = new Set(ofListener.flatMap(({ ruleId }) => SAID_AGAIN[ruleId] ?? []));
  return ofServices.filter((finding) => !again.has(finding.ruleId) && !isOfMalformed(finding, ofListener));
}

/** Nobody removes a finalizer that nobody can have. */
function isOfMalformed({ ruleId, value }: LoadBalancerFinding, ofListener: readonly LoadBalancerFinding[]): boolean {
  return (
    ruleId === 'finalizer-unknown' &&
    ofListener.some((other) => other.ruleId === 'listener-finalizer-syntax' && other.value?.includes(`'${value}'`))
  );
}
