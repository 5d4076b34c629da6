import { isUnknown } from '../../traffic/figure';
import { placesFor } from '../../traffic/limits';
import type { ReportedPath } from '../report';
import type { Content } from './markup';
import { bullets, folded, inThousands, table, termsOf } from './parts';

/** What grows with pods, and which limit is met first. */
export function growthTable(growth: ReportedPath['growth']): Content {
  if (growth === undefined) {
    return undefined;
  }
  if (isUnknown(growth)) {
    return folded('As pods grow', growth.unknown);
  }
  const rows = growth.steps.map(({ pods, nodes, entries, place, isFull, rules, beyond }) => [
    inThousands(pods),
    inThousands(nodes),
    [
      inThousands(entries.value),
      isFull ? ', more than there is place for' : '',
      termsOf(`= ${entries.terms}; place for ${inThousands(place.value)} = ${place.terms}`),
    ],
    [
      `${inThousands(rules.iptables.nat + rules.iptables.filter)} iptables`,
      termsOf(`= ${rules.iptables.nat} nat + ${rules.iptables.filter} filter`),
      `${inThousands(rules.nftables.rules)} nftables`,
      termsOf(`and ${inThousands(rules.nftables.elements)} elements of maps`),
    ],
    beyond.length === 0
      ? 'none'
      : beyond.map(({ name, at }) => `${name} (${inThousands(at.value)} = ${at.terms})`).join(', '),
  ]);
  const { first, assumptions } = growth;
  return folded('As pods grow', [
    table(
      'Conntrack entries, rules and limits as pods grow',
      [
        { title: 'Pods', isNumber: true },
        { title: 'Nodes', isNumber: true },
        { title: 'Entries on the busiest node', isNumber: true },
        { title: 'Rules on a node for this Service', isNumber: true },
        { title: 'Limits that are passed' },
      ],
      rows,
    ),
    bullets(
      [
        ...(first
          ? [
              `the limit that is met first: ${first.name}, at ${placesFor(first, inThousands(first.at.value))} = ${first.at.terms}`,
            ]
          : []),
        ...assumptions,
      ],
      8,
    ),
  ]);
}
