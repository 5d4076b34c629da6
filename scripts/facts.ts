// Reads a release of a controller as its repository has it, and says what it changes of the facts of this library:
//   npm run facts -- aws-load-balancer-controller CHECKOUT [--against OLDER | --since 3.4.3] [--write]
// docs/contributing/refreshing-facts.md says how to go on.
import { parseArgs } from 'node:util';
import { Unreadable } from './facts/fact';
import { PRODUCTS } from './facts/products';
import { reportOf } from './facts/report';
import { run } from './facts/run';

const HELP = `facts PRODUCT CHECKOUT [options]

Reads a release of a product, and prints what it changes of the facts of this library, and which catalogue entries and rules
cite a file that changed.

  PRODUCT            ${PRODUCTS.map(({ name }) => name).join(', ')},
                     or a repository in facts/cited.json
  CHECKOUT           the folder of a release: its repository at the tag
  --against FOLDER   the checkout of an older release: compares with it, line by line where files are cited
  --since VERSION    compares with a recorded release; without both, with the minor version before
  --release VERSION  the version of CHECKOUT, where its files do not say it
  --against-release VERSION  the same of the older checkout
  --write            records what was read in facts/PRODUCT.json
  --folder FOLDER    another folder than facts
  --all              lists everything instead of the first few
`;

const OPTIONS = {
  against: { type: 'string' },
  since: { type: 'string' },
  release: { type: 'string' },
  'against-release': { type: 'string' },
  folder: { type: 'string' },
  write: { type: 'boolean' },
  all: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parsed(args);
  const { all = false, help = false, 'against-release': olderRelease, ...request } = values;
  if (help) {
    console.log(HELP);
    return;
  }
  const [product, checkout, ...others] = positionals;
  if (!product || !checkout || others.length > 0) {
    throw new Unreadable('facts wants a product and the folder of a checkout; --help shows how');
  }
  console.log(reportOf(await run({ ...request, olderRelease, product, checkout }), { all }));
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Unreadable(`facts: ${(error as Error).message}`);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Unreadable ? error.message : error);
  process.exitCode = error instanceof Unreadable ? 2 : 1;
});
