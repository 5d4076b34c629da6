import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { Confidence } from '../../src/contract/kubernetes.facts';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { changeCell } from './changes-pages';
import { code, confidence, page, shortSource, table } from './markdown';

/** Every annotation that a controller reads. */
export function annotationsPage(kind: ControllerDefinition): string {
  const { annotations } = kind.catalogue;
  const unverified = annotations.filter(({ fact }) => fact.confidence === Confidence.UNVERIFIED).length;
  return page(
    `# Annotations of ${kind.name}`,
    `${annotations.length} annotations${unverified > 0 ? `, ${unverified} of them **unverified**` : ''}. Synth reports a value that the controller cannot read as an error. The controller refuses such a value with an event and creates no load balancer, unless the row says **misread**: then the value silently means something else. _Effect of a change_ is the worst effect of adding, changing or removing the annotation; [fields of a Service](../service-fields.md) explains its words. A file without a repository is in ${kind.facts.source.repository} ${kind.facts.source.version}.`,
    table(
      ['annotation, option', 'value', 'effect of a change', 'notes, source'],
      annotations.map((annotation) => row(annotation, kind)),
    ),
  );
}

function row({ fact }: AnyAnnotation, { annotationEdits, facts: { source: of } }: ControllerDefinition): string[] {
  const edit = annotationEdits?.get(fact.key);
  const properties = [fact.option && code(fact.option), fact.wish && `request ${code(fact.wish)}`].filter(Boolean);
  const value = [fact.codec.says, `default ${fact.default}`, fact.since && `since ${fact.since}`];
  const notes = [
    fact.badValue === 'accepted' && '**misread**',
    fact.deprecated && 'obsolete',
    fact.namesOne && 'for one Service only',
    fact.remark,
    `${shortSource(fact.source, of)} (${confidence(fact.confidence)})`,
  ];
  return [
    [code(fact.key), properties.join(', ')].filter(Boolean).join('<br>'),
    value.filter(Boolean).join('; '),
    edit ? changeCell(edit) : '–',
    notes.filter(Boolean).join('; '),
  ];
}
