import type { Ref } from '../../cluster/harness/api';
import { AWS_RESOURCES } from '../../cluster/models/finalizers';
import type { AwsStory, Plot } from '../harness/aws-story';
import { golden } from '../harness/manifests';

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';

function external(namespace: string, type: string): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace, annotations: { [TYPE]: type } },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 443, targetPort: 8443 }] },
  };
}

/** Deletes a Service whose finalizer nobody here removes. */
async function hangs(story: AwsStory, service: Ref): Promise<void> {
  const { api } = story.cluster.plane;
  await api.delete(service);
  await story.seeForLong('deleted', '[F] Terminating', 'nothing', 'the owner that the manifest names does not run');
  await api.merge(service, { metadata: { finalizers: null } });
  await story.see('F taken out by hand', 'gone', 'nothing', AWS_RESOURCES);
}

/** Services that are left to the AWS Load Balancer Controller, which does not run here. */
export const notServed: Record<string, Plot> = {
  ...Object.fromEntries(
    ['external', 'nlb-ip'].map((type): [string, Plot] => [
      `type ${type} without a class`,
      async (story) => {
        const service = external(story.namespace, type);
        await story.cluster.plane.api.create(service);
        await story.seeForLong('created', '[K]', 'nothing', 'the finalizer comes, a balancer never does');
        await story.remove(service);
      },
    ]),
  ),

  'the same, written for the AWS Load Balancer Controller': async (story) => {
    const service = golden(story.namespace, 'aws-load-balancer-controller-by-annotation');
    await story.cluster.plane.api.create(service);
    await story.seeForLong('created', '[F,K]', 'nothing', 'both finalizers, no balancer');
    await hangs(story, service);
  },

  'a class': async (story) => {
    const service = golden(story.namespace, 'aws-load-balancer-controller-instance-local');
    await story.cluster.plane.api.create(service);
    await story.seeForLong('created', '[F]', 'nothing', 'a Service with a class is not looked at');
    await hangs(story, service);
  },
};
