import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  MetalLb,
} from '../../src';
import { diffText, publicChange } from '../../src/diff/effect';
import { changesIn, type ServiceLines, service } from './rows';

// Edits that cut nobody off and are no small thing: they let everybody in, or leave the balancer as it is.

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-';
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const HCLOUD = 'load-balancer.hetzner.cloud/';
const LBC_CLASS = { class: 'service.k8s.aws/nlb' };

const LBC = AwsLoadBalancerController.nlb();
const CPA = AwsCloudProvider.nlb();
const CPZ = AzureCloudProvider.standard();
const GKE = Gke.passthrough();
const CCM = HetznerCloud.loadBalancer({ location: 'fsn1' });

const NLB = { [`${AWS}type`]: 'nlb' };
const ranges = (...loadBalancerSourceRanges: string[]): ServiceLines => ({ spec: { loadBalancerSourceRanges } });
const noted = (annotations: Readonly<Record<string, string>>): ServiceLines => ({ annotations });

type Case = readonly [
  title: string,
  owner: ILoadBalancerController,
  before: ServiceLines,
  after: ServiceLines,
  says: string | RegExp,
];

const OPENS = /^KEPT {2}edge\/echo[\s\S]*: opens it to all clients[\s\S]*remedy: list the clients that are meant/;
const QUIET = 'KEPT  1\n';
const NOT_APPLIED = /^KEPT {2}edge\/echo[\s\S]*: not applied to the balancer: /;
const LOSES = /^INTERRUPTED {2}edge\/echo/;

