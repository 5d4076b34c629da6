import { ownCommand } from '../../contract/own-command';
import { type JsonNode, type JsonObject, JsonTextError, readJson } from './json-text';
import { isPort } from './port-faults';
import { checksumOf, type LockedPorts, PORT_LOCK_VERSION } from './port-lock';
import { hostsOf, type LockedPort } from './port-request';
import { FIRST_PORT, LAST_PORT } from './ports.facts';

/** A balancer of a number far off is a slip, and every number below it would be paid for. */
const MOST_BALANCERS = 1000;

/** What git leaves where two branches changed the same lines. */
const MERGE_MARKER = /^(<{7}|\|{7}|={7}|>{7})( |\r?$)/m;

const ACCEPT = `run \`${ownCommand('ports --accept-edits')}\``;
const MEND = `restore the file, or mend it and ${ACCEPT}`;

/** Reads the text of a lock file, and says what is wrong with it in the words of the one who has it open. */
export function readPortLock(text: string, file: string, acceptEdits: boolean): LockedPorts {
  return new PortLockText(file).read(text.replace(/^\uFEFF/, ''), acceptEdits);
}

class PortLockText {
  public constructor(private readonly file: string) {}

  public read(text: string, acceptEdits: boolean): LockedPorts {
    const marker = MERGE_MARKER.exec(text);
    if (marker) {
      const line = text.slice(0, marker.index).split('\n').length;
      this.fail('merge', line, `a merge left ${marker[1]}`, `keep the endpoints of both sides, and ${ACCEPT}`);
    }
    const { members, line } = this.object(this.json(text), 'the file');
    this.checkVersion(members.get('version'), line);
    this.checkKnown(members, ['version', 'checksum', 'shared'], 'the file');
    const locked = this.shared(members.get('shared'), line);
    const checksum = members.get('checksum');
    if (!acceptEdits && (checksum?.kind !== 'scalar' || checksum.value !== checksumOf(locked))) {
      this.fail(
        'edited',
        checksum?.line ?? line,
        'the ports are not the ones that the checksum was made of: somebody edited or merged them by hand',
        `restore the file, or ${ACCEPT} if the edits are meant`,
      );
    }
    return locked;
  }

  private json(text: string): JsonNode {
    try {
      return readJson(text);
    } catch (error) {
      if (!(error instanceof JsonTextError)) {
        throw error;
      }
      const { line, column, message, isTwice } = error;
      return isTwice
        ? this.fail('twice', line, message, `delete the line that clients do not use, and ${ACCEPT}`)
        : this.fail('syntax', line, `it is no JSON at column ${column}: ${message}`, MEND);
    }
  }

  private checkVersion(version: JsonNode | undefined, line: number): void {
    const value = version?.kind === 'scalar' ? version.value : undefined;
    if (value === PORT_LOCK_VERSION) {
      return;
    }
    if (typeof value === 'number' && value > PORT_LOCK_VERSION) {
      this.fail(
        'version',
        version?.line ?? line,
        `it has version ${value}, which a newer release wrote; this one reads version ${PORT_LOCK_VERSION}`,
        'upgrade cdk8s-load-balancers to the release that wrote it',
      );
    }
    this.fail(
      'version',
      version?.line ?? line,
      `its version is not ${PORT_LOCK_VERSION}`,
      'restore the file, or name one that the command wrote',
    );
  }

  private shared(node: JsonNode | undefined, line: number): LockedPorts {
    const { members } = this.object(node, '"shared"', line);
    return new Map([...members].map(([name, body]) => [name, this.endpoints(name, body)]));
  }

  private endpoints(shared: string, node: JsonNode): ReadonlyMap<string, LockedPort> {
    const body = this.object(node, JSON.stringify(shared));
    this.checkKnown(body.members, ['endpoints'], JSON.stringify(shared));
    const { members } = this.object(
      body.members.get('endpoints'),
      `"endpoints" of ${JSON.stringify(shared)}`,
      body.line,
    );
    const lines = new Map<string, number>();
    return new Map(
      [...members].map(([key, entry]) => {
        const place = this.place(key, entry);
        this.checkFree(key, place, entry.line, lines);
        return [key, place];
      }),
    );
  }

  /** Fails where a place is booked already; a port that is shared by name is booked once for each name. */
  private checkFree(
    key: string,
    { balancer, port, hosts }: LockedPort,
    line: number,
    lines: Map<string, number>,
  ): void {
    const spot = `${balancer}:${port}`;
    const clash =
      lines.get(`${spot} whole`) ??
      (hosts ? hosts.map((host) => lines.get(`${spot} ${host}`)).find((each) => each !== undefined) : lines.get(spot));
    if (clash !== undefined) {
      this.fail(
        'double',
        line,
        `${key} has port ${port} of balancer ${balancer}, as line ${clash} has already`,
        `delete the line that clients do not use, and ${ACCEPT}`,
      );
    }
    lines.set(spot, line);
    for (const booked of hosts ?? ['whole']) {
      lines.set(`${spot} ${booked}`, line);
    }
  }

  private place(key: string, node: JsonNode): LockedPort {
    const { members, line } = this.object(node, key);
    this.checkKnown(members, ['balancer', 'port', 'hosts'], key);
    const balancer = scalar(members.get('balancer'));
    const port = scalar(members.get('port'));
    if (!isPort(port)) {
      this.fail('content', line, `the port of ${key} is not one of ${FIRST_PORT} to ${LAST_PORT}`, MEND);
    }
    if (!isBalancer(balancer)) {
      this.fail('content', line, `the balancer of ${key} is not one of 0 to ${MOST_BALANCERS - 1}`, MEND);
    }
    const hosts = members.get('hosts');
    return hosts ? { balancer, port, hosts: this.hosts(key, hosts) } : { balancer, port };
  }

  private hosts(key: string, node: JsonNode): string[] {
    const names = node.kind === 'array' ? node.items.map(scalar) : [];
    if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '')) {
      this.fail('content', node.line, `the hosts of ${key} are not a list of names`, MEND);
    }
    return hostsOf({ hosts: names as string[] });
  }

  private object(node: JsonNode | undefined, what: string, line = 1): JsonObject {
    return node?.kind === 'object'
      ? node
      : this.fail('content', node?.line ?? line, `${what} is not an object in braces`, MEND);
  }

  private checkKnown(members: ReadonlyMap<string, JsonNode>, known: readonly string[], what: string): void {
    for (const [name, { line }] of members) {
      if (!known.includes(name)) {
        this.fail('content', line, `${what} has the unknown field ${JSON.stringify(name)}`, MEND);
      }
    }
  }

  private fail(kind: string, line: number, what: string, remedy: string): never {
    throw new Error(`${this.file}, line ${line}: ${what}; ${remedy} (port-lock-${kind})`);
  }
}

function scalar(node: JsonNode | undefined): unknown {
  return node?.kind === 'scalar' ? node.value : undefined;
}

function isBalancer(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < MOST_BALANCERS;
}
