import type { ContextFields } from '../../src/cli/context/check-context';
import {
  ACCEPTED_FIELDS,
  BUDGET_FIELDS,
  CLUSTER_FIELDS,
  CONTEXT_FIELDS,
  CONTROLLER_FIELDS,
  HELM_FIELDS,
  NODE_POOL_FIELDS,
  OTHER_CONTROLLER_FIELDS,
  SOURCE_FIELDS,
} from '../../src/cli/context/context-fields.facts';
import { code, page, table } from './markdown';

/** The keys of load-balancers.yaml, from the tables that its reader uses. */
export function contextPage(): string {
  const ofControllers = Object.entries(CONTROLLER_FIELDS).filter(([, fields]) => Object.keys(fields).length > 0);
  return page(
    '# Keys of load-balancers.yaml',
    'Facts about clusters that manifests do not contain. Keys are optional unless marked; an omitted fact is unknown, or inferred from the objects. [Check manifests](../how-to/check-manifests.md#declare-the-cluster) has whole files.',
    keys(CONTEXT_FIELDS),
    '## clusters',
    'With `clusters`, each cluster has its own facts; only `exclude` and `accepted` may be beside `clusters`.',
    keys({ name: CLUSTER_FIELDS.name, sources: CLUSTER_FIELDS.sources }),
    '## sources',
    'Each entry has one of these keys.',
    keys(SOURCE_FIELDS),
    '`helm` has these:',
    keys(HELM_FIELDS),
    '## controllers',
    'Each entry is the name of a controller, or a map with its `name` and options.',
    ...ofControllers.flatMap(([name, fields]) => [`### ${name}`, keys(fields)]),
    '### Controllers without rules here',
    keys(OTHER_CONTROLLER_FIELDS),
    '## nodePools',
    'A map of names to maps.',
    keys(NODE_POOL_FIELDS),
    '## budget',
    keys(BUDGET_FIELDS),
    '## accepted',
    'Each entry has `rule` or `outcome`.',
    keys(ACCEPTED_FIELDS),
  );
}

function keys(fields: ContextFields): string {
  return table(
    ['key', 'meaning', 'values', 'example'],
    Object.entries(fields).map(([name, { says, example, values, takes, required }]) => [
      `${code(name)}${required ? ' (required)' : ''}`,
      says,
      values ? values.map((one) => code(String(one))).join(', ') : (takes ?? ''),
      code(`${name}: ${example}`),
    ]),
  );
}
