import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiffJson } from '../../src/cli/diff/diff-report';
import { type FileTexts, type Folder, Repository } from '../cli/diff/repository';
import { type Outcome, run, withPrograms } from '../support/command';

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

/** A new text of a file, made from the old one. */
export type Rewrite = (text: string) => string;

/** Changes of files: a new text, a rewrite of the old one, or nothing for a file that goes. */
export type Edits = Readonly<Record<string, string | Rewrite | undefined>>;

/** Replaces a part that must be there. */
export function swap(from: string, to: string): Rewrite {
  return (text) => {
    if (!text.includes(from)) throw new Error(`${JSON.stringify(from)} is not in ${text}`);
    return text.replace(from, to);
  };
}

/** The texts of changed files. */
export function edited(edits: Edits): FileTexts {
  return Object.fromEntries(
    Object.entries(edits).map(([file, edit]) => [file, typeof edit === 'function' ? edit(PLATFORM[file]) : edit]),
  );
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
export interface Change {
  readonly edits: Edits;
  /** What is not kept, by cluster. */
  readonly lost?: Outcomes;
  readonly code: 0 | 1 | 2;
  readonly args?: readonly string[];
  /** Other names of clusters. */
  readonly names?: Readonly<Record<string, string>>;
  /** What main has in other words than the files of the repository. */
  readonly main?: Edits;
}

/** A change after which everything is as it was. */
export const NOTHING = { code: 0 } as const;

export const BOOTSTRAP = "kafka/events, listener 'external', bootstrap";
export const BROKER = "kafka/events, listener 'external', broker 0";

/** The balancers of the repository: what a row does not name is kept. */
const KEPT: Outcomes = {
  'prod-eks': kept('edge/api', 'edge/echo', 'edge/smtp', 'shop/shop', BOOTSTRAP, BROKER),
  'staging-eks': kept('staging/staging-api', 'staging/staging-echo', 'shop/shop'),
  'prod-aks': kept('edge/api', 'edge/echo', 'edge/smtp', 'portal/portal'),
};

function kept(...titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, 'kept']));
}

/** The files that rows change. */
export const FILES = {
  context: 'load-balancers.yaml',
  eks: 'overlays/eks-prod/kustomization.yaml',
  staging: 'overlays/eks-staging/kustomization.yaml',
  aks: 'overlays/aks-prod/kustomization.yaml',
  echoPatch: 'overlays/eks-prod/echo.yaml',
  smtpPatch: 'overlays/eks-prod/smtp.json',
  echo: 'base/edge/echo.yaml',
  api: 'base/edge/api.yaml',
  smtp: 'base/mail/smtp.yaml',
  aws: 'components/aws-internal/service.yaml',
  azure: 'components/azure-internal/kustomization.yaml',
  shop: 'charts/shop/templates/service.yaml',
  common: 'charts/portal/charts/common/templates/_service.tpl',
} as const;

/** A Service of the namespace edge that the repository does not have. */
export const PROBE = `apiVersion: v1
kind: Service
metadata: { name: probe, namespace: edge }
spec: { type: LoadBalancer, selector: { app: probe }, ports: [{ port: 81 }] }
`;

/** A test for each change, of which every other one is committed. */
export function testChanges(changes: Readonly<Record<string, Change>>): void {
  const rows = Object.entries(changes).map(([title, change], i) => [title, change, i % 2 === 1] as const);
  test.each(rows)('%s', (_, change, isCommitted) => {
    const { edits, main = {}, args, code } = change;
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
