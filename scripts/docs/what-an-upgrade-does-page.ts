import { type UpgradeEffect, type UpgradeFact, wordOf } from '../../src/contract/edit';
import { OPERATOR, OPERATOR_UPGRADES } from '../../src/kafka/strimzi/releases';

import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { KUBERNETES, KUBERNETES_UPGRADES } from '../../src/rules/kubernetes-upgrades.facts';
import { page, source, table } from './markdown';

/** What another version of Kubernetes, of an operator or of a controller does to live balancers. */
export function whatAnUpgradeDoesPage(kinds: readonly ControllerDefinition[]): string {
  const own = kinds.filter(({ upgrades = [] }) => upgrades.length > 0);
  return page(
    '# What an upgrade does',
    'Effects of another version of Kubernetes, an operator or a controller on live load balancers, with the same manifests. A row applies if an upgrade or a downgrade passes its version. `diff` applies the rows to each load balancer: [check an upgrade](../how-to/review-a-change.md#check-an-upgrade). [The annotation pages](../reference/controllers.md) have the version that first reads an annotation.',
    `## ${OPERATOR.name}`,
    tableOf(OPERATOR_UPGRADES),
    `## ${KUBERNETES}`,
    tableOf(KUBERNETES_UPGRADES),
    ...own.flatMap(({ name, upgrades = [] }) => [`## ${name}`, tableOf(upgrades)]),
  );
}

function tableOf(facts: readonly UpgradeFact[]): string {
  return table(
    ['from version', 'way', 'does', 'what happens', 'first', 'source'],
    facts.flatMap((fact) => [...rowOf(fact, 'up', fact.up), ...rowOf(fact, 'down', fact.down)]),
  );
}

function rowOf({ product, since, source: where }: UpgradeFact, way: string, effect?: UpgradeEffect): string[][] {
  const version = since === undefined ? 'every one' : product === undefined ? since : `${product} ${since}`;
  return effect ? [[version, way, emphasized(effect), effect.what, effect.first ?? '', source(where)]] : [];
}

/** What is lost is bold, and so is what is not known. */
function emphasized(effect: UpgradeEffect): string {
  const word = wordOf(effect);
  return ['kept', 'interrupted'].includes(effect.outcome) ? word : `**${word}**`;
}
