import type { Json } from '../../contract/json';
import type { CrdColumn, CrdFact, CrdVersionFact } from './crd-fact';
import { schemaOf } from './crd-schema';
import { API } from './installation.facts';

/** Made once: an app may install the controller in many clusters. */
const MANIFESTS = new WeakMap<CrdFact, Json>();

/** What the CustomResourceDefinition of a kind says. Nobody may change it. */
export function crdManifest(fact: CrdFact): Json {
  const made = MANIFESTS.get(fact) ?? manifestOf(fact);
  MANIFESTS.set(fact, made);
  return made;
}

function manifestOf({ group, kind, plural, singular, scope, versions }: CrdFact): Json {
  return {
    apiVersion: API.extensions,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope,
      versions: versions.map((version) => versionOf(version, versions)),
    },
  };
}

function versionOf(version: CrdVersionFact, all: readonly CrdVersionFact[]): Json {
  const { name, storage, status, deprecated, columns, fieldsOf } = version;
  const fields = version.fields ?? all.find((other) => other.name === fieldsOf)?.fields ?? [];
  return {
    name,
    served: true,
    storage: storage === true,
    ...(deprecated && { deprecated: true, deprecationWarning: deprecated }),
    subresources: status ? { status: {} } : {},
    additionalPrinterColumns: columns.map(columnOf),
    schema: { openAPIV3Schema: schemaOf(fields) },
  };
}

function columnOf([name, type, jsonPath, priority]: CrdColumn): Json {
  return { name, type, jsonPath, ...(priority && { priority }) };
}
