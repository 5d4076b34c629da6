import { OUTCOMES } from '../../src/contract/edit';
import { SERVICE_FIELDS } from '../../src/rules/edits-of-values';
import { confidenceCode, knownKey, sourceCode } from './annotations-file';
import { HEAD, Imports, keyIn, literal, object } from './code';
import {
  type Case,
  type Change,
  changeOf,
  citationOf,
  type DescribedController,
  type Effect,
  FIXED,
  folderOf,
  idOf,
  type Where,
} from './descriptor';
import { exportOf } from './value-types';

const EDIT = 'src/contract/edit';
const FIELDS = 'src/rules/field-edits.facts';

/** What is known of a controller beside its annotations, and what a change does to its balancers. */
export function descriptorFile(of: DescribedController): string {
  const imports = new Imports(folderOf(of));
  const code = descriptorCode(of, imports);
  return `${HEAD}\n${imports}\n\n${code}`;
}

/** The same without the lines that import. */
export function descriptorCode(of: DescribedController, imports: Imports, annotations?: string): string {
  return new DescriptorCode(of, imports, annotations ?? `${folderOf(of)}/annotations`).code();
}

class DescriptorCode {
  /** @param annotations the file that has the constants of the annotations */
  public constructor(
    private readonly of: DescribedController,
    private readonly imports: Imports,
    private readonly annotations: string,
  ) {}

  public code(): string {
    const { of, imports } = this;
    const { constant } = of;
    imports.type('ControllerDefinition', 'src/rules/controller-definition');
    const named = Object.entries(of.changes ?? {}).map(
      ([name, change]) => `const ${nameOf(name)}: ${imports.type('EditRow', EDIT)} = ${this.change(change)};`,
    );
    const members = Object.entries(this.members()).flatMap(([name, code]) =>
      code === undefined ? [] : `  ${name}: ${code},`,
    );
    return `${named.map((line) => `${line}\n`).join('')}
/** What is known of ${of.title}. */
export const ${constant}_DESCRIPTOR = {
${members.join('\n')}
} satisfies Partial<ControllerDefinition>;
`;
  }

  private source(where: Where | undefined): string {
    const code = sourceCode(where, this.of);
    if (code.includes(`${this.of.constant}_SOURCE`)) {
      this.imports.value(`${this.of.constant}_SOURCE`, this.annotations);
    }
    return code;
  }

  private members(): Record<string, string | undefined> {
    const { of, imports } = this;
    const { provisioning, identities, claims, sameAddress, keptAddresses, fields, foundBy, labels } = of;
    return {
      name: imports.value(`${of.constant}_CONTROLLER`, this.annotations),
      facts: object({
        product: literal(of.product),
        source: this.source(undefined),
        confidence: confidenceCode(of.confidence, imports),
        nodes: literal(of.nodes),
        remark: of.remark && literal(of.remark),
        finalizerNote: of.finalizerNote && literal(of.finalizerNote),
      }),
      catalogue: imports.value(`${of.constant}_CATALOGUE`, this.annotations),
      annotationEdits: this.byKey(of.annotations, (key) => of.annotations[key].change),
      foundBy: foundBy && this.byKey(foundBy, (key) => foundBy[key]),
      labelEdits: labels && object(Object.fromEntries(Object.keys(labels).map((key) => [key, this.ref(labels[key])]))),
      fieldEdits: (fields || of.serviceController) && this.fields(fields ?? {}),
      sameAddress: sameAddress && this.ref(sameAddress),
      aliases: of.aliases && literal(of.aliases),
      oneFamily: of.oneFamily && this.oneFamily(of.oneFamily),
      keptAddresses: keptAddresses && this.keptAddresses(keptAddresses),
      readFrom: of.readFrom && literal(of.readFrom),
      classes: literal(Object.values(of.classes)),
      finalizers: literal(of.finalizers),
      forgets: of.lifecycle?.forgets && 'true',
      untouchableFinalizers:
        of.untouchableFinalizers && imports.value(`${of.constant}_UNTOUCHABLE_FINALIZERS`, this.annotations),
      claim: claims && imports.value('claimsWithoutClass', 'src/controllers/shared/definition'),
      provisioningTime:
        provisioning &&
        object({
          concurrency: String(provisioning.concurrency),
          seconds: String(provisioning.seconds),
          source: this.source(provisioning.source),
          confidence: confidenceCode(provisioning.confidence, imports),
        }),
      identities: identities && `() => [${identities.map((one) => this.identity(one)).join(', ')}]`,
    };
  }

  private oneFamily({ gives, unless = [], source }: NonNullable<DescribedController['oneFamily']>): string {
    citationOf(source, this.of);
    return literal({ gives, unless: unless.map((key) => knownKey(key, this.of)) });
  }