const CASES: readonly Case[] = [
  ...([CPA, CPZ, GKE, MetalLb.layer2(), CCM] as const).flatMap((owner): Case[] => [
    // hcloud-cloud-controller-manager does not read them, and kube-proxy does not apply them to node ports
    [`${owner.name}: the ranges go`, owner, ranges('10.0.0.0/8'), {}, owner === CCM ? QUIET : OPENS],
    [
      `${owner.name}: a range of all addresses comes`,
      owner,
      ranges('10.0.0.0/8'),
      ranges('0.0.0.0/0'),
      owner === CCM ? QUIET : OPENS,
    ],
    [
      `${owner.name}: one of two ranges goes`,
      owner,
      ranges('10.0.0.0/8', '1.2.3.0/24'),
      ranges('10.0.0.0/8'),
      owner === CCM ? NOT_APPLIED : LOSES,
    ],
    [`${owner.name}: a range comes`, owner, ranges('10.0.0.0/8'), ranges('10.0.0.0/8', '1.2.3.0/24'), QUIET],
    [`${owner.name}: it was open before`, owner, ranges('0.0.0.0/0'), {}, QUIET],
  ]),
  ['AWS controller: the ranges go', LBC, { ...LBC_CLASS, ...ranges('10.0.0.0/8') }, LBC_CLASS, OPENS],
  [
    'AWS controller: the ranges go, and prefix lists stay',
    LBC,
    { ...LBC_CLASS, ...ranges('10.0.0.0/8'), annotations: { [`${AWS}security-group-prefix-lists`]: 'pl-1' } },
    { ...LBC_CLASS, annotations: { [`${AWS}security-group-prefix-lists`]: 'pl-1' } },
    LOSES,
  ],
  [
    'AWS controller: the ranges go, and groups of its own decide',
    LBC,
    { ...LBC_CLASS, ...ranges('10.0.0.0/8'), annotations: { [`${AWS}security-groups`]: 'sg-1' } },
    { ...LBC_CLASS, annotations: { [`${AWS}security-groups`]: 'sg-1' } },
    NOT_APPLIED,
  ],
  [
    'AWS controller: its own group takes the place of others and admits everybody',
    LBC,
    { ...LBC_CLASS, annotations: { [`${AWS}security-groups`]: 'sg-1' } },
    LBC_CLASS,
    /^KEPT {2}edge\/echo[\s\S]*the controller's own group opens it to all clients[\s\S]*remedy: list the clients/,
  ],
  [
    'AWS controller: its own group takes the place of others, with ranges',
    LBC,
    { ...LBC_CLASS, ...ranges('10.0.0.0/8'), annotations: { [`${AWS}security-groups`]: 'sg-1' } },
    { ...LBC_CLASS, ...ranges('10.0.0.0/8') },
    /^INTERRUPTED {2}edge\/echo[\s\S]*the controller's own group takes their place/,
  ],
  [
    'AWS controller: the ranges of the annotation go',
    LBC,
    { ...LBC_CLASS, annotations: { [RANGES]: '10.0.0.0/8' } },
    LBC_CLASS,
    OPENS,
  ],
  ['cloud-provider-aws: the ranges of the annotation go', CPA, noted({ [RANGES]: '10.0.0.0/8' }), {}, OPENS],
  [
    'cloud-provider-aws: the ranges of the spec go, and those of the annotation are read',
    CPA,
    { ...ranges('10.0.0.0/8'), ...noted({ [RANGES]: '1.2.3.0/24' }) },
    noted({ [RANGES]: '1.2.3.0/24' }),
    LOSES,
  ],
  ['gke: the ranges of the annotation go', GKE, noted({ [RANGES]: '10.0.0.0/8' }), {}, OPENS],
  ['Azure: the allowed ranges go', CPZ, noted({ [`${AZURE}allowed-ip-ranges`]: '10.0.0.0/8' }), {}, OPENS],
  [
    'Azure: the ranges go, and service tags stay',
    CPZ,
    { ...ranges('10.0.0.0/8'), ...noted({ [`${AZURE}allowed-service-tags`]: 'AzureCloud' }) },
    noted({ [`${AZURE}allowed-service-tags`]: 'AzureCloud' }),
    LOSES,
  ],
  [
    'cloud-provider-aws: a Network balancer that is to become internal stays public',
    CPA,
    noted(NLB),
    noted({ ...NLB, [`${AWS}internal`]: 'true' }),
    /^KEPT {2}edge\/echo[\s\S]*one that was made public stays public[\s\S]*remedy: make another Service/,
  ],
  [
    'cloud-provider-aws: a Classic balancer is moved to other subnets',
    AwsCloudProvider.classic(),
    {},
    noted({ [`${AWS}internal`]: 'true' }),
    LOSES,
  ],
  [
    'Hetzner: a balancer becomes public',
    CCM,
    noted({ [`${HCLOUD}disable-public-network`]: 'true' }),
    noted({ [`${HCLOUD}disable-public-network`]: 'false' }),
    /^KEPT {2}edge\/echo[\s\S]*opens it to the internet[\s\S]*remedy: leave it at true/,
  ],
  [
    'Hetzner: a balancer becomes private',
    CCM,
    {},
    noted({ [`${HCLOUD}disable-public-network`]: 'true' }),
    /^INTERRUPTED {2}edge\/echo[\s\S]*the public interface is switched off/,
  ],
  [
    'Hetzner: who switched the public network off is no longer written',
    CCM,
    noted({ [`${HCLOUD}disable-public-network`]: 'true' }),
    {},
    /^KEPT {2}edge\/echo[\s\S]*the public interface stays as it is[\s\S]*remedy: write false/,
  ],
  [
    'Hetzner: PROXY protocol is no longer written',
    CCM,
    noted({ [`${HCLOUD}uses-proxyprotocol`]: 'true' }),
    {},
    /^KEPT {2}edge\/echo[\s\S]*PROXY protocol too[\s\S]*remedy: write false/,
  ],
  [
    'Hetzner: a private address is no longer written',
    CCM,
    noted({ [`${HCLOUD}private-ipv4`]: '10.0.0.9' }),
    {},
    NOT_APPLIED,
  ],
  ['Hetzner: a type is no longer written', CCM, noted({ [`${HCLOUD}type`]: 'lb21' }), {}, NOT_APPLIED],
  ...[
    ['name', 'a', 'b'],
    ['name', 'a', undefined],
    ['eip-allocations', 'eipalloc-1,eipalloc-2', undefined],
    ['private-ipv4-addresses', '10.0.0.9', undefined],
    ['private-ipv4-addresses', '10.0.0.9', '10.0.0.8'],
  ].map(([name, ...values]): Case => {
    const [old, now] = values.map((value) => ({
      ...LBC_CLASS,
      ...noted(value === undefined ? {} : { [`${AWS}${name}`]: value }),
    }));
    return [`AWS controller: ${name} ${values.join(' -> ')}`, LBC, old, now, NOT_APPLIED];
  }),
  [
    'AWS controller: an address in a field that it does not read',
    LBC,
    LBC_CLASS,
    { ...LBC_CLASS, spec: { loadBalancerIP: '192.0.2.1' } },
    NOT_APPLIED,
  ],
  [
    'Azure: a private link service is no longer asked for',
    CPZ,
    noted({ [`${AZURE}load-balancer-internal`]: 'true', [`${AZURE}pls-create`]: 'true' }),
    noted({ [`${AZURE}load-balancer-internal`]: 'true' }),
    NOT_APPLIED,
  ],
  [
    'MetalLB: an address is no longer asked for',
    MetalLb.layer2(),
    noted({ 'metallb.io/loadBalancerIPs': '192.0.2.1' }),
    {},
    QUIET,
  ],
];

test.each(CASES)('%s', (_, owner, before, after, says) => {
  const changes = changesIn(service(before), service(after), { installed: [owner] });
  const text = diffText(changes.map(publicChange), []);
  if (typeof says === 'string') {
    expect(text).toBe(says);
  } else {
    expect(text).toMatch(says);
  }
});
