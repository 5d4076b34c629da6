import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, type AppProps, Chart, YamlOutputType } from 'cdk8s';
import {
  AdoptedService,
  AwsLoadBalancerController,
  Gateway,
  HetznerCloud,
  LoadBalancerOutcome,
  LoadBalancerProtection,
  type LoadBalancerProtectionProps,
  LoadBalancerScheme,
  LoadBalancers,
  NodePools,
  NodepoolPinnedService,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
} from '../../src';
import { readKubernetesYaml } from '../../src/contract/kubernetes-yaml';
import { stderrOf, synth, written } from '../support/apps';
import { lockedAsWished } from '../tenancy/shared/locked';
import { appWith, echoIn, filesBelow, inFolder, kafkaIn } from './apps-to-compare';

const PROTECTED = 'cdk8s-load-balancers/protected';

function protecting(
  fill: (chart: Chart) => { protect(): void } | undefined,
  props: AppProps & { readonly namespace?: string; readonly protection?: LoadBalancerProtectionProps } = {},
): App {
  const { protection, ...rest } = props;
  const app = appWith((chart) => fill(chart)?.protect(), rest);
  new LoadBalancerProtection(app, 'Protection', protection);
  return app;
}

function outcomeOf(app: App): { readonly errors: string[]; readonly said: string } {
  let errors: string[] = [];
  const said = stderrOf(() => {
    try {
      app.synth();
    } catch (error) {
      errors = (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    }
  });
  return { errors, said };
}

/** What a cluster would have of some files: objects as the API server fills them in, and the Services that an operator makes. */
function dumpOf(files: readonly string[]) {
  const applied = files.flatMap((text) => readKubernetesYaml(text).values.map(({ value }) => value as ApiObjectJson));
  const made = ['events-brokers-0', 'events-brokers-1', 'events-brokers-2', 'events-kafka-external-bootstrap'].map(
    (name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default', ownerReferences: [{ kind: 'Kafka', name: 'events' }] },
      spec: { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ports: [{ port: 9094 }] },
    }),
  );
  const items = [...applied, ...(made as readonly ApiObjectJson[])].map((object) => {
    const live = { uid: 'b1', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' };
    const annotations = {
      ...object.metadata.annotations,
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object),
    };
    const cluster = object.kind === 'Service' ? { clusterIP: '10.0.0.7', sessionAffinity: 'None' } : {};
    return {
      ...object,
      metadata: { namespace: 'default', ...object.metadata, ...live, annotations },
      spec: { ...object.spec, ...cluster },
      status: {},
    };
  });
  return { apiVersion: 'v1', kind: 'List', items };
}

interface ApiObjectJson {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: object };
  readonly spec?: object;
}

const NOTHING = { errors: [], said: '' };

describe('what is protected says so in what is written', () => {
  test('a Service', () => {
    const app = protecting((chart) => echoIn(chart));
    expect(written(app.charts[0], 'Service').metadata.annotations[PROTECTED]).toBe('aws-load-balancer-controller');
  });

  test('an adopted Service', () => {
    const app = protecting((chart) => {
      const metadata = { name: 'adopted', annotations: { 'example.com/team': 'edge' } };
      const spec = { ports: [{ port: 443 }], selector: { app: 'echo' } };
      const service = new ApiObject(chart, 'Manifest', { apiVersion: 'v1', kind: 'Service', metadata, spec });
      return new AdoptedService(chart, 'Adopted', {
        service,
        scheme: LoadBalancerScheme.INTERNAL,
        controller: HetznerCloud.loadBalancer(),
      });
    });
    expect(written(app.charts[0], 'Service').metadata.annotations).toMatchObject({
      'example.com/team': 'edge',
      [PROTECTED]: 'hcloud-cloud-controller-manager',
    });
  });

  test('a Service that is pinned to a node pool', () => {
    const app = protecting((chart) => {
      const pods = { labels: { app: 'echo' } };
      const containers = [{ name: 'echo', image: 'echo:1', ports: [{ containerPort: 443 }] }];
      const workload = new ApiObject(chart, 'Deployment', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'echo' },
        spec: { selector: { matchLabels: pods.labels }, template: { metadata: pods, spec: { containers } } },
      });
      return new NodepoolPinnedService(chart, 'Pinned', {
        workload,
        ports: [{ port: 443 }],
        nodePool: NodePools.karpenter('edge'),
        controller: AwsLoadBalancerController.nlb(),
      });
    });
    expect(written(app.charts[0], 'Service').metadata.annotations).toHaveProperty([PROTECTED]);
  });

  test('a listener, in the Kafka', () => {
    const app = protecting((chart) => kafkaIn(chart, 1));
    expect(written(app.charts[0], 'Kafka').metadata.annotations).toEqual({
      [`${PROTECTED}-external`]: 'aws-load-balancer-controller',
    });
  });

  test('nothing else does, and nothing is loaded for it', () => {
    expect(JSON.stringify(synth(appWith((chart) => void echoIn(chart)).charts[0]))).not.toContain(PROTECTED);
  });
});

