import { dirname, join, normalize } from 'node:path';
import { stagedName } from './staged-page';

/** The page on which readers choose: its sections, with their tables, are the navigation. */
export const BEGIN = 'docs/README.md';

/** Pages that no table of that page has. */
const OTHERS: readonly (readonly [caption: string, pages: RegExp])[] = [
  ['Decisions', /^docs\/decisions\//],
  ['The project', /./],
];

/** Pages that the page of all rules links: in the navigation, each of them would be drawn on every page. */
export const UNLISTED = /^docs\/reference\/rules\//;

/** Pages that stand below another one. */
const BELOW: readonly (readonly [page: string, below: RegExp])[] = [
  ['API.md', /^docs\/reference\/api\//],
  ['docs/reference/controllers.md', /^docs\/reference\/annotations\//],
  ['docs/reference/service-fields.md', /^docs\/reference\/object-fields\.md$/],
  ['docs/stuck-in-terminating.md', /^test\/cluster\/what-happens\.md$/],
];

/** A part of the navigation: pages with the titles that they have where readers choose. */
export interface Part {
  readonly caption: string;
  readonly pages: readonly (readonly [page: string, title: string])[];
}

/** The parts that the sections of a page make, each page in the first that has it. */
export function partsOf(text: string): Part[] {
  const seen = new Set<string>();
  return text.split(/^## /m).flatMap((section, index) => {
    const pages = [...section.matchAll(/\[([^\]]+)\]\(([^)\s#:]+\.md)\)/g)]
      .map(([, title, path]) => [normalize(join(dirname(BEGIN), path)), capital(title)] as const)
      .filter(([page]) => index > 0 && page !== 'README.md' && !seen.has(page) && seen.add(page));
    return pages.length === 0 ? [] : [{ caption: section.slice(0, section.indexOf('\n')), pages }];
  });
}

function capital(title: string): string {
  return `${title[0].toUpperCase()}${title.slice(1)}`.replaceAll('\n', ' ');
}

/** What is appended to a page for the navigation: the parts to the first page, and what stands below others. */
export function navigationOf(file: string, pages: readonly string[], parts: readonly Part[]): string {
  const [, below] = BELOW.find(([page]) => page === file) ?? [];
  if (below) {
    return tree('', untitled(pages.filter((page) => below.test(page))));
  }
  if (file !== 'README.md') {
    return '';
  }
  const listed = new Set(parts.flatMap(({ pages: own }) => own.map(([page]) => page)));
  const isListed = (page: string) =>
    [file, BEGIN].includes(page) || listed.has(page) || BELOW.some(([, others]) => others.test(page));
  const others = pages.filter((page) => !isListed(page));
  return [
    tree('', [[BEGIN, 'What you want']]),
    ...parts.map(({ caption, pages: own }) =>
      tree(
        caption,
        own.filter(([page]) => pages.includes(page)),
      ),
    ),
    ...OTHERS.map(([caption]) => {
      const own = others.filter((page) => OTHERS.find(([, has]) => has.test(page))?.[0] === caption);
      return own.length === 0 ? '' : tree(caption, untitled(own));
    }),
  ].join('');
}

function untitled(pages: readonly string[]): [string, undefined][] {
  return pages.map((page) => [page, undefined]);
}

function tree(caption: string, pages: readonly (readonly [page: string, title: string | undefined])[]): string {
  const entries = pages.map(([page, title]) => {
    const path = `/${stagedName(page).replace(/\.md$/, '')}`;
    return title === undefined ? path : `${title} <${path}>`;
  });
  const options = [':hidden:', ...(caption === '' ? [] : [`:caption: ${caption}`])];
  return `\n\n\`\`\`{toctree}\n${options.join('\n')}\n\n${entries.join('\n')}\n\`\`\`\n`;
}
