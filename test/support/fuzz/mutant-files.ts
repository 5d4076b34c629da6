import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json } from '../../../src/contract/json';
import { readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import { PortConflictPolicy } from '../../../src/tenancy';
import { portLockText } from '../../../src/tenancy/ports/port-lock';
import type { LockedPort, RequestedPorts } from '../../../src/tenancy/ports/rules';
import { type Random, randomOf } from '../random';
import { mutantOf } from './mutants';
import { type Misdeed, misdeedsOn } from './said';
import { CONTEXTS } from './seeds';

export interface MutantOutcome {
  readonly seed: number;
  readonly change: string;
  readonly misdeeds: readonly Misdeed[];
  /** Processor time of the slowest command, in milliseconds. */
  readonly slowest: number;
}

export class MutantFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), 'mutants-'));

  public constructor(
    private readonly seeds: readonly (readonly Json[])[],
    private readonly only?: readonly string[],
  ) {}

  public run(seed: number): MutantOutcome {
    const random = randomOf(Math.imul(seed, 0x9e3779b1));
    const [ofAllKinds] = this.seeds;
    const objects = fewOf(random([ofAllKinds, random(this.seeds), random(this.seeds)]), random);
    const mutant = mutantOf(objects, random);
    const [before, after, config, lock, requests] = ['before', 'after', 'context', 'lock', 'requests'].map((name) =>
      join(this.folder, `${name}-${seed}.yaml`),
    );
    writeFileSync(before, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    writeFileSync(after, mutant.text);
    const context = random([undefined, undefined, 'right', 'spoilt']);
    if (context !== undefined) {
      const text = readFileSync(random(CONTEXTS), 'utf8');
      const [{ value }] = readKubernetesYaml(text).values;
      writeFileSync(config, context === 'right' ? text : mutantOf([value as Json], random).text);
    }
    const { kind, metadata } = random(objects);
    const [namespace, name] = [metadata?.namespace ?? 'default', metadata?.name].map((text) =>
      typeof text === 'string' ? text : 'x',
    );
    const title = `${kind} ${namespace}/${name}`;
    const ofPorts = randomOf(seed);
    writeFileSync(lock, lockMutant(ofPorts));
    writeFileSync(requests, `${JSON.stringify({ ...ASKED, ...ofPorts([{}, { shared: 'constructor' }]), lock })}\n`);
    const files = { folder: this.folder, before, after, title, requests, ...(context !== undefined && { config }) };
    const { misdeeds, slowest } = misdeedsOn(files, seed, this.only);
    return {
      seed,
      change: context === 'spoilt' ? `${mutant.change}, context spoilt` : mutant.change,
      misdeeds,
      slowest,
    };
  }
}

/** What an app asks for: ports as they are, as they are not, and of names that JavaScript has too. */
const ASKED: Omit<RequestedPorts, 'lock'> = {
  shared: 'edge',
  rules: {
    conflict: PortConflictPolicy.REMAP,
    maxPortsPerBalancer: 5,
    reserved: [8443],
    remapRange: { first: 30_000, last: 30_002 },
    runtimeRanges: [],
  },
  requests: ['team-a/db:5432', 'team-a/constructor:80', 'team-b/__proto__:443', 'team-b/db:5432'].map((key) => ({
    key,
    group: key.replace(/:.*/, ''),
    tenant: key.replace(/\/.*/, ''),
    port: Number(key.replace(/.*:/, '')),
    path: 'platform/Shared',
    ...(key.endsWith(':443') && { hosts: ['a.example.com', 'toString'] }),
  })),
  hostnames: ['edge.example.com'],
};

function lockMutant(random: Random): string {
  const ports = (hosts?: string[]): [string, LockedPort][] => [
    ['team-a/db:5432', { balancer: 0, port: 5432 }],
    ['team-b/__proto__:443', { balancer: 0, port: 443, ...(hosts && { hosts }) }],
    ['team-c/gone:80', { balancer: 1, port: 80 }],
  ];
  const shared = new Map([
    ['edge', new Map(ports(['a.example.com', 'b.example.com']))],
    ['constructor', new Map(ports())],
  ]);
  const text = portLockText(shared);
  const mutant = random(['right', 'spoilt', 'spoilt']) === 'right' ? text : mutantOf([JSON.parse(text)], random).text;
  try {
    const json = JSON.stringify(parse(mutant, { logLevel: 'silent' }), undefined, 2);
    return random([mutant, json, json, json]);
  } catch {
    return mutant;
  }
}

function fewOf(objects: readonly Json[], random: Random): readonly Json[] {
  const size = random([1, 3, 12, 40]);
  const begin = objects.length <= size ? 0 : random([...objects.keys()].slice(0, -size));
  return objects.slice(begin, begin + size);
}