describe('the output folder of the app', () => {
  test('the first synth passes and says that it compares nothing; the second one has something to compare', () =>
    inFolder((folder) => {
      const outdir = join(folder, 'dist');
      const app = () => protecting((chart) => echoIn(chart), { outdir });
      const { errors, said } = outcomeOf(app());
      expect(errors).toEqual([]);
      expect(said).toContain(`'${outdir}' has no manifests, so nothing is compared`);
      expect(said).toContain('(previous-empty)');
      const first = filesBelow(outdir);
      expect(outcomeOf(app())).toEqual(NOTHING);
      expect(filesBelow(outdir)).toEqual(first);
    }));

  const { FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE } = YamlOutputType;
  const TYPES = [FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE];

  describe.each(TYPES)('output type %i', (yamlOutputType) => {
    /** What a protected Service becomes another one by. */
    const LOSSES: Record<string, (chart: Chart) => undefined> = {
      'is renamed': (chart) => void echoIn(chart, { name: 'echo-2' }),
      'has another name by its construct path': (chart) => void echoIn(chart, { name: undefined }, 'Moved'),
      'is in another namespace': (chart) => void echoIn(chart, { namespace: 'other' }),
      'is gone': () => undefined,
      'is one of another type': (chart) =>
        void new ApiObject(chart, 'Echo', {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'echo' },
          spec: { type: 'ClusterIP', ports: [{ port: 443 }], selector: { app: 'echo' } },
        }),
    };

    test.each(Object.entries(LOSSES))(
      'a protected Service that %s fails every synth, and nothing is written',
      (_, fill) =>
        inFolder((outdir) => {
          outcomeOf(protecting((chart) => echoIn(chart), { outdir, yamlOutputType, namespace: 'team' }));
          const before = filesBelow(outdir);
          for (let i = 0; i < 2; i++) {
            const { errors, said } = outcomeOf(protecting(fill, { outdir, yamlOutputType, namespace: 'team' }));
            expect(errors.join('\n')).toMatch(
              /^\[Protection\] aws-load-balancer-controller: team\/echo \(.*\) is protected and (can|would) .*accept: \[\{ service: 'team\/echo', outcome: LoadBalancerOutcome\.[A-Z_]+, reason \}\](; trace: explain [a-z-]+)? \(protected-balancer-lost\)$/m,
            );
            expect(said).toBe('');
          }
          expect(filesBelow(outdir)).toEqual(before);
        }),
    );

    test('a changed scheme is another address', () =>
      inFolder((outdir) => {
        const app = (scheme: LoadBalancerScheme) =>
          protecting((chart) => echoIn(chart, { scheme }), { outdir, yamlOutputType });
        outcomeOf(app(LoadBalancerScheme.INTERNAL));
        expect(outcomeOf(app(LoadBalancerScheme.INTERNET_FACING)).errors).toContainEqual(
          expect.stringMatching(
            /default\/echo \(edge\/Echo\) is protected and would get another address: .*scheme.* internal -> internet-facing: /,
          ),
        );
      }));

    test.each(TYPES)('the same objects written with output type %i are no change', (other) =>
      inFolder((outdir) => {
        const app = (type: YamlOutputType) => protecting((chart) => echoIn(chart), { outdir, yamlOutputType: type });
        outcomeOf(app(yamlOutputType));
        expect(outcomeOf(app(other))).toEqual(NOTHING);
        expect(outcomeOf(app(other))).toEqual(NOTHING);
      }),
    );
  });

  test('a file that an older output type left there, and that says otherwise, is told from what is applied by nobody', () =>
    inFolder((outdir) => {
      const app = (yamlOutputType: YamlOutputType, port: number) =>
        protecting((chart) => echoIn(chart, { ports: [{ port }] }), { outdir, yamlOutputType });
      outcomeOf(app(FILE_PER_CHART, 443));
      outcomeOf(app(FILE_PER_RESOURCE, 443));
      writeFileSync(join(outdir, 'old.yaml'), filesBelow(outdir)['edge.k8s.yaml'].replace('443', '8443'));
      expect(outcomeOf(app(FILE_PER_RESOURCE, 443)).errors).toEqual([
        expect.stringMatching(/default\/echo is protected, and there are different ones: .*\(previous-ambiguous\)$/),
      ]);
    }));

  test('the same name in the charts of two clusters is two balancers', () =>
    inFolder((outdir) => {
      const app = (ids: readonly string[], port = 443) => {
        const all = new App({ outdir });
        for (const id of ids) {
          echoIn(new Chart(all, id), id === 'one' ? {} : { ports: [{ port }] }).protect();
        }
        new LoadBalancerProtection(all, 'Protection');
        LoadBalancers.of(all).acknowledge('exclusive-resource-conflict-across-charts', 'two clusters');
        return all;
      };
      outcomeOf(app(['one']));
      expect(outcomeOf(app(['one', 'two'])).errors).toEqual([]);
      expect(outcomeOf(app(['one', 'two'], 444)).errors).toEqual([]);
      expect(outcomeOf(app(['one', 'two'], 444)).errors).toEqual([]);
    }));
});

