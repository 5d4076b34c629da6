import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parseAllDocuments } from 'yaml';
import type { Citation } from '../../src/contract/kubernetes.facts';
import { ROOT } from '../docs/files';
import SCHEMA from './descriptor.schema.json';

// The form of descriptor.yaml; descriptor.schema.json has the same with a sentence for each field.

/** A path of the own repository or its short name, the name of another source, or a citation. */
export type Where = string | (Partial<Citation> & { readonly of?: string });

/** The syntax of a value: a name, or a name with its arguments. */
export type ValueType = string | Readonly<Record<string, unknown>>;

/** An effect is the one key that is an outcome, with what happens. */
export type Effect = Readonly<Record<string, unknown>> & { readonly remedy?: string; readonly staysAsMade?: true };

export type Case = string | Effect;

export type Change = Effect & { readonly source?: Where; readonly unless?: readonly Case[] };

interface Documented {
  readonly doc: string;
}

export interface DeclaredEnum extends Documented {
  readonly see?: string;
  readonly values: Readonly<Record<string, Documented & { readonly value: string }>>;
}

export interface Member extends Documented {
  readonly type?: string;
  readonly default?: string | number | boolean;
  readonly see?: string;
  readonly required?: true;
}

export interface DeclaredStruct extends Documented {
  readonly see?: string;
  readonly extends?: string;
  readonly members?: Readonly<Record<string, Member>>;
}

export interface Option extends Member {
  readonly name?: string;
  /** The first struct of the descriptor, unless another one is named. */
  readonly struct?: string;
}

/** The field that can name an address, beside annotations. */
export const FIXED = 'spec.loadBalancerIP';

export interface DescribedKeptAddress {
  readonly ifReserved?: true;
  readonly ifPublic?: true;
  readonly atDeletion?: true;
  readonly unlessOff?: string;
  readonly source: Where;
}

export interface DescribedAnnotation {
  readonly id?: string;
  readonly type: ValueType;
  readonly option?: Option | readonly Option[];
  readonly request?: string;
  readonly unique?: string | (Readonly<Record<string, unknown>> & { readonly like?: string; readonly within?: string });
  readonly default: string | number | boolean;
  readonly since?: string;
  readonly remark?: string;
  readonly deprecated?: true;
  readonly deprecatedSince?: string;
  readonly badValue?: 'refused' | 'accepted';
  readonly restrictsClients?: true;
  readonly healthCheckSwitch?: true;
  readonly refusedBeside?: readonly string[];
  readonly confidence?: string;
  readonly source?: Where;
  readonly groups?: readonly string[];
  /** What a change does, or the name of one of `changes`. */
  readonly change: string | Change;
}

