import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isMap, type Json } from '../../contract/json';
import { readKubernetesYaml, type YamlPath, YamlSource } from '../../contract/kubernetes-yaml';
import { type DescribedRule, filled, ownCommand } from '../../contract/rule';
import { faultOf, type Message, type Params, refusal } from '../fault';
import { byText, FIRST_PORT, hostsOf, isPort, LAST_PORT, type LockedPort, PORTS, portRequestsFile } from './rules';

const NONE: ReadonlyMap<string, LockedPort> = new Map();

export class PortLock {
  public static read(file: string, acceptEdits = false): PortLock {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') {
        return new PortLock(file, new Map());
      }
      throw refusal(file, faultOf(PORTS['port-lock-unreadable'], { message }));
    }
    return PortLock.parse(text, file, acceptEdits);
  }

  /**
   * Reads a lock file for an app. While the command that locks ports runs the app, nothing of the file is refused: the command
   * reads and checks it itself, with the edits that a person told it to accept.
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

  /** With `acceptEdits` changes by hand are taken if they make sense by themselves. */
  public static parse(text: string, file: string, acceptEdits = false): PortLock {
    return new PortLock(file, readPortLock(text, file, acceptEdits));
  }

  private constructor(
    public readonly file: string,
    private readonly locked: LockedPorts,
  ) {}

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

  /** Number of balancers: the highest one that has a port, and all before it. */
  public balancers(shared: string): number {
    return Math.max(0, ...[...this.ports(shared).values()].map(({ balancer }) => balancer + 1));
  }

  public with(shared: string, ports: ReadonlyMap<string, LockedPort>): PortLock {
    const others = [...this.locked].filter(([name]) => name !== shared);
    return new PortLock(this.file, new Map([...others, ...(ports.size > 0 ? [[shared, ports] as const] : [])]));
  }

  public toText(): string {
    return portLockText(this.locked);
  }
}

/** A larger number of a balancer is a slip, and every number below it would be paid for. */
const MOST_BALANCERS = 1000;

const MERGE_MARKER = /^(<{7}|\|{7}|={7}|>{7})( |\r?$)/m;

const ACCEPT = `run \`${ownCommand('ports --accept-edits')}\``;
const MEND = `restore the file, or mend it and ${ACCEPT}`;

function readPortLock(text: string, file: string, acceptEdits: boolean): LockedPorts {
  const own = text.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n');
  return asWritten(own) ?? new EditedPortLock(own, file).read(acceptEdits);
}

/** The ports of a file as the command wrote it, which needs no validation. */
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

class EditedPortLock {
  private readonly source: YamlSource;

  public constructor(
    private readonly text: string,
    private readonly file: string,
  ) {
    this.source = new YamlSource(text, 0, text.length, 1);
  }

  public read(acceptEdits: boolean): LockedPorts {
    const marker = MERGE_MARKER.exec(this.text);
    if (marker) {
      const line = this.text.slice(0, marker.index).split('\n').length;
      this.fail(PORTS['port-lock-merge-markers'], line, { marker: marker[1], accept: ACCEPT });
    }
    const { values, faults } = readKubernetesYaml(this.text);
    for (const { line, what } of faults.slice(0, 1)) {
      this.fail(PORTS['port-lock-invalid'], line, { fault: what, remedy: MEND });
    }
    const json = this.map(values[0]?.value, [], ['version', 'checksum', 'shared']);
    this.checkVersion(json.version);
    const shared = Object.entries(this.map(json.shared, ['shared']));
    const locked = new Map(shared.map(([name, body]) => [name, this.endpoints(body, ['shared', name])]));
    if (!acceptEdits && json.checksum !== checksumOf(locked)) {
      this.fail(PORTS['port-lock-checksum-mismatch'], ['checksum'], { accept: ACCEPT });
    }
    return locked;
  }

