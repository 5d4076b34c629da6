import type { Checkout } from '../checkout';
import { nodesOf, partsOf, type SyntaxNode, treeOf } from './syntax';

/** A constant of Go, as far as it is text, a number or a truth. */
export interface GoConstant {
  readonly name: string;
  readonly value: string;
  readonly file: string;
  /** The name of its type, where it has one. */
  readonly type?: string;
}

/** Some files of Go, whose constants are looked up by name: in the same package, then in any. */
export class GoSource {
  private readonly constantsByName = new Map<string, GoConstant>();

  private constructor(
    private readonly trees: ReadonlyMap<string, SyntaxNode>,
    public readonly constants: readonly GoConstant[],
  ) {
    for (const constant of constants) {
      this.constantsByName.set(`${packageOf(constant.file)}.${constant.name}`, constant);
      this.constantsByName.set(constant.name, this.constantsByName.get(constant.name) ?? constant);
    }
  }

  /** Reads files; tests are left out. */
  public static async read(checkout: Checkout, files: readonly string[]): Promise<GoSource> {
    const trees = new Map<string, SyntaxNode>();
    for (const file of files.filter((each) => !each.endsWith('_test.go'))) {
      trees.set(file, await treeOf('go', file, checkout.text(file)));
    }
    return new GoSource(trees, constantsOf(trees));
  }

  /** The value of an expression; its text where it is none of a constant. */
  public valueOf(node: SyntaxNode, file: string): string {
    return evaluated(node, (name) => this.lookUp(name, file)) ?? node.text.replace(/\s+/g, ' ');
  }

  /** Calls by the name of what is called, the last part of it: `fs.StringVar` is `StringVar`. */
  public calls(name: RegExp): { readonly file: string; readonly name: string; readonly args: SyntaxNode[] }[] {
    return [...this.trees].flatMap(([file, root]) =>
      nodesOf(root, 'call_expression').flatMap((call) => {
        const [called = ''] = call.childForFieldName('function')?.text.split('.').slice(-1) ?? [];
        return name.test(called) ? [{ file, name: called, args: partsOf(call.childForFieldName('arguments')) }] : [];
      }),
    );
  }

  /** Entries `Key: value` of literals, by the text of the type of the literal. */
  public entries(type: RegExp): { readonly file: string; readonly key: SyntaxNode; readonly value: SyntaxNode }[] {
    return [...this.trees].flatMap(([file, root]) =>
      nodesOf(root, 'composite_literal')
        .filter((literal) => type.test(literal.childForFieldName('type')?.text ?? ''))
        .flatMap((literal) => partsOf(literal.childForFieldName('body')))
        .filter((entry) => entry.type === 'keyed_element')
        .map((entry) => ({ file, key: partsOf(entry)[0], value: partsOf(entry)[1] })),
    );
  }

  /** Variables of a package by name, with their value. */
  public variables(name: RegExp): { readonly file: string; readonly name: string; readonly value: SyntaxNode }[] {
    return [...this.trees].flatMap(([file, root]) =>
      nodesOf(root, 'var_spec').flatMap((spec) => {
        const found = spec.childForFieldName('name')?.text ?? '';
        const [value] = partsOf(spec.childForFieldName('value'));
        return name.test(found) && value ? [{ file, name: found, value }] : [];
      }),
    );
  }

  /** Fields of structs by what their tag says, or by their own name where no tag is asked for. */
  public taggedFields(
    struct: RegExp,
    tag?: RegExp,
  ): { readonly file: string; readonly name: string; readonly type: string }[] {
    return [...this.trees].flatMap(([file, root]) =>
      nodesOf(root, 'type_spec')
        .filter((spec) => struct.test(spec.childForFieldName('name')?.text ?? ''))
        .flatMap((spec) => nodesOf(spec, 'field_declaration'))
        .flatMap((field) => {
          const said = field.childForFieldName('tag')?.text ?? '';
          const key = tag ? tag.exec(said)?.[1] : field.childForFieldName('name')?.text;
          const type = field.childForFieldName('type');
          return key && type && type.type !== 'struct_type' ? [{ file, name: key, type: type.text }] : [];
        }),
    );
  }

  private lookUp(name: string, file: string): string | undefined {
    return (this.constantsByName.get(`${packageOf(file)}.${name}`) ?? this.constantsByName.get(name))?.value;
  }
}

/** Files of one folder are of one package. */
const packageOf = (file: string): string =>
  file
    .slice(0, Math.max(0, file.lastIndexOf('/')))
    .split('/')
    .pop() ?? '';

function constantsOf(trees: ReadonlyMap<string, SyntaxNode>): GoConstant[] {
  const found = new Map<string, GoConstant>();
  const declared = [...trees].flatMap(([file, root]) => nodesOf(root, 'const_spec').map((spec) => ({ file, spec })));
  // a constant may be made of one that is declared later
  for (let before = -1; found.size > before; ) {
    before = found.size;
    for (const { file, spec } of declared) {
      const [value] = partsOf(spec.childForFieldName('value'));
      const name = spec.childForFieldName('name')?.text ?? '';
      const id = `${packageOf(file)}.${name}`;
      if (value && !found.has(id)) {
        const lookUp = (other: string) => (found.get(`${packageOf(file)}.${other}`) ?? found.get(other))?.value;
        const text = evaluated(value, lookUp);
        if (text !== undefined) {
          found.set(id, { name, value: text, file, type: spec.childForFieldName('type')?.text });
        }
      }
    }
  }
  return [...found.values()];
}

function evaluated(node: SyntaxNode, lookUp: (name: string) => string | undefined): string | undefined {
  switch (node.type) {
    case 'interpreted_string_literal':
      return JSON.parse(node.text);
    case 'raw_string_literal':
      return node.text.slice(1, -1);
    case 'int_literal':
    case 'float_literal':
    case 'true':
    case 'false':
      return node.text;
    case 'identifier':
      return lookUp(node.text);
    case 'selector_expression':
      return lookUp(node.text) ?? lookUp(node.text.split('.').slice(-1)[0]);
    case 'literal_element':
    case 'parenthesized_expression':
      return evaluated(partsOf(node)[0], lookUp);
    case 'binary_expression':
      return summed(node, lookUp);
    default:
      return undefined;
  }
}

function summed(node: SyntaxNode, lookUp: (name: string) => string | undefined): string | undefined {
  const [left, right] = partsOf(node).map((part) => evaluated(part, lookUp));
  const isText = nodesOf(node, 'interpreted_string_literal', 'raw_string_literal', 'identifier').length > 0;
  return node.childForFieldName('operator')?.text === '+' && isText && left !== undefined && right !== undefined
    ? left + right
    : undefined;
}
