import { ApiObject, App, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  LoadBalancedService,
  LoadBalancerFindingSeverity,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  type PlannedLoadBalancerFinding,
  TrafficPolicy,
} from '../../src';
import { sentenceOf } from '../../src/contract/rule';
import { filesWritten, stderrOf } from '../support/apps';
import { saidBy } from '../support/checks';
import { kinds } from '../support/subjects';
import { casesIn } from '../support/yaml-cases';

const RULE = 'local-policy-without-pool';

function app(outdir: string): App {
  const made = new App({ outdir });
  for (const id of ['first', 'second']) {
    new LoadBalancedService(new Chart(made, id), 'Echo', {
      controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
      selector: { app: id },
      ports: [{ port: 443 }],
      trafficPolicy: TrafficPolicy.LOCAL,
    });
  }
  return made;
}

function synthesized(prepare: (app: App) => void = () => {}): { app: App; stderr: string; files: string[] } {
  let made: App | undefined;
  let stderr = '';
  const files = filesWritten((outdir) => {
    made = app(outdir);
    prepare(made);
    stderr = stderrOf(() => made?.synth());
  });
  return { app: made as App, stderr, files: Object.keys(files) };
}

test('all warnings of an app are told in one block, each with its path, its way out and its rule', () => {
  const { stderr } = synthesized();
  expect(stderr.match(/cdk8s-load-balancers: /g)).toHaveLength(1);
  expect(stderr).toContain('2 warnings');
  expect(stderr).toMatch(/\[first\/Echo\] aws-load-balancer-controller: .*\n.*\(local-policy-without-pool\)/);
  expect(stderr).toContain('[second/Echo]');
});

test('a second synth of the same app tells no warning again', () => {
  const { app, stderr } = synthesized();
  expect(stderr).not.toBe('');
  expect(stderrOf(() => app.synthYaml())).toBe('');
});

test('warnings are left as metadata of their constructs', () => {
  const { app } = synthesized();
  const metadata = app.node.findChild('first').node.findChild('Echo').node.metadata;
  expect(metadata).toMatchObject([{ type: 'cdk8s-load-balancers:warning', data: { ruleId: RULE } }]);
});

test('warnings can be read without a synth, acknowledged ones with their reason', () => {
  const made = app('unused');
  LoadBalancers.of(made.node.findChild('first')).acknowledge(RULE, 'three nodes, three pods');
  const { warnings } = LoadBalancers.of(made);
  expect(warnings.map(({ path, finding, acknowledged }) => [path, finding.ruleId, acknowledged])).toEqual([
    ['first/Echo', RULE, 'three nodes, three pods'],
    ['second/Echo', RULE, undefined],
  ]);
});

test('an acknowledged warning is not told, below where it was acknowledged', () => {
  const { stderr } = synthesized((made) =>
    LoadBalancers.of(made.node.findChild('first')).acknowledge(RULE, 'three nodes, three pods'),
  );
  expect(stderr).toContain('1 warning\n');
  expect(stderr).not.toContain('first/Echo');
});

test('the reason that is nearest counts', () => {
  const made = app('unused');
  LoadBalancers.of(made).acknowledge(RULE, 'for all');
  LoadBalancers.of(made.node.findChild('first')).acknowledge(RULE, 'for the first');
  expect(LoadBalancers.of(made).warnings.map(({ acknowledged }) => acknowledged)).toEqual(['for the first', 'for all']);
});

test('a warning is not lost with a synth that fails for another', () => {
  filesWritten((outdir) => {
    const made = app(outdir);
    const second = LoadBalancers.of(made.node.findChild('second'));
    second.failOnWarnings();
    expect(stderrOf(() => expect(() => made.synth()).toThrow('second/Echo'))).toBe('');
    second.acknowledge(RULE, 'three nodes, three pods');
    expect(stderrOf(() => made.synth())).toContain('[first/Echo]');
  });
});

