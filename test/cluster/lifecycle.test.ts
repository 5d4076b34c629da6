import type { Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode, type ManifestFile, manifestFiles, movedTo, namespacesOf } from '../real/objects';
import { count } from '../real/program';
import { declarationFaults, lifecycle } from '../real/story';
import {
  AWS_LOAD_BALANCER_CONTROLLER,
  AWS_RESOURCES,
  CILIUM,
  EKS_AUTO_MODE,
  GKE,
  KEP_980,
  KUBE_VIP,
  LEFT_TO_OTHERS,
  METALLB,
  type Platform,
  platformOf,
  SERVICE_CONTROLLER,
} from './models/owners';

// Every Service that the library writes finds its owner, and leaves nothing behind when it goes. A finalizer or a class with a
// mistake in it does not: this is where it shows, since the API server takes both.

const files = manifestFiles().filter(({ objects }) => objects.some((object) => object.kind === 'Service'));
const on = (cluster: Platform['cluster']) => files.filter(({ name }) => platformOf(name).cluster === cluster);

const withFinalizers =
  (change: (finalizers: string[]) => string[]) =>
  (service: Ref): Ref => ({
    ...service,
    metadata: { ...service.metadata, finalizers: change([...(service.metadata.finalizers ?? [])]) },
  });

/** Mistakes that the API server takes, and that a cluster with every controller in it repairs in silence. */
const FINALIZER_MISTAKES: Record<string, (service: Ref) => Ref> = {
  'a misspelt finalizer': withFinalizers((all) =>
    all.length > 0 ? all.map((each) => `${each}s`) : ['example.com/nobodys'],
  ),
  "another controller's finalizer": withFinalizers((all) => (all.includes(KEP_980) ? [AWS_RESOURCES] : [KEP_980])),
  'one finalizer too many': withFinalizers((all) => [...all, EKS_AUTO_MODE.finalizer as string]),
  'a finalizer left out': (service) => (service.metadata.finalizers ? withFinalizers(() => [])(service) : service),
};

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
      await plane.startOwners([METALLB, CILIUM, KUBE_VIP]);
    }
  });

  afterAll(() => plane?.stop());

  async function lived(namespace: string, { name, objects }: ManifestFile, seconds?: number): Promise<string[]> {
    const moved = movedTo(namespace, objects);
    for (const wanted of namespacesOf(moved.filter((object) => object.kind === 'Service'))) {
      await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: wanted } });
    }
    const { owner, declared } = platformOf(name);
    return lifecycle(plane, moved, { owner, declared, seconds });
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

  test('a misspelt finalizer leaves an object that hangs', async () => {
    const files = on(cluster);
    const spoil = FINALIZER_MISTAKES['a misspelt finalizer'];
    const results = await Promise.all(
      files.map((file) => lived(`hangs-${file.name}`, changed(file, spoil), IMPATIENT)),
    );
    expect(results).not.toEqual([]);
    for (const problems of results) {
      expect(problems).toContainEqual(expect.stringContaining('hangs in Terminating'));
    }
  });

  test('a mistake in any class leaves a Service without a balancer', async () => {
    const results = await Promise.all(
      on(cluster).map((file) => lived(`class-${file.name}`, changed(file, spoilClass), IMPATIENT)),
    );
    expect(results).not.toEqual([]);
    for (const problems of results) {
      expect(problems).toContain('nobody made a balancer');
    }
    count('mistakes in classes found', results.length);
  });
});

test.each(Object.keys(FINALIZER_MISTAKES))('%s is found in any of them', (mistake) => {
  const services = files.flatMap(({ name, objects }) =>
    objects.filter(({ kind }) => kind === 'Service').map((service) => [service, platformOf(name)] as const),
  );
  const spoilt = services
    .map(([service, platform]) => [service, FINALIZER_MISTAKES[mistake](service), platform] as const)
    .filter(([service, other]) => service !== other);
  expect(spoilt).not.toEqual([]);
  for (const [service, other, platform] of spoilt) {
    expect(declarationFaults(service, platform)).toEqual([]);
    expect(declarationFaults(other, platform)).toHaveLength(1);
  }
  count('mistakes in finalizers found', spoilt.length);
});

function changed({ name, objects }: ManifestFile, change: (service: Ref) => Ref): ManifestFile {
  return { name, objects: objects.map((object) => (object.kind === 'Service' ? change(object) : object)) };
}

function spoilClass(service: Ref): Ref {
  const { loadBalancerClass = 'example.com/nobody' } = service.spec;
  return { ...service, spec: { ...service.spec, loadBalancerClass: `${loadBalancerClass}s` } };
}
