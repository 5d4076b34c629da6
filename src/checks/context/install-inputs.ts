import { dirname, join } from 'node:path';
import { grouped } from '../../contract/grouped';
import { isMap, type Json, list, mapIn, mapsIn } from '../../contract/json';
import { podTemplateOf } from '../../contract/workload';
import { valuesOfText } from '../../diff/install-settings';
import { nearestTo, sharedSteps } from '../../diff/objects-on-side';
import { rightsIn } from '../../diff/rights';
import type { Install, InstallInput } from '../../diff/side';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws-identity.facts';
import { CLIENT_ID_ANNOTATION, TENANT_ID_ANNOTATION } from '../../identity/azure/azure-identity.facts';
import { SERVICE_ACCOUNT_ANNOTATION } from '../../identity/gcp/gcp-identity.facts';
import { titleOf } from '../../later/later';
import { cloudConfigKeyIn, textsIn } from '../../rules/cloud-config';
import { knownKinds } from '../../rules/controller-definition';
import type { Manifest } from '../../rules/manifest-objects';

/** Where what a controller is installed with may be written beside what installs it. */
export interface InputsAmong {
  readonly manifests: readonly Manifest[];
  /** Documents that are no objects, such as the values of charts. */
  readonly documents: readonly Manifest[];
  readonly kustomizations: readonly Manifest[];
}

const HELM_CONFIG = 'HelmChartConfig';
const VALUES_KEY = 'values.yaml';

/**
 * An installation with what it is installed with, as far as that is among some objects and files.
 *
 * @param all all installations of the side
 */
export function withInputs(install: Install, among: InputsAmong, all: readonly Install[]): Install {
  const { object, file } = install.manifest;
  const others = all.filter(({ controller }) => controller === install.controller);
  // those of another cluster are nearer to what installs it there
  const facts = knownKinds().find(({ name }) => name === install.controller)?.cloudConfig;
  const isOwn = ({ manifest }: InstallInput) =>
    // what tells it of its cloud is compared setting by setting
    cloudConfigKeyIn(manifest.object, facts) === undefined &&
    !others.some((other) => sharedSteps(other.manifest.file, manifest.file) > sharedSteps(file, manifest.file));
  const found = podTemplateOf(object) ? inputsOfWorkload(object, among) : inputsOfRelease(object, among);
  const inputs = [...grouped(found.filter(isOwn), ({ title }) => title).values()].flatMap((all) =>
    nearestTo(file, all, (input) => input.manifest.file),
  );
  return inputs.length === 0 ? install : { ...install, inputs };
}

/** Objects that hold its variables, and its rights; files that are mounted are read where they are configuration, and no certificates. */
function inputsOfWorkload(object: Json, among: InputsAmong): InstallInput[] {
  const spec = mapIn(podTemplateOf(object), 'spec');
  const { namespace } = mapIn(object, 'metadata');
  const containers = [...mapsIn(spec, 'initContainers'), ...mapsIn(spec, 'containers')];
  const variables = containers.flatMap((container) => [
    ...mapsIn(container, 'envFrom').flatMap(({ configMapRef, secretRef }) => [
      ...named('ConfigMap', configMapRef),
      ...named(SECRET, secretRef),
    ]),
    ...mapsIn(container, 'env').flatMap(({ valueFrom }) => [
      ...named('ConfigMap', mapIn(valueFrom, 'configMapKeyRef')),
      ...named(SECRET, mapIn(valueFrom, 'secretKeyRef')),
    ]),
  ]);
  const files = mapsIn(spec, 'volumes').flatMap((volume) =>
    [volume, ...mapsIn(mapIn(volume, 'projected'), 'sources')].flatMap(({ configMap, secret }) => [
      ...named('ConfigMap', configMap),
      ...(isMap(secret) ? named(SECRET, { name: secret.secretName ?? secret.name }) : []),
    ]),
  );
  const { serviceAccountName: account = 'default' } = spec;
  return [
    ...variables.flatMap(({ kind, name }) => holderInput({ kind, name, namespace }, among)),
    ...files.flatMap(({ kind, name }) => holderInput({ kind, name, namespace }, among)).flatMap(withoutCertificates),
    ...rightsOf({ account, namespace }, among),
  ];
}

