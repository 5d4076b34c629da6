import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/files';
import { changedFiles, citedFiles } from './changed-files';
import { Checkout } from './checkout';
import { collectedCitations } from './citations';
import { changedRows, compared } from './compare';
import { byKey, type Facts, Unreadable } from './fact';
import { History } from './history';
import { PRODUCTS } from './products';
import { citedProduct } from './products/cited';
import type { Product } from './products/product';
import type { Report } from './report';

/** What is asked of a run. */
export interface Request {
  readonly product: string;
  readonly checkout: string;
  /** A version that is recorded: what changed since it. */
  readonly since?: string;
  /** The checkout of an older release. */
  readonly against?: string;
  /** The version of the checkout, where its files do not say it. */
  readonly release?: string;
  /** The same of the older one. */
  readonly olderRelease?: string;
  /** Where facts are recorded. */
  readonly folder?: string;
  readonly write?: boolean;
}

const FOLDER = join(ROOT, 'facts');

/** One release of a product, read. */
interface Release {
  readonly checkout: Checkout;
  readonly version: string;
  readonly facts: Facts;
}

async function releaseOf(product: Product, folder: string, named?: string): Promise<Release> {
  const checkout = new Checkout(folder, product.name);
  const version = named?.replace(/^v/, '') ?? product.versionOf(checkout);
  return { checkout, version, facts: byKey(await product.read(checkout, version)) };
}

/** @throws Unreadable where a checkout is not one of the product, or there is nothing to compare it with. */
export async function run(request: Request): Promise<Report> {
  const product = PRODUCTS.find(({ name }) => name === request.product) ?? citedProduct(request.product);
  if (!product) {
    const names = PRODUCTS.map(({ name }) => name).join(', ');
    throw new Unreadable(
      `'${request.product}' is not a product that can be read; name one of ${names}, or a repository in facts/cited.json`,
    );
  }
  const file = join(request.folder ?? FOLDER, `${product.name}.json`);
  const history = History.load(file, product.repository);
  const now = await releaseOf(product, request.checkout, request.release);
  const older =
    request.against === undefined ? undefined : await releaseOf(product, request.against, request.olderRelease);
  const before = older ?? recorded(history, now.version, request.since, product, existsSync(file));
  const versions = [before.version, now.version] as const;
  const citations = collectedCitations().filter(({ repository }) => repository === product.repository);
  const { cited, lost } = citedFiles(citations, now.checkout);
  const comparison = compared({ product, before: before.facts, after: now.facts, versions });
  const changed = new Set(comparison.changes.map(({ fact }) => fact.file));
  if (request.write) {
    const others = older ? history.with(older.version, older.facts) : history;
    others.with(now.version, now.facts).save(file);
  }
  return {
    product: product.name,
    repository: product.repository,
    before: before.version,
    after: now.version,
    tags: [product.tagOf(before.version), product.tagOf(now.version)],
    read: now.facts.size,
    comparison,
    changedRows: changedRows(product, versions),
    citations: citations.length,
    changedFiles: older && changedFiles(cited, older.checkout, now.checkout),
    citing: cited.filter((each) => changed.has(each.file)).flatMap((each) => each.citations),
    lost: lost.filter(({ version }) => version.replace(/^v/, '') === newest(citations)),
  };
}

/** The version that most facts were read in: older ones are cited for what was different then. */
function newest(citations: readonly { readonly version: string }[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { version } of citations) {
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0].replace(/^v/, '');
}

function recorded(history: History, version: string, since: string | undefined, { name }: Product, hasFile: boolean) {
  const release = since?.replace(/^v/, '') ?? history.before(version);
  const found = release === undefined ? undefined : history.of(release);
  if (!found) {
    const what = hasFile
      ? `facts/${name}.json has ${history.releases.join(', ')}`
      : `facts/${name}.json is not there yet`;
    throw new Unreadable(
      `no release of ${name} ${since === undefined ? `before ${version}` : `like ${since}`} is recorded: ${what}; name the checkout of an older one with --against`,
    );
  }
  return found;
}
