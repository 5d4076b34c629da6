import { join } from 'node:path';
import { AwsLoadBalancerController, AzureCloudProvider, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { checkedText, foundIn, saidBy } from '../support/checks';
import { casesIn, revived, table } from '../support/yaml-cases';
import { fileOf, type Part } from './checked';

const LBC = { controllers: [AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true })] };

const kafka = (
  finalizer: string,
  { version = '3.9.0', api = 'v1beta2', more = '' } = {},
) => `apiVersion: kafka.strimzi.io/${api}
kind: Kafka
metadata: {name: events, namespace: kafka}
spec:
  kafka:
    version: ${version}
    replicas: 3
    authorization: {type: simple}
    listeners:
      - name: plain
        port: 9095
        type: internal
        tls: false
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        authentication: {type: scram-sha-512}
        configuration:
          finalizers: [${finalizer}]${more && `\n          ${more}`}
`;

const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
const OWN = 'service.k8s.aws/resources';

describe('the finalizer of a listener and the owner of its balancers', () => {
  test('the one of service controllers, where any owner may be: who else may own them, and what is left behind', () => {
    expect(saidBy('finalizer-owner-unknown', kafka(CLEANUP))).toEqual([
      `warning 20: listener 'external': if the owner of the balancer is aws-load-balancer-controller (which removes ${OWN}) or eks-auto-mode (which removes service.eks.amazonaws.com/resources), Strimzi 0.45 strips theirs, and deletion leaves 4 balancers behind: finalizer ${CLEANUP} is only removed by the service controller of a cloud provider; declare the finalizer of the controller that owns the balancers, or name the controllers that run`,
    ]);
    expect(foundIn(kafka(CLEANUP))).toEqual([
      'note 1 kafka-api-deprecated',
      'warning 15 sensitive-port-public',
      'warning 20 finalizer-owner-unknown',
    ]);
  });

  test.each<[string, string, Parameters<typeof foundIn>[1], string[]]>(
    revived(table('cli/kafka-manifests.yaml', 'finalizers and owners of listeners', { LBC }), { kafka }),
  )('%s', (_, yaml, context, found) => {
    const rules = foundIn(yaml, context).filter((line) => /finalizer|strimzi-v/.test(line));
    expect(rules.sort()).toEqual([...found].sort());
  });
});

describe('a listener of which some balancers are internal', () => {
  const AKS = { controllers: [AzureCloudProvider.standard()] };
  const note = (value: string) => `annotations: {service.beta.kubernetes.io/azure-load-balancer-internal: "${value}"}`;
  const bootstrap = `bootstrap: {${note('true')}}`;
  const brokers = (value: string) =>
    `brokers: [${[0, 1, 2].map((id) => `{broker: ${id}, ${note(value)}}`).join(', ')}]`;
  const saidOf = (more: string, context: Parameters<typeof foundIn>[1] = AKS) =>
    saidBy('listener-partly-public', kafka(CLEANUP, { more }), context);

  test('has public ones by a default that was overlooked', () => {
    expect(saidOf(bootstrap)).toEqual([
      "error 14: listener 'external': Service events-kafka-external-bootstrap is internal, and events-kafka-0, events-kafka-1, events-kafka-2 are public: the default, since azure-load-balancer-internal is not written; make bootstrap and every broker internal, or write the scheme of the public ones where they are meant so",
    ]);
  });

  test.each<[string, string, Parameters<typeof foundIn>[1], string[]]>([
    ['all are internal', `${bootstrap}\n          ${brokers('true')}`, AKS, []],
    ['the others are public as it is written', `${bootstrap}\n          ${brokers('false')}`, AKS, []],
    ['none is internal', brokers('false'), AKS, []],
    ['the owner is likely', bootstrap, {}, ['warning 14']],
  ])('%s', (_, more, context, expected) => {
    expect(saidOf(more, context).map((text) => text.split(':')[0])).toEqual(expected);
  });
});

