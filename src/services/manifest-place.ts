import { readFileSync } from 'node:fs';
import { isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Json } from '../contract/json';

/** Where something stands in a manifest, key by key. */
export type ManifestPath = readonly (string | number)[];

/** A manifest as its user finds it: the lines of its file, and how something is taken out of one of somebody else. */
export class ManifestPlace {
  private lines?: (path: ManifestPath) => number | undefined;
  private readonly text?: string;

  /**
   * @param service the Service as it was read
   * @param file the local file that it was read from
   * @throws when the file cannot be read
   */
  public constructor(
    private readonly service: Json,
    private readonly file?: string,
  ) {
    this.text = file === undefined ? undefined : textOf(file);
  }

  /** ` (echo.yaml:12)`; nothing where no file is known. */
  public at(path: ManifestPath): string {
    if (this.file === undefined) {
      return '';
    }
    this.lines ??= linesOf(this.text ?? '', this.service);
    const line = this.lines(path);
    return ` (${this.file}${line === undefined ? '' : `:${line}`})`;
  }

  /** The advice to take something out. */
  public without(path: ManifestPath): string {
    const pointer = path.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
    return `take it out of the manifest, or where that is somebody else's, patch the object in include.apiObjects with JsonPatch.remove('${pointer}')`;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(
      `manifestFile '${file}' cannot be read (${(error as NodeJS.ErrnoException).code}); pass the path of a local file, which counts from the working directory ${process.cwd()}`,
    );
  }
}

/** The lines of one Service among the documents of a text. */
function linesOf(text: string, service: Json): (path: ManifestPath) => number | undefined {
  const lines = new LineCounter();
  const { name, namespace } = service.metadata ?? {};
  const document = parseAllDocuments(text, { version: '1.1', lineCounter: lines, logLevel: 'silent' }).find(
    (one) =>
      one.get('kind') === 'Service' &&
      one.getIn(['metadata', 'name']) === name &&
      [undefined, namespace].includes(one.getIn(['metadata', 'namespace']) as string | undefined),
  );
  return (path) => {
    const parent = document?.getIn(path.slice(0, -1), true);
    const last = path[path.length - 1];
    const node = isMap(parent)
      ? parent.items.find(({ key }) => String(key) === String(last))?.key
      : isSeq(parent)
        ? parent.items[Number(last)]
        : undefined;
    const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
    return range === undefined ? undefined : lines.linePos(range[0]).line;
  };
}
