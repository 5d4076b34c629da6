import { type Citation, Confidence } from '../../contract/kubernetes.facts';

export function cited({ repository, version, file }: Citation, confidence?: Confidence): string {
  const how = confidence === undefined || confidence === Confidence.SOURCE ? '' : ` (${HOW[confidence]})`;
  return `${repository} ${version}, ${file}${how}`;
}

const HOW: Readonly<Record<Confidence, string>> = {
  [Confidence.SEEN]: 'and seen on the running program',
  [Confidence.SOURCE]: 'source code',
  [Confidence.DOCS]: 'documentation',
  [Confidence.UNVERIFIED]: 'unverified',
};
