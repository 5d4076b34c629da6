import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A page of the site as a browser is handed it. */
export interface HtmlPage {
  /** Its path in the site. */
  readonly path: string;
  readonly html: string;
}

/** Every page below a folder. */
export function pagesIn(folder: string): HtmlPage[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(folder, file), html: readFileSync(file, 'utf8') }));
}

/** What is in the attributes of some elements. */
export function valuesOf({ html }: HtmlPage, elements: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`<(?:${elements})\\s[^>]*?\\b${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
    value.replaceAll('&amp;', '&'),
  );
}

/** The links of a page that lead nowhere in the site. */
export function brokenLinksOf(page: HtmlPage, pages: ReadonlyMap<string, HtmlPage>): string[] {
  return valuesOf(page, 'a', 'href').filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split('#');
    const target = pages.get(path === '' ? page.path : join(dirname(page.path), path));
    return !target || (!!anchor && !valuesOf(target, '[a-z0-9]+', 'id').includes(decodeURIComponent(anchor)));
  });
}
