import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { Confidence } from '../../src/contract/kubernetes.facts';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { changeCell } from './changes-pages';
import { code, confidence, page, source, table } from './markdown';

/** Every annotation that a controller reads. */
export function annotationsPage(kind: ControllerDefinition): string {
  const { annotations } = kind.catalogue;
  const unverified = annotations.filter(({ fact }) => fact.confidence === Confidence.UNVERIFIED).length;
  return page(
    `# Annotations of ${kind.name}`,
    `${annotations.length} annotations${unverified > 0 ? `, ${unverified} of them **unverified**` : ''}. A value that the controller cannot read is \`refused\` (an event at best, and no balancer) or \`accepted\` (it silently means something else); at synth it is an error either way. _A change_ is the effect on a live load balancer of adding, changing or removing the annotation: the worst one that a valid value can have; its words are explained at [fields of a Service](../service-fields.md). A file without a repository is of ${kind.facts.source.repository} ${kind.facts.source.version}.`,
    table(
      ['annotation', 'option', 'wish', 'value', 'default', 'since', 'bad value', 'a change', 'remark', 'source'],
      annotations.map((annotation) => row(annotation, kind)),
    ),
  );
}

function row({ fact }: AnyAnnotation, { annotationEdits, facts: { source: of } }: ControllerDefinition): string[] {
  const isOfKind = fact.source.repository === of.repository && fact.source.version === of.version;
  const edit = annotationEdits?.get(fact.key);
  return [
    code(fact.key),
    fact.option ? code(fact.option) : '–',
    fact.wish ? code(fact.wish) : '–',
    fact.codec.says,
    fact.default,
    fact.since ?? '–',
    fact.badValue,
    edit ? changeCell(edit) : '–',
    [fact.deprecated ? 'obsolete' : undefined, fact.namesOne ? 'for one Service alone' : undefined, fact.remark]
      .filter(Boolean)
      .join('; ') || '–',
    `${isOfKind ? fact.source.file : source(fact.source)} (${confidence(fact.confidence)})`,
  ];
}