describe('a folder that is named', () => {
  test('is compared with, whatever the app is written to', () =>
    inFolder((folder) => {
      const [outdir, previous] = [join(folder, 'dist'), join(folder, 'deployed')];
      mkdirSync(previous);
      const app = (name: string) =>
        protecting((chart) => echoIn(chart, { name }), { outdir, protection: { previous } });
      expect(outcomeOf(app('echo')).said).toContain('(previous-empty)');
      cpSync(outdir, previous, { recursive: true });
      expect(outcomeOf(app('echo'))).toEqual(NOTHING);
      rmSync(outdir, { recursive: true });
      expect(outcomeOf(app('other')).errors).toContainEqual(expect.stringContaining('(protected-balancer-lost)'));
    }));

  test('may be what kubectl get reads from the cluster, with what an operator made there', () =>
    inFolder((folder) => {
      const [outdir, previous] = [join(folder, 'dist'), join(folder, 'live.json')];
      const fill = (name: string, brokers: number) => (chart: Chart) => {
        kafkaIn(chart, brokers).protect();
        return echoIn(chart, { name });
      };
      outcomeOf(protecting(fill('echo', 3), { outdir }));
      writeFileSync(previous, JSON.stringify(dumpOf(Object.values(filesBelow(outdir)))));
      const app = (name: string, brokers = 3) => protecting(fill(name, brokers), { outdir, protection: { previous } });
      expect(outcomeOf(app('echo'))).toEqual(NOTHING);
      expect(outcomeOf(app('other')).errors).toEqual([
        expect.stringMatching(/default\/echo .*protected-balancer-lost/),
      ]);
      expect(outcomeOf(app('echo', 2)).errors).toEqual([expect.stringMatching(/default\/events-brokers-2, of /)]);
    }));

  test('may be one file, and must be there and readable', () =>
    inFolder((folder) => {
      const previous = join(folder, 'deployed.yaml');
      const app = () =>
        protecting((chart) => echoIn(chart), { outdir: join(folder, 'dist'), protection: { previous } });
      expect(outcomeOf(app()).errors).toEqual([
        `[Protection] protection: previous '${previous}' leads to no file and no folder, so nothing can be compared; copy what is applied to it; before the first synth make an empty folder (previous-missing)`,
      ]);
      writeFileSync(previous, 'kind: [');
      expect(outcomeOf(app()).errors).toEqual([expect.stringMatching(/deployed\.yaml:1: .*\(previous-unreadable\)$/)]);
      outcomeOf(protecting((chart) => echoIn(chart), { outdir: join(folder, 'first') }));
      writeFileSync(previous, filesBelow(folder)['first/edge.k8s.yaml']);
      expect(outcomeOf(app())).toEqual(NOTHING);
    }));

  test('what was not protected when it was written is so from now on', () =>
    inFolder((previous) => {
      appWith((chart) => void echoIn(chart, { scheme: LoadBalancerScheme.INTERNAL }), { outdir: previous }).synth();
      const app = (scheme: LoadBalancerScheme) =>
        protecting((chart) => echoIn(chart, { scheme }), { outdir: join(previous, 'dist'), protection: { previous } });
      expect(LoadBalancers.of(app(LoadBalancerScheme.INTERNAL)).findings).toEqual([]);
      expect(LoadBalancers.of(app(LoadBalancerScheme.INTERNET_FACING)).errors).not.toEqual([]);
    }));

  test('what is protected no more can be lost in the synth after that, and not in the same one', () =>
    inFolder((folder) => {
      const outdir = join(folder, 'dist');
      const app = (fill: (chart: Chart) => { protect(): void } | undefined) => protecting(fill, { outdir });
      outcomeOf(app((chart) => echoIn(chart)));
      expect(outcomeOf(app((chart) => void echoIn(chart, { name: 'other' }))).errors).toHaveLength(1);
      expect(outcomeOf(app((chart) => void echoIn(chart)))).toEqual(NOTHING);
      expect(outcomeOf(app((chart) => void echoIn(chart, { name: 'other' })))).toEqual(NOTHING);
    }));

  test('what is not protected may go', () =>
    inFolder((outdir) => {
      const both = (chart: Chart) => {
        echoIn(chart, { name: 'shop' }, 'Shop');
        return echoIn(chart);
      };
      outcomeOf(protecting(both, { outdir }));
      expect(outcomeOf(protecting((chart) => echoIn(chart), { outdir }))).toEqual(NOTHING);
    }));

  test('a broker of a protected listener may not go', () =>
    inFolder((outdir) => {
      outcomeOf(protecting((chart) => kafkaIn(chart, 5), { outdir }));
      const { errors } = outcomeOf(protecting((chart) => kafkaIn(chart, 3), { outdir }));
      expect(errors).toEqual([
        expect.stringMatching(
          /: default\/events-brokers-\* \(3, 4\), of .* service: 'default\/events-brokers-\*', .*\(protected-balancer-lost\)$/,
        ),
      ]);
      const accept = [{ service: 'default/events-brokers-*', outcome: LoadBalancerOutcome.DELETED, reason: 'drained' }];
      const agreed = protecting((chart) => kafkaIn(chart, 3), {
        outdir: join(outdir, 'next'),
        protection: { previous: outdir, accept },
      });
      expect(LoadBalancers.of(agreed).findings).toEqual([]);
      expect(outcomeOf(protecting((chart) => kafkaIn(chart, 5), { outdir }))).toEqual(NOTHING);
    }));

  test('each Service of a protected listener has the annotation that a lock reads', () => {
    const [kafka] = protecting((chart) => kafkaIn(chart, 3)).charts.flatMap((chart) =>
      chart.toJson().filter(({ kind }) => kind === 'Kafka'),
    );
    const [{ configuration }] = kafka.spec.kafka.listeners;
    const ofBrokers = configuration.perBrokerAnnotationsTemplate
      ? Array(3).fill(configuration.perBrokerAnnotationsTemplate)
      : configuration.brokers.map(({ annotations }: { annotations: object }) => annotations);
    const all = [configuration.bootstrap.annotations, ...ofBrokers].map((annotations) => annotations[PROTECTED]);
    expect(all).toEqual(Array(4).fill('aws-load-balancer-controller'));
  });

  test('a Kafka of which it is not known what it had is a warning', () =>
    inFolder((outdir) => {
      outcomeOf(protecting((chart) => kafkaIn(chart, 3), { outdir, yamlOutputType: YamlOutputType.FILE_PER_RESOURCE }));
      rmSync(join(outdir, 'KafkaNodePool.brokers.k8s.yaml'));
      const { said } = outcomeOf(protecting((chart) => kafkaIn(chart, 3), { outdir }));
      expect(said).toMatch(/which balancers Kafka events has \(.*\) is not known.*\n.*\(protected-balancer-unknown\)/);
    }));
});

