import CITED from '../../../facts/cited.json';
import { Unreadable } from '../fact';
import { constantFacts } from '../read/go-facts';
import { GoSource } from '../read/go-source';
import type { Product } from './product';

/** A repository that descriptors of operators and vendors cite: annotations in its files, and no tables. */
export function citedProduct(repository: string): Product | undefined {
  const revisions = CITED.filter((one) => one.repository === repository);
  const files = revisions.flatMap((one) => one.files).filter((file) => file.endsWith('.go'));
  const isWithV = revisions.some(({ revision }) => revision.startsWith('v'));
  return revisions.length === 0
    ? undefined
    : {
        name: repository,
        repository,
        tagOf: (version) => (isWithV && /^\d+\./.test(version) ? `v${version}` : version),
        versionOf: () => {
          throw new Unreadable(`no file of ${repository} is known to have its version; name it with --release`);
        },
        read: async (checkout) =>
          constantFacts(
            await GoSource.read(
              checkout,
              files.filter((file) => checkout.has(file)),
            ),
            'annotation',
            /annotation/i,
          ),
        tables: [],
      };
}
