import type { DescribedRule } from '../../contract/rule-of';

/** What is told of ports, and of the file that locks them. */
export const PORT_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'port-unlocked',
    severity: 'error',
    says: 'every endpoint of a shared load balancer has its port in the lock file, which a command writes and synth does not',
  },
  { id: 'port-conflict', severity: 'error', says: 'no two endpoints want one port, or one name at a port of TLS' },
  {
    id: 'port-taken',
    severity: 'error',
    says: 'nobody wants the own port of a balancer or of its engine, one of a range for run time, or one that the lock file keeps for an endpoint that is gone',
  },
  {
    id: 'port-locked',
    severity: 'error',
    says: 'a locked port is still possible under the policy, the ranges and the balancers: it is never moved by synth',
  },
  {
    id: 'too-many-balancers',
    severity: 'error',
    says: 'all ports of a Service are together at one balancer, and there is one that has room for them',
  },
  { id: 'no-free-port', severity: 'error', says: 'the range of REMAP has a port left for whoever cannot have its own' },
  { id: 'endpoint-twice', severity: 'error', says: 'a port of a Service is published once' },
  { id: 'port-range', severity: 'error', says: 'ports are 1 to 65535, and ranges of them begin with the lower one' },
  { id: 'port-lock-unreadable', severity: 'error', says: 'the lock file can be read' },
  { id: 'port-lock-syntax', severity: 'error', says: 'the lock file is JSON' },
  {
    id: 'port-lock-content',
    severity: 'error',
    says: 'the lock file holds ports, balancers and names, and nothing else',
  },
  {
    id: 'port-lock-version',
    severity: 'error',
    says: 'the lock file is of a version that this release reads',
  },
  {
    id: 'port-lock-edited',
    severity: 'error',
    says: 'the ports in the lock file are those that its checksum was made of, or a person says that the edits are meant',
  },
  { id: 'port-lock-merge', severity: 'error', says: 'no merge has left its markers in the lock file' },
  { id: 'port-lock-twice', severity: 'error', says: 'an endpoint stands in the lock file once' },
  { id: 'port-lock-double', severity: 'error', says: 'the lock file gives a port, or a name at it, to one endpoint' },
];