test('a warning about a construct that was made to fail is gone once it is acknowledged', () => {
  filesWritten((outdir) => {
    const made = app(outdir);
    const first = LoadBalancers.of(made.node.findChild('first'));
    first.failOnWarnings();
    first.acknowledge(RULE, 'three nodes, three pods');
    first.acknowledge('no-such-rule', 'it is of a release to come');
    expect(() => made.synth()).toThrow('acknowledged-rule-unknown');
    first.acknowledge('acknowledged-rule-unknown', 'it is of a release to come');
    expect(() => stderrOf(() => made.synth())).not.toThrow();
  });
});

test('an acknowledgement needs a reason', () => {
  expect(() => LoadBalancers.of(app('unused')).acknowledge(RULE, ' ')).toThrow('without a reason');
});

test('warnings that were made to fail are errors, all at once, and nothing is written', () => {
  let stderr = '';
  const files = filesWritten((outdir) => {
    const made = app(outdir);
    LoadBalancers.of(made).failOnWarnings();
    stderr = stderrOf(() => {
      expect(() => made.synth()).toThrow(/\[first\/Echo\].*local-policy-without-pool.*\n.*\[second\/Echo\]/s);
    });
  });
  expect(files).toEqual({});
  expect(stderr).toBe('');
});

test('what was acknowledged cannot fail', () => {
  const { files } = synthesized((made) => {
    LoadBalancers.of(made).failOnWarnings();
    LoadBalancers.of(made).acknowledge(RULE, 'three nodes, three pods');
  });
  expect(files).toEqual(['first.k8s.yaml', 'second.k8s.yaml']);
});

describe('what stops the synth can be asked for without one', () => {
  /** An app with an error in each of two charts, and a warning. */
  function wrong(yamlOutputType = YamlOutputType.FILE_PER_CHART): App {
    const made = new App({ outdir: 'unused', yamlOutputType });
    for (const namespace of ['first', 'second']) {
      const chart = new Chart(made, namespace, { namespace });
      new LoadBalancedService(chart, 'Echo', {
        name: 'echo',
        controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
        selector: { app: namespace },
        ports: [{ port: 443 }],
        trafficPolicy: TrafficPolicy.LOCAL,
      });
    }
    return made;
  }

  const seen = ({ path, severity, finding }: PlannedLoadBalancerFinding) => [path, severity, finding.ruleId];

  test('where nothing does, findings are the warnings', () => {
    const { errors, warnings, findings } = LoadBalancers.of(wrong());
    expect(errors).toEqual([]);
    expect(findings).toEqual(warnings);
    expect(findings.map(seen)).toEqual([
      ['first/Echo', LoadBalancerFindingSeverity.WARNING, RULE],
      ['second/Echo', LoadBalancerFindingSeverity.WARNING, RULE],
    ]);
  });

  test('an error of a finished object, at its construct and below a scope alone', () => {
    const made = wrong();
    const [service] = made.node
      .findChild('first')
      .node.findAll()
      .filter((one) => ApiObject.isApiObject(one));
    (service as ApiObject).addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 70_000));
    expect(LoadBalancers.of(made).errors.map(seen)).toEqual([['first/Echo', 'error', 'service-ports-invalid']]);
    expect(LoadBalancers.of(made).findings.map(({ severity }) => severity)).toEqual(['error', 'warning', 'warning']);
    expect(LoadBalancers.of(made.node.findChild('second')).errors).toEqual([]);
    expect(LoadBalancers.of(made).errors.map(({ finding }) => sentenceOf(finding))).toEqual(sentencesOfSynth(made));
  });

  test('files that would overwrite each other', () => {
    const made = wrong(YamlOutputType.FILE_PER_RESOURCE);
    const { errors } = LoadBalancers.of(made);
    expect(errors.map(seen)).toEqual([['second/Echo', 'error', 'output-file-duplicate']]);
    expect(errors.map(({ finding }) => sentenceOf(finding))).toEqual(sentencesOfSynth(made));
  });

  test('what two of them fight over', () => {
    const made = wrong();
    const chart = made.node.findChild('second') as Chart;
    for (const id of ['A', 'B']) {
      new LoadBalancedService(chart, id, {
        controller: MetalLb.layer2({ addressPool: 'edge' }),
        staticAddresses: ['192.0.2.1'],
        selector: { app: id },
        ports: [{ port: 443 }],
      });
    }
    const { errors } = LoadBalancers.of(made);
    expect(errors.map(seen)).toEqual([['second/B', 'error', 'exclusive-resource-conflict']]);
    expect(errors.map(({ finding }) => sentenceOf(finding))).toEqual(sentencesOfSynth(made));
  });

  test('an app of others has none', () => expect(LoadBalancers.of(new App()).findings).toEqual([]));

  test('to ask leaves the synth as it is', () => {
    const made = wrong();
    const before = stderrOf(() => made.synthYaml());
    const other = wrong();
    expect(LoadBalancers.of(other).findings).toHaveLength(2);
    expect(stderrOf(() => other.synthYaml())).toBe(before);
  });
});

