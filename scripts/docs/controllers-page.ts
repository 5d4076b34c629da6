import { Confidence } from '../../src/contract/kubernetes.facts';
import { OPERATORS } from '../../src/predicted/operators/operators.facts';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { vendors as vendorDescriptors } from '../descriptors/descriptor';
import { code, codes, confidence, page, source, table } from './markdown';

/** Where the annotations of a kind are listed, relative to the page of controllers. */
export function annotationsPath(kind: ControllerDefinition): string {
  return `annotations/${kind.name}.md`;
}

/** The table of controllers that the README has. */
export function briefControllersTable(kinds: readonly ControllerDefinition[], folder: string): string {
  return table(
    ['controller', 'makes', 'finalizer'],
    kinds.map((kind) => [`[${kind.name}](${folder}${annotationsPath(kind)})`, kind.facts.product, finalizersOf(kind)]),
  );
}

/** The table of controllers. */
function controllersTable(kinds: readonly ControllerDefinition[], folder: string): string {
  return table(
    ['controller', 'makes', 'class', 'finalizer', 'keeps the backend on a node pool by', 'known by'],
    kinds.map((kind) => [
      `[${kind.name}](${folder}${annotationsPath(kind)})`,
      kind.facts.product,
      codes(kind.classes),
      finalizersOf(kind),
      kind.facts.nodes,
      confidence(kind.facts.confidence),
    ]),
  );
}

export function finalizersOf({ finalizers, facts }: ControllerDefinition): string {
  return facts.finalizerNote ? `${codes(finalizers)} (${facts.finalizerNote})` : codes(finalizers);
}

/** Every controller with all that is known of it, and those of vendors, which no construct writes for. */
export function controllersPage(
  kinds: readonly ControllerDefinition[],
  vendors: readonly ControllerDefinition[],
): string {
  return page(
    '# Controllers',
    'Classes are those of a default installation, finalizers those that the library declares; a dash means none.',
    controllersTable(kinds, ''),
    'Known by: `seen` on the running program, read in its `source` or its `docs`, or **unverified**.',
    ...kinds.flatMap((kind) => [`## ${kind.name}`, factsOf(kind)]),
    '## Controllers of other vendors',
    'Constructs write Services for those that have a factory. `explain NAME` prints what is known of one; the site has a page of each.',
    table(
      ['controller', 'written by', 'class', 'finalizer', 'annotations', 'known by'],
      vendors.map((kind) => [
        code(kind.name),
        codes(factoriesOf(kind)),
        codes(kind.classes),
        finalizersOf(kind),
        `${kind.catalogue.annotations.length}: ${kind.catalogue.prefixes.map((prefix) => code(`${prefix}…`)).join(', ')}`,
        confidence(kind.facts.confidence),
      ]),
    ),
    '## Operators',
    'These operators create load balanced Services from templates in their resources, which are read like Services. Dropped finalizers can leave load balancers behind: [keep them](../how-to/keep-load-balancers.md).',
    table(
      ['operator', 'resources', 'writes', 'drops', 'deletes and creates the Service if', 'known by'],
      OPERATORS.map(
        ({
          id,
          name,
          resources,
          writes,
          updates,
          drops,
          fixedIn,
          fixed = ['finalizers'],
          recreates,
          confidence: known,
          source: read,
        }) => [
          `${name}: ${code(id)}`,
          codes([...new Set(resources.map(({ kind, chart }) => kind ?? `chart ${chart}`))]),
          resources.some(({ services }) => services.length > 0)
            ? updates
              ? updatesOf(updates)
              : writes
            : 'none of type LoadBalancer',
          `${drops.join(', ') || '–'}${fixedIn === undefined ? '' : `; ${fixed.join(', ')} before ${fixedIn}`}`,
          recreates?.if ?? '–',
          `${confidence(known as Confidence)}: ${source(read)}`,
        ],
      ),
    ),
  );
}

const updatesOf = (fields: readonly string[]) =>
  fields.length === 0 ? 'new Services only' : `only ${fields.map((field) => `spec.${field}`).join(', ')}`;

/** The factories by which load balancers of a vendor are written. */
export function factoriesOf({ name }: ControllerDefinition): string[] {
  const writing = DESCRIBED.find((of) => of.name === name)?.writing;
  return Object.keys(writing?.ways ?? {}).map((way) => `${writing?.class}.${way}`);
}

const DESCRIBED = vendorDescriptors();

function factsOf(kind: ControllerDefinition): string {
  const { product, nodes, remark, confidence: known, source: read } = kind.facts;
  const rows: [string, string | undefined][] = [
    ['makes', product],
    ['class', codes(kind.classes)],
    ['finalizer', codes(kind.finalizers)],
    ['finalizers that only it may write', kind.untouchableFinalizers && codes(kind.untouchableFinalizers)],
    ['backend on a node pool', nodes],
    ['remark', remark],
    ['annotations', annotationsOf(kind)],
    ['rules', `[${kind.rules.length}](rules.md#${kind.name})`],
    ['names on the command line', [kind.name, ...variantsOf(kind)].map(code).join(', ')],
    ['source', `${source(read)} (${confidence(known)})`],
  ];
  return table(
    ['', ''],
    rows.filter((row): row is [string, string] => row[1] !== undefined),
  );
}

function annotationsOf(kind: ControllerDefinition): string {
  const { annotations } = kind.catalogue;
  const options = annotations.filter(({ fact }) => fact.option !== undefined).length;
  const unverified = annotations.filter(({ fact }) => fact.confidence === Confidence.UNVERIFIED).length;
  const doubt = unverified > 0 ? `, ${unverified} **unverified**` : '';
  return `[${annotations.length}](${annotationsPath(kind)}), ${options} of them options${doubt}`;
}

function variantsOf(kind: ControllerDefinition): string[] {
  return Object.keys(kind.variants ?? {}).map((variant) => `${kind.name}:${variant}`);
}
