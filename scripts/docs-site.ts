// Makes the site of the docs in dist/site: all pages with search, and a tab for each language beside every snippet.
import { join } from 'node:path';
import { ROOT } from './docs/files';
import { makeSite } from './site/make-site';

const FOLDER = join('dist', 'site');

const { pages, snippets, translated } = makeSite('docs:site', join(ROOT, FOLDER));
process.stdout.write(`${FOLDER}: ${pages} pages, ${translated} of ${snippets} snippets in every language\n`);
