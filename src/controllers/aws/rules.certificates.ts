import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';

/** A certificate is used in its region alone. https://docs.aws.amazon.com/acm/latest/userguide/acm-regions.html */
const REGIONS: Citation = {
  repository: 'AWS Certificate Manager User Guide',
  version: '2026-11-24',
  file: 'acm-regions.html',
};

/** The ARN of a certificate of ACM, with its region; those of IAM have none. */
const CERTIFICATE = /^arn:[^:]+:acm:([a-z0-9-]+):/;

/** The certificates that an annotation names, each with its region. */
function certificatesOf(service: Json, entry: AnyAnnotation): { readonly arn: string; readonly region: string }[] {
  return String(annotationsOf(service)[entry.key()] ?? '')
    .split(',')
    .map((text) => text.trim())
    .flatMap((arn) => (CERTIFICATE.exec(arn)?.slice(1) ?? []).map((region) => ({ arn, region })));
}

/** The rule about a certificate that is elsewhere than the balancer. */
export function certificateRule(entry: AnyAnnotation): Rule {
  return {
    id: 'certificate-of-another-region',
    severity: 'error',
    effect: 'refused',
    says: 'certificate of another region than the cluster',
    source: REGIONS,
    reads: [entry],
    needs: ['region'],
    judge: (service, { region: own }) =>
      certificatesOf(service, entry)
        .filter(({ region }) => region !== own)
        .map(({ arn, region }) => ({
          what: `certificate ${arn} is of region ${region}, and the cluster is in ${own}: AWS does not find it there, and makes no listener with it`,
          remedy: `name a certificate of ${own}`,
          value: arn,
        })),
  };
}

/** What has no effect without a certificate. */
interface TlsSettings {
  readonly certificate: AnyAnnotation;
  readonly settings: readonly AnyAnnotation[];
  /** Whether a text of one of them has a meaning without TLS too. */
  readonly isPlain: (text: string, service: Json) => boolean;
  readonly source: Citation;
}

/** The rule about settings of TLS without a certificate. */
export function tlsWithoutCertificate({ certificate, settings, isPlain, source }: TlsSettings): Rule {
  return {
    id: 'tls-without-certificate',
    severity: 'warning',
    effect: 'ignored',
    says: 'TLS settings without a certificate',
    source,
    reads: settings,
    judge(service) {
      const annotations = annotationsOf(service);
      return annotations[certificate.key()]
        ? undefined
        : settings.flatMap((entry) => {
            const value = annotations[entry.key()];
            return value === undefined || isPlain(value, service)
              ? []
              : [
                  {
                    what: `${entry.key()} has no effect without a certificate: the listeners speak no TLS`,
                    remedy: `name one in ${certificate.key()}, or remove it`,
                    value,
                  },
                ];
          });
    },
  };
}

/** The rules about an annotation that names several certificates: of two regions one is another than that of the cluster. */
export function certificateRules(entry: AnyAnnotation): readonly Rule[] {
  return [
    certificateRule(entry),
    {
      id: 'certificates-of-one-region',
      severity: 'error',
      effect: 'refused',
      says: 'certificates of several regions',
      source: REGIONS,
      reads: [entry],
      judge(service, { region }) {
        const regions = [...new Set(certificatesOf(service, entry).map((one) => one.region))];
        return region === undefined && regions.length > 1
          ? {
              what: `the certificates are of regions ${regions.join(', ')}, and a balancer is in one: AWS does not find the others, and makes no listener with them`,
              remedy: 'name certificates of the region of the cluster alone',
              value: regions.join(', '),
            }
          : undefined;
      },
    },
  ];
}
