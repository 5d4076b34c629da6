import { docComment, headOf, Imports, quoted } from './code';
import { type DeclaredStruct, type DescribedController, folderOf, idOf, type Member, optionsOf } from './descriptor';
import { typeCode } from './value-types';

/** Types that members may name, by their files. */
const FILES: Readonly<Record<string, string>> = {
  Duration: 'cdk8s',
  HealthCheckProtocol: 'src/contract/options',
  KubernetesVersion: 'src/contract/kubernetes-version',
  LoadBalancerScheme: 'src/contract/options',
};

/** Enumerations and structs that users write. */
export interface Declarations extends Pick<DescribedController, 'folder' | 'enums' | 'structs' | 'types'> {
  readonly annotations?: DescribedController['annotations'];
}

/** The enumerations and option structs of a controller. */
export function optionsFile(of: DescribedController): string {
  return declarationsCode(of, folderOf(of), 'descriptor.yaml');
}

/** @param folder of the file that is generated; its source is read at `path` */
export function declarationsCode(of: Declarations, folder: string, path: string): string {
  const imports = new Imports(folder);
  const body = declarationsBody(of, imports);
  const head = /\bany\b.*;$/m.test(body) ? `${headOf(path)}\n${FREE_JSON}` : headOf(path);
  return `${`${head}\n${imports}`.trim()}\n\n${body}\n`;
}

export function declarationsBody(of: Declarations, imports: Imports): string {
  const enums = Object.entries(of.enums ?? {}).map(([name, { doc, see, values }]) => {
    const members = Object.entries(values).map(
      ([key, one]) => `${docComment(paragraphsOf(one.doc), '  ')}\n  ${key} = ${quoted(one.value)},`,
    );
    return [docComment(typeDoc(doc, see), ''), `export enum ${name} {`, ...members, '}'].join('\n');
  });
  const structs = Object.entries(of.structs ?? {}).map(([name, struct]) => structCode(name, struct, of, imports));
  return [...enums, ...structs].join('\n\n');
}

const FREE_JSON = '// biome-ignore-all lint/suspicious/noExplicitAny: fields of the vendor, of any version';

/** The members of a struct that write annotations. */
function writtenMembers(struct: string, of: DescribedController): [string, Member][] {
  const [first] = Object.keys(of.structs ?? {});
  return Object.entries(of.annotations).flatMap(([id, annotation]) =>
    optionsOf(annotation)
      .filter((option) => (option.struct ?? first) === struct)
      .map((option): [string, Member] => {
        // imports of the codec are those of another file
        const type = option.type ?? typeCode(annotation.type, of, new Imports('')).option;
        return [optionName(id, of), { default: annotation.default, ...option, type }];
      }),
  );
}

function structCode(name: string, struct: DeclaredStruct, of: Declarations, imports: Imports): string {
  const written = of.annotations === undefined ? [] : writtenMembers(name, of as DescribedController);
  const members = [...Object.entries(struct.members ?? {}), ...written].map(
    ([key, { doc, default: absent, see, type = 'string', required }]) => {
      const tags = [
        ...(absent === undefined ? [] : [`@default ${defaultText(String(absent))}`]),
        ...(see === undefined ? [] : [`@see ${see}`]),
      ];
      importTypes(type, of, imports);
      return `${docComment([...paragraphsOf(doc), ...tags], '  ')}\n  readonly ${key}${required ? '' : '?'}: ${type};`;
    },
  );
  const base = struct.extends === undefined ? '' : ` extends ${struct.extends}`;
  if (base !== '') {
    importTypes(struct.extends ?? '', of, imports);
  }
  return [docComment(typeDoc(struct.doc, struct.see), ''), `export interface ${name}${base} {`, ...members, '}'].join(
    '\n',
  );
}

const typeDoc = (doc: string, see: string | undefined) => [
  ...paragraphsOf(doc),
  ...(see === undefined ? [] : ['', `@see ${see}`]),
];

/** Lines of a text are those of the YAML: a blank one between paragraphs. */
const paragraphsOf = (doc: string) => doc.trim().split('\n');

/** A value is written as code, and everything else as a text. */
const defaultText = (text: string) =>
  /^(true|false|\d+|'[^']*'|[A-Z]\w*\.\w+(\([^)]*\))?)( - .*)?$/.test(text) ? text : `- ${text}`;

/** The option that writes an annotation is called as the annotation, unless it has a name of its own. */
export function optionName(key: string, of: DescribedController): string {
  const annotation = of.annotations[key];
  const [{ name } = { name: undefined }] = optionsOf(annotation);
  return name ?? idOf(key, annotation);
}

function importTypes(type: string, of: Declarations, imports: Imports): void {
  for (const [name] of type.matchAll(/\b[A-Z]\w+/g)) {
    if (of.enums?.[name] || of.structs?.[name]) {
      continue;
    }
    const file = FILES[name] ?? of.types?.[name];
    if (file === undefined) {
      throw new Error(`${of.folder}: no type is called '${name}'; add it to enums, structs or types`);
    }
    imports.type(name, file);
  }
}
