import { App, Chart } from 'cdk8s';
import { AwsCloudProvider, KubernetesVersion, LoadBalancerKeeper } from '../../../src';
import type { Ref } from '../../cluster/harness/api';
import { install, permit } from '../../cluster/harness/tenants';
import { until } from '../../cluster/harness/wait';
import type { AwsStory, Plot } from '../harness/aws-story';
import { written } from '../harness/manifests';

const OPERATOR = 'system:serviceaccount:operators:operator';

/** A Service of an operator, which writes it again without the finalizer that the controller has added. */
async function stripped(story: AwsStory): Promise<Ref> {
  const { api } = story.cluster.plane;
  const owner: Ref = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'resource', namespace: story.namespace },
  };
  const { uid } = (await api.create(owner)).metadata;
  const service = written(story.namespace, AwsCloudProvider.nlb());
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resource', uid }];
  const owned: Ref = { ...service, metadata: { ...service.metadata, finalizers: undefined, ownerReferences } };
  await story.create('the operator creates it', owned, '1 NLB, 1 target group, 2 rules');
  const operator = api.actingAs(OPERATOR);
  await operator.merge(owned, { metadata: { finalizers: null, labels: { reconciled: 'yes' } } });
  return owned;
}

/** What the real controller does under a keeper. */
export const keeper: Record<string, Plot> = {
  'an operator that strips the finalizer, with the keeper': async (story) => {
    const { api } = story.cluster.plane;
    const label = { 'example.com/kept': story.namespace };
    await api.merge(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: story.namespace } },
      { metadata: { labels: label } },
    );
    await permit(api, OPERATOR, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]);
    const chart = new Chart(new App(), 'keeper');
    new LoadBalancerKeeper(chart, 'Keeper', { kubernetes: KubernetesVersion.V1_36, namespaceLabels: label });
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }).catch(() => undefined);
    await install(api, chart);
    const service = await stripped(story);
    await until('the keeper', async () => {
      const { metadata } = await api.get(service);
      return metadata.labels?.reconciled === 'yes' && metadata.finalizers?.length > 0;
    });
    await story.see('the operator strips', '[K]', '1 NLB, 1 target group, 2 rules', 'put back');
    await api.actingAs(OPERATOR).merge(service, { metadata: { finalizers: null }, spec: { type: 'ClusterIP' } });
    await story.see('another type, without the finalizer', '[]', 'nothing', 'the controller cleans up and releases it');
    await api.merge(service, { spec: { type: 'LoadBalancer' } });
    await story.see('type LoadBalancer again', '[K]', '1 NLB, 1 target group, 2 rules', '', service);
    await story.remove(service);
  },
};
