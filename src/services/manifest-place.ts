import { readFileSync } from 'node:fs';
import { isMap, type Json, mapIn } from '../contract/json';
import { itemsOf, readKubernetesYaml } from '../contract/kubernetes-yaml';

export type ManifestPath = readonly (string | number)[];

/** A manifest as its user finds it: the lines of its file, and how a field is removed from a third-party one. */
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

  public without(path: ManifestPath): string {
    const pointer = path.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
    return `remove it from the manifest, or where others own it, patch the object in include.apiObjects with JsonPatch.remove('${pointer}')`;
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

function linesOf(text: string, service: Json): (path: ManifestPath) => number | undefined {
  const { name, namespace } = service.metadata ?? {};
  const found = readKubernetesYaml(text)
    .values.flatMap(itemsOf)
    .find(({ value }) => {
      const metadata = mapIn(value, 'metadata');
      const isNear = [undefined, namespace].includes(metadata.namespace);
      return isMap(value) && value.kind === 'Service' && metadata.name === name && isNear;
    });
  return (path) => found?.source.placeOf(path).line;
}
