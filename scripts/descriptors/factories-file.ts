import { parse } from 'yaml';
import { docComment, headOf, Imports } from './code';

interface Factory {
  readonly doc: string;
  /** The function that gets the row of the table, and then the parameters. */
  readonly call: string;
  /** Types by name; a struct may be left out. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What else the function gets, as code. */
  readonly more?: string;
}

interface FactoryClass {
  readonly doc: string;
  readonly returns: string;
  readonly table: string;
  readonly factories: Readonly<Record<string, Factory>>;
}

interface Factories {
  readonly imports: Readonly<Record<string, readonly string[]>>;
  readonly classes: Readonly<Record<string, FactoryClass>>;
}

/** Classes of static factories, each of which calls a function with the row of a table that has its name. */
export function factoriesFile(path: string, text: string): string {
  const { imports: names, classes } = parse(text) as Factories;
  const imports = new Imports(path.slice(0, path.lastIndexOf('/')));
  const body = Object.entries(classes).map(([name, { doc, factories, ...of }]) => {
    const members = Object.entries(factories).map(([factory, one]) => factoryCode(factory, one, of));
    const comment = docComment(doc.trim().split('\n'), '');
    return `${comment}\nexport class ${name} {\n${[...members, '  private constructor() {}'].join('\n\n')}\n}`;
  });
  const called = Object.values(classes).flatMap(({ table, factories }) => [
    table,
    ...Object.values(factories).map(({ call }) => call),
  ]);
  for (const [file, all] of Object.entries(names)) {
    for (const name of all) {
      called.includes(name) ? imports.value(name, file) : imports.type(name, file);
    }
  }
  return `${headOf(path)}\n${imports}\n\n${body.join('\n\n')}\n`;
}

function factoryCode(
  name: string,
  { doc, call, parameters = {}, more }: Factory,
  { returns, table }: Pick<FactoryClass, 'returns' | 'table'>,
): string {
  const declared = Object.entries(parameters).map(([key, type]) =>
    type === 'string' ? `${key}: ${type}` : `${key}: ${type} = {}`,
  );
  const passed = [`${table}.${name}`, ...Object.keys(parameters), ...(more === undefined ? [] : [more])];
  return `${docComment(doc.trim().split('\n'), '  ')}
  public static ${name}(${declared.join(', ')}): ${returns} {
    return ${call}(${passed.join(', ')});
  }`;
}
