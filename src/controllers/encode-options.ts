import type { AnnotationCatalogue } from '../contract/annotation-catalogue';

/**
 * The annotations that the options of a controller write, by the catalogue. Options that the catalogue does not know
 * are for the controller itself, as are those of parametrised annotations.
 *
 * @throws on the first value that the controller would not read, naming the option and the way out
 */
export function encodeOptions(name: string, catalogue: AnnotationCatalogue, options: object): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const [option, value] of Object.entries(options)) {
    const entry = value === undefined || value === null ? undefined : catalogue.ofOption(option);
    if (entry && !entry.fact.key.includes('{')) {
      try {
        annotations[entry.key()] = entry.fact.codec.encode(value);
      } catch (error) {
        throw new Error(`${name}: option ${option}: ${(error as Error).message}; use ${entry.fact.codec.says}`);
      }
    }
  }
  return annotations;
}