describe('a balancer that tenants share', () => {
  const controller = AwsLoadBalancerController.nlb();

  const shared = (chart: Chart, engine: SharedLoadBalancerEngine, name = 'edge', oneTeam = false) => {
    const made = new SharedLoadBalancer(chart, 'Shared', {
      ...{ name, engine, oneTeam },
      hostname: 'tcp.example.com',
      portLock: lockedAsWished('team-a/web:5432'),
    });
    made.addTenant('team-a');
    return made;
  };

  test('is protected by what its Service is made of', () =>
    inFolder((outdir) => {
      const app = (name: string) =>
        protecting((chart) => shared(chart, SharedLoadBalancerEngine.envoyGateway({ replicas: 2, controller }), name), {
          outdir,
          namespace: 'infra',
        });
      outcomeOf(app('edge'));
      expect(outcomeOf(app('edge')).errors).toEqual([]);
      expect(outcomeOf(app('other')).errors).toContainEqual(
        expect.stringMatching(
          /^\[Protection\] aws-load-balancer-controller: .*envoy-infra-edge.*\(protected-balancer-lost\)$/,
        ),
      );
    }));

  test('is protected by its Gateway, where it is made of that without a Service', () =>
    inFolder((outdir) => {
      const app = (name: string, scheme?: LoadBalancerScheme, accept?: LoadBalancerProtectionProps['accept']) =>
        protecting((chart) => shared(chart, SharedLoadBalancerEngine.awsNetworkLoadBalancer({ scheme }), name, true), {
          outdir,
          namespace: 'infra',
          protection: { accept },
        });
      expect(outcomeOf(app('edge')).errors).toEqual([]);
      const again = outcomeOf(app('edge'));
      expect(again.errors).toEqual([]);
      expect(again.said).not.toContain('not known');
      const lost = /^\[Protection\] aws-load-balancer-controller: .*infra\/edge.*\(protected-balancer-lost\)$/;
      expect(outcomeOf(app('other')).errors).toContainEqual(expect.stringMatching(lost));
      expect(outcomeOf(app('edge', LoadBalancerScheme.INTERNET_FACING)).errors).toContainEqual(
        expect.stringMatching(lost),
      );
      const accept = [{ service: 'infra/edge', outcome: LoadBalancerOutcome.REPLACED, reason: 'agreed' }];
      expect(outcomeOf(app('edge', LoadBalancerScheme.INTERNET_FACING, accept)).errors).toEqual([]);
    }));

  test('is refused where it exists already', () => {
    const engine = SharedLoadBalancerEngine.existingGateway({
      gateway: Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' }),
      routesBySni: false,
    });
    expect(() => protecting((chart) => shared(chart, engine), { namespace: 'infra' })).toThrow(
      'edge/Shared: it cannot be protected, since its engine does not make the Gateway that has it',
    );
  });
});