/** A descriptor as it is written. */
export interface Descriptor {
  readonly name: string;
  readonly constant: string;
  readonly product: string;
  readonly title: string;
  readonly source: Citation;
  readonly sources?: Readonly<Record<string, Citation>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly confidence: string;
  readonly nodes: string;
  readonly remark?: string;
  readonly finalizerNote?: string;
  readonly readFrom?: string;
  readonly claims?: { readonly class: 'none' };
  /** A map gives each class a name in code. */
  readonly classes: readonly string[] | Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly untouchableFinalizers?: readonly string[];
  readonly provisioning?: {
    readonly concurrency: number;
    readonly seconds: number;
    readonly confidence: string;
    readonly source: Where;
  };
  readonly identities?: readonly (Readonly<Record<string, string>> & { readonly source: Where })[];
  readonly enums?: Readonly<Record<string, DeclaredEnum>>;
  readonly structs?: Readonly<Record<string, DeclaredStruct>>;
  /** Types of options that are written by hand, with the files that have them. */
  readonly types?: Readonly<Record<string, string>>;
  /** Syntaxes of several annotations, by names that their types use. */
  readonly syntaxes?: Readonly<Record<string, ValueType>>;
  readonly prefix: string;
  /** Beginnings of keys that belong to this controller alone, where it is not the prefix. */
  readonly prefixes?: readonly string[];
  /** The prefix that older versions read, and the first version that reads the other one. */
  readonly olderPrefix?: { readonly prefix: string; readonly until?: string };
  /** The folder of the controller whose annotations of the same key are read alike. */
  readonly readAs?: string;
  readonly badValue: 'refused' | 'accepted';
  readonly changes?: Readonly<Record<string, Change>>;
  readonly annotations: Readonly<Record<string, DescribedAnnotation>>;
  /** Fields that all service controllers treat alike are taken from there. */
  readonly serviceController?: true;
  /** How load balancers live and end, for the model in `src/lifecycle`. */
  readonly lifecycle?: {
    readonly named?: 'uid' | 'service';
    readonly inCluster?: true;
    readonly forgets?: string;
    readonly beside?: readonly string[];
    readonly source: Where;
  };
  readonly fields?: Readonly<Record<string, string | Change>>;
  readonly foundBy?: Readonly<Record<string, string | Change>>;
  /** What a change of a label of a Service does, by key. */
  readonly labels?: Readonly<Record<string, string | Change>>;
  readonly sameAddress?: string | Change;
  /** Other words for the controller, its product or its vendor, which `explain` takes. */
  readonly aliases?: readonly string[];
  /** Addresses of a load balancer that has not one of each IP family. */
  readonly oneFamily?: { readonly gives: string; readonly unless?: readonly string[]; readonly source: Where };
  /** Annotations, and `spec.loadBalancerIP`, by which an address stays if its load balancer is deleted. */
  readonly keptAddresses?: Readonly<Record<string, DescribedKeptAddress>>;
  /** The name of a vendor whose load balancers are read, and not written. */
  readonly vendor?: string;
  readonly marks?: Readonly<Record<string, unknown>> & {
    readonly keys?: readonly string[];
    readonly sharedKeys?: readonly string[];
  };
  readonly client?: string;
  readonly class?: DescribedClass;
  readonly writing?: DescribedWriting;
  readonly readBy?: { readonly annotation: string; readonly default: string };
  /** What it makes of a Service; the first of several whose condition holds. */
  readonly models?: readonly (Readonly<Record<string, unknown>> & { readonly source?: Where })[];
  /** What else must be known for it. */
  readonly modelNeeds?: string;
  readonly scheme?: {
    readonly default: string;
    readonly because?: string;
    readonly internal?: Readonly<Record<string, readonly string[]>>;
    readonly public?: Readonly<Record<string, readonly string[]>>;
  };
}

/** A factory of the class of a controller. */
export interface DescribedFactory extends Documented {
  /** The struct of its options. */
  readonly options: string;
  readonly throws: string;
  /** Structs of other factories, by which a misplaced option is recognised. */
  readonly alsoTakes?: readonly string[];
}

/** The public class of a controller. */
export interface DescribedClass extends Documented {
  readonly name: string;
  readonly factories: Readonly<Record<string, DescribedFactory>>;
  /** Internal factories of a controller of which more is known, with the parameter for it. */
  readonly hidden?: Readonly<Record<string, Documented & { readonly of: string; readonly known: string }>>;
  /** The docs of the method that shares addresses. */
  readonly sharing?: string;
  /** The scope that a request is answered in, if side objects are made. */
  readonly scope?: string;
}

/** A kind of load balancer of a vendor: a factory of its class. */
export interface DescribedWay {
  readonly doc: string;
  /** The group of annotations that it reads, if there are groups. */
  readonly group?: string;
  readonly loadBalancerClass?: string;
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly scheme?: unknown;
  readonly clientAddress?: unknown;
  readonly healthCheck?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The names of its side objects. */
  readonly sideObjects?: readonly string[];
}

