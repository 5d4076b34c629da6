import { ClientAddress } from './client-address';
import { FinalizerPolicy } from './finalizer-policy';
import { HealthCheckProtocol } from './health-check';
import { IpFamily } from './ip-family';
import { dnsNameFault, tokenFault } from './kubernetes-syntax';
import type { LoadBalancerFinding } from './load-balancer-finding';
import { PortProtocol } from './load-balancer-port';
import type { LoadBalancerRequest } from './load-balancer-request';
import { LoadBalancerScheme } from './load-balancer-scheme';
import { TrafficPolicy } from './traffic-policy';

/**
 * What is wrong with a request whoever answers it: words that no enum has (callers from JavaScript), values that cannot
 * be meant. What the finished manifest shows as well is left to the rules that read it.
 */
export function requestFaults(request: LoadBalancerRequest): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const say = (what: string, wayOut: string, value?: unknown) =>
    found.push({ ruleId: 'bad-request', who: 'request', what, wayOut, value: value === undefined ? undefined : String(value) });
  const word = (name: string, value: unknown, words: object) => {
    if (value !== undefined && value !== null && !Object.values(words).includes(value)) {
      say(`${name} '${value}' is unknown`, `use one of ${Object.values(words).join(', ')}`, value);
    }
  };
  word('scheme', request.scheme, LoadBalancerScheme);
  word('trafficPolicy', request.trafficPolicy, TrafficPolicy);
  word('clientAddress', request.clientAddress, ClientAddress);
  word('finalizerPolicy', request.finalizerPolicy, FinalizerPolicy);
  word('healthCheck.protocol', request.healthCheck?.protocol, HealthCheckProtocol);
  if (!Array.isArray(request.ports) || request.ports.length === 0) {
    say('there are no ports', 'name at least one');
    return found;
  }
  for (const port of request.ports) {
    word(`protocol of port ${port.port}`, port.protocol, PortProtocol);
    if (port.targetPort !== undefined && port.targetPortName !== undefined) {
      say(
        `port ${port.port} has both targetPort ${port.targetPort} and targetPortName '${port.targetPortName}'`,
        'keep one',
        port.targetPortName,
      );
    }
  }
  if (request.ipFamilies) {
    for (const family of request.ipFamilies) {
      word('ipFamilies', family, IpFamily);
    }
    if (request.ipFamilies.length === 0 || new Set(request.ipFamilies).size !== request.ipFamilies.length) {
      say(`ipFamilies [${request.ipFamilies.join(', ')}] names none, or one twice`, 'name one family, or both once', request.ipFamilies);
    }
  }
  for (const [name, list] of Object.entries({ sourceRanges: request.sourceRanges, staticAddresses: request.staticAddresses })) {
    if (list && (list.length === 0 || new Set(list).size !== list.length)) {
      say(`${name} [${list.join(', ')}] is empty, or has an entry twice`, 'leave it out, or name each once', list);
    }
    for (const entry of list ?? []) {
      const fault = tokenFault(entry);
      if (fault) say(`${name}: ${fault}`, 'pass a value that is known at synth', entry);
    }
  }
  if (request.dnsName !== undefined) {
    const fault = tokenFault(request.dnsName) ?? dnsNameFault(request.dnsName);
    if (fault) say(`dnsName: ${fault}`, 'use a name like db.example.com', request.dnsName);
  }
  return found;
}
