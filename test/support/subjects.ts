import { inspect } from 'node:util';
import { AnnotatedController, type ILoadBalancerController, type ISharingLoadBalancerController } from '../../src';
import * as controllers from '../../src/controllers';
import { type ControllerDefinition, kindsIn } from '../../src/rules/controller-definition';
import { caseTables } from './cases';

/** A controller with some options, on which laws are tried. */
export interface Subject {
  /** Where it comes from, for the message of a law that is broken. */
  readonly title: string;
  readonly kind: ControllerDefinition;
  readonly controller: ILoadBalancerController;
  /** Keys of annotations that the subject adds to those of its kind. */
  readonly adds: readonly string[];
  /** Rules that the value of a wish may break although the plan honours its word. */
  readonly wishesMayBreak: readonly string[];
}

/** The kinds of controller that the package exports. */
export const kinds: readonly ControllerDefinition[] = kindsIn(controllers);

const NOTE = 'example.com/note';
const SHARING_KEY = '10.0.0.9';

/** Every controller that the case table of a kind builds, the installed one, and what wraps or shares that. */
export function subjectsOf(kind: ControllerDefinition): Subject[] {
  const installed = kind.installed();
  const noted = AnnotatedController.of(installed, { [NOTE]: 'a note' });
  const wishesMayBreak = caseTables.find(([, cases]) => cases.kind === kind)?.[1].wishesMayBreak ?? [];
  const subjects: Subject[] = [
    { title: 'installed', kind, controller: installed, adds: [], wishesMayBreak },
    { title: 'with an annotation of the user', kind, controller: noted, adds: [NOTE], wishesMayBreak },
  ];
  if ('shared' in installed) {
    const controller = (installed as ISharingLoadBalancerController).shared(SHARING_KEY);
    subjects.push({ title: 'shared', kind, controller, adds: [], wishesMayBreak });
  }
  for (const [file, { kind: its, requests }] of caseTables) {
    if (its === kind) {
      subjects.push(
        ...requests.map(({ title, controller }) => ({
          title: `of ${file}: ${title}`,
          kind,
          controller: controller(),
          adds: [],
          wishesMayBreak,
        })),
      );
    }
  }
  const seen = new Set<string>();
  return subjects.filter((subject) => !seen.has(identity(subject)) && seen.add(identity(subject)));
}

/** Controllers of the same options answer alike: one of them is enough. */
function identity({ controller }: Subject): string {
  return inspect(controller, { depth: 6, showHidden: true });
}