describe('a listener with a public bootstrap', () => {
  const PUBLIC = 'service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing';
  const onAzure = (value: string) =>
    `annotations: {service.beta.kubernetes.io/azure-load-balancer-internal: "${value}"}`;
  const AKS = { controllers: [AzureCloudProvider.standard()] };
  const bootstrap = (annotations: string) => `bootstrap: {${annotations}}`;
  const brokers = (...annotations: string[]) =>
    `brokers: [${annotations.map((one, id) => `{broker: ${id}, ${one}}`).join(', ')}]`;
  const onAws = `annotations: {${PUBLIC}}`;
  const saidOf = (lines: string[], context: Parameters<typeof foundIn>[1]) =>
    saidBy(
      'listener-brokers-internal',
      kafka(OWN, { more: ['class: service.k8s.aws/nlb', ...lines].join('\n          ') }),
      context,
    );

  test('has brokers that are internal by a default that was overlooked', () => {
    expect(saidOf([bootstrap(onAws)], LBC)).toEqual([
      "error 14: listener 'external': clients from outside do not reach some brokers: bootstrap is public, and Services events-kafka-0, events-kafka-1, events-kafka-2 of its brokers are internal (the default, since aws-load-balancer-scheme is not written); make every broker public as well, or bootstrap internal",
    ]);
    const nameless = kafka(OWN, { more: `class: service.k8s.aws/nlb\n          ${bootstrap(onAws)}` });
    const [said] = saidBy('listener-brokers-internal', nameless.replace(/name: external,? */, ''), LBC);
    expect(said).toContain('Services events-kafka-*-0, events-kafka-*-1');
  });

  test.each<[string, string[], string[]]>(table('cli/kafka-manifests.yaml', 'has brokers'))(
    'has brokers %s',
    (_, lines, expected) => {
      const found = saidOf(lines, LBC);
      expect(found).toHaveLength(expected.length);
      expect(found.filter((text) => expected.some((name) => text.includes(`Service ${name}`)))).toEqual(found);
    },
  );

  test('has brokers that are set to be internal', () => {
    const internal = onAzure('true');
    const more = [bootstrap(onAzure('false')), brokers(internal, internal, internal)].join('\n          ');
    expect(saidBy('listener-brokers-internal', kafka(CLEANUP, { more }), AKS)).toEqual([
      expect.stringContaining("of its brokers are internal (azure-load-balancer-internal is 'true')"),
    ]);
  });
});

describe('a listener whose brokers are not known', () => {
  const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
  const DNS = 'external-dns.alpha.kubernetes.io/hostname';
  const listener = (...lines: string[]) => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: my, namespace: k}
spec:
  kafka:
    authorization: {type: simple}
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        authentication: {type: tls}
        configuration:
          ${['class: service.k8s.aws/nlb', `finalizers: [${OWN}]`, ...lines].join('\n          ')}
`;
  const bootstrap = `bootstrap: {annotations: {${SCHEME}: internet-facing, ${DNS}: k.example.com}}`;
  const STRIMZI = { ...LBC, strimzi: StrimziVersion.V1_2 };

  test.each<[string, string, string[], string]>(
    table('cli/kafka-manifests.yaml', 'findings about brokers', { bootstrap }),
  )('has brokers %s', (_, rule, lines, said) => {
    expect(saidBy(rule, listener(...lines), STRIMZI)).toEqual([expect.stringContaining(said)]);
  });

  test.each<[string, string[]]>(table('cli/kafka-manifests.yaml', 'brokers without findings', { bootstrap }))(
    'has brokers %s: no finding',
    (_, lines) => {
      const found = foundIn(listener(...lines), STRIMZI);
      expect(
        found.filter((line) => !/sensitive-port-public|strimzi-vulnerability|finalizer-added-late/.test(line)),
      ).toEqual([]);
    },
  );
});

describe('an operator whose version is not known', () => {
  test.each<[string, string, string[]]>(
    revived(table('cli/kafka-manifests.yaml', 'an operator of unknown version'), { kafka }),
  )('%s', (_, yaml, found) => {
    expect(foundIn(yaml).filter((line) => /kafka-(version|api-(version|removed))/.test(line))).toEqual(found);
  });

  test('one that is known does not run every Kafka', () => {
    const found = foundIn(kafka(OWN, { version: '3.6.1' }), { strimzi: StrimziVersion.V0_45 });
    expect(found).toContain('error 6 kafka-version-unsupported');
    expect(foundIn(kafka(OWN, { version: '2.4.0', api: 'v1beta1' }), { strimzi: StrimziVersion.V0_45 })).toContain(
      'error 1 kafka-api-version-unsupported',
    );
  });

  test('the map of listeners of API versions that ended is no mistake of its own', () => {
    const map = `apiVersion: kafka.strimzi.io/v1alpha1
kind: Kafka
metadata: {name: old}
spec:
  kafka:
    replicas: 3
    listeners:
      external: {type: loadbalancer, tls: false}
`;
    expect(foundIn(map)).toEqual([
      'warning 1 kafka-api-version-removed',
      'warning 8 sensitive-port-public',
      'note 8 owner-unspecified',
    ]);
    expect(foundIn(map.replace('v1alpha1', 'v1beta2'))).toContain('error 7 kafka-listeners-missing');
  });

  const POOLS = casesIn(__dirname, 'kafka-manifests.yaml').pools;

  test('what the oldest or the newest alone finds is a warning that names it', () => {
    expect(saidBy('node-pools-disabled', POOLS)).toEqual([
      expect.stringMatching(
        /^warning 1: with Strimzi 0\.45, though not with 0\.51: node pools are ignored: annotation strimzi\.io\/node-pools /,
      ),
    ]);
    expect(saidBy('node-pools-disabled', POOLS, { strimzi: StrimziVersion.V0_51 })).toEqual([]);
  });

  test('what holds for both is as it is', () => {
    const twice = POOLS.replace('tls: true}', 'tls: true}\n      - {name: tls, port: 9099, type: internal, tls: true}');
    expect(foundIn(twice)).toContain('error 8 listener-name-duplicate');
  });

  test('an operator of the files that is older than what is known checks what holds for it', () => {
    const operator = `apiVersion: apps/v1
kind: Deployment
metadata: {name: strimzi-cluster-operator}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: o, image: quay.io/strimzi/operator:0.38.0, args: [/opt/strimzi/bin/cluster_operator_run.sh]}]
---
`;
    const labels = '    template: {perPodService: {metadata: {labels: {cost: 7}}}}\n    listeners:';
    const yaml = kafka(OWN, { version: '3.9.0' }).replace('    listeners:', labels);
    expect(foundIn(yaml)).toContain('error 9 kafka-template-value-not-string');
    expect(foundIn(operator + yaml).filter((line) => line.includes('kafka-template'))).toEqual([
      'warning 19 kafka-template-value-not-string',
    ]);
  });
});

describe('an operator of the context that is older than what is known', () => {
  const OLD = { isStrimziOlder: true };

  test('is checked by what holds for all such operators', () => {
    const cluster = kafka(CLEANUP, { version: '3.6.1' });
    expect(foundIn(cluster, { strimzi: StrimziVersion.V0_45 })).toContain('error 6 kafka-version-unsupported');
    const found = checkedText(cluster, { ...LBC, ...OLD }).findings;
    expect(found.map(({ ruleId }) => ruleId)).not.toContain('kafka-version-unsupported');
    expect(found.some(({ what }) => /Strimzi 0\.45/.test(what.replaceAll('before 0.45', '')))).toBe(false);
    expect(found.map(({ what }) => what).join()).toContain('Strimzi before 0.45');
  });

  test('is not asked for again', () => {
    expect(foundIn(kafka(OWN), LBC)).toContain('note 1 kafka-api-deprecated');
    expect(foundIn(kafka(OWN), { ...LBC, ...OLD })).not.toContain('note 1 kafka-api-deprecated');
  });
});

const newKafka = (...configuration: string[]) => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: events}
spec:
  kafka:
    authorization: {type: simple}
    listeners:
      - {name: external, port: 9094, type: loadbalancer, tls: true, authentication: {type: tls}, configuration: {${configuration.join(', ')}}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: all, labels: {strimzi.io/cluster: events}}
spec: {replicas: 3, roles: [broker, controller], storage: {type: ephemeral}}
`;