/** How load balancers of a vendor are written; what a way does not say itself holds for all of them. */
export interface DescribedWriting extends Omit<DescribedWay, 'sideObjects'> {
  readonly class: string;
  readonly see: string;
  /** Annotations that are no options. */
  readonly without?: readonly string[];
  /** The annotation in which sharers name what they share. */
  readonly sharing?: string;
  /** Options that side objects are made of. */
  readonly options?: Readonly<Record<string, Member>>;
  readonly marked?: string;
  readonly sideObjects?: Readonly<Record<string, unknown>>;
  readonly ways: Readonly<Record<string, DescribedWay>>;
}

/** A descriptor with its folder below `src/controllers`. */
export interface DescribedController extends Descriptor {
  readonly folder: string;
  /** The descriptor that declares the syntaxes and enumerations of its values, if another one does. */
  readonly base?: DescribedController;
}

const CONTROLLERS = 'src/controllers';

/** Where the files of a controller are. */
export const folderOf = ({ folder }: DescribedController) => `${CONTROLLERS}/${folder}`;

const isValid = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(
  SCHEMA,
);

/** A descriptor from its text, of which the first document is read; the others are tables. @throws if it does not fit the schema */
export function descriptorOf(folder: string, text: string, file = 'descriptor.yaml'): DescribedController {
  const [document] = parseAllDocuments(text);
  if (document.errors.length > 0) {
    throw document.errors[0];
  }
  const own = document.toJS() as Descriptor;
  const base = own.readAs === undefined ? undefined : descriptorIn(own.readAs);
  const read = base === undefined ? own : { ...own, annotations: alike(own, base) };
  if (!isValid(read)) {
    const faults = (isValid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(`${CONTROLLERS}/${folder}/${file}: ${faults.join('\n')}`);
  }
  if ((read.vendor === undefined) === (folder === VENDORS)) {
    throw new Error(`${CONTROLLERS}/${folder}/${file}: a vendor is a file in ${CONTROLLERS}/${VENDORS}`);
  }
  return { ...read, folder, ...(base && { base }) };
}

/** Annotations with the syntax that another controller has for the same key. */
function alike(own: Descriptor, base: DescribedController): Descriptor['annotations'] {
  return Object.fromEntries(
    Object.entries(own.annotations).map(([key, annotation]) => {
      const { type, request, remark, badValue = base.badValue } = base.annotations[key] ?? {};
      const read =
        'type' in annotation ? {} : { type, badValue, ...(request && { request }), ...(remark && { remark }) };
      return [key, { ...read, ...annotation } as DescribedAnnotation];
    }),
  );
}

const descriptorIn = (folder: string) =>
  descriptorOf(folder, readFileSync(join(ROOT, CONTROLLERS, folder, 'descriptor.yaml'), 'utf8'));

/** The descriptors of all controllers that have one. */
export function descriptors(): DescribedController[] {
  return readdirSync(join(ROOT, CONTROLLERS))
    .filter((folder) => existsSync(join(ROOT, CONTROLLERS, folder, 'descriptor.yaml')))
    .map(descriptorIn);
}

/** The folder of the descriptors of vendors, a file each. */
export const VENDORS = 'vendors';

/** The descriptors of vendors, in the order of their files. */
export function vendors(): DescribedController[] {
  const folder = join(ROOT, CONTROLLERS, VENDORS);
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.facts.yaml'))
    .sort()
    .map((file) => descriptorOf(VENDORS, readFileSync(join(folder, file), 'utf8'), file));
  return all.map(withOptions).map((own) => {
    const base = all.find(({ name }) => name === own.marks?.basedOn);
    return own.annotations && base?.annotations ? builtOn(own, base) : own;
  });
}

/** The struct of options of a way to write: one for all of them, unless they read other annotations. */
export const structOf = ({ class: name }: DescribedWriting, way: string, { group }: DescribedWay) =>
  `${name}${group === undefined ? '' : way[0].toUpperCase() + way.slice(1)}Options`;

/** A descriptor whose annotations are options, if it says how its load balancers are written. */
function withOptions(of: DescribedController): DescribedController {
  const { writing } = of;
  if (!writing) {
    return of;
  }
  const structs = new Map(Object.entries(writing.ways).map(([name, way]) => [structOf(writing, name, way), way]));
  const optionOf = (key: string, { groups, remark, ...annotation }: DescribedAnnotation) =>
    writing.without?.includes(key) || annotation.deprecated
      ? undefined
      : [...structs].flatMap(([struct, { group }]) =>
          groups === undefined || group === undefined || groups.includes(group)
            ? [{ struct, doc: `Annotation \`${keyOf(key, of)}\`${remark === undefined ? '' : `: ${remark}`}.` }]
            : [],
        );
  return {
    ...of,
    structs: Object.fromEntries(
      [...structs].map(([struct]) => [
        struct,
        { doc: `Settings of ${of.title} beside the request.`, see: writing.see, members: writing.options },
      ]),
    ),
    annotations: Object.fromEntries(
      Object.entries(of.annotations).map(([key, one]) => [key, { ...one, option: optionOf(key, one) }]),
    ),
  };
}

/** A descriptor with the annotations and changes of the controller that it is built on, unless it has them itself. */
function builtOn(own: DescribedController, base: DescribedController): DescribedController {
  const cited = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part), (name, value) => (name === 'source' ? citationOf(value, base) : value));
  const each = <T, U>(part: Readonly<Record<string, T>> = {}, edit: (value: T) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key, cited(edit(value))]));
  const byKey = <T>(part: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key === FIXED ? key : keyOf(key, base), value]));
  const change = (one: string | Change) => changeOf(one, base);
  const inherited = each(base.annotations, (one) => {
    const refusedBeside = one.refusedBeside?.map((key) => keyOf(key, base));
    return { badValue: base.badValue, source: base.source, ...one, refusedBeside, change: change(one.change) };
  });
  return {
    ...own,
    annotations: { ...byKey(inherited), ...own.annotations },
    fields: { ...each(base.fields, change), ...own.fields },
    foundBy: { ...byKey(each(base.foundBy, change)), ...own.foundBy },
    oneFamily: own.oneFamily ?? (base.oneFamily && cited(base.oneFamily)),
    keptAddresses: { ...byKey(each(base.keptAddresses, (one) => one)), ...own.keptAddresses },
  };
}

