import { isIPv4 } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { Found } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf } from '../../rules/service-json';
import { annotationsAmong } from '../shared/model';
import { RULES_PER_SECURITY_GROUP } from './facts';
import { CERTIFICATE_RULE_ROWS, TLS_RULE_ROWS } from './rules.facts';

function sourcesOfFamily(sources: readonly string[]): number {
  return Math.max(sources.filter(isIpv6).length, sources.filter((source) => !isIpv6(source)).length, 1);
}

/** The rules of one family of a security group that has one for each port and source. */
export const rulesOfGroup = (ports: number, sources: readonly string[]) => ports * sourcesOfFamily(sources);

/** The ports and source ranges of a security group that has too few rules for them, for a message. */
export function tooManyRules(ports: number, sources: readonly string[]): Found | undefined {
  const ranges = sourcesOfFamily(sources);
  const rules = rulesOfGroup(ports, sources);
  return rules <= RULES_PER_SECURITY_GROUP
    ? undefined
    : {
        ports: `${ports} ${ports === 1 ? 'port' : 'ports'}`,
        ranges: `${ranges} source ${ranges === 1 ? 'range' : 'ranges'}`,
        most: RULES_PER_SECURITY_GROUP,
        value: String(rules),
      };
}

/** Duplicates if each subnet, or zone, has one: the subnet itself, an address, or two addresses of one subnet. */
export function twiceInSubnet(key: string, values: readonly string[]): Found | undefined {
  const blocks = values.map(smallestSubnet);
  const at = blocks.findIndex((block, i) => blocks.indexOf(block) < i);
  const first = values[blocks.indexOf(blocks[at])];
  const value = values[at];
  const names = first === value ? `${value} twice` : `${first} and ${value}, which are of one subnet`;
  return at < 0 ? undefined : { key, names, value };
}

function smallestSubnet(value: string): string {
  if (isIPv4(value)) {
    const [a, b, c, d] = value.split('.').map(Number);
    return `${a}.${b}.${c}.${d & 0xf0}/28`;
  }
  return isIpv6(value) && !value.includes('/') ? `${groupsOf(value).slice(0, 4).join(':')}/64` : value;
}

function groupsOf(address: string): string[] {
  const [head, tail] = address
    .toLowerCase()
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...(tail ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
}

const CERTIFICATE = /^arn:[^:]+:acm:([a-z0-9-]+):/;

function certificatesOf(service: Json, entry: AnyAnnotation): { readonly value: string; readonly region: string }[] {
  return String(annotationsOf(service)[entry.key()] ?? '')
    .split(',')
    .map((text) => text.trim())
    .flatMap((value) => (CERTIFICATE.exec(value)?.slice(1) ?? []).map((region) => ({ value, region })));
}

/** The rules about an annotation that names several certificates: of two regions one is another than that of the cluster. */
export function certificateRules(certificate: AnyAnnotation): readonly Rule[] {
  return rulesOf({
    rows: CERTIFICATE_RULE_ROWS,
    catalogue: { certificate },
    read: (service) => certificatesOf(service, certificate),
    finds: {
      'certificate-region-mismatch': (certificates, _, { region: own }) =>
        certificates.filter(({ region }) => region !== own).map((one) => ({ ...one, own })),
      'certificates-in-several-regions': (certificates, _, { region }) => {
        const regions = [...new Set(certificates.map((one) => one.region))];
        return region === undefined && regions.length > 1 && { value: regions.join(', ') };
      },
    },
  });
}

export function certificateRule(certificate: AnyAnnotation): Rule {
  return certificateRules(certificate)[0];
}

interface TlsSettings {
  readonly certificate: AnyAnnotation;
  readonly settings: readonly AnyAnnotation[];
  /** True if a text of one of them has a meaning without TLS too. */
  readonly isPlain: (text: string, service: Json) => boolean;
  readonly source: Citation;
}

export function tlsWithoutCertificate({ certificate, settings, isPlain, source }: TlsSettings): Rule {
  const [rule] = rulesOf({
    rows: TLS_RULE_ROWS,
    source,
    catalogue: { settings },
    read: annotationsOf,
    finds: {
      'tls-without-certificate': (annotations, service) =>
        !annotations[certificate.key()] &&
        annotationsAmong(annotations, settings)
          .filter(({ value }) => !isPlain(value, service))
          .map((written) => ({ ...written, certificate: certificate.key() })),
    },
  });
  return rule;
}
