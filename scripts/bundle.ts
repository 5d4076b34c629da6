// Makes dist/cdk8s-load-balancers.mjs, the command in one file that Node runs by itself, and the formula of Homebrew that installs it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleFile } from './command/bundle';
import { ROOT } from './docs/files';

const DIST = join(ROOT, 'dist');
const NAME = 'cdk8s-load-balancers';

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const write = (file: string, text: string, mode?: number) => writeFileSync(join(DIST, file), text, { mode });

const { version } = JSON.parse(read('package.json'));
const text = singleFile(version);
const sha256 = createHash('sha256').update(text).digest('hex');
mkdirSync(DIST, { recursive: true });
write(`${NAME}.mjs`, text, 0o755);
write(`${NAME}.mjs.sha256`, `${sha256}  ${NAME}.mjs\n`);
write(`${NAME}.rb`, read('releases', `${NAME}.rb`).replaceAll('@VERSION@', version).replaceAll('@SHA256@', sha256));
