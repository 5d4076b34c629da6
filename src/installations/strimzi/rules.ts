import type { Json } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { Found } from '../../contract/rule';
import { isNewerThanFacts, kubernetesTooOld, newerThanFacts, vulnerable } from '../../kafka/strimzi/releases';
import {
  NAMESPACES,
  SERVER_SIDE_APPLY_GATE,
  STRIMZI_KUBERNETES,
  STRIMZI_NEWER_THAN_FACTS,
  STRIMZI_RELEASES,
  STRIMZI_VULNERABLE,
} from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet, rulesOf } from '../../rules/rule-set';
import { unitNameOf } from '../served-services';
import { APP_RULES, servedObjects } from './app';
import { crdFaults, isDefinition, isIn, releaseFileOf } from './crd-faults';
import { DEFINITION, FEATURE_GATES, FEATURE_GATES_VARIABLE, VARIABLES } from './installation.facts';
import {
  type CrdDefinitions,
  type InstalledOperator,
  type OperatorSettings,
  rowsOf,
  upstream,
  variablesOf,
  versionIn,
  WHO,
  watchesAll,
} from './operator';
import { OPERATOR_RULE_ROWS } from './rules.facts';

function gateFaults(text: string, version: StrimziVersion): Found[] {
  const entries = text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
  const known = rowsOf(version, FEATURE_GATES).map(({ name }) => name);
  const names = entries.map((entry) => entry.slice(1));
  return entries.flatMap((entry, index): Found[] => {
    const value = names[index];
    if (!/^[+-][a-zA-Z0-9]+$/.test(entry)) {
      return [{ case: 'unwritten', value: entry }];
    }
    if (names.indexOf(value) !== index) {
      return [{ case: 'twice', value }];
    }
    const isGone = value === SERVER_SIDE_APPLY_GATE && version.keepsForeignFinalizers;
    const since = isGone ? ', since it always uses server-side apply' : '';
    const unknown = { case: 'unknown', version: version.version, since, known: known.join(', ') || 'none', value };
    return known.includes(value) || isNewerThanFacts(version) ? [] : [unknown];
  });
}

function watchFaults({ props: { watchNamespaces: listed } }: OperatorSettings): Found[] {
  if (listed === undefined || listed.length === 0) {
    return listed ? [{ case: 'empty' }] : [];
  }
  if (listed.includes(NAMESPACES.all)) {
    return listed.length === 1 ? [] : [{ case: 'all', value: NAMESPACES.all }];
  }
  const wrong = listed.map((value) => ({ case: 'wrong', fault: dnsLabelFault(value), value }));
  const twice = listed.filter((namespace, index) => listed.indexOf(namespace) !== index);
  return [...wrong.filter(({ fault }) => fault !== undefined), ...twice.map((value) => ({ case: 'twice', value }))];
}

export const OPERATOR_RULES: readonly Rule<InstalledOperator>[] = rulesOf({
  rows: OPERATOR_RULE_ROWS,
  source: upstream(''),
  read: (_: Json, { settings }: InstalledOperator) => settings,
  finds: {
    'strimzi-namespace-invalid': (settings) => {
      const { namespace } = settings ?? {};
      const fault = namespace === undefined ? undefined : dnsLabelFault(namespace);
      return (
        settings &&
        (namespace === undefined ? { case: 'missing' } : fault && { case: 'wrong', fault, value: namespace })
      );
    },
    'strimzi-watched-namespaces-invalid': (settings) => settings && watchFaults(settings),
    'strimzi-version-unknown': (settings) => {
      if (!settings || settings.version.version in STRIMZI_RELEASES) {
        return undefined;
      }
      const { version, props } = settings;
      const needed = VARIABLES.filter((row) => row.ofRelease && isIn(version, row)).map(({ name }) => name);
      const lacking = needed.filter((name) => props.extraEnv?.[name] === undefined).join(', ');
      return lacking !== '' && { releases: Object.keys(STRIMZI_RELEASES).join(', '), lacking, value: version.version };
    },
    'strimzi-feature-gate-unknown': (_, deployment, { version }) =>
      version && gateFaults(variablesOf(deployment).get(FEATURE_GATES_VARIABLE) ?? '', version),
    'strimzi-variable-reserved': (settings) => {
      const { extraEnv = {} } = settings?.props ?? {};
      return Object.keys(extraEnv).map((name) => {
        const prop = VARIABLES.find((row) => row.name === name)?.prop;
        return prop === undefined ? undefined : { name, prop, value: extraEnv[name] };
      });
    },
    'strimzi-crds-version-mismatch': (_, __, { version, definitions }) =>
      version &&
      definitions &&
      definitions.faults.length > 0 && {
        version: version.version,
        faults: definitions.faults.join('; '),
        file: releaseFileOf(version),
        value: definitions.origin,
      },
    'strimzi-crds-missing': (_, __, { version, definitions, wantsDefinitions }) =>
      version && !definitions && wantsDefinitions && { version: version.version, file: releaseFileOf(version) },
    'strimzi-cluster-scoped-missing': (settings) => {
      const { createsClusterScoped, name, namespace, props = {} } = settings ?? {};
      return settings && !createsClusterScoped && { case: watchesAll(props) ? 'all' : 'some', name, namespace };
    },
  },
  after: {
    'strimzi-version-unknown': [
      { ...STRIMZI_VULNERABLE, needs: ['version'], check: (_, { version }) => version && vulnerable(version) },
      {
        ...STRIMZI_NEWER_THAN_FACTS,
        needs: ['version'],
        check: (_, { version }) => version && newerThanFacts(version),
      },
      {
        ...STRIMZI_KUBERNETES,
        needs: ['version'],
        check: (_, { version, kubernetes }) => version && kubernetes && kubernetesTooOld(version, kubernetes),
      },
    ],
  },
});

export const STRIMZI_OPERATOR_RULE_SET = new RuleSet<InstalledOperator>([...OPERATOR_RULES, ...APP_RULES], WHO);

export function operatorContext(among: IndexedObject, kubernetes?: KubernetesVersion): InstalledOperator {
  const version = versionIn(among.json);
  return {
    among,
    version,
    kubernetes,
    definitions: version && definitionsBeside(among, version),
    wantsDefinitions: true,
    unit: unitNameOf(among),
    served: servedObjects(among),
  };
}

/** The definitions in the file of an operator, or else in its folder, or else those of all objects. */
function definitionsBeside(
  { index, unit, scopes }: IndexedObject,
  version: Parameters<typeof crdFaults>[1],
): CrdDefinitions | undefined {
  const all = index.of(DEFINITION.apiGroup, DEFINITION.kind).filter(({ json }) => isDefinition(json));
  const own = all.filter((definition) => definition.unit === unit);
  const beside = all.filter((definition) => definition.scopes.at(-2) === scopes.at(-2));
  const [found = all] = [own, beside].filter(({ length }) => length > 0);
  return found.length === 0
    ? undefined
    : {
        origin: found[0].path,
        faults: crdFaults(
          found.map(({ json }) => json),
          version,
        ),
      };
}
