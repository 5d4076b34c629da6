import type { Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { lifecycle } from './harness/lifecycle';
import { type ManifestFile, manifestFiles, movedTo, namespacesOf } from './harness/manifests';
import { addNode } from './harness/nodes';
import { count } from './harness/report';
import {
  AWS_LOAD_BALANCER_CONTROLLER,
  EKS_AUTO_MODE,
  GKE,
  LEFT_TO_OTHERS,
  METALLB,
  SERVICE_CONTROLLER,
} from './models/owners';
import { type Platform, platformOf } from './models/platforms';

// Every Service that the library writes finds its owner, and leaves nothing behind when it goes. A finalizer or a class with a
// mistake in it does not: this is where it shows, since the API server takes both.

const files = manifestFiles().filter(({ objects }) => objects.some((object) => object.kind === 'Service'));
const on = (cluster: Platform['cluster']) => files.filter(({ name }) => platformOf(name).cluster === cluster);

/** Nobody in these clusters needs longer, unless nobody does it. */
const IMPATIENT = 4;

describe.each(['cloud', 'bare metal'] as const)('on %s', (cluster) => {
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    await addNode(plane.api, 'node-a');
    if (cluster === 'cloud') {
      await plane.startCloud(LEFT_TO_OTHERS);
      await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER, EKS_AUTO_MODE, ...GKE]);
    } else {
      await plane.startOwners([METALLB]);
    }
  });

  afterAll(() => plane?.stop());

  async function lived(namespace: string, { name, objects }: ManifestFile, seconds?: number): Promise<string[]> {
    const moved = movedTo(namespace, objects);
    for (const wanted of namespacesOf(moved.filter((object) => object.kind === 'Service'))) {
      await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: wanted } });
    }
    return lifecycle(plane, moved, { owner: platformOf(name).owner, seconds });
  }

  test('each finds its owner and leaves nothing behind', async () => {
    const results = await Promise.all(on(cluster).map((file) => lived(`lives-${file.name}`, file)));
    expect(Object.fromEntries(on(cluster).map((file, index) => [file.name, results[index]]))).toEqual(
      Object.fromEntries(on(cluster).map((file) => [file.name, []])),
    );
    for (const file of on(cluster)) {
      const real = platformOf(file.name).owner === SERVICE_CONTROLLER;
      count(`lives from creation to deletion with ${real ? 'the real service controller' : 'a model of the owner'}`);
    }
  });

  test('a mistake in any finalizer leaves an object that hangs', async () => {
    const results = await Promise.all(
      on(cluster).map((file) => lived(`finalizer-${file.name}`, spoilt(file, spoilFinalizers), IMPATIENT)),
    );
    for (const problems of results) {
      expect(problems).toContainEqual(expect.stringContaining('hangs in Terminating'));
    }
  });

  test('a mistake in any class leaves a Service without a balancer', async () => {
    const results = await Promise.all(
      on(cluster).map((file) => lived(`class-${file.name}`, spoilt(file, spoilClass), IMPATIENT)),
    );
    for (const problems of results) {
      expect(problems).toContain('nobody made a balancer');
    }
  });
});

function spoilt({ name, objects }: ManifestFile, spoil: (service: Ref) => Ref): ManifestFile {
  return { name, objects: objects.map((object) => (object.kind === 'Service' ? spoil(object) : object)) };
}

function spoilFinalizers(service: Ref): Ref {
  const finalizers = (service.metadata.finalizers as string[] | undefined)?.map((each) => `${each}s`);
  return { ...service, metadata: { ...service.metadata, finalizers: finalizers ?? ['example.com/nobodys'] } };
}

function spoilClass(service: Ref): Ref {
  const { loadBalancerClass = 'example.com/nobody' } = service.spec;
  return { ...service, spec: { ...service.spec, loadBalancerClass: `${loadBalancerClass}s` } };
}
