import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'programs', 'test', 'scripts', 'bench', 'examples', '.projenrc.ts'];
const CODE = /\.(ts|js|cjs)$/;
const EXPORT = /^export (?:abstract )?(?:class|enum|function|const|interface|type) (\w+)/gm;

/** What `src` exports and no code names again; what is public is for others to name. */
export function deadExports(root: string, publicTypes: readonly string[]): string[] {
  const texts = new Map(codeBelow(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const mentions = new Map<string, number>();
  for (const text of texts.values()) {
    for (const [word] of text.matchAll(/\w+/g)) {
      mentions.set(word, (mentions.get(word) ?? 0) + 1);
    }
  }
  const exported = [...texts]
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, text]) => [...text.matchAll(EXPORT)].map(([, name]) => ({ path, name })));
  return exported
    .filter(({ name }) => mentions.get(name) === 1 && !publicTypes.includes(name))
    .map(({ path, name }) => `${name} (${path})`);
}

function codeBelow(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    CODE.test(folder)
      ? [folder]
      : readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path))),
  ).filter((path) => CODE.test(path) && !/(^|\/)(node_modules|dist)\//.test(path));
}
