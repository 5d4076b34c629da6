import { isMap, type Json, printable, shown } from '../../contract/json';
import type { YamlPath, YamlValue } from '../../contract/kubernetes-yaml';
import { nearest } from '../../contract/rule';
import { type Misfit, misfitsIn, SchemaFault, type SchemaRelease } from '../../contract/schema/walk';
import type { UnreadableDocument } from '../check-report';
import type { ContextField, ContextFields } from './check-context';
import { VERSION_SYNTAX } from './context-fields.facts';

const NO_RELEASE: SchemaRelease = { product: '', version: '', readFrom: '', oldApi: false, has: () => true };

export function brief(value: unknown): string {
  const text = shown(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 60;

/** A field as messages call it: `accepted[0].rule`. */
export function called(path: YamlPath): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return printable(text.replace(/^\./, ''));
}

export function writeOne(name: string, names: readonly string[], otherwise: string): string {
  const alike = nearest(name, names);
  const low = name.toLowerCase();
  const parts = names.filter((known) => low.length > 2 && (known.toLowerCase().includes(low) || low.includes(known)));
  const meant = alike === undefined ? parts : [alike];
  return meant.length > 0 ? `write ${meant.join(' or ')}` : otherwise;
}

export class Mistakes {
  public readonly found: UnreadableDocument[] = [];
  private readonly lines: readonly string[];

  public constructor(
    private readonly file: string,
    text: string,
    private readonly yaml: YamlValue,
  ) {
    this.lines = text.split(/\r\n|\r|\n/);
  }

  public add(path: YamlPath, what: string, remedy: string): void {
    this.found.push({ place: this.placeOf(path), what, remedy });
  }

  public placeOf(path: YamlPath) {
    return { file: this.file, ...this.yaml.source.placeOf(path) };
  }

  /** Adds the message of what threw: what is wrong, and what to do after the last semicolon. */
  public addThrown(path: YamlPath, error: unknown, remedy: string): void {
    const [first] = (error as Error).message.split('\n');
    const text = printable(first.replace(/^[A-Za-z][\w .-]*: /, '').replace(/ \([a-z-]+\)$/, ''));
    const end = text.lastIndexOf('; ');
    this.add(path, end < 0 ? text : text.slice(0, end), end < 0 ? remedy : text.slice(end + 2));
  }

  /** Holds a map against its fields; what is no map is a mistake itself. */
  public check(map: unknown, fields: ContextFields, path: YamlPath): map is Json {
    if (!isMap(map)) {
      const keys = Object.keys(fields).join(', ');
      this.add(
        path,
        `${called(path) || 'the file'} is ${kindOf(map)}, and not a map`,
        `write keys with values: ${keys}`,
      );
      return false;
    }
    const before = this.found.length;
    for (const [key, value] of Object.entries(map)) {
      if (value === null && Object.hasOwn(fields, key)) {
        this.add(
          [...path, key],
          `${called([...path, key])} is empty`,
          `write ${exampleOf(key, fields[key])}${fields[key].required ? '' : ', or leave it out'}`,
        );
      }
    }
    for (const misfit of misfitsIn({ map, fields, where: called(path), at: '', release: NO_RELEASE })) {
      const isEmpty = misfit.fault === SchemaFault.MISSING && map[misfit.name] === null;
      if (!isEmpty) {
        this.addMisfit(misfit, fields, path);
      }
    }
    return this.found.length === before;
  }

  /**
   * A version as it is written. YAML reads `1.30` as the number 1.3, which is another version.
   *
   * @returns nothing where it is a mistake
   */
  public version(value: unknown, field: ContextField, path: YamlPath): string | undefined {
    const name = called(path);
    if (typeof value === 'number') {
      const written = this.writtenAt(path);
      if (written !== String(value)) {
        const known = written !== undefined && VERSION_SYNTAX.test(written) ? `write '${written}'` : 'write it';
        this.add(path, `${name} is read as the number ${value}, which is another version`, `${known} in quotes`);
        return undefined;
      }
    }
    const text = String(value);
    if ((typeof value !== 'number' && typeof value !== 'string') || !VERSION_SYNTAX.test(text)) {
      this.add(path, `${name} is ${brief(value)}, which is not a version`, `write one such as ${field.example}`);
      return undefined;
    }
    return text;
  }

  private writtenAt(path: YamlPath): string | undefined {
    const { line, column } = this.yaml.source.placeOf(path);
    const rest = (this.lines[line - 1] ?? '').slice(column - 1);
    return /^(?:"[^"]*"|'[^']*'|[^\s:]+)\s*:\s+([^\s,#}\]]+)\s*(?:[,#}\]].*)?$/.exec(rest)?.[1];
  }

  private addMisfit(
    { fault, at, where, name, value, takes, siblings }: Misfit,
    fields: ContextFields,
    path: YamlPath,
  ): void {
    const steps = at.split('/').slice(1);
    const inside = [...path, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))];
    const field = Object.hasOwn(fields, steps[0]) ? fields[steps[0]] : undefined;
    const place = printable(where);
    const example = field ? exampleOf(name, field) : undefined;
    switch (fault) {
      case SchemaFault.UNKNOWN:
        this.add(inside, `${place} is unknown`, this.remedyOfUnknown(name, siblings));
        break;
      case SchemaFault.MISSING:
        this.add(inside.slice(0, -1), `${place} is missing`, `write ${example}`);
        break;
      case SchemaFault.VALUE:
        this.add(inside, `${place} is ${cut(value)}, which it does not take`, `write one of ${takes}`);
        break;
      default:
        this.add(inside, `${place} is ${cut(value)}, and not ${takes}`, `write ${steps.length > 1 ? takes : example}`);
    }
  }

  private remedyOfUnknown(name: string, siblings: readonly string[]): string {
    const known = siblings.length === 0 ? 'take it out' : `take it out; the keys here are ${siblings.join(', ')}`;
    return writeOne(name, siblings, known);
  }
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function exampleOf(name: string, { example }: ContextField): string {
  return `${printable(name)}: ${example}`;
}

export function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : isMap(value) ? 'a map' : brief(value);
}
