import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { Confidence } from '../../src/contract/kubernetes.facts';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { code, confidence, page, source, table } from './markdown';

/** Every annotation that a controller reads. */
export function annotationsPage(kind: ControllerDefinition): string {
  const { annotations } = kind.catalogue;
  const unverified = annotations.filter(({ fact }) => fact.confidence === Confidence.UNVERIFIED).length;
  return page(
    `# Annotations of ${kind.name}`,
    `${annotations.length} annotations${unverified > 0 ? `, ${unverified} of them **unverified**` : ''}. A value that the controller cannot read is \`refused\` (an event at best, and no balancer) or \`accepted\` (it silently means something else); at synth it is an error either way.`,
    table(
      ['annotation', 'option', 'wish', 'value', 'default', 'since', 'bad value', 'remark', 'source'],
      annotations.map(row),
    ),
  );
}

function row({ fact }: AnyAnnotation): string[] {
  return [
    code(fact.key),
    fact.option ? code(fact.option) : '–',
    fact.wish ? code(fact.wish) : '–',
    fact.codec.says,
    fact.default,
    fact.since ?? '–',
    fact.badValue,
    [fact.deprecated ? 'obsolete' : undefined, fact.namesOne ? 'for one Service alone' : undefined, fact.remark]
      .filter(Boolean)
      .join('; ') || '–',
    `${source(fact.source)} (${confidence(fact.confidence)})`,
  ];
}
