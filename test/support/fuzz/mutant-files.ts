import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../../src/contract/json';
import { readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import { type Random, randomOf } from '../random';
import { mutantOf } from './mutants';
import { type Misdeed, misdeedsOn } from './said';
import { CONTEXTS } from './seeds';

/** What became of a mutant. */
export interface MutantOutcome {
  readonly seed: number;
  readonly change: string;
  readonly misdeeds: readonly Misdeed[];
  /** Processor time of the slowest command, in milliseconds. */
  readonly slowest: number;
}

/** Makes one mutant a seed, and runs all commands on it. */
export class MutantFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), 'mutants-'));

  public constructor(private readonly seeds: readonly (readonly Json[])[]) {}

  public run(seed: number): MutantOutcome {
    const random = randomOf(Math.imul(seed, 0x9e3779b1));
    const [ofAllKinds] = this.seeds;
    const objects = fewOf(random([ofAllKinds, random(this.seeds), random(this.seeds)]), random);
    const mutant = mutantOf(objects, random);
    const [before, after, config] = ['before', 'after', 'context'].map((name) =>
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
    const files = { folder: this.folder, before, after, title, ...(context !== undefined && { config }) };
    const { misdeeds, slowest } = misdeedsOn(files, seed);
    return {
      seed,
      change: context === 'spoilt' ? `${mutant.change}, context spoilt` : mutant.change,
      misdeeds,
      slowest,
    };
  }
}

/** A file of many objects has some that follow each other. */
function fewOf(objects: readonly Json[], random: Random): readonly Json[] {
  const size = random([1, 3, 12, 40]);
  const begin = objects.length <= size ? 0 : random([...objects.keys()].slice(0, -size));
  return objects.slice(begin, begin + size);
}
