import { errorRule } from '../fault';

// Rules of ports, and of the file that locks them.

export const PORT_UNLOCKED = errorRule(
  'port-unlocked',
  'every endpoint of a shared load balancer has its port in the lock file, which `ports` writes and synth does not',
);
export const PORT_CONFLICT = errorRule('port-conflict', 'no two endpoints request one port, or one name at a TLS port');
export const PORT_TAKEN = errorRule(
  'port-taken',
  'no endpoint requests a port of the balancer or its engine, of a range for run time, or one that the lock file keeps for an endpoint that is gone',
);
export const PORT_LOCKED = errorRule(
  'port-locked',
  'a locked port is possible under the policy, the ranges and the balancers: synth never moves it',
);
export const TOO_MANY_BALANCERS = errorRule('too-many-balancers', 'all ports of a Service fit on one balancer');
export const NO_FREE_PORT = errorRule('no-free-port', 'remapPorts has a free port for every conflicting endpoint');
export const ENDPOINT_TWICE = errorRule('endpoint-twice', 'a port of a Service is published once');
export const PORT_RANGE = errorRule('port-range', 'ports are 1 to 65535, and a range begins with its lower port');
export const PORT_LOCK_UNREADABLE = errorRule('port-lock-unreadable', 'the lock file can be read');
export const PORT_LOCK_SYNTAX = errorRule('port-lock-syntax', 'the lock file is JSON with an endpoint once');
export const PORT_LOCK_CONTENT = errorRule(
  'port-lock-content',
  'the lock file holds ports, balancers and names, and nothing else',
);
export const PORT_LOCK_VERSION = errorRule(
  'port-lock-version',
  'the lock file is of a version that this release reads',
);
export const PORT_LOCK_EDITED = errorRule(
  'port-lock-edited',
  'the ports in the lock file match its checksum, or the command accepts the edits',
);
export const PORT_LOCK_MERGE = errorRule('port-lock-merge', 'the lock file has no merge markers');
export const PORT_LOCK_DOUBLE = errorRule(
  'port-lock-double',
  'the lock file gives a port, or a name at it, to one endpoint',
);
export const TOO_MANY_PORTS = errorRule(
  'too-many-ports',
  'a tenant publishes no more ports than it may have, and all of them no more than the balancers carry',
);
