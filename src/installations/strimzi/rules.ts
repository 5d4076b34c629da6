import type { IndexedObject } from '../../rules/objects';
import { RuleSet } from '../../rules/rule-set';
import { unitNameOf } from '../served-services';
import { APP_RULES, servedObjects } from './app';
import { crdFaults, isDefinition } from './crd-faults';
import { DEFINITION } from './installation.facts';
import { type FoundDefinitions, type InstalledOperator, versionIn, WHO } from './installation-rule';
import { OPERATOR_RULES } from './operator-rules';

export const STRIMZI_OPERATOR_RULE_SET = new RuleSet<InstalledOperator>([...OPERATOR_RULES, ...APP_RULES], WHO);

/** What manifests show of an operator; what an installation was made with stays unknown. */
export function writtenOperator(among: IndexedObject): InstalledOperator {
  const version = versionIn(among.json);
  return {
    among,
    version,
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
): FoundDefinitions | undefined {
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
