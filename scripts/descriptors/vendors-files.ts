import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../src/contract/kubernetes.facts';
import { LoadBalancerScheme } from '../../src/contract/options';
import { annotationsCode, confidenceCode, knownKey } from './annotations-file';
import { headOf, Imports, literal, memberOf, object } from './code';
import { citationOf, type DescribedController, descriptors, folderOf, keyOf, vendors } from './descriptor';
import { descriptorCode } from './descriptor-file';
import { writersFiles } from './writers-file';

const FOLDER = 'src/controllers/vendors';
const MARKS = `${FOLDER}/marks.facts`;
const DEFINITIONS = `${FOLDER}/definitions.facts`;
const LIFECYCLE = 'src/lifecycle';
const OWNERS = `${LIFECYCLE}/vendor-owners.facts`;

/** What is generated from the descriptors of all vendors, by path. */
export function vendorsFiles(): Map<string, string> {
  const all = vendors();
  return new Map([
    ...writersFiles(all),
    [`${MARKS}.ts`, marksFile(all)],
    [`${OWNERS}.ts`, ownersFile(all)],
    [`${DEFINITIONS}.ts`, definitionsFile(all.filter(({ annotations }) => annotations !== undefined))],
  ]);
}

/** The signs of each vendor: what is asked first, before any catalogue is made. */
function marksFile(all: readonly DescribedController[]): string {
  const imports = new Imports(FOLDER);
  const readElsewhere = descriptors().flatMap((of) => Object.keys(of.annotations).map((key) => keyOf(key, of)));
  const rows = all.map((of) => {
    const { name, vendor, annotations, classes, finalizers, marks, source } = of;
    const own = finalizers.filter((one) => one !== LOAD_BALANCER_CLEANUP_FINALIZER);
    const keys = ownKeysOf(of, readElsewhere);
    const sure = { id: name, name: annotations ? name : vendor, keys, classes: Object.values(classes) };
    return `  ${literal({ ...sure, ...(own.length > 0 && { finalizers: own }), ...marks, keys, source })},`;
  });
  const type = imports.type('OtherController', 'src/controllers/other-controller');
  return `${headOf('the descriptors in this folder')}
${imports}

/** The signs of each vendor. */
export const VENDOR_MARKS: readonly ${type}[] = [
${rows.join('\n')}
];
`;
}

/** Beginnings of the keys of a vendor alone, and its keys with other beginnings; those of the controller it is based on are not its own. */
function ownKeysOf(of: DescribedController, readElsewhere: readonly string[]): string[] {
  const { annotations = {}, marks = {}, prefix, prefixes = [prefix] } = of;
  const beginnings = marks.keys ?? (prefix === undefined ? [] : prefixes);
  const others = Object.keys(marks.basedOn ? {} : annotations)
    .map((key) => keyOf(key, of))
    .filter((key) => ![...readElsewhere, ...(marks.sharedKeys ?? [])].includes(key))
    .filter((key) => !beginnings.some((start) => key.startsWith(start)));
  return [...beginnings, ...others];
}

/** The owners of the model of lifecycles. */
function ownersFile(all: readonly DescribedController[]): string {
  const imports = new Imports(LIFECYCLE);
  const rows = all.flatMap((of) => (of.lifecycle ? [`  ${ownerCode(of, of.lifecycle, imports)},`] : []));
  const type = imports.type('OwnerFact', `${LIFECYCLE}/owners`);
  return `${headOf('the descriptors of vendors')}
${imports}

/** Vendors whose load balancers are written. */
export const VENDOR_OWNERS: readonly ${type}[] = [
${rows.join('\n')}
];
`;
}

function ownerCode(
  of: DescribedController,
  lifecycle: NonNullable<DescribedController['lifecycle']>,
  imports: Imports,
) {
  const { named, inCluster, forgets, beside = ['alone'] } = lifecycle;
  const source = literal(citationOf(lifecycle.source, of));
  const known = { name: literal(of.name), beside: literal(beside), isTheBalancer: inCluster && 'true' };
  if ((named !== undefined) !== (of.serviceController === true) || (named && forgets)) {
    throw new Error(
      `${folderOf(of)}: ${of.name}: lifecycle: name the load balancers of a service controller, and no others`,
    );
  }
  if (named) {
    const base = imports.value('OWN_SERVICE_CONTROLLER', `${LIFECYCLE}/owners.facts`);
    const traits = named === 'service' ? `[...${base}.traits, 'byName']` : undefined;
    return object({ '...': base, ...known, traits, cloud: source });
  }
  const confidence = confidenceCode(of.confidence, imports);
  const row = { id: `${of.name}.forgets`, actor: 'owner', kind: 'reaction', says: forgets, ...FORGOTTEN };
  const more = forgets && `[{ ${literal(row).slice(2, -2)}, source: ${source}, confidence: ${confidence} }]`;
  const rest = { versions: `'any'`, declares: `'never'`, looksAtAll: 'true', traits: `['heedsRemoval']` };
  return object({ ...known, ...rest, source, confidence, more });
}

