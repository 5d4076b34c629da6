import { App, Chart, Testing } from 'cdk8s';
import { KubernetesVersion } from '../../src';
import { AllowedClass } from '../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../src/tenancy/guard/load-balancer-admission-policy';
import { ClassDefaultMechanism, LoadBalancerClassDefault } from '../../src/tenancy/guard/load-balancer-class-default';
import { SHARED_CLASS } from '../../src/tenancy/tenancy.facts';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { install, refusalOf, untilDenied } from '../real/policies';
import { until } from '../real/program';
import { casesIn } from '../support/yaml-cases';
import { AdmissionWebhook, applied, configure, KyvernoAnswers, kyvernoWebhook } from './harness/kyverno';

// Which class Services get, by the API server's own policy and by Kyverno: the same requests to one API server, in namespaces where the
// one and in those where the other decides. Kyverno is asked twice: its webhook by the API server, and its command about files.

/** What a Service says beside its name, a selector, a port and who may connect. */
interface Said {
  readonly metadata?: Body;
  readonly spec?: Body;
}

/** How a Service is written. */
type Verb = 'create' | 'replace' | 'merge' | 'apply';

/** A request to an API server about a Service, and what is to become of it. */
interface ServiceRequest {
  readonly what: string;
  /** What is there before there is a policy. */
  readonly live?: Said;
  readonly verb: Verb;
  /** The whole Service, or what is merged into it. */
  readonly said: Said;
  /** Its class, its node ports and its labels afterwards, or why it is refused. */
  readonly becomes: Outcome | RegExp;
}

/** What the policy decides of a Service. */
interface Outcome {
  readonly loadBalancerClass?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Variant {
  readonly name: string;
  readonly props: { readonly loadBalancerClass?: string; readonly label?: string; readonly nodePorts?: boolean };
  readonly requests: readonly ServiceRequest[];
}

const VARIANTS: readonly Variant[] = casesIn(__dirname, 'class-default.yaml').variants;

const ENGINES = ['api-server', 'kyverno'] as const;
type Engine = (typeof ENGINES)[number];

const LABEL = 'example.com/class-by';
const FREE = 'free';

/** The class that a controller gives by a webhook of its own. */
const FOREIGN = 'service.k8s.aws/nlb';

let plane: ControlPlane;
let webhook: AdmissionWebhook;
const answers: KyvernoAnswers[] = [];
/** What is written for Kyverno, by variant. */
const policies = new Map<string, Body>();

const namespaceOf = (variant: Variant, engine: Engine) => `${variant.name}-${engine}`;
const labelsOf = (variant: Variant, engine: Engine) => ({ [LABEL]: namespaceOf(variant, engine) });
const namespaceObject = (name: string, labels: Body): Ref => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

/** Names of Services say nothing of where they are. */
const nameOf = (variant: Variant, request: ServiceRequest) => `db-${variant.requests.indexOf(request)}`;

function service(name: string, namespace: string, { metadata = {}, spec = {} }: Said): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, ...metadata },
    spec: {
      type: 'LoadBalancer',
      selector: { app: 'db' },
      loadBalancerSourceRanges: ['10.1.0.0/16'],
      ports: [{ port: 20000 }],
      ...spec,
    },
  };
}

/** The policies of a variant for one engine, in a chart of their own. */
function policiesOf(variant: Variant, engine: Engine): LoadBalancerClassDefault {
  const { loadBalancerClass = SHARED_CLASS, nodePorts = false } = variant.props;
  const name = namespaceOf(variant, engine);
  const chart = new Chart(new App(), name);
  const common = { name, namespaceLabels: labelsOf(variant, engine), kubernetes: KubernetesVersion.V1_36 };
  new LoadBalancerAdmissionPolicy(chart, 'Services', {
    ...common,
    allowedClasses: [AllowedClass.of(loadBalancerClass, { nodePorts })],
    minSourceRangePrefix: 16,
  });
  return new LoadBalancerClassDefault(chart, 'Class', {
    ...common,
    ...variant.props,
    ...(engine === 'kyverno' ? { mechanism: ClassDefaultMechanism.kyverno() } : {}),
  });
}

