import { Chart, Testing } from 'cdk8s';
import type { Json } from '../../src/contract/json';
import { AwsIdentity, AzureRoleAssignment, GcpIamPolicyMember } from '../../src/identity';
import {
  AwsCloudControllerManagerInstallation,
  MetalLbAddressPool,
  MetalLbLayer2Advertisement,
  WebhookCertificate,
} from '../../src/installations';
import { NO_AUTHORITY, AUTHORITY as PEM } from './certificates';

// What a caller without types can pass is refused by name, and not by whatever reads it first.

type Make = new (scope: Chart, id: string, props: never) => unknown;

const made = (construct: Make, props: unknown) => () => {
  const chart = new Chart(Testing.app(), 'chart');
  return new construct(chart, 'Made', props as never);
};

test.each<[string, () => unknown, RegExp]>([
  [
    'no options',
    made(AwsCloudControllerManagerInstallation, undefined),
    /^chart\/Made: the props are undefined, and not an obj/,
  ],
  ['no name', made(AwsCloudControllerManagerInstallation, {}), /clusterName is missing; pass a string/],
  [
    'an identity of somebody else',
    made(AwsCloudControllerManagerInstallation, { clusterName: 'a', identity: {} }),
    /identity is \{\}, which is not an AwsIdentity/,
  ],
  [
    'a text for a list',
    made(MetalLbAddressPool, { addresses: '192.0.2.0/28' }),
    /addresses is .*, which is not a list/,
  ],
  [
    'nothing in a list',
    made(MetalLbLayer2Advertisement, { pools: [null] }),
    /pools\[0\] is null, which is not a MetalLbAddressPool/,
  ],
  ['no scope', made(AzureRoleAssignment, { role: 'Owner' }), /on is missing; pass an AzureScope/],
  ['a resource by name', made(GcpIamPolicyMember, { resource: 'a' }), /resource is 'a', which is not a GcpResourceRef/],
  [
    'an issuer without a name',
    () => WebhookCertificate.certManager({ issuer: {} } as never),
    /issuer\.name is missing/,
  ],
  [
    'a secret without a CA bundle',
    () => WebhookCertificate.fromSecret('x', undefined as never),
    /caBundle is undefined/,
  ],
  ['no role', () => AwsIdentity.irsa(undefined as never), /^AwsIdentity\.irsa: roleArn is undefined/],
])('%s', (_, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(/; pass .* \(prop-invalid\)$/);
});

const SERVER = {
  prefix: 'edge',
  namespace: 'system',
  service: 'edge-webhook-service',
  labels: { app: 'edge' },
  organization: 'edge-controller',
};
const NONSENSE = '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');

function bound(certificate: WebhookCertificate) {
  const chart = new Chart(Testing.app(), 'system');
  const facts = certificate._bind(chart, SERVER);
  return { facts, objects: Testing.synth(chart) as Json[] };
}

test('cert-manager makes an authority and what it signs', () => {
  const { facts, objects } = bound(WebhookCertificate.certManager());
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
    'Issuer system/edge-selfsigned-issuer',
    'Certificate system/edge-root-cert',
    'Issuer system/edge-root-issuer',
    'Certificate system/edge-serving-cert',
  ]);
  expect(objects[3].spec).toEqual({
    dnsNames: ['edge-webhook-service.system.svc', 'edge-webhook-service.system.svc.cluster.local'],
    duration: '8760h0m0s',
    issuerRef: { kind: 'Issuer', name: 'edge-root-issuer' },
    renewBefore: '720h0m0s',
    secretName: 'edge-tls',
  });
  expect(facts).toEqual({
    secretName: 'edge-tls',
    annotations: { 'cert-manager.io/inject-ca-from': 'system/edge-serving-cert' },
  });
});

test('an issuer of the cluster signs it instead', () => {
  const { objects } = bound(
    WebhookCertificate.certManager({ issuer: { name: 'internal' }, clusterDomain: 'example.local' }),
  );
  expect(objects).toHaveLength(1);
  expect(objects[0].spec).toMatchObject({
    dnsNames: expect.arrayContaining(['edge-webhook-service.system.svc.example.local']),
    issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'internal' },
  });
});

test.each<[string, object, string]>([
  ["a kind of somebody else's", { issuer: { name: 'ca', kind: 'AWSPCAClusterIssuer' } }, 'of cert-manager.io'],
  ['a group with a version', { issuer: { name: 'ca', kind: 'X', group: 'acme.io/v1' } }, "'acme.io/v1'"],
  ['a domain in capitals', { clusterDomain: 'Cluster.Local' }, "'Cluster.Local'"],
])('%s is refused', (_, options, part) => {
  const make = () => WebhookCertificate.certManager(options);
  expect(make).toThrow(part);
  expect(make).toThrow(/^WebhookCertificate: .*; .* \(certificate-name-invalid\)$/);
});

test.each<[string, unknown, string]>([
  ['in capitals', 'TLS', "'TLS'"],
  ['with a wildcard', '*.tls', "'*.tls'"],
  ['that is empty', '', "''"],
])('the name of a secret %s is refused', (_, name, part) => {
  const make = () => WebhookCertificate.fromSecret(name as string, PEM);
  expect(make).toThrow(part);
  expect(make).toThrow('(certificate-name-invalid)');
});

test("an issuer of somebody else's group has kinds of its own", () => {
  const issuer = { name: 'ca', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' };
  expect(bound(WebhookCertificate.certManager({ issuer })).objects[0].spec.issuerRef).toEqual(issuer);
});

test('the common name of an authority is no longer than cert-manager takes', () => {
  const chart = new Chart(Testing.app(), 'system');
  WebhookCertificate.certManager()._bind(chart, { ...SERVER, organization: 'x'.repeat(58) });
  const { commonName } = (Testing.synth(chart) as Json[])[1].spec;
  expect(commonName).toBe(`ca.webhook.${'x'.repeat(53)}`);
  expect(commonName).toHaveLength(64);
});

test.each([['base64 of PEM', base64(PEM)]])('a secret with %s is written as the API server reads it', (_, caBundle) => {
  const { facts, objects } = bound(WebhookCertificate.fromSecret('tls', caBundle));
  expect(objects).toEqual([]);
  expect(facts.secretName).toBe('tls');
  expect(Buffer.from(facts.caBundle ?? '', 'base64').toString()).toBe(caBundle.startsWith('-') ? caBundle : PEM);
});

test.each<[string, string | undefined, string]>([
  ['an empty text', ' ', 'has no CA bundle'],
  ['a name', 'my-ca', 'holds no certificate'],
  ['a request', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----', 'holds no certificate'],
  ['a certificate that is none', NONSENSE, 'certificate 1, which cannot be read'],
  ['a second certificate that is none', PEM + NONSENSE, 'certificate 2, which cannot be read'],
  ['base64 of a certificate that is none', base64(NONSENSE), 'certificate 1, which cannot be read'],
  ['the certificate of a server', NO_AUTHORITY, "certificate 1 ('CN=leaf'), which is not an authority"],
  ['the certificate of a server beside its authority', PEM + NO_AUTHORITY, "certificate 2 ('CN=leaf')"],
  ['a private key in base64', base64(`${PEM}-----BEGIN EC PRIVATE KEY-----\n`), 'a private key in it'],
])('a secret with %s for a CA bundle is refused', (_, caBundle, part) => {
  const make = () => WebhookCertificate.fromSecret('tls', caBundle as string);
  expect(make).toThrow(part);
  expect(make).toThrow(/^WebhookCertificate: the secret 'tls' .*; .* \(certificate-ca-bundle-invalid\)$/);
});
