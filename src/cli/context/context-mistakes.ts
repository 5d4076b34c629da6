import { isDay, isMap, isSet, type Json, printable, shown } from '../../contract/json';
import type { YamlPath, YamlValue } from '../../contract/kubernetes-yaml';
import { nearest } from '../../contract/rule';
import { type Misfit, misfitsIn, SchemaFault, type SchemaRelease, Shape } from '../../contract/schema/walk';
import { isRule, ruleLike } from '../../rules/rule-set';
import type { UnreadableDocument } from '../check-report';
import type { ContextField, ContextFields } from './check-context';
import { joinWords } from './context-controllers';
import { ACCEPTED_FIELDS, BUDGET_FIELDS, SOURCE_FIELDS, VERSION_SYNTAX } from './context-fields.facts';

const NO_RELEASE: SchemaRelease = { product: '', version: '', readFrom: '', oldApi: false, has: () => true };

const LONGEST = 60;

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

export function truncated(value: unknown): string {
  return cut(shown(value));
}

/** A field as messages call it: `accepted[0].rule`. */
export function fieldPath(path: YamlPath): string {
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

export class ContextErrors {
  public readonly found: UnreadableDocument[] = [];
  private readonly lines: readonly string[];
  private readonly paths: YamlPath[] = [];
  private readonly wrong = new Set<unknown>();

  public constructor(
    private readonly file: string,
    text: string,
    private readonly yaml: YamlValue,
  ) {
    this.lines = text.split(/\r\n|\r|\n/);
  }

  public add(path: YamlPath, what: string, remedy: string): void {
    this.paths.push(path);
    this.found.push({ place: this.placeOf(path), what, remedy });
  }

  public placeOf(path: YamlPath) {
    return { file: this.file, ...this.yaml.source.placeOf(path) };
  }

  /** True if keys of a map are wrong, whatever is inside of them. */
  public isWrong(map: unknown): boolean {
    return this.wrong.has(map);
  }

  public isRight(path: YamlPath): boolean {
    return !this.paths.some((wrong) => path.every((step, i) => step === wrong[i]));
  }

  /** Adds the message of what threw: what is wrong, and what to do after the last semicolon. */
  public addThrown(path: YamlPath, error: unknown, remedy: string): void {
    const [first] = (error as Error).message.split('\n');
    const text = printable(first.replace(/^[A-Za-z][\w .-]*: /, '').replace(/ \([a-z-]+\)$/, ''));
    const end = text.lastIndexOf('; ');
    this.add(path, end < 0 ? text : text.slice(0, end), end < 0 ? remedy : text.slice(end + 2));
  }

  /** Holds a map against its fields; what is no map is a mistake itself. Maps in one with mistakes are not looked into. */
  public check(map: unknown, fields: ContextFields, path: YamlPath): map is Json {
    if (!isMap(map)) {
      const keys = Object.keys(fields).join(', ');
      const what = `${fieldPath(path) || 'the file'} is ${kindOf(map)}, and not a map`;
      this.add(path, what, `write keys with values: ${keys}`);
      return false;
    }
    const before = this.found.length;
    for (const [key, value] of Object.entries(map)) {
      if (value === null && Object.hasOwn(fields, key)) {
        const orNot = fields[key].required ? '' : ', or leave it out';
        const at = [...path, key];
        this.add(at, `${fieldPath(at)} is empty`, `write ${exampleOf(key, fields[key])}${orNot}`);
      }
    }
    for (const misfit of misfitsIn({ map, fields, where: fieldPath(path), at: '', release: NO_RELEASE })) {
      const isEmpty = misfit.fault === SchemaFault.MISSING && map[misfit.name] === null;
      if (!isEmpty) {
        this.addMisfit(misfit, fields, path);
      }
    }
    if (this.found.length === before) {
      CHECKS.get(fields)?.(map, path, this);
    } else {
      this.wrong.add(map);
    }
    if (this.found.length === before || path.length === 0) {
      for (const [key, field] of Object.entries(fields).filter(([one]) => isSet(map[one]))) {
        this.inside(map[key], field, [...path, key]);
      }
    }
    return this.found.length === before;
  }

  private inside(value: unknown, field: ContextField, path: YamlPath): void {
    const { isVersion, within, entries, amounts, shape } = field;
    const isOfShape = shape === Shape.FREE_LIST ? Array.isArray(value) : isMap(value);
    if (isVersion) {
      this.version(value, field, path);
    }
    if (within && isMap(value)) {
      this.check(value, within, path);
    }
    if (entries && isOfShape) {
      for (const [key, entry] of Object.entries(value as object)) {
        this.check(entry, entries, [...path, Array.isArray(value) ? Number(key) : key]);
      }
    }
    for (const [key, amount] of amounts && isMap(value) ? Object.entries(value) : []) {
      const at = [...path, key];
      if (!amounts?.test(key)) {
        this.add(at, `${fieldPath(at)} is not a currency in three capitals`, `write ${field.example}`);
      } else if (typeof amount !== 'number' || !(amount >= 0 && Number.isFinite(amount))) {
        this.add(at, `${fieldPath(at)} is ${kindOf(amount)}, and not a number of 0 or more`, `write ${field.example}`);
      }
    }
  }

  /** A version as it is written. YAML reads `1.30` as the number 1.3, which is another version. */
  private version(value: unknown, { example }: ContextField, path: YamlPath): void {
    const name = fieldPath(path);
    const written = typeof value === 'number' ? this.sourcePlaceOf(path) : undefined;
    if (typeof value === 'number' && written !== String(value)) {
      const known = written !== undefined && VERSION_SYNTAX.test(written) ? `write '${written}'` : 'write it';
      this.add(path, `${name} is read as the number ${value}, which is another version`, `${known} in quotes`);
    } else if ((typeof value !== 'number' && typeof value !== 'string') || !VERSION_SYNTAX.test(String(value))) {
      this.add(path, `${name} is ${truncated(value)}, which is not a version`, `write one such as ${example}`);
    }
  }

  private sourcePlaceOf(path: YamlPath): string | undefined {
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
    const known = siblings.length === 0 ? 'remove it' : `remove it; the keys here are ${siblings.join(', ')}`;
    return writeOne(name, siblings, known);
  }
}

function exampleOf(name: string, { example }: ContextField): string {
  return `${printable(name)}: ${example}`;
}

export function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : isMap(value) ? 'a map' : truncated(value);
}

