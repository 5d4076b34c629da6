import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPortLock } from './port-lock-text';
import { byText, hostsOf, type LockedPort } from './port-request';

const NONE: ReadonlyMap<string, LockedPort> = new Map();

/** The ports that are decided: a file that is committed, read at synth, and written by a command alone. */
export class PortLock {
  /** Reads a lock file; one that is not there yet locks nothing. */
  public static read(file: string, acceptEdits = false): PortLock {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') {
        return new PortLock(file, new Map());
      }
      throw new Error(`${file}: cannot be read: ${message}; name a file that holds the ports (port-lock-unreadable)`);
    }
    return PortLock.parse(text, file, acceptEdits);
  }

  /**
   * Reads the text of a lock file.
   *
   * @param acceptEdits takes what a person changed, where it makes sense by itself
   */
  public static parse(text: string, file: string, acceptEdits = false): PortLock {
    return new PortLock(file, readPortLock(text, file, acceptEdits));
  }

  private constructor(
    /** Its name, as messages have it. */
    public readonly file: string,
    private readonly locked: LockedPorts,
  ) {}

  /** The shared load balancers that have ports. */
  public get shared(): string[] {
    return [...this.locked.keys()].sort();
  }

  /** All ports of a shared load balancer, also those that nobody asks for any more. */
  public ports(shared: string): ReadonlyMap<string, LockedPort> {
    return this.locked.get(shared) ?? NONE;
  }

  public entry(shared: string, key: string): LockedPort | undefined {
    return this.ports(shared).get(key);
  }

  public keys(shared: string): string[] {
    return [...this.ports(shared).keys()].sort();
  }

  /** How many balancers there are: the highest one that has a port, and all before it. */
  public balancers(shared: string): number {
    return Math.max(0, ...[...this.ports(shared).values()].map(({ balancer }) => balancer + 1));
  }

  /** The same, with other ports for one shared load balancer. */
  public with(shared: string, ports: ReadonlyMap<string, LockedPort>): PortLock {
    const others = [...this.locked].filter(([name]) => name !== shared);
    return new PortLock(this.file, new Map([...others, ...(ports.size > 0 ? [[shared, ports] as const] : [])]));
  }

  /** The text of the file. */
  public toText(): string {
    return portLockText(this.locked);
  }
}

/** The version of the file that is read and written. */
export const PORT_LOCK_VERSION = 1;

/** The ports of each shared load balancer. */
export type LockedPorts = ReadonlyMap<string, ReadonlyMap<string, LockedPort>>;

/** The text of the file: sorted, and an endpoint a line, so that branches seldom change the same lines. */
function portLockText(locked: LockedPorts): string {
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
