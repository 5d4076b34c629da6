import type { Citation } from '../../src/contract/kubernetes.facts';
import { vendors } from './descriptor';
import { operators } from './operators-file';

/** A revision of a repository, and the files of it that descriptors cite. */
export interface CitedRevision {
  readonly repository: string;
  /** What Git knows: a tag, a commit, or a description of one. */
  readonly revision: string;
  readonly files: readonly string[];
}

/** Revisions that descriptors of operators and vendors cite, for `npm run facts`. */
export function citedFile(): [path: string, text: string] {
  const ofVendors = vendors().flatMap((vendor) => [
    ...citationsIn(vendor, vendor.source),
    ...Object.values(vendor.files ?? {}).map((file) => ({ ...vendor.source, file })),
  ]);
  const files = new Map<string, Set<string>>();
  for (const { repository, version, file } of [...operators().flatMap((one) => citationsIn(one)), ...ofVendors]) {
    const key = `${repository} ${REVISION.exec(version)?.[0]}`;
    if (REPOSITORY.test(repository) && REVISION.test(version)) {
      files.set(key, (files.get(key) ?? new Set()).add(file));
    }
  }
  const lines = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, all]) => {
      const [repository, revision] = key.split(' ');
      return ` ${JSON.stringify({ repository, revision, files: [...all].sort() } satisfies CitedRevision)}`;
    });
  return ['facts/cited.json', `[\n${lines.join(',\n')}\n]\n`];
}

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const REVISION = /^([a-z-]*v?\d+\.\d[\w.-]*|[0-9a-f]{7,40})(?= |$)/;

/** Citations in a descriptor; a file without a repository is one of its source. */
function citationsIn(value: unknown, source?: Citation): Citation[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = value as Partial<Citation> & { source?: Citation };
  const { repository = source?.repository, version = source?.version, file } = own;
  const isCited = typeof file === 'string' && repository !== undefined && version !== undefined;
  const inner = own.source ?? source;
  return [
    ...(isCited ? [{ repository, version, file }] : []),
    ...Object.values(value).flatMap((part) => citationsIn(part, inner)),
  ];
}
