import type { AnnotationFact, AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Edit, wordOf } from '../../contract/edit';
import type { Citation } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { otherOfKey } from '../../controllers/other-controller';
import { type ControllerDefinition, knownKinds } from '../../rules/controller-definition';
import { worstEdit } from '../../rules/edits-of-values';
import { rulesWhere } from './described-rules';
import { type ExplainedPart, type ExplainedRule, type Explanation, known } from './explanation';
import { OTHER_ANNOTATIONS } from './known-words.facts';
import { cited } from './sources';

interface Reader {
  readonly kind: ControllerDefinition;
  readonly entry: AnyAnnotation;
}

/** All keys that are known; those with parameters have words in braces. */
export function annotationKeys(): string[] {
  const keys = knownKinds().flatMap(({ catalogue }) => catalogue.annotations.map(({ fact }) => fact.key));
  return [...new Set([...keys, ...OTHER_ANNOTATIONS.map(({ key }) => key)])];
}

/** What is known of an annotation by its key, a key with parameters, or one with words in braces. */
export function explainAnnotation(key: string): Explanation | undefined {
  const readers = knownKinds().flatMap((kind) => {
    const entry = kind.catalogue.find(key) ?? kind.catalogue.annotations.find(({ fact }) => fact.key === key);
    return entry ? [{ kind, entry }] : [];
  });
  const other = otherOfKey(key);
  const others = other
    ? [
        {
          who: other.name,
          value: 'not known here',
          says: `its prefix is that of ${other.name}, whose rules are not known here`,
          source: other.source,
        },
      ]
    : OTHER_ANNOTATIONS.filter((one) => one.key === key);
  if (readers.length + others.length === 0) {
    return undefined;
  }
  const names = [...readers.map(({ kind }) => kind.name), ...others.map(({ who }) => who)].join(', ');
  return {
    kind: 'annotation',
    word: key,
    says: other
      ? `an annotation for ${other.name}; other controllers ignore it silently`
      : `an annotation that ${names} ${readers.length + others.length > 1 ? 'read' : 'reads'}; other controllers ignore it silently`,
    parts: [
      ...readers.map(partOf),
      ...others.map(({ who, value, says, source }) => ({
        who,
        facts: { value, 'what it does': says },
        source: cited(source),
      })),
    ],
    rules: rulesOf(readers),
    todo: [...new Set([...readers.flatMap(todoOf), ...(other ? [`read the documentation of ${other.name}`] : [])])],
    readOn: [...readers.map(({ kind }) => `docs/reference/annotations/${kind.name}.md`)],
  };
}

function partOf({ kind, entry: { fact } }: Reader): ExplainedPart {
  const edit = worstEdit(kind, fact.key);
  return {
    who: kind.name,
    facts: known({
      value: fact.codec.says,
      'for example': exampleOf(fact),
      default: fact.default,
      since: fact.since,
      obsolete: fact.deprecated ? `yes${fact.deprecatedSince ? `, since ${fact.deprecatedSince}` : ''}` : undefined,
      'answers wish': fact.wish,
      'written by option': fact.option,
      'wrong value': BAD_VALUES[fact.badValue],
      'one Service alone': fact.namesOne && `${fact.namesOne.thing}: ${fact.namesOne.fate}`,
      'on edit': edit && editOf(edit, fact.source),
      note: fact.remark,
    }),
    source: cited(fact.source, fact.confidence),
  };
}

/** What an edit does, and where that was read, where it is not where the annotation was. */
function editOf({ what, source, ...edit }: Edit, of: Citation): string {
  const isSame = source.repository === of.repository && source.version === of.version;
  const where = source.file === of.file && isSame ? '' : ` (${isSame ? source.file : cited(source)})`;
  return `${wordOf(edit)}: ${what}${where}`;
}

const BAD_VALUES = {
  refused: 'is refused: an event at best, and no balancer',
  accepted: 'is silently taken for something else',
};

/** A value as it is written; some are long, or of several lines. */
function exampleOf({ codec }: AnnotationFact<unknown>): string | undefined {
  const [value] = codec.examples;
  try {
    const text = codec.encode(value);
    return text.length <= 80 && !text.includes('\n') ? text : undefined;
  } catch {
    return undefined;
  }
}

function rulesOf(readers: readonly Reader[]): ExplainedRule[] {
  const keys = new Set(readers.map(({ entry }) => entry.fact.key));
  const general = new Set(readers.flatMap(({ entry }) => generalRulesOf(entry.fact)));
  return rulesWhere(({ id, reads }) => general.has(id) || reads.some((key) => keys.has(key)));
}

function generalRulesOf({ badValue, wish, restrictsClients, since, deprecated }: AnnotationFact<unknown>): string[] {
  const isGrave =
    badValue === 'refused' ||
    restrictsClients === true ||
    wish === LoadBalancerWish.SCHEME ||
    wish === LoadBalancerWish.SOURCE_RANGES;
  return [
    isGrave ? 'annotation-value' : 'annotation-misread',
    'annotation-foreign',
    ...(since === undefined ? [] : ['annotation-too-new']),
    ...(deprecated ? ['annotation-deprecated'] : []),
  ];
}

function todoOf({ kind, entry: { fact } }: Reader): string[] {
  return fact.deprecated && fact.remark ? [`${kind.name}: ${fact.remark}`] : [`write ${fact.codec.says}`];
}
