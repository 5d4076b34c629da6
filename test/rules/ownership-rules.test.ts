import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KubernetesVersion,
  MetalLb,
} from '../../src';
import { definitionOf } from '../../src/rules/controller-definition';
import { OWNERSHIP_RULES } from '../../src/rules/service-rule-set';
import { service } from '../support/cases';
import { judge } from '../support/judge';

const KEP_980 = 'service.kubernetes.io/load-balancer-cleanup';
const NLB = { loadBalancerClass: 'service.k8s.aws/nlb' };
const EXTERNAL = {
  annotations: {
    'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
    'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
  },
};
const aws = AwsLoadBalancerController.nlb();
const gke = Gke.passthrough();

/** A Service of an owner, and the rules that it breaks, each with what its message tells. */
interface Row {
  readonly title: string;
  readonly owner: ILoadBalancerController;
  readonly spec?: object;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  /** What runs in the cluster, where that is known. */
  readonly runs?: ILoadBalancerController[];
  readonly keepsForeignFinalizers?: boolean;
  readonly errors?: [string, string][];
  readonly warnings?: [string, string][];
}

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-';
const HCLOUD = 'load-balancer.hetzner.cloud/';
const azure = AzureCloudProvider.standard();
const hcloud = HetznerCloud.loadBalancer({ location: 'fsn1' });

type Beside = Readonly<Record<string, string>>;

/** Values that nobody reads, and the same beside what has them read. */
const UNREAD: readonly (readonly [ILoadBalancerController, string, string, Beside, boolean])[] = [
  [aws, `${AWS}healthcheck-path`, 'healthz', {}, false],
  [aws, `${AWS}healthcheck-path`, 'healthz', { [`${AWS}healthcheck-protocol`]: 'http' }, true],
  [aws, `${AWS}healthcheck-success-codes`, 'abc', {}, false],
  [aws, `${AWS}healthcheck-success-codes`, 'abc', { [`${AWS}healthcheck-protocol`]: 'http' }, true],
  [aws, `${AWS}alpn-policy`, 'http2preferred', {}, false],
  [
    aws,
    `${AWS}alpn-policy`,
    'http2preferred',
    { [`${AWS}ssl-cert`]: 'arn:aws:acm:eu-west-1:111122223333:certificate/a' },
    true,
  ],
  [azure, `${AZURE}load-balancer-health-probe-request-path`, 'healthz', {}, false],
  [
    azure,
    `${AZURE}load-balancer-health-probe-request-path`,
    'healthz',
    { [`${AZURE}load-balancer-health-probe-protocol`]: 'http' },
    true,
  ],
  [azure, `${AZURE}dns-label-name`, 'Edge_1', { [`${AZURE}load-balancer-internal`]: 'true' }, false],
  [azure, `${AZURE}dns-label-name`, 'Edge_1', {}, true],
  [hcloud, `${HCLOUD}health-check-http-validate-certificate`, 'yes', {}, false],
  [
    hcloud,
    `${HCLOUD}health-check-http-validate-certificate`,
    'yes',
    { [`${HCLOUD}health-check-protocol`]: 'https' },
    true,
  ],
];