/** What is mounted without keys and certificates; nothing where nothing else is. */
function withoutCertificates(input: InstallInput): InstallInput[] {
  const { value, isValues } = input;
  if (isValues || !isMap(value)) {
    return [input];
  }
  const others = Object.entries(value).filter(([key]) => !CERTIFICATE.test(key));
  return others.length === 0 ? [] : [{ ...input, value: Object.fromEntries(others) }];
}

const CERTIFICATE = /\.(crt|key|pem|p12|jks)$/;

/** Annotations of an account that name its identity in a cloud. */
const IDENTITIES: readonly string[] = [
  ROLE_ARN_ANNOTATION,
  SERVICE_ACCOUNT_ANNOTATION,
  CLIENT_ID_ANNOTATION,
  TENANT_ID_ANNOTATION,
];
const BINDINGS: readonly unknown[] = ['ClusterRoleBinding', 'RoleBinding'];

/** Its identity in the cloud, which annotations of its account name, and the roles that it has in the cluster. */
function rightsOf(
  { account, namespace }: Readonly<Record<string, unknown>>,
  { manifests }: InputsAmong,
): InstallInput[] {
  return manifests.flatMap((manifest): InstallInput[] => {
    const { kind, metadata, subjects, roleRef } = manifest.object;
    const { name, namespace: own, annotations = {} } = mapIn({ metadata }, 'metadata');
    if (kind === 'ServiceAccount') {
      const identities = Object.entries(annotations).filter(([key]) => IDENTITIES.includes(key));
      const value = Object.fromEntries(identities.sort());
      return name === account && own === namespace ? [objectInput(manifest, value)] : [];
    }
    const isBound = list<Json>(subjects).some(
      (one) => isMap(one) && one.kind === 'ServiceAccount' && one.name === account && one.namespace === namespace,
    );
    return BINDINGS.includes(kind) && isBound
      ? [objectInput(manifest, roleRef), ...rolesOf({ roleRef, namespace: own }, manifests)]
      : [];
  });
}

/** The role that a binding gives, where it is among the objects. */
function rolesOf({ roleRef, namespace }: Json, manifests: readonly Manifest[]): InstallInput[] {
  const { kind, name } = mapIn({ roleRef }, 'roleRef');
  return manifests
    .filter(({ object }) => {
      const metadata = mapIn(object, 'metadata');
      const isIn = kind !== 'Role' || metadata.namespace === namespace;
      return ROLES.includes(kind) && object.kind === kind && metadata.name === name && isIn;
    })
    .map((manifest) => ({ ...objectInput(manifest, rightsIn(manifest.object)), areRights: true }));
}

const ROLES: readonly unknown[] = ['ClusterRole', 'Role'];

function objectInput(manifest: Manifest, value: unknown): InstallInput {
  return { title: `${manifest.object.kind} ${titleOf(manifest.object)}`, manifest, value, isValues: false };
}

function named(kind: string, reference: unknown): { readonly kind: string; readonly name: string }[] {
  const { name } = isMap(reference) ? reference : ({} as Json);
  return typeof name === 'string' ? [{ kind, name }] : [];
}

