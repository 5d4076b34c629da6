import { sentenceOf } from '../../../src/contract/rule';
import { findingsOfFaults } from '../../../src/tenancy/fault';
import { PortConflictPolicy } from '../../../src/tenancy/ports/options';
import type { LockedPort, PortFault, PortRequest, PortRules } from '../../../src/tenancy/ports/rules';

/** `team-a/db:5432`, or `team-a/db:5432 wants 443 as one.example, two.example`. */
export function asks(text: string): PortRequest {
  const [, key, wish, hosts] = /^(\S+)(?: wants (\d+))?(?: as (.+))?$/.exec(text) ?? [];
  const [group, port] = key.split(':');
  const [tenant] = group.split('/');
  return {
    key,
    group,
    tenant,
    port: Number(wish ?? port),
    path: `App/${tenant}`,
    ...(hosts ? { hosts: hosts.split(', ') } : {}),
  };
}

/** `team-a/db:5432 0:30017`, or `team-a/db:5432 0:443 one.example,two.example`. */
export function locked(...lines: string[]): Map<string, LockedPort> {
  return new Map(
    lines.map((line) => {
      const [key, place, hosts] = line.split(' ');
      const [balancer, port] = place.split(':').map(Number);
      return [key, hosts ? { balancer, port, hosts: hosts.split(',') } : { balancer, port }];
    }),
  );
}

export function places(assigned: ReadonlyMap<string, LockedPort>): string[] {
  return [...assigned]
    .map(([key, { balancer, port, hosts }]) => `${key} ${balancer}:${port}${hosts ? ` ${hosts}` : ''}`)
    .sort();
}

export const ids = (faults: readonly PortFault[]) => faults.map(({ rule }) => rule.id);

export const sentenceOfPorts = (fault: PortFault) => sentenceOf(findingsOfFaults([fault], 'ports')[0]);

export const RULES: PortRules = {
  conflict: PortConflictPolicy.FAIL,
  maxPortsPerBalancer: 50,
  reserved: [65535],
  remapRange: { first: 30000, last: 30099 },
  runtimeRanges: [{ first: 30010, last: 30019 }],
};

export const SHARD: PortRules = { ...RULES, conflict: PortConflictPolicy.SHARD };
export const REMAP: PortRules = { ...RULES, conflict: PortConflictPolicy.REMAP };
