import { Confidence, LOAD_BALANCER_CLEANUP_FINALIZER } from '../../src/contract/kubernetes.facts';
import { LoadBalancerWish } from '../../src/contract/options';
import { HEAD, Imports, literal, memberOf, object } from './code';
import {
  citationOf,
  type DescribedAnnotation,
  type DescribedController,
  folderOf,
  idOf,
  keyOf,
  optionsOf,
  type Where,
} from './descriptor';
import { optionName } from './options-file';
import { exportOf, typeCode } from './value-types';

const CATALOGUE = 'src/contract/annotation-catalogue';
const KUBERNETES = 'src/contract/kubernetes.facts';
const OWN_THING = 'src/contract/annotation-catalogue';

/** The annotations of a controller, and where they were read. */
export function annotationsFile(of: DescribedController): string {
  const imports = new Imports(folderOf(of));
  const code = annotationsCode(of, imports);
  return `${HEAD}\n${imports}\n\n${code}`;
}

/** The same without the lines that import. */
export function annotationsCode(of: DescribedController, imports: Imports): string {
  imports.value('Annotation', CATALOGUE);
  imports.value('AnnotationCatalogue', CATALOGUE);
  imports.type('Citation', KUBERNETES);
  const { constant, olderPrefix } = of;
  const keys = Object.keys(of.annotations);
  const ids = keys.map((key) => idOf(key, of.annotations[key]));
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) {
    throw new Error(`${of.folder}: two annotations are called '${twice}'; give one of them an id`);
  }
  const entries = keys.map((key, i) => `  ${ids[i]}: ${entryCode(key, of, imports)},`);
  const all = olderPrefix
    ? `Object.values(${constant}).flatMap((spellings) => Object.values(spellings)) as Annotation<never>[]`
    : `Object.values(${constant})`;
  const groups = groupsCode(of, imports);
  const prefixes = of.prefixes ?? [of.prefix, ...(olderPrefix ? [olderPrefix.prefix] : [])];
  return `/** Upstream name of the controller. */
export const ${constant}_CONTROLLER = ${literal(of.name)};

/** Where these facts were read. */
export const ${constant}_SOURCE: Citation = ${literal(of.source)};

${namedSources(of)}${of.vendor ? '' : namedClasses(of)}${untouchable(of)}/** The annotations of ${of.title}${olderPrefix ? ', each in both spellings' : ''}. */
export const ${constant} = {
${entries.join('\n')}
};

/** All of them. */
export const ${constant}_CATALOGUE = new AnnotationCatalogue(${literal(prefixes)}, ${all});
${groups}`;
}

function namedSources({ constant, sources = {}, vendor }: DescribedController): string {
  const all = Object.entries(vendor ? {} : sources).map(
    ([name, source]) => `export const ${constant}_${name.toUpperCase()}_SOURCE: Citation = ${literal(source)};\n`,
  );
  return all.length === 0 ? '' : `${all.join('')}\n`;
}

/** A class and a finalizer of its own, or its classes by name. */
function namedClasses({ constant, classes, finalizers, title }: DescribedController): string {
  const [own, ...others] = finalizers.filter((name) => name !== LOAD_BALANCER_CLEANUP_FINALIZER);
  const only = Array.isArray(classes) ? (classes.length === 1 ? classes[0] : undefined) : classes;
  return [
    ...(only === undefined
      ? []
      : [
          `/** ${Array.isArray(classes) ? 'The class' : 'The classes'} of ${title}. */\nexport const ${constant}_CLASS = ${literal(only)};\n\n`,
        ]),
    ...(own === undefined || others.length > 0
      ? []
      : [`/** The finalizer of ${title}. */\nexport const ${constant}_FINALIZER = ${literal(own)};\n\n`]),
  ].join('');
}

function untouchable({ constant, untouchableFinalizers }: DescribedController): string {
  return untouchableFinalizers === undefined
    ? ''
    : `/** Finalizers that others never write. */\nexport const ${constant}_UNTOUCHABLE_FINALIZERS: string[] = ${literal(untouchableFinalizers)};\n\n`;
}

