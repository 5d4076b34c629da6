import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { goEnvironment, goFailure } from './go-command';

interface Download {
  readonly Path: string;
  readonly Dir?: string;
  readonly Error?: string;
}

/** go writes one object after the other, each from a line with nothing but its brace. */
function objectsIn(output: string): Download[] {
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text));
}

/** Where the modules that a go.mod pins lie on this machine, by name; downloads what is missing. */
export function downloadedModules(folder: string, names: readonly string[]): Record<string, string> {
  const { stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', ...names], {
    cwd: folder,
    encoding: 'utf8',
    env: goEnvironment(),
    maxBuffer: 2 ** 26,
  });
  const found = objectsIn(stdout ?? '');
  return Object.fromEntries(
    names.map((name) => {
      const module = found.find(({ Path }) => Path === name);
      if (!module?.Dir) {
        const why = module?.Error ?? `${error?.message ?? ''}${stderr ?? ''}`;
        throw goFailure(`the download of ${name}, which ${join(folder, 'go.mod')} pins,`, why);
      }
      return [name, module.Dir];
    }),
  );
}
