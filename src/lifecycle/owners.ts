import { type Citation, Confidence } from '../contract/kubernetes.facts';
import type { Table, Transition } from './machine';
import { BESIDE_ADDS, BESIDE_ROWS, type BESIDES, LEFT_IN_CLOUD, OWNER_FACTS, OWNER_ROWS } from './owners.facts';
import { VENDOR_OWNERS } from './vendor-owners.facts';

export interface Owner {
  readonly name: string;
  readonly versions: string;
  readonly table: Table;
  readonly finalizer?: string;
  /** True if a manifest may have that finalizer from the beginning. */
  readonly declares: 'by default' | 'on request' | 'never';
  /** True if it is Kubernetes' service controller, which knows its finalizer in some versions alone. */
  readonly isServiceController?: boolean;
  readonly byAnnotation?: boolean;
  /** True if it looks at every Service when it starts, and not at those alone that ask for its balancer or have its finalizer. */
  readonly looksAtAll?: boolean;
  /** True if its balancers are in the cluster, and go with it. */
  readonly isTheBalancer?: boolean;
  readonly beside: readonly SecondController[];
  /** The weakest way in which a row of it is known. */
  readonly confidence: Confidence;
}

export interface OwnerFact extends Omit<Owner, 'table'> {
  readonly prefix?: string;
  readonly traits: readonly string[];
  readonly source: Citation;
  /** Source of the names that its balancers have in a cloud, which outlives its process. */
  readonly cloud?: Citation;
  readonly more?: Table;
}

export interface OwnerRow
  extends Pick<Transition, 'says' | 'when' | 'does' | 'refused' | 'unnoticed'>,
    Partial<Pick<Transition, 'actor' | 'kind'>> {
  readonly name: string;
  readonly of?: readonly string[];
  readonly also?: Readonly<Record<string, Partial<Pick<Transition, 'when' | 'does' | 'unnoticed'>>>>;
}

export type SecondController = (typeof BESIDES)[number];

export const OWNERS: readonly Owner[] = [...OWNER_FACTS, ...VENDOR_OWNERS].map((fact) => {
  const { prefix = fact.name, traits, source, cloud, more = [], ...owner } = fact;
  // those of the service controller itself were seen
  const confidence = cloud ? Confidence.SEEN : owner.confidence;
  const own = rowsOf(OWNER_ROWS, traits, { prefix, source, confidence }).map((row) => ({
    ...row,
    when: { process: 'runs' as const, ...row.when },
  }));
  const inCloud = cloud ? { prefix: fact.name, source: cloud, confidence: owner.confidence } : undefined;
  return { ...owner, table: [...own, ...(inCloud ? rowsOf(LEFT_IN_CLOUD, traits, inCloud) : []), ...more] };
});

type Known = Pick<Transition, 'source' | 'confidence'> & { readonly prefix: string };

function rowsOf(rows: readonly OwnerRow[], traits: readonly string[], { prefix, ...known }: Known): Table {
  const holds = (trait: string) => (trait.startsWith('!') ? !traits.includes(trait.slice(1)) : traits.includes(trait));
  return rows
    .filter(({ of = [] }) => of.every(holds))
    .map(({ of: _, also = {}, name, ...row }): Transition => {
      const more = Object.entries(also).flatMap(([trait, one]) => (holds(trait) ? [one] : []));
      const [when, does] = (['when', 'does'] as const).map((part) =>
        Object.assign({}, row[part], ...more.map((one) => one[part])),
      );
      return Object.assign({ actor: 'owner', kind: 'must', ...known, ...row }, ...more, {
        id: `${prefix}.${name}`,
        when,
        does,
      });
    });
}

export function secondControllerTable(beside: SecondController, byAnnotation: boolean): Table {
  return [...(beside === 'service controller' && byAnnotation ? BESIDE_ADDS : []), ...BESIDE_ROWS[beside]];
}
