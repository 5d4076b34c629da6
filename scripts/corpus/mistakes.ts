import { isRule } from '../../src/rules/rule-set';

/** A mistake that a reader found in a file by hand. */
export interface Mistake {
  /** The name of the file, without its ending. */
  readonly file: string;
  /** `error`, `warning`, or `info` for what no error may be reported of. */
  readonly severity: string;
  /** The reader's own word for the mistake. */
  readonly word: string;
  /** The ids of rules that name it; where it is not set, the table below knows those of the word. */
  readonly rules?: readonly string[];
  readonly what: string;
}

/** A document that cannot be read, as a word for mistakes. */
export const UNREADABLE = 'unreadable';

/** By the word of a reader, the rules whose findings name the mistake. */
export const RULES_OF_WORD: Readonly<Record<string, readonly string[]>> = {
  'bad-annotation-value': ['aws-internal-value-unknown', 'annotation-value-invalid'],
  'bad-apiversion': ['binding-version-deprecated', 'binding-target-group-invalid'],
  'bad-type': ['field-wrong-type'],
  'clb-only-annotation-on-nlb': ['aws-cloud-annotation-ignored', 'annotation-for-other-controller'],
  'conflicting-annotations': ['annotation-for-other-controller', 'obsolete-annotation-override'],
  'deprecated-loadBalancerIP': ['load-balancer-ip-deprecated', 'azure-load-balancer-ip-deprecated'],
  'deprecated-nlb-ip': ['aws-type-nlb-ip-deprecated'],
  'duplicate-key': [UNREADABLE],
  'duplicate-listener': ['listener-name-duplicate', 'listener-port-duplicate'],
  'external-without-target-type': ['aws-type-without-target-type'],
  'externalIPs-with-lb': ['external-ips-deprecated'],
  'gke-bad-value': ['gke-type-value-unknown'],
  'gke-deprecated-key': ['annotation-deprecated'],
  'missing-document-separator': [UNREADABLE],
  'mixed-protocols': ['mixed-protocols', 'aws-cloud-mixed-protocols', 'gke-mixed-protocols'],
  'non-string-annotation': ['kafka-template-value-not-string', 'field-wrong-type'],
  'old-cilium-prefix': ['annotation-obsolete-name'],
  'strimzi-no-finalizer': ['owner-unspecified', 'finalizer-missing-on-listener'],
  'strimzi-old-api': ['kafka-api-version-unsupported', 'kafka-api-version-removed', 'kafka-api-deprecated'],
  'strimzi-plaintext-lb': ['listener-passwords-without-tls', 'listener-unencrypted'],
  'tgb-copied-from-cluster': ['binding-copy-of-generated'],
  'tgb-without-networking': ['binding-without-networking'],
  'trailing-comma': ['annotation-empty-item'],
  'unknown-type-value': ['aws-cloud-type-unknown'],
  'wrong-prefix': ['annotation-prefix-incomplete', 'annotation-prefix-missing'],
  'yaml-structure': [UNREADABLE],
};

/** Reads `mistakes.tsv`: file, severity, word, what, why, and as it may be the ids of rules, separated by commas. */
export function mistakesIn(tsv: string): Mistake[] {
  const [head = '', ...rows] = tsv.split(/\r?\n/).filter((row) => row !== '');
  const columns = head.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    const rules = cell('rules').split(',').filter(Boolean);
    return {
      file: cell('nnn'),
      severity: cell('severity'),
      word: cell('rule'),
      what: cell('what'),
      ...(rules.length > 0 && { rules }),
    };
  });
}

/** Whether some of what was found in a file names a mistake. */
export function isNamed({ rules, word }: Mistake, found: ReadonlySet<string>): boolean {
  return (rules ?? RULES_OF_WORD[word] ?? (isRule(word) ? [word] : [])).some((id) => found.has(id));
}