  private keptAddresses(kept: NonNullable<DescribedController['keptAddresses']>): string {
    const rows = Object.entries(kept).map(([key, { source, unlessOff, ...one }]) => {
      citationOf(source, this.of);
      const known = { ...one, ...(unlessOff && { unlessOff: knownKey(unlessOff, this.of) }) };
      return [key === FIXED ? key : knownKey(key, this.of), known];
    });
    return literal(Object.fromEntries(rows));
  }

  private identity({ source, ...who }: Readonly<Record<string, string>> & { readonly source: Where }): string {
    return object({
      ...Object.fromEntries(Object.entries(who).map(([name, text]) => [name, literal(text)])),
      source: this.source(source),
    });
  }

  private byKey(all: Readonly<Record<string, unknown>>, changeAt: (key: string) => string | Change): string {
    const { of, imports } = this;
    const own = imports.value(of.constant, this.annotations);
    const known = Object.keys(all).map((key) => {
      const annotation = of.annotations[key];
      if (!annotation) {
        throw new Error(`${of.folder}: no annotation is called '${key}'`);
      }
      return { key, id: idOf(key, annotation), where: annotation.source };
    });
    const rows = known.map(({ key, id, where }) => `    ${id}: ${this.ref(changeAt(key), where)},`);
    const whole = known.length === Object.keys(of.annotations).length;
    const entries = whole ? own : object(Object.fromEntries(known.map(({ id }) => [id, `${own}.${id}`])));
    const by = of.olderPrefix
      ? imports.value('editsBySpelling', 'src/controllers/shared/definition')
      : imports.value('editsByKey', 'src/contract/annotation-catalogue');
    return `${by}(${entries}, {\n${rows.join('\n')}\n  })`;
  }

  private fields(fields: Readonly<Record<string, string | Change>>): string {
    const rows = Object.entries(fields).map(([field, change]) => {
      if (!(SERVICE_FIELDS as readonly string[]).includes(field)) {
        throw new Error(`${this.of.folder}: '${field}' is not a field of a Service that balancers are made of`);
      }
      return `    ${keyIn(field)}: ${this.ref(change)},`;
    });
    const base = this.of.serviceController ? [`    ...${this.imports.value('SERVICE_CONTROLLER_EDITS', FIELDS)},`] : [];
    return `{\n${[...base, ...rows].join('\n')}\n  }`;
  }

  /** A named change by its name, and another one in its place. */
  private ref(change: string | Change, near?: Where): string {
    const found = changeOf(change, this.of);
    return typeof change === 'string' ? nameOf(change) : this.change(found, near);
  }

  /** @param near where the annotation was read, whose repository files are of */
  private change({ source, unless, ...effect }: Change, near?: Where): string {
    return object({
      ...this.effect(effect),
      ...this.sourceMembers(source, near),
      unless: unless && `[${unless.map((one) => this.case(one)).join(', ')}]`,
    });
  }

  private sourceMembers(source: Where | undefined, near: Where | undefined) {
    if (source === undefined) {
      return {};
    }
    const [found, base] = [citationOf(source, this.of), citationOf(near, this.of)];
    const isNear = found.repository === base.repository && found.version === base.version;
    return isNear ? { file: literal(found.file) } : { source: this.source(source) };
  }

  private effect(effect: Effect): Record<string, string> {
    const words = Object.keys(effect).filter((word) => word !== 'remedy' && word !== 'staysAsMade');
    const wrong = words.filter((word) => !(EFFECTS as readonly string[]).includes(word));
    if (wrong.length > 0 || words.length > 1) {
      throw new Error(`${this.of.folder}: '${words.join(', ')}' is not an outcome; use one of ${EFFECTS.join(', ')}`);
    }
    return Object.fromEntries(Object.entries(effect).map(([name, value]) => [name, literal(value)]));
  }

  private case(one: Case): string {
    if (typeof one === 'string') {
      return literal(one);
    }
    const members = Object.entries(one).map(([name, value]): [string, string] => [
      name,
      PREDICATES.includes(name) && value !== true ? this.predicate(String(value)) : literal(value),
    ]);
    return object(Object.fromEntries(members));
  }

  /** A predicate of all controllers, or one of the folder. */
  private predicate(name: string): string {
    if (name === 'limitedByRanges') {
      return this.imports.value(name, EDIT);
    }
    exportOf(this.of, 'predicates', name);
    return this.imports.value(name, `${folderOf(this.of)}/predicates`);
  }
}

/** Conditions that take a predicate. */
const PREDICATES: readonly string[] = [
  ...['change', 'changeOfService', 'services', 'newService', 'asks', 'has'],
  ...['noNodePort', 'nothingLimits', 'annotationsLimit'],
];

const EFFECTS = ['stays', 'ignored', ...OUTCOMES] as const;

const nameOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
