import { X509Certificate } from 'node:crypto';
import type { Construct } from 'constructs';
import { refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { refusal } from '../construct-rules';
import { addObjects, type BoundCertificate, type WebhookServer } from '../objects';
import {
  AUTHORITY_OBJECTS,
  CERT_MANAGER_GROUP,
  INJECT_CA_ANNOTATION,
  ISSUER_KINDS,
  LONGEST_COMMON_NAME,
  SERVING_OBJECTS,
} from './certificates.facts';
import type { CertManagerCertificateOptions } from './options';

/**
 * Source of the webhook certificate.
 *
 * None is ever made when manifests are written: it would be another one each time, and a private key in a file.
 */
export class WebhookCertificate {
  /**
   * Made and renewed by cert-manager, which also writes its authority into the webhook configurations. It must run in the
   * cluster before the installation is applied.
   *
   * @param options who signs it
   * @throws when a name is not valid
   */
  public static certManager(options: CertManagerCertificateOptions = {}): WebhookCertificate {
    refuseWrongProps('WebhookCertificate.certManager', 'CertManagerCertificateOptions', options);
    const fault = namesFault(options);
    if (fault !== undefined) {
      throw refusal('certificate-name-invalid', `WebhookCertificate: ${fault}`);
    }
    return new WebhookCertificate((scope, server) => certManagerObjects(scope, server, options));
  }

  /**
   * From a secret that is made elsewhere.
   *
   * @param name the name of the secret, of type `kubernetes.io/tls`, in the namespace of the installation: `tls.crt` and `tls.key`
   * @param caBundle the certificate of the authority that signed it (`CA:TRUE`), not `tls.crt`: PEM, or base64 of PEM, one or
   *   several. When the authority changes, it changes here as well, or every webhook fails
   * @throws when its name is not valid, or when the CA bundle is missing, holds a private key, or holds what is no certificate of an
   * authority
   */
  public static fromSecret(name: string, caBundle: string): WebhookCertificate {
    refuseWrongValue('WebhookCertificate.fromSecret', 'name', 'string', name);
    refuseWrongValue('WebhookCertificate.fromSecret', 'caBundle', 'string', caBundle);
    const fault = objectNameFault(name);
    if (fault !== undefined) {
      throw refusal(
        'certificate-name-invalid',
        `WebhookCertificate: a secret cannot be called ${fault}; write the name of the one that holds tls.crt and tls.key`,
      );
    }
    const bundle = bundleOf(name, caBundle);
    return new WebhookCertificate(() => ({ secretName: name, annotations: {}, caBundle: bundle }));
  }

  private constructor(private readonly bind: (scope: Construct, server: WebhookServer) => BoundCertificate) {}

  /** @internal */
  public _bind(scope: Construct, server: WebhookServer): BoundCertificate {
    return this.bind(scope, server);
  }
}

function objectNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') {
    return JSON.stringify(name) ?? 'nothing';
  }
  return name.startsWith('*') || dnsNameFault(name) !== undefined ? `'${name}', which is not a DNS name` : undefined;
}

function namesFault({ issuer, clusterDomain }: CertManagerCertificateOptions): string | undefined {
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

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

function bundleOf(name: string, caBundle: string): string {
  const refuse = (what: string): never => {
    throw refusal(
      'certificate-ca-bundle-invalid',
      `WebhookCertificate: the secret '${name}' ${what}; pass the certificate of the authority that signed its tls.crt, as PEM`,
    );
  };
  if (typeof caBundle !== 'string' || caBundle.trim() === '') {
    return refuse('has no CA bundle, without which the API server trusts no webhook');
  }
  const pem = caBundle.includes('-----BEGIN') ? caBundle : Buffer.from(caBundle, 'base64').toString('utf8');
  if (PRIVATE_KEY.test(pem)) {
    return refuse(
      'has a CA bundle with a private key in it, which every client could read in the webhook configurations',
    );
  }
  const certificates: string[] = pem.match(CERTIFICATES) ?? [];
  if (certificates.length === 0) {
    return refuse('has a CA bundle that holds no certificate');
  }
  const fault = certificates.map(authorityFault).find((found) => found !== undefined);
  return fault === undefined
    ? Buffer.from(pem, 'utf8').toString('base64')
    : refuse(`has a CA bundle with certificate ${fault}`);
}

function authorityFault(pem: string, i: number): string | undefined {
  try {
    const { ca, subject } = new X509Certificate(pem);
    return ca ? undefined : `${i + 1} ('${subject}'), which is not an authority (CA:FALSE)`;
  } catch {
    return `${i + 1}, which cannot be read`;
  }
}

function certManagerObjects(
  scope: Construct,
  server: WebhookServer,
  { issuer, clusterDomain = 'cluster.local' }: CertManagerCertificateOptions,
): BoundCertificate {
  const { prefix, namespace, organization } = server;
  if (!issuer) {
    // no program reads it: cut off it is as good
    const commonName = `ca.webhook.${organization}`.slice(0, LONGEST_COMMON_NAME);
    addObjects(scope, AUTHORITY_OBJECTS, { ...server, commonName });
  }
  const issuerRef = issuer
    ? { group: CERT_MANAGER_GROUP, kind: 'ClusterIssuer', ...issuer }
    : { kind: 'Issuer', name: `${prefix}-root-issuer` };
  addObjects(scope, SERVING_OBJECTS, { ...server, clusterDomain, issuerRef });
  const annotations = { [INJECT_CA_ANNOTATION]: `${namespace}/${prefix}-serving-cert` };
  return { secretName: `${prefix}-tls`, annotations };
}
