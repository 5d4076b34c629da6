import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Api, ApiRefusal, type Body, type Ref } from '../harness/api';
import type { ControlPlane } from '../harness/control-plane';
import { AWS_RESOURCES, KEP_980 } from './finalizers';

type Write = (one: Ref) => Promise<unknown>;

let files = 0;

/**
 * One reconciliation of an operator by how it writes: with its own manifest, and without the finalizers, and the class, that this does not
 * have. Those who apply set the finalizers first.
 */
export function operatorWrites(
  plane: ControlPlane,
  operator: Api,
  user: string,
  finalizers = [AWS_RESOURCES, KEP_980],
): Readonly<Record<string, Write>> {
  const kubectl = async (verb: 'apply' | 'replace', object: Ref): Promise<void> => {
    const file = join(plane.folder, `${++files}.json`);
    writeFileSync(file, JSON.stringify(object));
    const args = ['kubectl', '--kubeconfig', plane.kubeconfig, '--as', user, verb, '-f', file];
    await promisify(execFile)(process.env.CONTROL_PLANE ?? '', args, { timeout: 60_000 }).catch((error) => {
      throw new ApiRefusal(0, 'kubectl', String(error.stderr));
    });
  };
  const patch = ({ metadata: { namespace, name } }: Ref, body: unknown, type: string) =>
    operator.call('PATCH', `/api/v1/namespaces/${namespace}/services/${name}`, body, `application/${type}+json`);
  const declared = (one: Ref): Ref => ({ ...one, metadata: { ...one.metadata, finalizers } });
  const bare = ({ metadata: { labels }, spec: { loadBalancerClass = null } }: Ref): Body => ({
    metadata: { finalizers: null, labels },
    spec: { loadBalancerClass },
  });
  return {
    'PUT of the whole object': (one) =>
      operator.rewrite(one, ({ metadata: { resourceVersion }, spec: { clusterIP, clusterIPs } }) => ({
        ...one,
        metadata: { ...one.metadata, resourceVersion },
        spec: { ...one.spec, clusterIP, clusterIPs },
      })),
    'kubectl replace': (one) => kubectl('replace', one),
    // client-side apply removes what it applied last time
    'client-side apply': async (one) => {
      await kubectl('apply', declared(one));
      await kubectl('apply', one);
    },
    'server-side apply': async (one) => {
      await operator.apply(declared(one), { as: 'applier', force: true });
      await operator.apply(one, { as: 'applier', force: true });
    },
    'merge patch': (one) => patch(one, bare(one), 'merge-patch'),
    'strategic merge patch': (one) => patch(one, bare(one), 'strategic-merge-patch'),
    'JSON patch': (one) =>
      patch(
        one,
        [
          { op: 'add', path: '/metadata/finalizers', value: [] },
          { op: 'add', path: '/metadata/labels', value: one.metadata.labels },
          ...(one.spec.loadBalancerClass ? [] : [{ op: 'add', path: '/spec/loadBalancerClass', value: null }]),
        ],
        'json-patch',
      ),
  };
}
