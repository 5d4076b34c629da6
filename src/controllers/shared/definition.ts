import { type AnnotationCatalogue, type AnyAnnotation, editsByKey } from '../../contract/annotation-catalogue';
import type { Edit, EditsOf } from '../../contract/edit';
import type { Json } from '../../contract/json';
import { labelKeyFault } from '../../contract/kubernetes-syntax';
import type { Claim, ControllerDefinition, DefinedController } from '../../rules/controller-definition';
import { classOf } from '../../rules/service-json';

export function defineController(define: () => ControllerDefinition): DefinedController {
  let made: ControllerDefinition | undefined;
  return {
    get definition() {
      made ??= define();
      return made;
    },
  };
}

/** Claim of the service controller of Kubernetes, and with it most cloud providers: it takes Services without a class. */
export function claimsWithoutClass(service: Json): Claim {
  const loadBalancerClass = classOf(service);
  return loadBalancerClass === undefined
    ? { claimed: 'yes', because: 'the Service has no class' }
    : { claimed: 'no', because: `it serves Services without a class only, and this one has '${loadBalancerClass}'` };
}

/** Claim of a controller that serves the class that it was installed with, or Services without a class where that is none. */
export function claimsClass(service: Json, installed: string | undefined): Claim {
  const wanted = classOf(service);
  if (installed === undefined) {
    return claimsWithoutClass(service);
  }
  return wanted === installed
    ? { claimed: 'yes', because: `it was installed with class '${installed}'` }
    : {
        claimed: 'no',
        because: `it was installed with class '${installed}', and this Service has ${wanted === undefined ? 'none' : `'${wanted}'`}`,
      };
}

/**
 * The annotations that the options of a controller write, by the catalogue. Options that the catalogue does not know
 * are for the controller itself, as are those of parametrised annotations. The option `loadBalancerClass` must be a class
 * that a Service can have.
 *
 * @throws on the first value that the controller would not read, naming the option and the remedy
 */
export function encodeOptions(name: string, catalogue: AnnotationCatalogue, options: object): Record<string, string> {
  const annotations: Record<string, string> = {};
  const { loadBalancerClass } = options as { loadBalancerClass?: string };
  const classFault = loadBalancerClass === undefined ? undefined : labelKeyFault(loadBalancerClass);
  if (classFault) {
    throw new Error(`${name}: option loadBalancerClass: ${classFault}; use the class that it was installed with`);
  }
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

export function editsBySpelling<Entries extends Readonly<Record<string, Readonly<Record<string, AnyAnnotation>>>>>(
  entries: Entries,
  edits: EditsOf<Entries>,
): Map<string, Edit> {
  return new Map(
    Object.entries(entries).flatMap(([name, spellings]) =>
      Object.values(spellings).flatMap((entry) => [...editsByKey({ [name]: entry }, { [name]: edits[name] })]),
    ),
  );
}