const rows: Row[] = [
  {
    title: 'the right name under a prefix that nobody reads is told with the key that was meant',
    owner: aws,
    spec: NLB,
    annotations: { 'kubernetes.io/aws-load-balancer-scheme': 'internal' },
    warnings: [['annotation-prefix-missing', 'service.beta.kubernetes.io/aws-load-balancer-scheme']],
  },
  {
    title: "the owner's own finalizer is in order",
    owner: aws,
    spec: NLB,
    finalizers: ['service.k8s.aws/resources'],
  },
  {
    title: 'nobody writes a finalizer by which GKE marks its Services, where GKE is the owner',
    owner: gke,
    finalizers: ['gke.networking.io/l4-netlb-v2'],
    errors: [['finalizer-reserved', 'only gke may write finalizer']],
  },
  {
    title: 'nobody writes a finalizer by which GKE marks its Services, where AWS is the owner',
    owner: aws,
    spec: NLB,
    finalizers: ['gke.networking.io/l4-ilb-v1'],
    errors: [['finalizer-reserved', 'only gke may write finalizer']],
  },
  {
    title: 'the finalizer of KEP-980 alone guards no balancer of an owner that has a finalizer of its own',
    owner: aws,
    spec: NLB,
    finalizers: [KEP_980],
    errors: [
      [
        'finalizer-of-other-controller',
        'deletion leaves the balancer behind once a client replaces the whole object, since the manifest does not declare the finalizer of the owner: finalizer service.kubernetes.io/load-balancer-cleanup belongs to the service controller of a cloud provider, and aws-load-balancer-controller, which owns this balancer, does not remove it; if the Service is live and another controller made its balancer, change nothing and follow docs/how-to/change-a-controller.md#hand-services-over; otherwise remove it from the manifest and declare service.k8s.aws/resources, the one of aws-load-balancer-controller; trace: explain orphan-stripped',
      ],
    ],
  },
  {
    title: 'the same where the service controller runs too',
    owner: aws,
    spec: NLB,
    finalizers: [KEP_980],
    runs: [AwsCloudProvider.nlb(), aws],
    errors: [['finalizer-of-other-controller', 'deletion leaves the balancer behind']],
  },
  {
    title: 'the finalizer of KEP-980 alone may hang where the writer is known to keep the one of the owner',
    owner: aws,
    spec: NLB,
    finalizers: [KEP_980],
    keepsForeignFinalizers: true,
    warnings: [['finalizer-of-service-controller', 'deletion hangs if no service controller runs']],
  },
  ...[{ spec: NLB }, EXTERNAL].map((claimed) => ({
    title: `both finalizers stand side by side where the service controller runs too, with ${Object.keys(claimed)}`,
    owner: aws,
    ...claimed,
    finalizers: [KEP_980, 'service.k8s.aws/resources'],
    runs: [AwsCloudProvider.nlb(), aws],
  })),
  {
    title: 'both finalizers are told where nobody says what runs',
    owner: aws,
    spec: NLB,
    finalizers: [KEP_980, 'service.k8s.aws/resources'],
    warnings: [['finalizer-of-service-controller', 'deletion hangs if no service controller runs']],
  },
  {
    title: 'the finalizer of KEP-980 hangs where no service controller runs',
    owner: aws,
    spec: NLB,
    finalizers: [KEP_980, 'service.k8s.aws/resources'],
    runs: [aws],
    errors: [['finalizer-of-other-controller', 'deletion hangs']],
  },
  {
    title: 'an owner without a finalizer leaves the one of KEP-980 to the service controller that runs beside it',
    owner: MetalLb.layer2(),
    finalizers: [KEP_980],
    runs: [AwsCloudProvider.nlb(), MetalLb.layer2()],
  },
  {
    title: 'an owner without a finalizer does not remove the one of KEP-980 where no service controller runs',
    owner: MetalLb.layer2(),
    finalizers: [KEP_980],
    runs: [MetalLb.layer2()],
    errors: [['finalizer-of-other-controller', 'metallb, which owns this balancer, does not remove it']],
  },
  {
    title: 'a finalizer of another controller is not removed by the owner',
    owner: gke,
    finalizers: ['service.k8s.aws/resources'],
    errors: [['finalizer-of-other-controller', 'gke, which owns this balancer, does not remove it']],
  },
  {
    title: 'a finalizer of nobody may hang for ever',
    owner: gke,
    finalizers: ['example.com/x'],
    warnings: [
      ['finalizer-unknown', 'until finalizer example.com/x is removed, which no known load balancer controller does'],
    ],
  },
  {
    title: 'an annotation of another controller does nothing',
    owner: aws,
    spec: NLB,
    annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
    warnings: [['annotation-for-other-controller', 'is for cloud-provider-azure']],
  },
  {
    title: 'a misspelt key is told with the one that looks like it',
    owner: AzureCloudProvider.standard(),
    annotations: { [`${AZURE}load-balancer-resource-grop`]: 'edge' },
    warnings: [['annotation-unknown', `write ${AZURE}load-balancer-resource-group`]],
  },
  {
    title: 'a misspelt key that was to keep the balancer internal is an error',
    owner: AzureCloudProvider.standard(),
    annotations: { [`${AZURE}load-balancer-internel`]: 'true' },
    errors: [
      ['public-by-misspelt-annotation', `is unknown and silently ignored; write ${AZURE}load-balancer-internal`],
    ],
  },
  {
    title: 'a value that the owner cannot read is an error, with what it does then',
    owner: AzureCloudProvider.standard(),
    annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'True' },
    errors: [
      [
        'annotation-value-invalid',
        "the load balancer becomes public: annotation service.beta.kubernetes.io/azure-load-balancer-internal is 'True'",
      ],
    ],
  },
  {
    title: 'an obsolete annotation is told with its successor',
    owner: gke,
    annotations: { 'cloud.google.com/load-balancer-type': 'Internal' },
    warnings: [['annotation-deprecated', 'use a class or networking.gke.io/load-balancer-type instead']],
  },
  {
    title: 'an obsolete prefix is told with the key that replaced it',
    owner: MetalLb.layer2(),
    annotations: { 'metallb.universe.tf/address-pool': 'edge' },
    warnings: [['annotation-deprecated', 'use metallb.io/address-pool instead']],
  },
  {
    title: 'an annotation that is gone is to be left out',
    owner: AzureCloudProvider.standard(),
    annotations: { 'service.beta.kubernetes.io/azure-shared-securityrule': 'true' },
    warnings: [['annotation-deprecated', 'leave it out: it is not read since v1.29.0']],
  },
  {
    title: 'all addresses beside some of their family let everybody in, also by annotation',
    owner: azure,
    annotations: { [`${AZURE}allowed-ip-ranges`]: '10.0.0.0/8,0.0.0.0/0' },
    warnings: [
      ['annotation-source-range-all', 'allowed-ip-ranges admits every client, and 10.0.0.0/8 beside it has no effect'],
    ],
  },
  {
    title: 'all addresses of one family beside some of the other are no contradiction',
    owner: azure,
    annotations: { [`${AZURE}allowed-ip-ranges`]: '0.0.0.0/0,fd00::/8' },
  },
  ...UNREAD.map(([owner, key, value, beside, isRead]): Row => {
    const annotations = { [key]: value, ...beside };
    return {
      title: `${key} with a value that cannot be read is ${isRead ? 'refused' : 'not looked at'} beside ${JSON.stringify(beside)}`,
      owner,
      ...(owner === aws && { spec: NLB }),
      annotations,
      errors: isRead ? [['annotation-value-invalid', `annotation ${key}`]] : [],
    };
  }),
];

test.each(rows)('$title', ({ owner, spec, annotations, finalizers, runs, errors = [], warnings = [], ...row }) => {
  const { keepsForeignFinalizers } = row;
  const known = { kind: definitionOf(owner), controller: owner, kubernetes: KubernetesVersion.V1_36 };
  const context = { ...known, controllers: runs, keepsForeignFinalizers };
  const judgement = judge(service(spec, annotations, { finalizers }), OWNERSHIP_RULES, context, owner.name);
  const told = (findings: typeof judgement.errors) =>
    findings.map(({ ruleId, what, remedy }) => [ruleId, `${what}; ${remedy}`]);
  const expected = (said: [string, string][]) => said.map(([ruleId, text]) => [ruleId, expect.stringContaining(text)]);
  expect(told(judgement.errors)).toEqual(expected(errors));
  expect(told(judgement.warnings)).toEqual(expected(warnings));
});
