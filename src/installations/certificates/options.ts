import type { Duration } from 'cdk8s';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { refusal } from '../construct-rules';
import { CERT_MANAGER_GROUP, CERTIFICATE_HOURS, ISSUER_KINDS, SHORTEST_MINUTES } from './certificates.facts';
import type { CertManagerCertificateOptions } from './webhook-certificate';

/** What is wrong with the name of an object, as it was written. */
export function objectNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') {
    return JSON.stringify(name) ?? 'nothing';
  }
  return name.startsWith('*') || dnsNameFault(name) !== undefined ? `'${name}', which is not a DNS name` : undefined;
}

/** What is wrong with the names in the options, or nothing. */
export function namesFault({ issuer, clusterDomain }: CertManagerCertificateOptions): string | undefined {
  const domain = clusterDomain === undefined ? undefined : objectNameFault(clusterDomain);
  if (domain !== undefined) {
    return `the domain of a cluster cannot be ${domain}; write it like cluster.local`;
  }
  if (issuer === undefined) {
    return undefined;
  }
  const { name, group = CERT_MANAGER_GROUP, kind = ISSUER_KINDS[0] } = issuer ?? {};
  const [called, of] = [objectNameFault(name), objectNameFault(group)];
  if (called !== undefined) {
    return `an issuer cannot be called ${called}; write the name of one that the cluster has`;
  }
  if (of !== undefined) {
    return `the API group of the issuer '${name}' cannot be ${of}; write it like ${CERT_MANAGER_GROUP}`;
  }
  const known = group === CERT_MANAGER_GROUP ? ISSUER_KINDS.includes(kind) : /^[A-Z][A-Za-z0-9]*$/.test(String(kind));
  return known
    ? undefined
    : `the issuer '${name}' cannot be of kind '${kind}' of ${group}; write ${ISSUER_KINDS.join(' or ')}, or the group that has the kind`;
}

/** How long a certificate is good, and how long before its end it is made anew, in minutes. */
export interface Lifetime {
  readonly duration: number;
  readonly renewBefore: number;
}

function minutesOf(name: keyof Lifetime, given: Duration | undefined, hours: number): number {
  const minutes = given === undefined ? hours * 60 : typeof given?.toMinutes === 'function' && exactMinutes(given);
  if (typeof minutes !== 'number' || minutes < SHORTEST_MINUTES[name]) {
    throw refusal(
      'certificate-renewal',
      `WebhookCertificate: ${name} cannot be ${typeof minutes === 'number' ? `${minutes} minutes` : shown(given)}; write a Duration of whole minutes, ${SHORTEST_MINUTES[name]} at least`,
    );
  }
  return minutes;
}

function exactMinutes(given: Duration): number | undefined {
  const minutes = given.toMinutes({ integral: false });
  return Number.isInteger(minutes) ? minutes : undefined;
}

function shown(given: unknown): string {
  const isDuration = typeof (given as Duration | undefined)?.toHumanString === 'function';
  return isDuration ? (given as Duration).toHumanString() : `${JSON.stringify(given)}`;
}

/**
 * How long a certificate lives.
 *
 * @throws on what cert-manager refuses
 */
export function lifetimeOf(options: CertManagerCertificateOptions): Lifetime {
  const duration = minutesOf('duration', options.duration, CERTIFICATE_HOURS.serving);
  const renewBefore = minutesOf('renewBefore', options.renewBefore, CERTIFICATE_HOURS.renewBefore);
  if (renewBefore >= duration) {
    throw refusal(
      'certificate-renewal',
      `WebhookCertificate: a certificate that is good for ${inHours(duration)} cannot be renewed ${inHours(renewBefore)} before its end; make renewBefore shorter than duration`,
    );
  }
  return { duration, renewBefore };
}

const inHours = (minutes: number) => `${minutes / 60} hours`;

/** What a certificate is made for. */
export interface WebhookServer {
  /** What the names of its objects begin with. */
  readonly prefix: string;
  readonly namespace: string;
  /** The Service that the API server calls. */
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Who the authority is, where one is made. */
  readonly organization: string;
}

/** What an installation needs to know of its certificate. */
export interface BoundCertificate {
  readonly secretName: string;
  /** What the webhook configurations are annotated with. */
  readonly annotations: Readonly<Record<string, string>>;
  /** What they say of each webhook, where it is known. */
  readonly caBundle?: string;
}