beforeAll(async () => {
  plane = await ControlPlane.start();
  const { api } = plane;
  await api.create(namespaceObject(FREE, {}));
  const namespaces = [];
  for (const variant of VARIANTS) {
    for (const engine of ENGINES) {
      const namespace = namespaceOf(variant, engine);
      namespaces.push(await api.create(namespaceObject(namespace, labelsOf(variant, engine))));
      for (const request of variant.requests.filter(({ live }) => live)) {
        await api.create(service(nameOf(variant, request), namespace, request.live ?? {}));
      }
    }
  }
  const answering: Record<string, KyvernoAnswers['answer']> = {};
  for (const variant of VARIANTS) {
    await install(api, Chart.of(policiesOf(variant, 'api-server')));
    const objects = Testing.synth(Chart.of(policiesOf(variant, 'kyverno'))) as Ref[];
    for (const object of objects) {
      if (object.kind === 'MutatingPolicy') {
        policies.set(variant.name, object);
      } else {
        await api.create(object);
      }
    }
    const policy = policies.get(variant.name) as Body;
    const kyverno = new KyvernoAnswers(policy, namespaces, plane.folder);
    answers.push(kyverno);
    answering[variant.name] = (review) => kyverno.answer(review);
  }
  webhook = await AdmissionWebhook.open(plane.folder, { ...answering, [FOREIGN]: givesForeignClass });
  const webhooks = VARIANTS.map(({ name }) => kyvernoWebhook(policies.get(name) as Body, webhook.client(name)));
  await configure(api, 'kyverno-resource-mutating-webhook-cfg', webhooks);
  for (const variant of VARIANTS) {
    for (const engine of ENGINES) {
      const namespace = namespaceOf(variant, engine);
      const external = { type: 'ClusterIP', externalIPs: ['192.0.2.1'], loadBalancerSourceRanges: undefined };
      const probe = (spec: Body) => api.create(service('probe', namespace, { spec }), { dryRun: true });
      await untilDenied(`the policy in ${namespace}`, () => probe(external));
      let seen: string | undefined;
      const hasClass = async () => {
        seen = await refusalOf(probe({}));
        return seen === undefined && (await probe({})).spec.loadBalancerClass !== undefined;
      };
      await until(`the class in ${namespace}`, hasClass, { seconds: 30, seen: () => seen });
    }
  }
});

afterAll(async () => {
  await webhook?.close();
  await Promise.all(answers.map((each) => each.close()));
  await plane?.stop();
});

/** A model of the webhook for Services of the AWS Load Balancer Controller, of which only the class is needed. */
async function givesForeignClass({ apiVersion, kind, request: { uid } }: Body): Promise<Body> {
  const patch = [{ op: 'add', path: '/spec/loadBalancerClass', value: FOREIGN }];
  const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch: encoded } };
}

/** What becomes of a request in a namespace; nothing is kept. */
async function outcomeOf(variant: Variant, request: ServiceRequest, namespace: string): Promise<Body | string> {
  const { api } = plane;
  const name = nameOf(variant, request);
  const whole = service(name, namespace, request.said);
  const dryRun = { dryRun: true };
  let made: Body = {};
  const acts = {
    create: () => api.create(whole, dryRun),
    replace: () => api.replace(whole, dryRun),
    merge: () => api.merge(whole, request.said, dryRun),
    apply: () => api.apply(whole, { ...dryRun, force: true }),
  };
  const refusal = await refusalOf(
    acts[request.verb]().then((object) => {
      made = object;
    }),
  );
  return refusal ?? made;
}

/** An object without what differs from one object to the next. */
function comparable(object: Body | string, namespace: string): unknown {
  if (typeof object === 'string') {
    return object.replaceAll(namespace, 'NAMESPACE').replaceAll(/\b3\d{4}\b/g, 'NODE-PORT');
  }
  const given = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'clusterIP', 'clusterIPs', 'nodePort']);
  const text = JSON.stringify(object, (key, value) => (given.has(key) ? `${key} as given` : value));
  return JSON.parse(text.replaceAll(namespace, 'NAMESPACE'));
}

const decided = ({ metadata, spec }: Body): Outcome => ({
  loadBalancerClass: spec.loadBalancerClass,
  allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts,
  labels: metadata.labels,
});

const ROWS = VARIANTS.flatMap((variant) =>
  variant.requests.map((request) => [variant.name, request.what, variant, request] as const),
);

test.each(ROWS)('%s: %s', async (_, __, variant, request) => {
  const made: Record<string, unknown> = {};
  for (const engine of ENGINES) {
    const namespace = namespaceOf(variant, engine);
    const outcome = await outcomeOf(variant, request, namespace);
    if (request.becomes instanceof RegExp) {
      expect(outcome).toMatch(request.becomes);
    } else {
      expect(typeof outcome === 'string' ? outcome : decided(outcome)).toEqual(request.becomes);
    }
    made[engine] = comparable(outcome, namespace);
  }
  expect(made.kyverno).toEqual(made['api-server']);
});

/** What the API server makes of a Service before it asks any policy. */
function defaulted(object: Ref): Ref {
  const { spec } = object;
  const isBalancer = spec.type === 'LoadBalancer';
  return isBalancer ? { ...object, spec: { allocateLoadBalancerNodePorts: true, ...spec } } : object;
}

/** The variants with those of their requests of which the command is asked. */
const asked = (of: (request: ServiceRequest) => boolean) =>
  VARIANTS.map((variant) => [variant.name, variant, variant.requests.filter(of)] as const);

