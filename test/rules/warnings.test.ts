import { ApiObject, App, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import {
  AwsLoadBalancerController,
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

const RULE = 'local-without-pool';

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
  expect(stderr).toMatch(/\[first\/Echo\] aws-load-balancer-controller: .*\n.*\(local-without-pool\)/);
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

test('an acknowledgement needs a reason', () => {
  expect(() => LoadBalancers.of(app('unused')).acknowledge(RULE, ' ')).toThrow('without a reason');
});

test('warnings that were made to fail are errors, all at once, and nothing is written', () => {
  let stderr = '';
  const files = filesWritten((outdir) => {
    const made = app(outdir);
    LoadBalancers.of(made).failOnWarnings();
    stderr = stderrOf(() => {
      expect(() => made.synth()).toThrow(/\[first\/Echo\].*local-without-pool.*\n.*\[second\/Echo\]/s);
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

test('the load balancers of an app are counted with their owners', () => {
  const made = app('unused');
  expect(LoadBalancers.of(made).count).toBe(2);
  expect(LoadBalancers.of(made.node.findChild('second')).all).toMatchObject([
    { path: 'second/Echo', kind: 'Service', plan: { owner: 'aws-load-balancer-controller' }, count: 1 },
  ]);
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
    expect(LoadBalancers.of(made).errors.map(seen)).toEqual([['first/Echo', 'error', 'service-ports']]);
    expect(LoadBalancers.of(made).findings.map(({ severity }) => severity)).toEqual(['error', 'warning', 'warning']);
    expect(LoadBalancers.of(made.node.findChild('second')).errors).toEqual([]);
    expect(LoadBalancers.of(made).errors.map(({ finding }) => sentenceOf(finding))).toEqual(sentencesOfSynth(made));
  });

  test('files that would overwrite each other', () => {
    const made = wrong(YamlOutputType.FILE_PER_RESOURCE);
    const { errors } = LoadBalancers.of(made);
    expect(errors.map(seen)).toEqual([['second/Echo', 'error', 'file-twice']]);
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
    expect(errors.map(seen)).toEqual([['second/B', 'error', 'claimed-twice']]);
    expect(errors.map(({ finding }) => sentenceOf(finding))).toEqual(sentencesOfSynth(made));
  });

  test('an app of others has none', () => {
    expect(LoadBalancers.of(new App()).findings).toEqual([]);
  });

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