/** The name of an annotation among those of its controller. */
export function idOf(key: string, { id }: DescribedAnnotation): string {
  return id ?? camelCase(key.slice(key.indexOf('/') + 1));
}

export const camelCase = (text: string) =>
  text.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());

/** The whole key. */
export function keyOf(key: string, { prefix }: Descriptor): string {
  return key.includes('/') ? key : prefix + key;
}

/** The options that write an annotation: one, or one in each of several structs. */
export function optionsOf({ option }: DescribedAnnotation): readonly Option[] {
  return option === undefined ? [] : Array.isArray(option) ? option : [option as Option];
}

/** A change that is written in its place, or a named one. @throws if no change has the name */
export function changeOf(change: string | Change, { changes = {}, folder }: DescribedController): Change {
  const found = typeof change === 'string' ? changes[change] : change;
  if (!found) {
    throw new Error(`${folder}: no change is called '${change}'; add it to changes`);
  }
  return found;
}

/** The citation that a descriptor means. @throws if a name is neither a file nor a source */
export function citationOf(
  where: Where | undefined,
  { source, sources = {}, files = {}, folder }: DescribedController,
): Citation {
  if (where === undefined) {
    return source;
  }
  if (typeof where !== 'string') {
    const { of, file, ...more } = where;
    const base = of === undefined ? source : sources[of];
    if (!base) {
      throw new Error(`${folder}: no source is called '${of}'`);
    }
    return { ...base, ...(file !== undefined && { file: files[file] ?? file }), ...more };
  }
  const file = files[where] ?? (/[./]/.test(where) ? where : undefined);
  if (file === undefined && !sources[where]) {
    throw new Error(`${folder}: '${where}' is neither a file nor one of files or sources`);
  }
  return file === undefined ? sources[where] : { ...source, file };
}
