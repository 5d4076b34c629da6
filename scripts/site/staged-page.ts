import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { ROOT } from '../docs/files';
import type { Snippet, Translations } from './languages';

/** A page as the site has it: files named README are the index of their folder. */
export function stagedName(file: string): string {
  return file.replace(/(^|\/)README\.md$/, '$1index.md');
}

const FENCES = /(^[ \t]*(`{3,})[\s\S]*?^[ \t]*\2[ \t]*$)/m;
const TS_FENCE = /^([ \t]*)```ts\b([^\n]*)\n([\s\S]*?)^[ \t]*```$/m;

/** What stands between fences, and the fences, in turn. */
function partsOf(text: string): { readonly prose: string; readonly fence: string }[] {
  const parts = text.split(new RegExp(FENCES, 'm'));
  return Array.from({ length: Math.ceil(parts.length / 3) }, (_, index) => ({
    prose: parts[3 * index],
    fence: parts[3 * index + 1] ?? '',
  }));
}

/** The snippets of a page that have tabs, in their order. */
export function snippetsOf(file: string, text: string): Snippet[] {
  let line = 1;
  return partsOf(text).flatMap(({ prose, fence }) => {
    line += prose.split('\n').length - 1;
    const place = `${file}:${line}`;
    line += fence.split('\n').length - 1;
    const found = TS_FENCE.exec(fence);
    return found ? { place, words: found[2].trim(), source: withoutIndent(found[3], found[1]) } : [];
  });
}

function withoutIndent(source: string, indent: string): string {
  return source.replace(new RegExp(`^${indent}`, 'gm'), '');
}

/** What a page is made with. */
export interface Staging {
  /** Every page of the site, by its path in the repository. */
  readonly pages: ReadonlySet<string>;
  /** Where files are that are no pages: `https://…/blob/main/`. */
  readonly repository: string;
}

/** The text of a page for the site: links lead within it or to the repository, and snippets have a tab for each language. */
export function stagedPage(file: string, text: string, all: readonly Translations[], staging: Staging): string {
  const translations = [...all];
  return partsOf(text)
    .map(({ prose, fence }) => `${withLinks(file, prose, staging)}${tabsOf(fence, translations)}`)
    .join('');
}

/** Sphinx knows the pages and the pictures; everything else is in the repository. */
function withLinks(file: string, prose: string, { pages, repository }: Staging): string {
  return prose.replace(/\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (link, path: string, anchor = '') => {
    const target = normalize(join(dirname(file), path)).replace(/\/$/, '');
    const index = join(target, 'README.md');
    const page = pages.has(target) ? target : pages.has(index) ? index : undefined;
    if (page !== undefined) {
      return `](${relative(dirname(file), stagedName(page))}${anchor})`;
    }
    if (/\.(svg|png)$/.test(target) || !existsSync(join(ROOT, target))) {
      return link;
    }
    const kind = statSync(join(ROOT, target)).isDirectory() ? repository.replace('/blob/', '/tree/') : repository;
    return `](${kind}${target}${anchor})`;
  });
}

function tabsOf(fence: string, translations: Translations[]): string {
  const found = TS_FENCE.exec(fence);
  if (!found) {
    // said in words beside it, and a program that draws it is larger than the site
    return /^[ \t]*```mermaid\b/.test(fence) ? '' : fence;
  }
  const [, indent, , written] = found;
  const source = withoutIndent(written, indent);
  const languages = [...(translations.shift() ?? [])];
  const typescript = fenceOf('typescript', source);
  const lines =
    languages.length === 0
      ? [typescript]
      : [
          '`````{tab-set}',
          ':sync-group: language',
          '',
          tabOf('TypeScript', typescript),
          ...languages.map(([{ name, highlighted }, text]) => tabOf(name, fenceOf(highlighted, text))),
          '`````',
        ];
  return lines.join('\n').replace(/^(?=.)/gm, indent);
}

const fenceOf = (language: string, source: string) => `\`\`\`${language}\n${source.trimEnd()}\n\`\`\``;

function tabOf(name: string, fence: string): string {
  const note =
    name === 'TypeScript' ? '' : `\n\nTranslated by jsii from TypeScript${name === 'Go' ? `; ${IN_GO}` : ''}.`;
  return `\`\`\`\`{tab-item} ${name}\n:sync: ${name}\n\n${fence}${note}\n\`\`\`\`\n`;
}

/** What jsii's translation into Go does not get right. */
const IN_GO = 'values are pointers there, and the package of a struct is to be added';
