import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  MetalLb,
} from '../../src';
import { saidBy } from '../support/checked';
import { kinds } from '../support/subjects';

// Annotations that say that a balancer is internal, and that its owner does not read: it is public.

const BETA = 'service.beta.kubernetes.io/';
const AWS = `${BETA}aws-load-balancer-`;
const cpa = AwsCloudProvider.classic();
const cpz = AzureCloudProvider.standard();
const gke = Gke.passthrough();
const ccm = HetznerCloud.loadBalancer({ location: 'fsn1' });

function text(map: 'annotations' | 'labels', key: string, value: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: web
  ${map}:
    ${key}: ${JSON.stringify(value)}
spec:
  type: LoadBalancer
  selector: { app: web }
  ports: [{ port: 443 }]
`;
}

const PUBLIC = 'is unknown and silently ignored: the balancer is public';

test.each<[ILoadBalancerController, string, string, string]>([
  [cpa, `${BETA}aws-loadbalancer-internal`, `${AWS}internal`, PUBLIC],
  [cpa, 'service.kubernetes.io/aws-load-balancer-internal', `${AWS}internal`, PUBLIC],
  [cpa, `${BETA}load-balancer-internal`, `${AWS}internal`, PUBLIC],
  [cpa, `${BETA}aws_load_balancer_internal`, `${AWS}internal`, PUBLIC],
  [cpa, `${BETA}aws-loadbalancer-internel`, `${AWS}internal`, PUBLIC],
  [cpa, `${BETA}aws-loadbalancer-type`, `${AWS}type`, 'is unknown and silently ignored'],
  [gke, 'cloud.google.com/loadbalancer-type', 'networking.gke.io/load-balancer-type', PUBLIC],
  [gke, 'networking.gke.io/loadbalancer-type', 'networking.gke.io/load-balancer-type', PUBLIC],
  [gke, 'cloud.google.com/load_balancer_type', 'networking.gke.io/load-balancer-type', PUBLIC],
  [cpz, 'service.kubernetes.io/azure-load-balancer-internal', `${BETA}azure-load-balancer-internal`, PUBLIC],
])('%s: %s is told with the key that was meant', (owner, key, meant, what) => {
  const [said, ...more] = saidBy('annotation-unknown', text('annotations', key, 'true'), { controllers: [owner] });
  expect(more).toEqual([]);
  expect(said).toBe(`warning 6: annotation ${key} ${what}; write ${meant}`);
});

test.each([
  [cpz, `${BETA}azure-load-balancer-internal`, 'true', ', and the balancer is public'],
  [cpa, `${AWS}internal`, 'true', ', and the balancer is public'],
  [cpa, `${AWS}type`, 'nlb', ''],
])('%s: %s as a label is ignored', (owner, key, value, more) => {
  const [said] = saidBy('annotation-as-label', text('labels', key, value), { controllers: [owner] });
  expect(said).toContain(`reads an annotation of this name${more}; move it to metadata.annotations`);
});

const OWNERS = [cpa, cpz, gke, ccm, MetalLb.layer2(), AwsLoadBalancerController.nlb()];
const KEYS = kinds.flatMap(({ catalogue }) =>
  catalogue.annotations.map(({ fact }) => fact.key.replace(/\{\w+\}/g, '80')),
);

test.each(OWNERS.map((owner) => [owner.name, owner] as const))(
  '%s takes no key of another one for a slip',
  (_, owner) => {
    const kind = kinds.find(({ name }) => name === owner.name);
    for (const key of KEYS) {
      const isKnown = kind?.catalogue.find(key) !== undefined;
      const other = kinds.some((one) => one !== kind && one.catalogue.find(key));
      expect([key, isKnown || other]).toEqual([key, true]);
    }
  },
);

test.each([
  `${BETA}oci-load-balancer-internal`,
  `${BETA}openstack-internal-load-balancer`,
  `${BETA}do-loadbalancer-type`,
  `${BETA}linode-loadbalancer-throttle`,
  `${BETA}alicloud-loadbalancer-address-type`,
  `${BETA}alibaba-cloud-loadbalancer-address-type`,
  `${BETA}scw-loadbalancer-type`,
  `${BETA}vultr-loadbalancer-protocol`,
  'service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type',
  'service.kubernetes.io/qcloud-loadbalancer-internal-subnetid',
  'service.kubernetes.io/topology-mode',
  'cloud.google.com/backend-service',
  'networking.gke.io/v1beta1.FrontendConfig',
  'example.com/aws-load-balancer-type',
  'example.com/load-balancer-internal',
])('%s is of another controller, and nobody here takes it for a slip', (key) => {
  for (const owner of OWNERS) {
    expect(saidBy('annotation-unknown', text('annotations', key, 'true'), { controllers: [owner] })).toEqual([]);
  }
});

describe('a scheme that its owner does not read', () => {
  const ids = ['annotation-foreign', 'annotation-foreign-scheme'];
  const told = (key: string, value: string, controllers: ILoadBalancerController[]) =>
    ids.flatMap((id) => saidBy(id, text('annotations', key, value), { controllers }));

  test.each<[ILoadBalancerController, string, string, string]>([
    [cpa, `${AWS}scheme`, 'internal', `write ${AWS}internal 'true'`],
    [gke, `${BETA}azure-load-balancer-internal`, 'true', "write networking.gke.io/load-balancer-type 'Internal'"],
    [cpz, `${AWS}internal`, 'true', `write ${BETA}azure-load-balancer-internal 'true'`],
    [ccm, `${AWS}internal`, 'true', "write load-balancer.hetzner.cloud/disable-public-network 'true'"],
  ])('%s: %s is an error, since the balancer is public', (owner, key, value, remedy) => {
    const [said, ...more] = told(key, value, [owner]);
    expect(more).toEqual([]);
    expect(said).toMatch(/^error 6: /);
    expect(said).toContain(`owned by ${owner.name}, which ignores it: the balancer is public`);
    expect(said).toContain(remedy);
  });

  test.each<[string, ILoadBalancerController, string, string]>([
    ['says that it is public', cpa, `${AWS}scheme`, 'internet-facing'],
    ['is for an owner whose pools decide', MetalLb.layer2(), `${AWS}internal`, 'true'],
    ['is about something else', cpz, `${AWS}type`, 'nlb'],
  ])('that %s is a warning', (_, owner, key, value) => {
    expect(told(key, value, [owner]).map((said) => said.slice(0, 9))).toEqual(['warning 6']);
  });

  test('is a warning where the annotation of the owner makes it internal', () => {
    const both = text('annotations', `${AWS}scheme`, 'internal').replace('spec:', `    ${AWS}internal: "true"\nspec:`);
    expect(saidBy('annotation-foreign-scheme', both, { controllers: [cpa] })).toEqual([]);
    expect(saidBy('annotation-foreign', both, { controllers: [cpa] })).toHaveLength(1);
  });

  test('is no error where it is not sure who owns the balancer', () => {
    const runs = [cpa, AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })];
    expect(
      saidBy('annotation-foreign-scheme', text('annotations', `${AWS}scheme`, 'internal'), { controllers: runs }),
    ).toEqual([]);
    expect(saidBy('annotation-foreign-scheme', text('annotations', `${AWS}scheme`, 'internal'))).toEqual([]);
  });
});