function sentencesOfSynth(made: App): string[] {
  try {
    stderrOf(() => made.synthYaml());
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.replace(/^ *\[[^\]]*\] /, ''));
  }
  return [];
}

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

const UNKNOWN = 'is unknown and silently ignored';
const PUBLIC = `${UNKNOWN}: the balancer is public`;
const GKE_KEY = 'networking.gke.io/load-balancer-type';

test.each<[ILoadBalancerController, string, string, string, string]>([
  [cpa, `${BETA}aws-loadbalancer-internal`, 'false', `${AWS}internal`, PUBLIC],
  [cpa, `${BETA}aws-loadbalancer-type`, 'nlb', `${AWS}type`, UNKNOWN],
  [gke, 'networking.gke.io/loadbalancer-type', 'External', GKE_KEY, PUBLIC],
  [cpz, 'service.kubernetes.io/azure-load-balancer-internal', 'yes', `${BETA}azure-load-balancer-internal`, PUBLIC],
])('%s: %s with %s is told with the key that was meant', (owner, key, value, meant, what) => {
  const [said, ...more] = saidBy('annotation-unknown', text('annotations', key, value), { controllers: [owner] });
  expect(more).toEqual([]);
  expect(said).toBe(`warning 6: annotation ${key} ${what}; write ${meant}`);
});

