/** @jest-environment node */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, YamlOutputType } from 'cdk8s';
import type * as rules from '../../src/rules/output-files';
import { randomOf } from '../support/random';

// One app in every type of output is the same balancers; where files overwrite each other, the synth fails before any is lost.

/** Whether files may overwrite each other. */
let isUnguarded = false;
jest.doMock('../../src/rules/output-files', (): typeof rules => {
  const real = jest.requireActual<typeof rules>('../../src/rules/output-files');
  return { ...real, fileCollisionsIn: (output) => (isUnguarded ? [] : real.fileCollisionsIn(output)) };
});
const { HetznerCloud, LoadBalancedService } = require('../../src') as typeof import('../../src');
const { saidOf } = require('./rows') as typeof import('./rows');
const { changesOf, sideOf } = require('./sides') as typeof import('./sides');

const APPS = 40;
const { FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE } = YamlOutputType;
const TYPES = [FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE];
const controller = HetznerCloud.loadBalancer({ location: 'fsn1' });

function addServices(app: App, number: number): void {
  const random = randomOf(number);
  const charts = ['a', 'b'].map((id) => new Chart(app, id));
  const count = random([2, 3, 4]);
  const ids = new Set<string>();
  for (let i = 0; i < count; i++) {
    const [name, namespace, chart] = [random(['echo', 'shop', 'mail']), random(['edge', 'core']), random(charts)];
    if (!ids.has(`${namespace}/${name}`)) {
      ids.add(`${namespace}/${name}`);
      new LoadBalancedService(chart, `Service${i}`, {
        controller,
        name,
        namespace,
        selector: { app: name },
        ports: [{ port: random([80, 443]) }],
      });
    }
  }
}

function written(number: number, yamlOutputType: YamlOutputType): Record<string, string> | string {
  const outdir = mkdtempSync(join(tmpdir(), 'output-types-'));
  try {
    const app = new App({ outdir, yamlOutputType });
    addServices(app, number);
    app.synth();
    const files = existsSync(outdir) ? readdirSync(outdir, { recursive: true, withFileTypes: true }) : [];
    return Object.fromEntries(
      files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name))
        .map((file) => [file.slice(outdir.length), readFileSync(file, 'utf8')]),
    );
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function saidOfChange(from: Record<string, string>, to: Record<string, string>): string[] {
  const installed = [controller];
  return saidOf(changesOf(sideOf(from, { installed }), sideOf(to, { installed }), { prune: true }));
}

interface Change {
  readonly number: number;
  readonly types: readonly [YamlOutputType, YamlOutputType];
  /** Whether the synth fails where it is looked after. */
  readonly isRefused: boolean;
  readonly lost: readonly string[];
}

const CHANGES: Change[] = Array.from({ length: APPS }, (_, number) => number).flatMap((number) => {
  const texts = TYPES.map((type) => written(number, type));
  isUnguarded = true;
  const unguarded = TYPES.map((type) => written(number, type) as Record<string, string>);
  isUnguarded = false;
  return TYPES.slice(1).map((type, i) => ({
    number,
    types: [TYPES[0], type],
    isRefused: typeof texts[i + 1] === 'string',
    lost: saidOfChange(unguarded[0], unguarded[i + 1]).filter((said) => !said.startsWith('kept')),
  }));
});

test('a type of output that is written loses no balancer', () => {
  expect(CHANGES.filter(({ isRefused, lost }) => !isRefused && lost.length > 0)).toEqual([]);
  expect(CHANGES.filter(({ isRefused }) => !isRefused).map(({ types }) => types[1])).toEqual(
    expect.arrayContaining(TYPES.slice(1)),
  );
});

test('a synth that fails would have lost one: its file is overwritten by that of another namespace', () => {
  const refused = CHANGES.filter(({ isRefused }) => isRefused);
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.filter(({ lost }) => !lost.some((said) => said.startsWith('deleted')))).toEqual([]);
});
