import { KEP_980 } from '../../cluster/models/finalizers';
import type { Plot } from '../harness/aws-story';
import { golden } from '../harness/manifests';
import { theNetworkBalancer } from '../harness/reading';

const MADE = '1 NLB, 1 target group, 4 rules';

/** Balancers are named after the UID of their Service: what becomes of one whose Service is gone, and of a namesake. */
export const names: Record<string, Plot> = {
  'a Service of the same name after its finalizer was lost': async (story) => {
    const { api } = story.cluster.plane;
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    const first = theNetworkBalancer(await story.create('created', service, MADE));
    await api.merge(service, { metadata: { finalizers: null } });
    await story.see('K taken out by hand', '[]', MADE, 'it is not put back');
    await api.delete(service);
    await story.seeForLong('deleted', 'gone', MADE, "the balancer is nobody's now");
    await api.create(service);
    const uid: string = (await api.get(service)).metadata.uid;
    const name = `a${uid.replace(/-/g, '')}`.slice(0, 32);
    expect(first.name).not.toBe(name);
    await story.seeThat(
      'created again',
      ({ networkBalancers }) => networkBalancers.map((balancer) => balancer.name),
      [name],
      'another UID, another name; the same process remembers the first one, and deletes it',
    );
    expect((await api.get(service)).metadata.finalizers).toEqual([KEP_980]);
    await story.see('served', '[K]', MADE, '', service);
    await story.remove(service);
  },
};
