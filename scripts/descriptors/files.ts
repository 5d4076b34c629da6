import { annotationsFile } from './annotations-file';
import { citedFile } from './cited-file';
import { classFile } from './class-file';
import { type DescribedController, descriptors, folderOf } from './descriptor';
import { descriptorFile } from './descriptor-file';
import { factsFiles } from './facts-file';
import { operatorsFile } from './operators-file';
import { optionsFile } from './options-file';
import { vendorsFiles } from './vendors-files';

/** What is generated from all descriptors and tables, by path. */
export function descriptorFiles(): Map<string, string> {
  return new Map([
    ...descriptors().flatMap((of) => [...filesOf(of)]),
    ...vendorsFiles(),
    operatorsFile(),
    citedFile(),
    ...factsFiles(),
  ]);
}

/** What is generated from one descriptor. @throws if a name in it means nothing */
export function filesOf(of: DescribedController): Map<string, string> {
  return new Map([
    ...(of.structs || of.enums ? [[`${folderOf(of)}/options.ts`, optionsFile(of)] as const] : []),
    ...(of.class ? [[`${folderOf(of)}/controller.ts`, classFile(of, of.class)] as const] : []),
    [`${folderOf(of)}/annotations.ts`, annotationsFile(of)],
    [`${folderOf(of)}/descriptor.facts.ts`, descriptorFile(of)],
  ]);
}