  private checkVersion(version: unknown): void {
    if (typeof version === 'number' && version > PORT_LOCK_VERSION) {
      const newer = PORTS.newerVersion;
      this.fail(newer, ['version'], { version, own: PORT_LOCK_VERSION });
    }
    if (version !== PORT_LOCK_VERSION) {
      this.fail(PORTS['port-lock-version-unsupported'], ['version'], { version: PORT_LOCK_VERSION });
    }
  }

  private endpoints(body: unknown, path: YamlPath): ReadonlyMap<string, LockedPort> {
    const { endpoints } = this.map(body, path, ['endpoints']);
    const holders = new Map<string, string>();
    return new Map(
      Object.entries(this.map(endpoints, [...path, 'endpoints'])).map(([key, entry]) => {
        const at = [...path, 'endpoints', key];
        const place = this.place(entry, at);
        this.checkFree(key, place, at, holders);
        return [key, place];
      }),
    );
  }

  /** Fails if a port is taken already; a port that is shared by name is taken once for each name. */
  private checkFree(key: string, place: LockedPort, at: YamlPath, holders: Map<string, string>): void {
    const { balancer, port, hosts } = place;
    const spot = `${balancer}:${port}`;
    const names = hosts ?? ['whole', ''];
    const first = ['whole', ...names].map((name) => holders.get(`${spot} ${name}`)).find((one) => one !== undefined);
    if (first !== undefined) {
      this.fail(PORTS['port-lock-duplicate'], at, { key, port, balancer, first, accept: ACCEPT });
    }
    for (const name of [...names, '']) {
      holders.set(`${spot} ${name}`, key);
    }
  }

  private place(entry: unknown, at: YamlPath): LockedPort {
    const { balancer, port, hosts } = this.map(entry, at, ['balancer', 'port', 'hosts']);
    const key = at.at(-1);
    if (!isPort(port)) {
      this.unlike(at, `the port of ${key} is not one of ${FIRST_PORT} to ${LAST_PORT}`);
    }
    if (!(Number.isInteger(balancer) && balancer >= 0 && balancer < MOST_BALANCERS)) {
      this.unlike(at, `the balancer of ${key} is not one of 0 to ${MOST_BALANCERS - 1}`);
    }
    if (hosts === undefined) {
      return { balancer, port };
    }
    const isNames = Array.isArray(hosts) && hosts.length > 0 && hosts.every((name) => name && typeof name === 'string');
    return isNames
      ? { balancer, port, hosts: hostsOf({ hosts }) }
      : this.unlike(at, `the hosts of ${key} are not a list of names`);
  }

  private map(value: unknown, path: YamlPath, known?: readonly string[]): Json {
    const what = path.length === 0 ? 'the file' : JSON.stringify(path.at(-1));
    if (!isMap(value)) {
      return this.unlike(path, `${what} is not an object in braces`);
    }
    const unknown = Object.keys(value).find((field) => known?.includes(field) === false);
    return unknown === undefined
      ? value
      : this.unlike([...path, unknown], `${what} has the unknown field "${unknown}"`);
  }

  private unlike(at: YamlPath, what: string): never {
    return this.fail(PORTS['port-lock-value-invalid'], at, { what, remedy: MEND });
  }

  private fail<Of extends Message>(rule: DescribedRule & Of, at: number | YamlPath, params: Params<Of>): never {
    const line = typeof at === 'number' ? at : this.source.placeOf(at).line;
    const { what, remedy } = rule;
    const message = { what: filled(what, params), remedy: filled(remedy, params) };
    throw refusal(`${this.file}, line ${line}`, { rule, ...message });
  }
}

const PORT_LOCK_VERSION = 1;

type LockedPorts = ReadonlyMap<string, ReadonlyMap<string, LockedPort>>;

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

function checksumOf(locked: LockedPorts): string {
  const lines = [...locked].flatMap(([shared, ports]) =>
    [...ports].map(([key, { balancer, port, hosts }]) =>
      JSON.stringify([shared, key, balancer, port, ...hostsOf({ hosts })]),
    ),
  );
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}
