import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Snippet, translated } from '../site/languages';
import { snippetsOf } from '../site/staged-page';
import { filesIn, ROOT } from './files';

/** What a snippet finds around itself, as in the fixture of TypeScript. */
const AROUND = `from cdk8s import *
from constructs import *
from cdk8s_load_balancers import *

app: App = App()
chart: Chart = Chart(app, "chart")
echo: Include = Include(chart, "Around", url="echo.yaml")
`;

/** Names that a page declares without a value: rosetta leaves a comment of them. */
const DECLARED = /^declare const (\w+): (\w+);$/gm;

/** A check that accepts this checks nothing. */
const WRONG = 'LoadBalancedService(chart, "Wrong", wrong=1)\n';

/** What pyright says of the snippets of the docs as jsii translates them into Python, and how many there are. */
export function pythonOfSnippets(python: string): { readonly count: number; readonly faults: readonly string[] } {
  const snippets = ['README.md', ...filesIn('docs', '.md')].flatMap((file) =>
    snippetsOf(file, readFileSync(join(ROOT, file), 'utf8')),
  );
  const texts = translated(snippets).flatMap((translations, index) =>
    [...translations].filter(([{ name }]) => name === 'Python').map(([, text]) => [snippets[index], text] as const),
  );
  const folder = mkdtempSync(join(tmpdir(), 'python-snippets-'));
  try {
    const options = { reportWildcardImportFromLibrary: 'none', reportRedeclaration: 'none', typeCheckingMode: 'basic' };
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(options));
    for (const [snippet, text] of texts) {
      writeFileSync(join(folder, fileOf(snippet)), AROUND + declarationsOf(snippet) + text);
    }
    writeFileSync(join(folder, 'wrong.py'), AROUND + WRONG);
    const pyright = [require.resolve('pyright'), '--project', folder, '--pythonpath', python];
    const { stdout, stderr } = spawnSync(process.execPath, pyright, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const errors = stdout.split('\n').filter((line) => line.includes(' - error: '));
    const faults = errors.filter((line) => !line.includes('wrong.py')).map((line) => line.replace(`${folder}/`, ''));
    const isAlive = errors.length > faults.length;
    return { count: texts.length, faults: isAlive ? faults : [`a wrong snippet was accepted: ${stdout}${stderr}`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fileOf = ({ place }: Snippet) => `${place.replace(/\W/g, '_')}.py`;

function declarationsOf({ source }: Snippet): string {
  return [...source.matchAll(DECLARED)]
    .map(([, name, type]) => `def _${name}() -> ${type}: ...\n${name} = _${name}()\n`)
    .join('');
}