describe('a finalizer that the operator keeps once the owner has added it', () => {
  test.each<[string, string, Parameters<typeof foundIn>[1], string[]]>(
    revived(table('cli/kafka-manifests.yaml', 'finalizers that the operator keeps'), { newKafka }),
  )('%s', (_, file, context, notes) => {
    const found = foundIn(file, context);
    expect(found.filter((one) => one.includes('finalizer-not-declared-on-listener'))).toEqual(notes);
    // never beside what says that the finalizer is stripped
    expect(notes.length > 0 && found.some((one) => one.includes('finalizer-missing-on-listener'))).toBe(false);
  });
});

describe('what is not known is told in words of a user, and only where something depends on it', () => {
  const needs = (yaml: string) =>
    checkedText(yaml).unknown.map(({ ruleId, needs: all }) => `${ruleId}: ${all.join(', ')}`);

  test('node pools are not asked for', () => {
    expect(needs(kafka(OWN))).toEqual(['service-without-controller: controllers']);
  });

  test.each<Json>(casesIn(join(__dirname, '..', 'cases'), 'gke.yaml').listeners)(
    'finalizers of GKE that an old Strimzi strips: $title',
    (row) => {
      const { finalizer = '', written, context, rules = [] } = row;
      const { unknown, findings } = checkedText(kafka(finalizer, written), revived(context));
      const found = findings.map(({ ruleId }) => ruleId).filter((id) => /finalizer-(missing-on|removed-by)/.test(id));
      expect(found).toEqual(rules);
      const needed = unknown.flatMap(({ ruleId, needs: all }) =>
        ruleId === 'finalizer-missing-on-listener' ? all : [],
      );
      expect(needed).toEqual(
        row.isUnknown
          ? [expect.stringMatching(/cluster decides.*load-balancers\.yaml.*set the class.*Strimzi 0\.51/)]
          : [],
      );
    },
  );
});

describe('nodes of brokers and nodes of the backend of their balancers', () => {
  const { pieces, rows } = casesIn(__dirname, 'kafka-manifests.yaml').nodes;

  test.each<[string, Part[], string[]]>(rows)('%s', (_, of, said) => {
    const found = saidBy('backend-without-pods', fileOf(pieces, of), LBC);
    expect(found.map((one) => one.replace(/^error \d+: /, ''))).toEqual(said);
  });
});