test.each(asked(({ verb, becomes }) => verb === 'create' && !(becomes instanceof RegExp)))(
  'what Kyverno writes into files of Services that are created is what the API server makes of them: %s',
  async (_, variant, requests) => {
    const namespace = namespaceOf(variant, 'api-server');
    const files = requests.map((request) => service(nameOf(variant, request), namespace, request.said));
    const { services } = applied(policies.get(variant.name) as Body, labelledForKyverno(variant), files);
    for (const [index, request] of requests.entries()) {
      const file = files[index];
      const written = services.get(file.metadata.name) ?? file;
      const made = (await outcomeOf(variant, request, namespace)) as Body;
      expect(decided(defaulted(written as Ref))).toEqual(decided(made));
      expect(withoutDecided(written)).toEqual(withoutDecided(file));
    }
    expect(services.size).toBeGreaterThan(0);
  },
);

test.each(asked(({ live }) => live !== undefined))(
  'what Kyverno writes into files of Services that are there is what the API server makes of them as they are: %s',
  async (_, variant, requests) => {
    const namespace = namespaceOf(variant, 'api-server');
    const there = await Promise.all(
      requests.map(async (request) => {
        const object = (await plane.api.get(service(nameOf(variant, request), namespace, {}))) as Ref;
        return { object, made: await plane.api.replace(object, { dryRun: true }) };
      }),
    );
    const files = there.map(({ object }) => object);
    const { services } = applied(policies.get(variant.name) as Body, labelledForKyverno(variant), files, 'UPDATE');
    for (const { object, made } of there) {
      expect(decided(services.get(object.metadata.name) ?? object)).toEqual(decided(made));
    }
    expect(services.size).toBeGreaterThan(0);
  },
);

test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
  'where no tenants are, nobody gives a class: %s',
  async (_, variant) => {
    const free = service('db', FREE, {});
    const { services } = applied(policies.get(variant.name) as Body, { [FREE]: {} }, [free]);
    expect([...services.values()].map(decided).filter(({ loadBalancerClass }) => loadBalancerClass)).toEqual([]);
    expect(decided(await plane.api.create(free, { dryRun: true })).loadBalancerClass).toBeUndefined();
  },
);

/** The labels by which the policy for Kyverno knows the namespaces of the other engine as its own. */
const labelledForKyverno = (variant: Variant) => ({
  [namespaceOf(variant, 'api-server')]: labelsOf(variant, 'kyverno'),
});

/** What no policy of ours decides. */
function withoutDecided({ metadata, spec, ...rest }: Body): Body {
  const { labels: _, creationTimestamp: __, ...otherMetadata } = metadata;
  const { loadBalancerClass: ___, allocateLoadBalancerNodePorts: ____, ...otherSpec } = spec;
  return { ...rest, metadata: otherMetadata, spec: otherSpec };
}

describe('beside a webhook that gives a class of its own, and that the API server asks before Kyverno', () => {
  const [variant] = VARIANTS;
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' };
  // as the installation of the controller has it
  const name = 'aws-load-balancer-webhook';

  const classIn = async (namespace: string) => {
    let made: Body = {};
    const refusal = await refusalOf(
      plane.api.create(service('beside', namespace, {}), { dryRun: true }).then((object) => {
        made = object;
      }),
    );
    return refusal ?? made.spec.loadBalancerClass;
  };

  afterEach(() => plane.api.delete({ ...configuration, metadata: { name } }));

  const REFUSED = `spec.loadBalancerClass ${FOREIGN} is not allowed`;

  type Selector = LoadBalancerClassDefault['webhookNamespaceSelector'];

  test.each<[string, () => Selector, string]>([
    ['in every namespace, its class wins over that of Kyverno', () => undefined, REFUSED],
    [
      'kept out as the class default says, Kyverno gives the class',
      () => policiesOf(variant, 'kyverno').webhookNamespaceSelector,
      SHARED_CLASS,
    ],
  ])('%s', async (_, selectorOf, outcome) => {
    const matchExpressions = selectorOf();
    await configure(plane.api, name, [
      {
        name: 'mservice.elbv2.k8s.aws',
        clientConfig: webhook.client(FOREIGN),
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...(matchExpressions && { namespaceSelector: { matchExpressions } }),
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['CREATE'] }],
        matchConditions: [
          {
            name: 'load-balancer-class-not-set',
            expression: "object.spec.type == 'LoadBalancer' && !has(object.spec.loadBalancerClass)",
          },
        ],
      },
    ]);
    await until('the webhook to be asked', async () => (await classIn(FREE)) === FOREIGN);
    // the API server asks its own policies before all webhooks
    expect(await classIn(namespaceOf(variant, 'api-server'))).toBe(SHARED_CLASS);
    expect((await classIn(namespaceOf(variant, 'kyverno'))).slice(0, outcome.length)).toBe(outcome);
  });
});
