import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiffJson } from '../../src/cli/diff/diff-report';
import { type FileTexts, type Folder, Repository } from '../cli/diff/repository';
import { type Outcome, run, withPrograms } from '../support/command';
import { casesIn } from '../support/yaml-cases';

/** A real renderer, which `npm run test:renderers` builds. */
const built = (name: 'KUSTOMIZE' | 'HELM'): string => `exec "${process.env[name]}" "$@"`;

/** Both renderers as scripts for a folder of programs. */
export const BUILT = { kustomize: built('KUSTOMIZE'), helm: built('HELM') };

/** The repository of two clouds: overlays, charts, plain manifests, and what Argo CD and Flux apply. */
export const PLATFORM: Readonly<Record<string, string>> = Object.fromEntries(
  readFileSync(join(__dirname, 'repository.txt'), 'utf8')
    .split(/^(?=-- .* --$)/m)
    .map((file) => /^-- (.*) --\n(.*)$/s.exec(file)?.slice(1) ?? []),
);

/** How a text changes: the part that is replaced and the new one, what is added, or the cluster whose entry goes or comes first. */
interface Rewrite {
  readonly swap?: readonly [from: string, to: string];
  readonly append?: string;
  readonly without?: string;
  readonly first?: string;
}

/** Changes of files: a new text, the text of another file, a change of the old one, or null for a file that goes. */
export type Edits = Readonly<Record<string, string | Rewrite | { readonly of: string } | null | undefined>>;

function rewritten(text: string, { swap, append, without, first }: Rewrite): string {
  if (append !== undefined) return text + append;
  const [entry] = new RegExp(`  - name: ${without ?? first}\\n(?:    .*\\n)*`).exec(text) ?? [];
  const [from, to] = swap ?? [entry ?? 'the cluster', ''];
  if (!text.includes(from)) throw new Error(`${JSON.stringify(from)} is not in ${text}`);
  const next = text.replace(from, to);
  return first === undefined ? next : next.replace('clusters:\n', `clusters:\n${entry}`);
}

/** The texts of changed files. */
export function edited(edits: Edits): FileTexts {
  const textOf = (file: string, edit: Edits[string]) => {
    if (edit === null || edit === undefined) return undefined;
    if (typeof edit === 'string') return edit;
    return 'of' in edit ? PLATFORM[edit.of] : rewritten(PLATFORM[file], edit);
  };
  return Object.fromEntries(Object.entries(edits).map(([file, edit]) => [file, textOf(file, edit)]));
}

/** A git repository with the platform, and a change of it in the working tree. */
export function platform(edits: Edits = {}): Repository {
  const repository = new Repository(PLATFORM);
  repository.write(edited(edits));
  return repository;
}

/** Runs a command in a folder. */
export function said(
  folder: Folder,
  args: readonly string[],
  programs: Readonly<Record<string, string>> = BUILT,
): Outcome {
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    return withPrograms(programs, () => run(...args));
  } finally {
    process.chdir(before);
  }
}

/** What becomes of balancers, by cluster. */
type Outcomes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A change of the repository, and what becomes of its balancers. */
interface Change {
  readonly edits: Edits;
  /** What is not kept, by cluster. */
  readonly lost?: Outcomes;
  /** @default 0 */
  readonly code?: 1 | 2;
  readonly args?: readonly string[];
  /** Other names of clusters. */
  readonly names?: Readonly<Record<string, string>>;
  /** What main has in other words than the files of the repository. */
  readonly main?: Edits;
}

const BOOTSTRAP = "kafka/events, listener 'external', bootstrap";
const BROKER = "kafka/events, listener 'external', broker 0";

/** The balancers of the repository: what a row does not name is kept. */
const KEPT: Outcomes = {
  'prod-eks': kept('edge/api', 'edge/echo', 'edge/smtp', 'shop/shop', BOOTSTRAP, BROKER),
  'staging-eks': kept('staging/staging-api', 'staging/staging-echo', 'shop/shop'),
  'prod-aks': kept('edge/api', 'edge/echo', 'edge/smtp', 'portal/portal'),
};

function kept(...titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, 'kept']));
}

/** A test for each change of a table, of which every other one is committed. */
export function testChanges(file: string): void {
  const changes: Readonly<Record<string, Change>> = casesIn(__dirname, file);
  const rows = Object.entries(changes).map(([title, change], i) => [title, change, i % 2 === 1] as const);
  test.each(rows)('%s', (_, change, isCommitted) => {
    const { edits, main = {}, args, code = 0 } = change;
    const repository = new Repository(PLATFORM).commit(edited(main));
    repository.write(edited(edits));
    const range = isCommitted ? committed(repository) : 'main';
    expect(outcomeOf(repository, range, args)).toEqual({ code, outcomes: expected(change) });
  });
}

/** The range of a commit on a branch. */
function committed(repository: Repository): string {
  repository.git('checkout', '-q', '-b', 'topic');
  repository.commit();
  return 'main...topic';
}

/** Each balancer with what becomes of it, by cluster, and the exit code. */
function outcomeOf(repository: Repository, range: string, args: readonly string[] = []) {
  const { out, error, code } = said(repository, ['diff', '--git', range, '--format', 'json', ...args]);
  expect(error).toBe('');
  const { clusters } = JSON.parse(out) as { clusters: Record<string, DiffJson> };
  const outcomes = Object.entries(clusters).map(([name, { changes }]) => [
    name,
    Object.fromEntries(changes.map(({ title, outcome }) => [title, outcome])),
  ]);
  return { code, outcomes: Object.fromEntries(outcomes) };
}

/** What a row says of all balancers. */
function expected({ lost = {}, names = {} }: Change): Outcomes {
  const clusters = [...new Set([...Object.keys(KEPT), ...Object.keys(lost)])];
  return Object.fromEntries(clusters.map((name) => [names[name] ?? name, { ...KEPT[name], ...lost[name] }]));
}
