import { createHash } from 'node:crypto';
import { type JsonNode, readJson } from '../../contract/json-text';
import { ownCommand } from '../../contract/own-command';
import type { DescribedRule } from '../../contract/rule';
import { refusal } from '../fault';
import { isPort } from './port-faults';
import { byText, hostsOf, type LockedPort } from './port-request';
import { FIRST_PORT, LAST_PORT } from './ports.facts';
import {
  PORT_LOCK_CONTENT,
  PORT_LOCK_DOUBLE,
  PORT_LOCK_EDITED,
  PORT_LOCK_MERGE,
  PORT_LOCK_SYNTAX,
  PORT_LOCK_TWICE,
  PORT_LOCK_VERSION as WRONG_VERSION,
} from './rules';

/** A larger number of a balancer is a slip, and every number below it would be paid for. */
const MOST_BALANCERS = 1000;

/** What git leaves where two branches changed the same lines. */
const MERGE_MARKER = /^(<{7}|\|{7}|={7}|>{7})( |\r?$)/m;

const ACCEPT = `run \`${ownCommand('ports --accept-edits')}\``;
const MEND = `restore the file, or mend it and ${ACCEPT}`;

/** Reads the text of a lock file; errors name its lines. */
export function readPortLock(text: string, file: string, acceptEdits: boolean): LockedPorts {
  const own = text.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n');
  return asWritten(own) ?? new PortLockText(file).read(own, acceptEdits);
}

/** The ports of a file as the command wrote it: its lines matter to no message, and most files have thousands. */
function asWritten(text: string): LockedPorts | undefined {
  try {
    const { shared } = JSON.parse(text) as { shared: Record<string, { endpoints: Record<string, LockedPort> }> };
    const locked = new Map(
      Object.entries(shared).map(([name, { endpoints }]) => [name, new Map(Object.entries(endpoints))]),
    );
    return portLockText(locked) === text ? locked : undefined;
  } catch {
    return undefined;
  }
}

interface ObjectNode {
  readonly line: number;
  readonly members: ReadonlyMap<string, JsonNode>;
}

class PortLockText {
  public constructor(private readonly file: string) {}

  public read(text: string, acceptEdits: boolean): LockedPorts {
    const marker = MERGE_MARKER.exec(text);
    if (marker) {
      const line = text.slice(0, marker.index).split('\n').length;
      this.fail(PORT_LOCK_MERGE, line, `a merge left ${marker[1]}`, `keep the endpoints of both sides, and ${ACCEPT}`);
    }
    const { members, line } = this.object(this.json(text), 'the file');
    this.checkVersion(members.get('version'), line);
    this.checkKnown(members, ['version', 'checksum', 'shared'], 'the file');
    const locked = this.shared(members.get('shared'), line);
    const checksum = members.get('checksum');
    if (!acceptEdits && checksum?.value !== checksumOf(locked)) {
      this.fail(
        PORT_LOCK_EDITED,
        checksum?.line ?? line,
        'the ports do not match the checksum: they were edited or merged by hand',
        `restore the file, or ${ACCEPT} if the edits are meant`,
      );
    }
    return locked;
  }

  private json(text: string): JsonNode {
    const { node, fault } = readJson(text);
    return (
      node ??
      this.fail(
        fault?.isTwice ? PORT_LOCK_TWICE : PORT_LOCK_SYNTAX,
        fault?.line ?? 1,
        fault?.what ?? '',
        fault?.isTwice ? `delete the line that clients do not use, and ${ACCEPT}` : MEND,
      )
    );
  }

  private checkVersion(version: JsonNode | undefined, line: number): void {
    const value = version?.value;
    if (value === PORT_LOCK_VERSION) {
      return;
    }
    if (typeof value === 'number' && value > PORT_LOCK_VERSION) {
      this.fail(
        WRONG_VERSION,
        version?.line ?? line,
        `it has version ${value}, which a newer release wrote; this one reads version ${PORT_LOCK_VERSION}`,
        'upgrade cdk8s-load-balancers to the release that wrote it',
      );
    }
    this.fail(
      WRONG_VERSION,
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

  /** Fails where a port is taken already; a port that is shared by name is taken once for each name. */
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
        PORT_LOCK_DOUBLE,
        line,
        `${key} has port ${port} of balancer ${balancer}, as line ${clash} has already`,
        `delete the line that clients do not use, and ${ACCEPT}`,
      );
    }
    lines.set(spot, line);
    for (const host of hosts ?? ['whole']) {
      lines.set(`${spot} ${host}`, line);
    }
  }

  private place(key: string, node: JsonNode): LockedPort {
    const { members, line } = this.object(node, key);
    this.checkKnown(members, ['balancer', 'port', 'hosts'], key);
    const balancer = members.get('balancer')?.value;
    const port = members.get('port')?.value;
    if (!isPort(port)) {
      this.fail(PORT_LOCK_CONTENT, line, `the port of ${key} is not one of ${FIRST_PORT} to ${LAST_PORT}`, MEND);
    }
    if (!isBalancer(balancer)) {
      this.fail(PORT_LOCK_CONTENT, line, `the balancer of ${key} is not one of 0 to ${MOST_BALANCERS - 1}`, MEND);
    }
    const hosts = members.get('hosts');
    return hosts ? { balancer, port, hosts: this.hosts(key, hosts) } : { balancer, port };
  }

  private hosts(key: string, node: JsonNode): string[] {
    const names = node.items?.map(({ value }) => value) ?? [];
    if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '')) {
      this.fail(PORT_LOCK_CONTENT, node.line, `the hosts of ${key} are not a list of names`, MEND);
    }
    return hostsOf({ hosts: names as string[] });
  }

  private object(node: JsonNode | undefined, what: string, line = 1): ObjectNode {
    return node?.members
      ? { line: node.line, members: node.members }
      : this.fail(PORT_LOCK_CONTENT, node?.line ?? line, `${what} is not an object in braces`, MEND);
  }

  private checkKnown(members: ReadonlyMap<string, JsonNode>, known: readonly string[], what: string): void {
    for (const [name, { line }] of members) {
      if (!known.includes(name)) {
        this.fail(PORT_LOCK_CONTENT, line, `${what} has the unknown field ${JSON.stringify(name)}`, MEND);
      }
    }
  }

  private fail(rule: DescribedRule, line: number, what: string, remedy: string): never {
    throw refusal(`${this.file}, line ${line}`, { rule, what, remedy });
  }
}

function isBalancer(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < MOST_BALANCERS;
}

/** The version of the file that is read and written. */
const PORT_LOCK_VERSION = 1;

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

/** A checksum of the ports that the command wrote: edits by hand change it. */
function checksumOf(locked: LockedPorts): string {
  const lines = [...locked].flatMap(([shared, ports]) =>
    [...ports].map(([key, { balancer, port, hosts }]) =>
      JSON.stringify([shared, key, balancer, port, ...hostsOf({ hosts })]),
    ),
  );
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}
