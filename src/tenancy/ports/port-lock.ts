import { readFileSync } from 'node:fs';
import { refusal } from '../fault';
import { type LockedPorts, portLockText, readPortLock } from './port-lock-text';
import { type LockedPort, portRequestsFile } from './port-request';
import { PORT_LOCK_UNREADABLE } from './rules';

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
      throw refusal(file, {
        rule: PORT_LOCK_UNREADABLE,
        what: `cannot be read: ${message}`,
        remedy: 'name a file that holds the ports',
      });
    }
    return PortLock.parse(text, file, acceptEdits);
  }

  /**
   * Reads a lock file for an app. While the command that locks ports runs the app, nothing of the file is refused: the command
   * reads and judges it itself, with the edits that a person told it to accept.
   */
  public static readForApp(file: string): PortLock {
    if (portRequestsFile() === undefined) {
      return PortLock.read(file);
    }
    try {
      return PortLock.read(file, true);
    } catch {
      return new PortLock(file, new Map());
    }
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

  /** All ports of a shared load balancer, also those of endpoints that are gone. */
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
