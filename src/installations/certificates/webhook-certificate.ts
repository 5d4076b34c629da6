import { X509Certificate } from 'node:crypto';
import { ApiObject, type Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { refusal } from '../construct-rules';
import {
  CERT_MANAGER_API_VERSION,
  CERT_MANAGER_GROUP,
  CERTIFICATE_HOURS,
  INJECT_CA_ANNOTATION,
  LONGEST_COMMON_NAME,
} from './certificates.facts';
import {
  type BoundCertificate,
  type Lifetime,
  lifetimeOf,
  namesFault,
  objectNameFault,
  type WebhookServer,
} from './options';

/**
 * An issuer of cert-manager that the cluster has already.
 */
export interface CertManagerIssuer {
  /** The name of the issuer. */
  readonly name: string;

  /**
   * What it is.
   *
   * @default 'ClusterIssuer'
   */
  readonly kind?: string;

  /**
   * The API group of an issuer that is not cert-manager's own.
   *
   * @default 'cert-manager.io'
   */
  readonly group?: string;
}

/**
 * How cert-manager makes the certificate of webhooks.
 */
export interface CertManagerCertificateOptions {
  /**
   * Who signs it. The API server must be able to verify it with the `ca.crt` that the issuer writes into the secret: a public
   * authority signs no names that end with `.svc`.
   *
   * @default - an authority of its own, made by cert-manager for this installation
   */
  readonly issuer?: CertManagerIssuer;

  /**
   * How long the certificate is good.
   *
   * @default Duration.days(365)
   */
  readonly duration?: Duration;

  /**
   * How long before its end it is made anew.
   *
   * @default Duration.days(30)
   */
  readonly renewBefore?: Duration;

  /**
   * The DNS domain of the cluster.
   *
   * @default 'cluster.local'
   */
  readonly clusterDomain?: string;
}

/**
 * A secret that holds the certificate of webhooks, made by the user who installs.
 */
export interface WebhookCertificateSecret {
  /** The name of the secret, of type `kubernetes.io/tls`, in the namespace of the installation: `tls.crt` and `tls.key`. */
  readonly name: string;

  /**
   * The certificate of the authority that signed it (`CA:TRUE`), not `tls.crt`: PEM, or base64 of PEM, one or several. The API
   * server trusts no other. Whether it has ended cannot be seen when manifests are written. When the authority
   * changes, it changes here as well, or every webhook fails.
   */
  readonly caBundle: string;
}

/**
 * Where the certificate of webhooks comes from.
 *
 * None is ever made when manifests are written: it would be another one each time, and a private key in a file.
 */
export class WebhookCertificate {
  /**
   * Made and renewed by cert-manager, which also writes its authority into the webhook configurations. It must run in the
   * cluster before the installation is applied.
   *
   * @param options who signs it, and for how long
   * @throws when it is to be renewed earlier than it is made, when one of both is shorter than cert-manager takes, or when a name
   * is not valid
   */
  public static certManager(options: CertManagerCertificateOptions = {}): WebhookCertificate {
    refuseWrongProps('WebhookCertificate.certManager', 'CertManagerCertificateOptions', options);
    const fault = namesFault(options);
    if (fault !== undefined) {
      throw refusal('certificate-names', `WebhookCertificate: ${fault}`);
    }
    const lifetime = lifetimeOf(options);
    return new WebhookCertificate((scope, server) => certManagerObjects(scope, server, options, lifetime));
  }

  /**
   * From a secret that is made elsewhere.
   *
   * @param secret its name, and the authority that signed what it holds
   * @throws when its name is not valid, or when the CA bundle is missing, holds a private key, or holds what is no certificate of an
   * authority
   */
  public static fromSecret(secret: WebhookCertificateSecret): WebhookCertificate {
    refuseWrongProps('WebhookCertificate.fromSecret', 'WebhookCertificateSecret', secret);
    const fault = objectNameFault(secret?.name);
    if (fault !== undefined) {
      throw refusal(
        'certificate-names',
        `WebhookCertificate: a secret cannot be called ${fault}; write the name of the one that holds tls.crt and tls.key`,
      );
    }
    const caBundle = bundleOf(secret);
    return new WebhookCertificate(() => ({ secretName: secret.name, annotations: {}, caBundle }));
  }

  private constructor(private readonly bind: (scope: Construct, server: WebhookServer) => BoundCertificate) {}

  /** @internal */
  public _bind(scope: Construct, server: WebhookServer): BoundCertificate {
    return this.bind(scope, server);
  }
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** The CA bundle as the API server reads it. */
function bundleOf({ name, caBundle }: WebhookCertificateSecret): string {
  const refuse = (what: string): never => {
    throw refusal(
      'certificate-ca-bundle',
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
  { prefix, namespace, service, labels, organization }: WebhookServer,
  { issuer, clusterDomain = 'cluster.local' }: CertManagerCertificateOptions,
  { duration, renewBefore }: Lifetime,
): BoundCertificate {
  const make = (id: string, kind: string, name: string, spec: Json) =>
    new ApiObject(scope, id, {
      apiVersion: CERT_MANAGER_API_VERSION,
      kind,
      metadata: { name, namespace, labels: { ...labels } },
      spec,
    });
  const [selfSigned, root, rootIssuer] = [
    `${prefix}-selfsigned-issuer`,
    `${prefix}-root-cert`,
    `${prefix}-root-issuer`,
  ];
  if (!issuer) {
    make('SelfSignedIssuer', 'Issuer', selfSigned, { selfSigned: {} });
    make('RootCertificate', 'Certificate', root, {
      // no program reads it: cut off it is as good
      commonName: `ca.webhook.${organization}`.slice(0, LONGEST_COMMON_NAME),
      duration: goDuration(CERTIFICATE_HOURS.root * 60),
      isCA: true,
      issuerRef: { name: selfSigned },
      secretName: root,
      subject: { organizations: [organization] },
    });
    make('RootIssuer', 'Issuer', rootIssuer, { ca: { secretName: root } });
  }
  const serving = `${prefix}-serving-cert`;
  const secretName = `${prefix}-tls`;
  make('ServingCertificate', 'Certificate', serving, {
    dnsNames: [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.${clusterDomain}`],
    duration: goDuration(duration),
    issuerRef: issuer
      ? { group: CERT_MANAGER_GROUP, kind: 'ClusterIssuer', ...issuer }
      : { kind: 'Issuer', name: rootIssuer },
    renewBefore: goDuration(renewBefore),
    secretName,
  });
  return { secretName, annotations: { [INJECT_CA_ANNOTATION]: `${namespace}/${serving}` } };
}

/** A duration as the API server gives it back, so that no tool finds a difference. */
function goDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes % 60}m0s`;
}
