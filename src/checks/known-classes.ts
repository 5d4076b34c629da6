import { editDistance } from '../contract/edit-distance';
import { registered } from '../controllers/shared/definition';
import { OTHER_CLASSES } from './explain/known-words.facts';

/** All classes that a controller serves as it is installed by default. */
export function knownClasses(): string[] {
  return [...registered().flatMap(({ classes }) => classes), ...OTHER_CLASSES.map(({ name }) => name)];
}

/** A known class that another one is a slip of the hand of. */
export function classLike(name: string): string | undefined {
  const all = knownClasses();
  if (all.includes(name)) {
    return undefined;
  }
  const near = all
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(2, Math.floor(known.length / 5)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.known ?? all.find((known) => known.endsWith(`/${name}`));
}
