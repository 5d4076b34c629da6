import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileTexts, type Folder, Repository } from '../checks/diff/repository';
import { type Outcome, run } from '../support/command';
import { withPrograms } from '../support/programs-on-path';

/** A real renderer, which `npm run test:renderers` builds. */
function built(name: 'KUSTOMIZE' | 'HELM'): string {
  return `exec "${process.env[name]}" "$@"`;
}

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
    if (!text.includes(from)) {
      throw new Error(`${JSON.stringify(from)} is not in ${text}`);
    }
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
