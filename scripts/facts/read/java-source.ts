import type { Checkout } from '../checkout';
import { nodesOf, partsOf, type SyntaxNode, treeOf } from './syntax';

/** A field of a class that is given a value where it is declared. */
export interface JavaField {
  readonly name: string;
  readonly type: string;
  readonly file: string;
  readonly value: SyntaxNode;
}

/** Some files of Java, whose constants are looked up by name. */
export class JavaSource {
  private readonly byName: ReadonlyMap<string, JavaField>;

  private constructor(public readonly fields: readonly JavaField[]) {
    this.byName = new Map(fields.map((field) => [field.name, field]));
  }

  public static async read(checkout: Checkout, files: readonly string[]): Promise<JavaSource> {
    const fields: JavaField[] = [];
    for (const file of files) {
      const root = await treeOf('java', file, checkout.text(file));
      fields.push(...nodesOf(root, 'field_declaration').flatMap((field) => fieldsOf(field, file)));
    }
    return new JavaSource(fields);
  }

  /** Fields whose value is `new Type(…)`, with its arguments. */
  public made(type: string): { readonly field: JavaField; readonly args: SyntaxNode[] }[] {
    return this.fields
      .filter(({ value }) => value.type === 'object_creation_expression')
      .filter(({ value }) => value.childForFieldName('type')?.text.replace(/<.*/s, '') === type)
      .map((field) => ({ field, args: partsOf(field.value.childForFieldName('arguments')) }));
  }

  /** The text that an expression stands for; nothing where it is not made of texts. */
  public textOf(node: SyntaxNode): string | undefined {
    switch (node.type) {
      case 'string_literal':
        return JSON.parse(node.text);
      case 'identifier':
        return this.constant(node.text);
      case 'field_access':
        return this.constant(node.text.split('.').slice(-1)[0]);
      case 'binary_expression': {
        const parts = partsOf(node).map((part) => this.textOf(part));
        return parts.includes(undefined) ? undefined : parts.join('');
      }
      default:
        return undefined;
    }
  }

  private constant(name: string): string | undefined {
    const field = this.byName.get(name);
    return field && this.textOf(field.value);
  }
}

function fieldsOf(field: SyntaxNode, file: string): JavaField[] {
  const type = field.childForFieldName('type')?.text ?? '';
  return partsOf(field)
    .filter((part) => part.type === 'variable_declarator')
    .flatMap((declared) => {
      const value = declared.childForFieldName('value');
      return value ? [{ name: declared.childForFieldName('name')?.text ?? '', type, file, value }] : [];
    });
}