/** Annotations that have something in common, by the names of their groups. */
function groupsCode({ constant, annotations, vendor }: DescribedController, imports: Imports): string {
  const groups = new Map<string, string[]>();
  for (const [key, annotation] of Object.entries(vendor ? {} : annotations)) {
    for (const group of annotation.groups ?? []) {
      groups.set(group, [...(groups.get(group) ?? []), `${constant}.${idOf(key, annotation)}`]);
    }
  }
  if (groups.size === 0) {
    return '';
  }
  const rows = [...groups].map(
    ([name, ids]) => `  ${name}: [${ids.join(', ')}] as readonly ${imports.type('AnyAnnotation', CATALOGUE)}[],`,
  );
  return `
/** Annotations that have something in common. */
export const ${constant}_GROUPS = {
${rows.join('\n')}
};
`;
}

function entryCode(key: string, of: DescribedController, imports: Imports): string {
  const annotation = of.annotations[key];
  const { codec } = typeCode(annotation.type, of, imports);
  const members = {
    option: optionsOf(annotation).length > 0 ? literal(optionName(key, of)) : undefined,
    wish: annotation.request && wishCode(annotation.request, imports),
    codec,
    default: literal(String(annotation.default)),
    since: annotation.since && literal(annotation.since),
    remark: annotation.remark && literal(annotation.remark),
    deprecated: annotation.deprecated && 'true',
    deprecatedSince: annotation.deprecatedSince && literal(annotation.deprecatedSince),
    namesOne: uniqueCode(annotation, of, imports),
    badValue: literal(annotation.badValue ?? of.badValue),
    restrictsClients: annotation.restrictsClients && 'true',
    healthCheckSwitch: annotation.healthCheckSwitch && 'true',
    refusedBeside: annotation.refusedBeside && literal(annotation.refusedBeside.map((other) => knownKey(other, of))),
    shared: of.marks?.sharedKeys?.includes(keyOf(key, of)) ? 'true' : undefined,
    source: sourceCode(annotation.source, of),
    confidence: confidenceCode(annotation.confidence ?? of.confidence, imports),
  };
  const { olderPrefix, prefix } = of;
  if (!olderPrefix) {
    return `new Annotation(${object({ key: literal(keyOf(key, of)), ...members })})`;
  }
  if (key.includes('/')) {
    return `{ current: new Annotation(${object({ key: literal(key), ...members })}) }`;
  }
  const until = olderPrefix.until && literal(olderPrefix.until);
  const current = object({ key: literal(prefix + key), ...members, since: until });
  const deprecated = object({
    key: literal(olderPrefix.prefix + key),
    ...members,
    option: undefined,
    deprecated: 'true',
    deprecatedSince: until,
    remark: literal(`use ${prefix}${key} instead, beside which it is ignored`),
  });
  return `{ current: new Annotation(${current}), deprecated: new Annotation(${deprecated}) }`;
}

export function knownKey(key: string, of: DescribedController): string {
  if (!of.annotations[key]) {
    throw new Error(`${folderOf(of)}: ${of.name}: no annotation is called '${key}'`);
  }
  return keyOf(key, of);
}

function wishCode(request: string, imports: Imports): string {
  imports.value('LoadBalancerWish', 'src/contract/options');
  return memberOf('LoadBalancerWish', LoadBalancerWish, request);
}

export function confidenceCode(confidence: string, imports: Imports): string {
  imports.value('Confidence', KUBERNETES);
  return memberOf('Confidence', Confidence, confidence);
}

/** A citation as code, by that of the controller where it can be. */
export function sourceCode(where: Where | undefined, of: DescribedController): string {
  const found = citationOf(where, of);
  const { repository, version, file } = of.source;
  if (found.repository !== repository || found.version !== version) {
    return literal(found);
  }
  const own = `${of.constant}_SOURCE`;
  return found.file === file ? own : `{ ...${own}, file: ${literal(found.file)} }`;
}

const SHARED_THINGS: Readonly<Record<string, string>> = { address: 'ADDRESS', sharedAddress: 'SHARED_ADDRESS' };

function uniqueCode({ unique }: DescribedAnnotation, of: DescribedController, imports: Imports): string | undefined {
  if (unique === undefined) {
    return undefined;
  }
  if (typeof unique === 'string') {
    const shared = SHARED_THINGS[unique];
    if (shared) {
      return imports.value(shared, OWN_THING);
    }
    exportOf(of, 'codecs', unique);
    return imports.value(unique, `${folderOf(of)}/codecs`);
  }
  const { like, within, ...more } = unique;
  const base = like && imports.value(SHARED_THINGS[like] ?? like, OWN_THING);
  return object({
    '...': base,
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [name, literal(text)])),
    within: within && literal(keyOf(within, of)),
  });
}
