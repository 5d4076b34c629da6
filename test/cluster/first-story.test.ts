import { AwsLoadBalancerController, NlbTargetType } from '../../src';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { Cast, Story, sideBySide } from '../real/story';
import { ours } from './harness/strimzi';

import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES, KEP_980, LEFT_TO_OTHERS } from './models/owners';

import { deleteListener, type Listener, reconcile, StrimziWriter } from './models/strimzi';

// Strimzi against the AWS Load Balancer Controller. The service controller and the API server are real; the operator and the
// AWS controller are models, held to what the real ones did: finalizers after creation, after the next reconciliation and
// during deletion, and the balancers left of four (Strimzi 0.49.1 and 1.2.0, AWS Load Balancer Controller 3.5.0, seen together
// on one API server).

const CLASS: Listener = { loadBalancerClass: 'service.k8s.aws/nlb' };
const BY_ANNOTATION: Listener = {
  annotations: {
    'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
    'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'instance',
  },
};
const K = { finalizers: [KEP_980] };
const F = { finalizers: [AWS_RESOURCES] };

interface Row {
  readonly writer: StrimziWriter;
  readonly variant: string;
  readonly listener: Listener;
  readonly created: string;
  readonly reconciled: string;
  readonly left: number;
}

const { WHOLE_OBJECTS, SERVER_SIDE_APPLY } = StrimziWriter;
const row = (
  writer: StrimziWriter,
  variant: string,
  listener: Listener,
  created: string,
  reconciled: string,
  left: number,
): Row => ({ writer, variant, listener, created, reconciled, left });

const TABLE: Row[] = [
  row(WHOLE_OBJECTS, 'class, K declared', { ...CLASS, ...K }, '[K,F]', '[K]', 4),
  row(WHOLE_OBJECTS, 'class, nothing declared', CLASS, '[F]', '[]', 4),
  row(WHOLE_OBJECTS, 'class, F declared', { ...CLASS, ...F }, '[F]', '[F]', 0),
  row(WHOLE_OBJECTS, 'type external, nothing declared', BY_ANNOTATION, '[K,F]', '[]', 4),
  row(WHOLE_OBJECTS, 'type external, F declared', { ...BY_ANNOTATION, ...F }, '[K,F]', '[F]', 0),
  row(WHOLE_OBJECTS, 'type external, K declared', { ...BY_ANNOTATION, ...K }, '[K,F]', '[K]', 4),
  row(SERVER_SIDE_APPLY, 'class, K declared', { ...CLASS, ...K }, '[K,F]', '[K,F]', 0),
  row(SERVER_SIDE_APPLY, 'class, nothing declared', CLASS, '[F]', '[F]', 0),
  row(SERVER_SIDE_APPLY, 'class, F declared', { ...CLASS, ...F }, '[F]', '[F]', 0),
  row(SERVER_SIDE_APPLY, 'type external, nothing declared', BY_ANNOTATION, '[K,F]', '[K,F]', 0),
  row(SERVER_SIDE_APPLY, 'type external, F declared', { ...BY_ANNOTATION, ...F }, '[K,F]', '[K,F]', 0),
  row(SERVER_SIDE_APPLY, 'type external, K declared', { ...BY_ANNOTATION, ...K }, '[K,F]', '[K,F]', 0),
];

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
  await plane.startCloud(LEFT_TO_OTHERS);
  await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
});

afterAll(() => plane?.stop());

const tell = (title: string, why: string, act: (story: Story) => Promise<void>) =>
  Story.tell(plane, title, why, Cast.MODEL, act);

const orphans = (left: number) => (left > 0 ? `${left} orphans on the bill` : 'nothing is left');

/** Created, reconciled, deleted; the state in between is what the deletion waits for. */
async function live(story: Story, { writer, listener, created, reconciled, left }: Row): Promise<void> {
  await reconcile(plane.api, writer, story.namespace, listener);
  await story.see('created', created, 4);
  await reconcile(plane.api, writer, story.namespace, listener);
  await story.seeForLong('reconciled', reconciled, 4, reconciled === created ? 'kept' : 'stripped', 0.5);
  await deleteListener(plane.api, story.namespace);
  await story.see('deleted', 'gone', left, orphans(left));
}

test.each(TABLE.map((each) => [`Strimzi ${each.writer}, ${each.variant}`, each] as const))('%s', (title, each) =>
  tell(title, 'A listener of three brokers: four Services, four balancers.', (story) => live(story, each)),
);

test('the same listener as the library plans it', async () => {
  const planned = ours('any', 'any', AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }));
  const mistaken = row(WHOLE_OBJECTS, '', { ...CLASS, ...K }, '[K,F]', '[K]', 4);
  const right = { ...mistaken, listener: { ...CLASS, finalizers: planned.metadata.finalizers } };
  const told: string[][][] = [];
  const listen = (story: Story) => told.push(story.rows);
  await tell(
    'The wrong finalizer declared',
    'What the operator declares is not what the owner adds.',
    async (story) => {
      listen(story);
      await live(story, mistaken);
    },
  );
  await tell(
    'The finalizer of the plan declared',
    'What the operator declares is what the owner waits for.',
    async (story) => {
      listen(story);
      await live(story, { ...right, created: '[F]', reconciled: '[F]', left: 0 });
    },
  );
  process.stdout.write(`\n${sideBySide(['declared by hand: K', 'declared by the plan: F'], told)}\n`);
});

test('declaring the right one before the deletion', () =>
  tell('K changed to F before the deletion', 'The way out of the mistake.', async (story) => {
    await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, { ...CLASS, ...K });
    await story.see('created with K', '[K,F]', 4);
    await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, { ...CLASS, ...K });
    await story.see('reconciled', '[K]', 4);
    const before = plane.ledger.of(story.namespace);
    await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, { ...CLASS, ...F });
    await story.see('F declared instead', '[F]', 4, 'the same balancers');
    expect(plane.ledger.of(story.namespace)).toEqual(before);
    await deleteListener(plane.api, story.namespace);
    await story.see('deleted', 'gone', 0, orphans(0));
  }));

test('an edited annotation', () =>
  tell(
    'An annotation is edited',
    'It makes the AWS controller look, and put its finalizer back: until the next time.',
    async (story) => {
      const edited = { ...CLASS, annotations: { 'example.com/edited': 'yes' } };
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, CLASS);
      await story.see('created', '[F]', 4);
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, edited);
      await story.see('annotation edited', '[F]', 4, 'stripped and put back');
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, edited);
      await story.seeForLong('reconciled', '[]', 4, 'stripped again', 0.5);
      await deleteListener(plane.api, story.namespace);
      await story.see('deleted', 'gone', 4, orphans(4));
    },
  ));

test('orphans adopted again', () =>
  tell(
    'Orphans, then the same Kafka again with F',
    'A balancer is known by the name of its Service.',
    async (story) => {
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, CLASS);
      await story.see('created', '[F]', 4);
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, CLASS);
      await story.see('reconciled', '[]', 4);
      await deleteListener(plane.api, story.namespace);
      await story.see('deleted', 'gone', 4, orphans(4));
      await reconcile(plane.api, WHOLE_OBJECTS, story.namespace, { ...CLASS, ...F });
      await story.see('created again with F', '[F]', 4, 'adopts the same four');
      await deleteListener(plane.api, story.namespace);
      await story.see('deleted', 'gone', 0, orphans(0));
    },
  ));