const FORGOTTEN = {
  when: { process: ['down', 'uninstalled'], object: 'absent', balancer: 'made' },
  does: { balancer: 'none' },
};

/** What is known of each vendor whose annotations are described; each is made when it is first asked for. */
function definitionsFile(all: readonly DescribedController[]): string {
  const imports = new Imports(FOLDER, DEFINITIONS);
  const type = imports.type('VendorDescriptor', 'src/controllers/vendors/vendor-kinds');
  const rows = all.map((of) => `  ${literal(of.name)}: () => {\n${bodyOf(of, imports)}  },`);
  return `${headOf('the descriptors in this folder')}
${imports}

/** What is known of each vendor, by the name of its controller. */
export const VENDOR_DESCRIPTORS: Readonly<Record<string, () => ${type}>> = {
${rows.join('\n')}
};
`;
}

function bodyOf(of: DescribedController, imports: Imports): string {
  const all = `${annotationsCode(of, imports)}${descriptorCode(of, imports, DEFINITIONS)}`;
  const code = all.replaceAll(/^export /gm, '');
  const used = code.replaceAll(/^(\/\*\*.*\n)?const (\w+).*;\n+/gm, (line, _, name) =>
    code.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : '',
  );
  const indented = used.replaceAll(/^(?=.)/gm, '    ');
  const client = of.client === undefined ? '' : `, client: ${literal(of.client)}`;
  return `${indented}    return { ...${of.constant}_DESCRIPTOR, scheme: ${schemeCode(of, imports)}${client}${readByCode(of)}${modelsCode(of)} };\n`;
}

function readByCode(of: DescribedController): string {
  const { readBy, annotations } = of;
  if (!readBy) {
    return '';
  }
  const groups: Record<string, string[]> = {};
  for (const [key, { groups: names = [] }] of Object.entries(annotations)) {
    for (const name of names) {
      groups[name] = [...(groups[name] ?? []), keyOf(key, of)];
    }
  }
  return `, readBy: ${literal({ key: knownKey(readBy.annotation, of), otherwise: readBy.default, groups })}`;
}

/** Members of a model that name annotations, by their short keys. */
const KEYS_OF_MODEL = ['annotation', 'nodes', 'sharedBy', 'proxy', 'unless', 'interval', 'failures', 'successes'];

function modelsCode(of: DescribedController): string {
  const { models, modelNeeds } = of;
  const withKeys = (value: unknown, name = ''): unknown => {
    if (KEYS_OF_MODEL.includes(name)) {
      return Array.isArray(value) ? [knownKey(value[0], of), ...value.slice(1)] : knownKey(String(value), of);
    }
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withKeys(one, key)]))
      : value;
  };
  const all = models?.map(({ source, ...model }) => ({
    ...(withKeys(model) as object),
    source: citationOf(source, of),
  }));
  return [all && `, models: ${literal(all)}`, modelNeeds && `, modelNeeds: ${literal(modelNeeds)}`].join('');
}

function schemeCode(of: DescribedController, imports: Imports): string {
  const { scheme } = of;
  if (!scheme) {
    throw new Error(`${folderOf(of)}: ${of.name} has no scheme; say who can reach its load balancers`);
  }
  const byKey = (values: Readonly<Record<string, readonly string[]>> = {}) =>
    literal(Object.fromEntries(Object.entries(values).map(([key, all]) => [knownKey(key, of), all])));
  const code =
    scheme.default === 'unknown'
      ? 'undefined'
      : memberOf(imports.value('LoadBalancerScheme', 'src/contract/options'), LoadBalancerScheme, scheme.default);
  return `{ otherwise: ${code}, because: ${literal(scheme.because)}, internal: ${byKey(scheme.internal)}, public: ${byKey(scheme.public)} }`;
}
