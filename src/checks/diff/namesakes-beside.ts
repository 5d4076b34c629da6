import { grouped } from '../../contract/grouped';
import { printable } from '../../contract/printable';
import { EDITED_KAFKA } from '../../kafka/edits/kafka-edits';
import { editedKinds, editedKindsOf } from '../../later/edited-kinds';
import { titleOf } from '../../later/later';
import { knownKinds } from '../../rules/controller-definition';
import type { Manifest } from '../../rules/manifest-objects';
import type { Decider } from './doubts';

/**
 * Objects of which balancers are made or on which they hang, that others among the files have the name of, as several clusters in one
 * repository do: such objects are looked up by their names.
 */
export function namesakesAmong(
  manifests: readonly Manifest[],
  others: readonly Manifest[],
  makers: ReadonlySet<Manifest>,
): Decider[] {
  // those that are told by their files are compared one by one
  const kinds = editedKinds(knownKinds().filter(({ reachedByEdit }) => !reachedByEdit)).filter(
    ({ group }) => group !== EDITED_KAFKA.group,
  );
  const [own, beside] = [manifests, others].map((all) =>
    grouped(
      all.filter(({ object }) => editedKindsOf(object, kinds).length > 0),
      ({ object }) => `${object.kind} ${titleOf(object)}`,
    ),
  );
  return [...own].flatMap(([title, all]) =>
    Math.max(all.length, beside.get(title)?.length ?? 0) < 2
      ? []
      : all
          .filter((manifest) => !makers.has(manifest))
          .map(
            (manifest): Decider => ({
              manifest,
              decides: { spec: manifest.object.spec },
              title: printable(`${title}, one of several`),
              why: 'objects of several clusters have its name, and are not told from each other',
              needs: 'a run for the folder of each cluster alone',
            }),
          ),
  );
}
