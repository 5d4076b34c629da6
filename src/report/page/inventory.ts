import type { Report, ReportedService } from '../report';
import { type Content, element, type Markup } from './markup';
import { folded, inThousands, named, section, table, termsOf } from './parts';

const MOST_SERVICES = 200;

/** Which Services are in the report, where they are written, and who makes what of them. */
export function inventory({ balancers }: Report): Markup {
  const rest = balancers.length - MOST_SERVICES;
  return section(
    'inventory',
    'All Services',
    element(
      'div',
      { class: 'card' },
      folded(`${inThousands(balancers.length)} in this report`, [
        table(
          'Services with a load balancer, and who makes it',
          [{ title: 'Service' }, { title: 'Owner' }, { title: 'What is made' }, { title: 'Where it is written' }],
          balancers.slice(0, MOST_SERVICES).map(rowOf),
        ),
        rest > 0
          ? element('p', { class: 'muted' }, `and ${inThousands(rest)} more, which the JSON of this report has`)
          : undefined,
      ]),
    ),
  );
}

function rowOf(service: ReportedService): readonly Content[] {
  const { namespace, name, owner, isGuess, made, unknown, madeBy, tenant, place } = service;
  return [
    [
      named(`${namespace}/${name}`),
      madeBy === undefined ? undefined : termsOf(`made by ${madeBy}`),
      tenant === undefined ? undefined : termsOf(`of tenant ${tenant}`),
    ],
    [owner, isGuess ? termsOf('a guess: another controller may own it') : undefined],
    made ? [made.name, termsOf([made.product, made.scheme].filter(Boolean).join(', '))] : (unknown ?? 'not known'),
    place,
  ];
}