describe('that a balancer is internal', () => {
  const slips: [string, string, string, ILoadBalancerController][] = [
    [`${BETA}aws-loadbalancer-internal`, 'true', `${AWS}internal`, cpa],
    ['service.kubernetes.io/aws-load-balancer-internal', 'true', `${AWS}internal`, cpa],
    [`${BETA}load-balancer-internal`, 'true', `${AWS}internal`, cpa],
    [`${BETA}aws_load_balancer_internal`, 'true', `${AWS}internal`, cpa],
    [`${BETA}aws-loadbalancer-internel`, 'true', `${AWS}internal`, cpa],
    ['cloud.google.com/loadbalancer-type', 'Internal', GKE_KEY, gke],
    ['networking.gke.io/loadbalancer-type', 'Internal', GKE_KEY, gke],
    ['cloud.google.com/load_balancer_type', 'Internal', GKE_KEY, gke],
    ['service.kubernetes.io/azure-load-balancer-internal', 'true', `${BETA}azure-load-balancer-internal`, cpz],
  ];

  test.each(slips)('is an error in the misspelt %s %s, since it is public', (key, value, meant, owner) => {
    const manifest = text('annotations', key, value);
    expect(saidBy('public-by-misspelt-annotation', manifest, { controllers: [owner] })).toEqual([
      `error 6: the balancer is public: annotation ${key} ${UNKNOWN}; write ${meant}`,
    ]);
    expect(saidBy('annotation-unknown', manifest, { controllers: [owner] })).toEqual([]);
  });

  test('is a warning in a misspelt one where it is not sure who owns the balancer', () => {
    const manifest = text('annotations', `${BETA}aws-loadbalancer-internal`, 'true');
    const runs = [cpa, AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })];
    expect(saidBy('public-by-misspelt-annotation', manifest, { controllers: runs })).toEqual([]);
  });

  test.each([
    [`${BETA}azure-load-balancer-internal`, cpz],
    [`${AWS}internal`, cpa],
  ])('is an error in the label %s, since it is public', (key, owner) => {
    const manifest = text('labels', key, 'true');
    const [said] = saidBy('public-by-label', manifest, { controllers: [owner] });
    expect(said).toMatch(/^error 6: /);
    expect(said).toContain('reads an annotation of this name; move it to metadata.annotations');
    expect(saidBy('annotation-as-label', manifest, { controllers: [owner] })).toEqual([]);
  });

  test('is said by an annotation beside the label, or the misspelt one', () => {
    const internal = `    ${AWS}internal: "true"\nspec:`;
    const misspelt = text('annotations', `${BETA}aws-loadbalancer-internal`, 'true').replace('spec:', internal);
    expect(saidBy('public-by-misspelt-annotation', misspelt, { controllers: [cpa] })).toEqual([]);
    const both = text('labels', `${AWS}internal`, 'true').replace('spec:', `  annotations:\n${internal}`);
    expect(saidBy('public-by-label', both, { controllers: [cpa] })).toEqual([]);
  });
});

test.each([
  [cpa, `${AWS}internal`, 'false', ', and the balancer is public'],
  [cpa, `${AWS}type`, 'nlb', ''],
])('%s: %s %s as a label is ignored', (owner, key, value, more) => {
  const [said] = saidBy('annotation-as-label', text('labels', key, value), { controllers: [owner] });
  expect(said).toMatch(/^warning 6: /);
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

test.each<string>(casesIn(__dirname, 'warnings.yaml')['is of another controller and nobody here takes it for a slip'])(
  '%s is of another controller, and nobody here takes it for a slip',
  (key) => {
    for (const owner of OWNERS) {
      expect(saidBy('annotation-unknown', text('annotations', key, 'true'), { controllers: [owner] })).toEqual([]);
    }
  },
);

describe('a scheme that its owner does not read', () => {
  const ids = ['annotation-for-other-controller', 'public-by-foreign-annotation'];
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
    expect(said).toContain(`${owner.name}, which owns the balancer, ignores it`);
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
    expect(saidBy('public-by-foreign-annotation', both, { controllers: [cpa] })).toEqual([]);
    expect(saidBy('annotation-for-other-controller', both, { controllers: [cpa] })).toHaveLength(1);
  });

  test('is no error where it is not sure who owns the balancer', () => {
    const runs = [cpa, AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })];
    expect(
      saidBy('public-by-foreign-annotation', text('annotations', `${AWS}scheme`, 'internal'), { controllers: runs }),
    ).toEqual([]);
    expect(saidBy('public-by-foreign-annotation', text('annotations', `${AWS}scheme`, 'internal'))).toEqual([]);
  });
});

describe('a type that the AWS Load Balancer Controller does not consult', () => {
  const webhook = AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true });
  const byClass = text('annotations', `${AWS}type`, 'nlb').replace(
    'spec:',
    'spec:\n  loadBalancerClass: service.k8s.aws/nlb',
  );

  test.each<[string, string, ILoadBalancerController]>([
    ['beside a class', byClass, AwsLoadBalancerController.nlb()],
    ['beside a webhook that gives a class', text('annotations', `${AWS}type`, 'nlb'), webhook],
  ])('%s is not misread', (_, yaml, owner) => {
    expect(saidBy('annotation-value-misinterpreted', yaml, { controllers: [owner, cpa] })).toEqual([]);
  });
});