describe('the way out is an accepted loss with its reason', () => {
  const { DELETED, REPLACED } = LoadBalancerOutcome;
  const replaced = { service: 'default/echo', outcome: REPLACED, reason: 'the clients have moved' };

  const app = (scheme: LoadBalancerScheme, outdir: string, accept: LoadBalancerProtectionProps['accept'] = []) =>
    protecting((chart) => echoIn(chart, { scheme }), { outdir, protection: { accept } });

  test('it happens once, and afterwards the acceptance is unused', () =>
    inFolder((outdir) => {
      outcomeOf(app(LoadBalancerScheme.INTERNAL, outdir));
      expect(outcomeOf(app(LoadBalancerScheme.INTERNET_FACING, outdir, [replaced])).errors).toEqual([]);
      const { errors, said } = outcomeOf(app(LoadBalancerScheme.INTERNET_FACING, outdir, [replaced]));
      expect(errors).toEqual([]);
      expect(said).toMatch(
        /default\/echo is not replaced by this change, which is accepted because: the clients have moved\n +remove it from accept.*\(accepted-loss-unused\)/,
      );
    }));

  test('another loss than the accepted one, and another Service, fail all the same', () =>
    inFolder((outdir) => {
      outcomeOf(app(LoadBalancerScheme.INTERNAL, outdir));
      for (const wrong of [
        { ...replaced, outcome: DELETED },
        { ...replaced, service: 'default/other' },
        { ...replaced, service: 'default/ech' },
      ]) {
        expect(outcomeOf(app(LoadBalancerScheme.INTERNET_FACING, outdir, [wrong])).errors).not.toEqual([]);
      }
      const beginning = { ...replaced, service: 'default/ech*' };
      expect(outcomeOf(app(LoadBalancerScheme.INTERNET_FACING, outdir, [beginning])).errors).toEqual([]);
    }));

  test('it has a reason and names a Service', () => {
    const chart = new Chart(new App(), 'edge');
    const accept = (loss: object) => () =>
      new LoadBalancerProtection(chart, 'Protection', { accept: [{ ...replaced, ...loss }] });
    expect(accept({ reason: ' ' })).toThrow(
      "edge/Protection: 'default/echo' is accepted to be replaced without a reason; write why",
    );
    expect(accept({ service: 'echo' })).toThrow("service 'echo' of an accepted loss is not namespace/name");
  });
});

test('an app has one protection', () => {
  const app = protecting(() => undefined);
  expect(() => new LoadBalancerProtection(app.charts[0], 'Second')).toThrow('the app has Protection already');
});