function inputsOfRelease(object: Json, among: InputsAmong): InstallInput[] {
  const { namespace, name } = mapIn(object, 'metadata');
  const spec = mapIn(object, 'spec');
  const sources = [mapIn(spec, 'source'), ...mapsIn(spec, 'sources')];
  const { valuesFile, additionalValuesFiles } = mapIn(spec, 'helmChart');
  const ofChart = [valuesFile, ...list<unknown>(additionalValuesFiles)].filter((file) => typeof file === 'string');
  return [
    ...ofChart.flatMap((file) => fileInput(file, { path: dirname(String(name)) }, among)),
    ...mapsIn(spec, 'valuesFrom').flatMap(({ kind, name: of, valuesKey = VALUES_KEY }) =>
      holderInput({ kind: String(kind), name: String(of), namespace }, among, String(valuesKey)),
    ),
    ...sources.flatMap((source) =>
      list<unknown>(mapIn(source, 'helm').valueFiles).flatMap((file) => fileInput(String(file), source, among)),
    ),
    ...among.manifests
      .filter(({ object: { kind, metadata } }) => {
        const other = mapIn({ metadata }, 'metadata');
        return kind === HELM_CONFIG && other.name === name && other.namespace === namespace;
      })
      .map((manifest): InstallInput => {
        const { valuesContent } = mapIn(manifest.object, 'spec');
        const values = typeof valuesContent === 'string' ? valuesOfText(valuesContent) : undefined;
        const title = `${HELM_CONFIG} ${titleOf(manifest.object)}`;
        return { title, manifest, value: values ?? valuesContent, isValues: true, isOver: true };
      }),
  ];
}

/** A ConfigMap or Secret, or what a kustomization generates it of. */
function holderInput(
  { kind, name, namespace }: { readonly kind: string; readonly name: string; readonly namespace: unknown },
  among: InputsAmong,
  valuesKey?: string,
): InstallInput[] {
  const title = `${kind} ${name}`;
  const found = among.manifests.filter(({ object }) => {
    const metadata = mapIn(object, 'metadata');
    return object.kind === kind && metadata.name === name && (metadata.namespace ?? namespace) === namespace;
  });
  const inputs = found.map((manifest): InstallInput => {
    return { title, manifest, ...valuesOf(textsIn(manifest.object), valuesKey), ...(kind === SECRET && HIDDEN) };
  });
  return inputs.length > 0 ? inputs : generated(kind, name, among);
}

const SECRET = 'Secret';
const HIDDEN = { isSecret: true } as const;

function valuesOf(data: Json, valuesKey?: string): Pick<InstallInput, 'value' | 'isValues'> {
  const text: unknown = valuesKey === undefined ? undefined : data[valuesKey];
  const values = typeof text === 'string' ? valuesOfText(text) : undefined;
  return values ? { value: values, isValues: true } : { value: data, isValues: false };
}

const GENERATORS: Readonly<Record<string, string>> = { ConfigMap: 'configMapGenerator', [SECRET]: 'secretGenerator' };

function generated(kind: string, name: string, { kustomizations, documents }: InputsAmong): InstallInput[] {
  return kustomizations.flatMap((manifest) =>
    mapsIn(manifest.object, GENERATORS[kind] ?? '')
      .filter((generator) => generator.name === name)
      .flatMap(({ files, ...rest }): InstallInput[] => {
        const title = `${kind} ${name}`;
        const paths = list<unknown>(files).map((file) => String(file).replace(/^[^=]*=/, ''));
        const hidden = kind === SECRET ? HIDDEN : {};
        const own = { title: `${title} of a kustomization`, manifest, value: { files, ...rest }, isValues: false };
        const read = documents
          .filter(({ file }) => paths.some((path) => join(dirname(manifest.file), path) === file))
          .map((document) => ({ title, manifest: document, value: document.object, isValues: true, ...hidden }));
        return [{ ...own, ...hidden }, ...read];
      }),
  );
}

/** A file of values that a source names: by its path in another repository, or beside the chart. */
function fileInput(named: string, { path = '' }: Json, { documents }: InputsAmong): InstallInput[] {
  const file = named.startsWith('$') ? named.slice(named.indexOf('/') + 1) : join(String(path), named);
  const ends = (one: string, other: string) => one === other || one.endsWith(`/${other}`);
  return documents
    .filter((document) => ends(document.file, file) || ends(file, document.file))
    .map((manifest) => ({ title: named, manifest, value: manifest.object, isValues: true }));
}
