import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  MetalLb,
} from '../../src';
import { foundIn, saidBy } from '../support/checked';

// Pods that expect the PROXY header, and balancers that send it: one without the other.

interface Installed {
  /** The data of the ConfigMap of the pods. */
  readonly data?: string;
  readonly annotations?: readonly string[];
  /** The flag of the pods that names it; without it there is no workload among the files. */
  readonly flag?: string;
  readonly image?: string;
  readonly selector?: string;
  readonly more?: string;
}

const FLAG = '--configmap=$(POD_NAMESPACE)/config';

const installed = ({
  data = '',
  annotations = [],
  flag,
  image = 'ingress-nginx/controller:v1.13.0',
  selector = 'ingress-nginx',
  more = '',
}: Installed) => `apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: web}
data: {${data}}
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: web
  annotations: {${annotations.join(', ')}}
spec:
  type: LoadBalancer
  selector: {app: ${selector}}
  ports: [{port: 443, name: https, targetPort: https}]
${
  flag === undefined
    ? ''
    : `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: web}
spec:
  selector: {matchLabels: {app: ${selector}}}
  template:
    metadata: {labels: {app: ${selector}}}
    spec:
      containers:
        - {name: controller, image: '${image}', args: [/controller, '${flag}'], ports: [{name: https, containerPort: 443}]}
`
}${more}`;

const ON = 'use-proxy-protocol: "true"';
const OFF = 'use-proxy-protocol: "false"';
const AWS = 'service.beta.kubernetes.io/aws-load-balancer';
const NLB = `${AWS}-type: nlb`;
const V2 = `${AWS}-target-group-attributes: proxy_protocol_v2.enabled=true`;
const V1 = `${AWS}-proxy-protocol: "*"`;
const HETZNER = 'load-balancer.hetzner.cloud/uses-proxyprotocol: "true"';

const LBC = AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true });
const CLOUD = AwsCloudProvider.nlb();

const hcloud = (value?: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hcloud-cloud-controller-manager, namespace: kube-system}
spec:
  selector: {matchLabels: {app: hcloud}}
  template:
    metadata: {labels: {app: hcloud}}
    spec:
      containers:
        - name: a
          image: docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.25.1
          env: [{name: HCLOUD_TOKEN, value: a}${value === undefined ? '' : `, {name: HCLOUD_LOAD_BALANCERS_USES_PROXYPROTOCOL, value: "${value}"}`}]
`;

const MISSING = ['proxy-header-missing'];
const UNEXPECTED = ['proxy-header-unexpected'];

test.each<[string, ILoadBalancerController[] | undefined, Installed, string[]]>([
  ['the annotation of a Classic one on an NLB', [CLOUD], { data: ON, annotations: [NLB, V1] }, MISSING],
  ['that of the NLB', [CLOUD], { data: ON, annotations: [NLB, V2] }, []],
  ['nothing on a Classic one', [AwsCloudProvider.classic()], { data: ON }, MISSING],
  ['its annotation on a Classic one', [AwsCloudProvider.classic()], { data: ON, annotations: [V1] }, []],
  ['nothing for the AWS controller', [LBC], { data: ON, flag: FLAG }, MISSING],
  ['its annotation for the AWS controller', [LBC], { data: ON, flag: FLAG, annotations: [V1] }, []],
  ['attributes for the AWS controller', [LBC], { data: ON, flag: FLAG, annotations: [V2] }, []],
  ['a controller that sends none', [MetalLb.layer2()], { data: ON }, MISSING],
  ['another one', [Gke.passthrough()], { data: ON }, MISSING],
  ['a third one', [AzureCloudProvider.standard()], { data: ON }, MISSING],
  ['nothing for Hetzner', [HetznerCloud.loadBalancer()], { data: ON }, MISSING],
  ['its annotation for Hetzner', [HetznerCloud.loadBalancer()], { data: ON, annotations: [HETZNER] }, []],
  ['the environment of its controller', [HetznerCloud.loadBalancer()], { data: ON, more: hcloud('true') }, []],
  ['its environment without it', [HetznerCloud.loadBalancer()], { data: ON, more: hcloud() }, MISSING],
  ['an unknown owner', undefined, { data: ON }, []],
  ['pods of another name', [LBC], { data: ON, selector: 'web' }, []],
  ['pods of another name, whose flag names it', [LBC], { data: ON, selector: 'web', flag: FLAG }, MISSING],
  ['pods whose flag names another one', [LBC], { data: ON, flag: `${FLAG}-b` }, []],
  [
    'the ingress controller of NGINX',
    [LBC],
    { data: 'proxy-protocol: "True"', flag: '-nginx-configmaps=$(POD_NAMESPACE)/config' },
    MISSING,
  ],
  ['pods that expect none', [LBC], { data: OFF, flag: FLAG }, []],
  ['a header for pods that expect none', [LBC], { data: OFF, flag: FLAG, annotations: [V1] }, UNEXPECTED],
  ['a header for pods that say nothing', [LBC], { flag: FLAG, annotations: [V2] }, UNEXPECTED],
  ['a header for pods of another program', [LBC], { flag: FLAG, image: 'haproxy', annotations: [V2] }, []],
  ['a header on an NLB', [CLOUD], { data: OFF, annotations: [NLB, V2] }, UNEXPECTED],
  ['a header of Hetzner', [HetznerCloud.loadBalancer()], { data: OFF, annotations: [HETZNER] }, UNEXPECTED],
  ['one by its environment', [HetznerCloud.loadBalancer()], { data: OFF, more: hcloud('true') }, UNEXPECTED],
  [
    'one that the Service takes back',
    [HetznerCloud.loadBalancer()],
    { data: OFF, annotations: [HETZNER.replace('true', 'false')], more: hcloud('true') },
    [],
  ],
])('%s', (_, controllers, wanted, found) => {
  const rules = foundIn(installed(wanted), { controllers })
    .filter((one) => one.includes('proxy-header'))
    .map((one) => one.replace(/^warning \d+ /, ''));
  expect(rules).toEqual(found);
});

test.each<[ILoadBalancerController, string[], string]>([
  [CLOUD, [NLB], `set ${AWS}-target-group-attributes: 'proxy_protocol_v2.enabled=true'`],
  [AwsCloudProvider.classic(), [], `set ${AWS}-proxy-protocol: '*'`],
  [LBC, [], `set ${AWS}-proxy-protocol: '*'`],
  [HetznerCloud.loadBalancer(), [], "set load-balancer.hetzner.cloud/uses-proxyprotocol: 'true'"],
  [MetalLb.layer2(), [], 'set use-proxy-protocol of the ConfigMap to "false": no annotation of metallb sends it'],
])('the remedy is the annotation that the owner reads: %#', (controller, annotations, remedy) => {
  const said = saidBy('proxy-header-missing', installed({ data: ON, annotations }), { controllers: [controller] });
  expect(said.join()).toContain(remedy);
});

test('the annotation of the other kind of balancer is replaced by the one that works', () => {
  const file = installed({ data: ON, annotations: [NLB, V1] });
  const [said] = saidBy('aws-cloud-ignored-annotation', file, { controllers: [CLOUD] });
  expect(said).toContain(`write ${V2} in its place`);
});