const CHECKS: ReadonlyMap<ContextFields, (map: Json, path: YamlPath, mistakes: ContextErrors) => void> = new Map([
  [ACCEPTED_FIELDS, checkAccepted],
  [BUDGET_FIELDS, checkBudget],
  [SOURCE_FIELDS, checkSource],
]);

/** A finding is named by its rule, everywhere or at an object; a loss by its outcome, at one object alone. */
function checkAccepted({ rule, outcome, object, until }: Json, path: YamlPath, mistakes: ContextErrors): void {
  const name = fieldPath(path);
  if ((rule === undefined) === (outcome === undefined)) {
    const what = rule === undefined ? 'has neither rule nor outcome' : 'has both rule and outcome';
    mistakes.add(path, `${name} ${what}`, 'write the rule of a finding, or the outcome of a change');
  } else if (outcome !== undefined && object === undefined) {
    const { example } = ACCEPTED_FIELDS.object;
    mistakes.add(path, `${name} accepts an outcome and names no object`, `write object: ${example}`);
  } else {
    if (rule !== undefined && !isRule(rule)) {
      const like = ruleLike(rule);
      const remedy = like ? `write ${like}` : 'write the id of a finding';
      mistakes.add([...path, 'rule'], `rule ${truncated(rule)} is unknown`, remedy);
    }
    if (until !== undefined && !isDay(until)) {
      const what = `${name}.until is '${until}', a day that no calendar has`;
      mistakes.add([...path, 'until'], what, 'write another one');
    }
  }
}

export const LIMITS = ['maxMonthlyCost', 'maxQuotaPercent'];

function checkBudget(budget: Json, path: YamlPath, mistakes: ContextErrors): void {
  if (Object.keys(budget).length === 0) {
    mistakes.add(path, 'budget has no limit', `write ${LIMITS.join(' or ')}`);
  }
}

function checkSource(source: Json, path: YamlPath, mistakes: ContextErrors): void {
  const keys = Object.keys(source);
  if (keys.length !== 1) {
    const what = keys.length === 0 ? 'is empty' : `has ${joinWords(keys)}`;
    const remedy = `write one of ${Object.keys(SOURCE_FIELDS).join(', ')} in each entry`;
    mistakes.add(path, `${fieldPath(path)} ${what}`, remedy);
  }
}
