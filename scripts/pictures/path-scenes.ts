import { join, relative } from 'node:path';
import { balancersIn } from '../../src/cli/balancers';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';
import type { Report } from '../../src/report/make-report';
import { makeReport } from '../../src/report/make-report';
import { isUnknown } from '../../src/traffic/fraction';
import type { Path } from '../../src/traffic/path';

/** The way of packets that a picture shows, as the library computes it. */
export interface Scene {
  readonly path: Path;
  /** The pool of each node. */
  readonly pools: ReadonlyMap<string, string>;
  /** What a report says of it, a clause each. */
  readonly clauses: readonly string[];
}

/** What a node says, as far as it matters here. */
interface Node {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
}

let scenes: { readonly report: Report; readonly pools: ReadonlyMap<string, string> } | undefined;

function read() {
  if (!scenes) {
    const folder = relative(process.cwd(), join(__dirname, 'scenes'));
    const { balancers, options } = balancersIn(readManifests([folder]), NO_CONTEXT);
    const nodes = ((options.objects ?? []) as readonly Node[]).filter(({ kind }) => kind === 'Node');
    const pools = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels.pool]));
    scenes = { report: makeReport(balancers, options), pools };
  }
  return scenes;
}

/** The scene of a Service of scenes/services.yaml, by `namespace/name`. */
export function sceneOf(service: string): Scene {
  const { report, pools } = read();
  const row = report.paths.find(({ services }) => services.includes(service));
  if (!row || isUnknown(row.path)) {
    throw new Error(`there is no path of ${service}`);
  }
  const [, said] = row.words.split(/^[^:]*: /);
  return { path: row.path, pools, clauses: said.split('; ') };
}
