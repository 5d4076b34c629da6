/** A value of a JSON text, and where it stands. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface JsonPlace {
  /** The line, from 1 on. */
  readonly line: number;
}

export interface JsonObject extends JsonPlace {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, JsonNode>;
}

interface JsonArray extends JsonPlace {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

interface JsonScalar extends JsonPlace {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** Why a text is no JSON, or says something twice. */
export class JsonTextError extends Error {
  public constructor(
    message: string,
    public readonly line: number,
    public readonly column: number,
    /** Whether it is JSON that says a key twice, of which `JSON.parse` keeps the last without a word. */
    public readonly isTwice = false,
  ) {
    super(message);
  }
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\]|\\[\s\S])*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What is nested deeper than this was not meant. */
const DEEPEST = 100;

/** Reads JSON; unlike `JSON.parse` it knows the lines, and takes no key twice. */
export function readJson(text: string): JsonNode {
  return new JsonReader(text).read();
}

class JsonReader {
  private at = 0;
  private depth = 0;
  private line = 1;
  private counted = 0;

  public constructor(private readonly text: string) {}

  public read(): JsonNode {
    const node = this.value();
    if (this.peek() !== '') {
      this.fail('something follows the end');
    }
    return node;
  }

  private value(): JsonNode {
    const next = this.peek();
    const line = this.lineHere();
    if (next !== '{' && next !== '[') {
      return { kind: 'scalar', line, value: this.scalar() };
    }
    this.depth++;
    if (this.depth > DEEPEST) {
      this.fail('it is nested too deeply');
    }
    this.at++;
    const node: JsonNode =
      next === '{' ? { kind: 'object', line, members: this.members() } : { kind: 'array', line, items: this.items() };
    this.depth--;
    return node;
  }

  private members(): Map<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    this.each('}', () => {
      if (this.peek() !== '"') {
        this.fail('a key in double quotes is missing');
      }
      const start = this.at;
      const key = this.scalar() as string;
      const first = members.get(key);
      if (first) {
        this.at = start;
        this.fail(`${JSON.stringify(key)} stands in line ${first.line} already`, true);
      }
      this.expect(':');
      members.set(key, this.value());
    });
    return members;
  }

  private items(): JsonNode[] {
    const items: JsonNode[] = [];
    this.each(']', () => {
      items.push(this.value());
    });
    return items;
  }

  /** What stands between commas, up to the end. */
  private each(end: string, one: () => void): void {
    if (this.peek() !== end) {
      one();
      while (this.peek() === ',') {
        this.at++;
        one();
      }
    }
    this.expect(end);
  }

  private scalar(): string | number | boolean | null {
    SCALAR.lastIndex = this.at;
    const [found] = SCALAR.exec(this.text) ?? [];
    if (found === undefined) {
      this.fail(this.peek() === '' ? 'it ends too early' : 'a value is missing, or no value of JSON');
    }
    const value = parsed(found);
    if (value === undefined) {
      this.fail('a text has a sign or an escape that JSON does not know');
    }
    this.at += found.length;
    return value;
  }

  private expect(sign: string): void {
    const found = this.peek();
    if (found !== sign) {
      this.fail(
        found === '' ? 'it ends too early' : `${JSON.stringify(sign)} is expected, not ${JSON.stringify(found)}`,
      );
    }
    this.at++;
  }

  /** The next sign that is no space; empty at the end. */
  private peek(): string {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
    return this.text.charAt(this.at);
  }

  private lineHere(): number {
    for (; this.counted < this.at; this.counted++) {
      this.line += this.text[this.counted] === '\n' ? 1 : 0;
    }
    return this.line;
  }

  private fail(message: string, isTwice = false): never {
    const before = this.text.slice(0, this.at).split('\n');
    throw new JsonTextError(message, before.length, (before.at(-1)?.length ?? 0) + 1, isTwice);
  }
}

function parsed(scalar: string): string | number | boolean | null | undefined {
  try {
    return JSON.parse(scalar);
  } catch {
    return undefined;
  }
}
