import { createHash } from 'node:crypto';
import { byText, hostsOf, type LockedPort } from './port-request';

/** The version of the file that is read and written. */
export const PORT_LOCK_VERSION = 1;

/** The ports of each shared load balancer. */
export type LockedPorts = ReadonlyMap<string, ReadonlyMap<string, LockedPort>>;

/** The text of the file: sorted, and an endpoint a line, so that branches seldom change the same lines. */
export function portLockText(locked: LockedPorts): string {
  const head = `{\n  "version": ${PORT_LOCK_VERSION},\n  "checksum": "${checksumOf(locked)}",\n  "shared": {`;
  const bodies = sorted(locked).map(([shared, ports]) => {
    const lines = sorted(ports).map(([key, place]) => `        ${entryText(key, place)}`);
    return `    ${JSON.stringify(shared)}: {\n      "endpoints": {\n${lines.join(',\n')}\n      }\n    }`;
  });
  return bodies.length > 0 ? `${head}\n${bodies.join(',\n')}\n  }\n}\n` : `${head}}\n}\n`;
}

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([one], [other]) => byText(one, other));
}

function entryText(key: string, place: LockedPort): string {
  const hosts = hostsOf(place);
  const names = hosts.length > 0 ? `, "hosts": [${hosts.map((host) => JSON.stringify(host)).join(', ')}]` : '';
  return `${JSON.stringify(key)}: { "balancer": ${place.balancer}, "port": ${place.port}${names} }`;
}

/** What the command wrote, in short: whatever a person changes in the ports changes it, and nothing else does. */
export function checksumOf(locked: LockedPorts): string {
  const lines = [...locked].flatMap(([shared, ports]) =>
    [...ports].map(([key, { balancer, port, hosts }]) =>
      JSON.stringify([shared, key, balancer, port, ...hostsOf({ hosts })]),
    ),
  );
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}
