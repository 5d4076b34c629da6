import { AWS_LBC } from '../../../../src/controllers/aws-load-balancer-controller/annotations';
import type { Random } from '../../../support/random';
import {
  type Body,
  balanced,
  copyOf,
  documents,
  drawnFor,
  type Family,
  KEPT,
  NOT_KEPT,
  type Truth,
} from './folder-pair';

// Services exchange names, move with their namespaces, get other classes, and ask for other addresses.

interface Kind {
  readonly controller: string;
  readonly class?: string;
  readonly finalizer?: string;
  /** Annotations of either one. */
  readonly unlike: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  /** What becomes of one that gets what the other one has. */
  readonly exchanged: Truth;
  /** Annotations, or fields, that ask for one address and for another one. */
  readonly fixed: readonly Fixed[];
}

interface Fixed {
  readonly set: (service: Body, value: string | undefined) => void;
  readonly values: readonly [string, string];
  /** What another address does, asking for one, and asking for none any more. */
  readonly other: Truth;
  readonly asked: Truth;
  readonly left: Truth;
  /** Whether another Service that asks for the address has it when this one is gone. */
  readonly comesBack?: true;
}

const annotated =
  (key: string): Fixed['set'] =>
  ({ metadata }, value) => {
    metadata.annotations = { ...metadata.annotations, [key]: value };
    if (value === undefined) delete metadata.annotations[key];
  };
const asField: Fixed['set'] = ({ spec }, value) => {
  spec.loadBalancerIP = value;
  if (value === undefined) delete spec.loadBalancerIP;
};

const ANY: Truth = [...NOT_KEPT, 'kept'];
const SCHEME = AWS_LBC.scheme.key();

const KINDS: readonly Kind[] = [
  {
    controller: 'aws-load-balancer-controller',
    class: 'service.k8s.aws/nlb',
    finalizer: 'service.k8s.aws/resources',
    unlike: [{ [SCHEME]: 'internal' }, { [SCHEME]: 'internet-facing' }],
    // kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/deploy/elbv2/load_balancer_synthesizer.go: another scheme is another one
    exchanged: ['replaced'],
    fixed: [
      {
        // subnets alone are compared, so that addresses stay what they are: pkg/deploy/elbv2/load_balancer_manager.go
        set: annotated(AWS_LBC.privateIpv4Addresses.key()),
        values: ['10.0.0.1', '10.0.0.2'],
        other: KEPT,
        asked: KEPT,
        left: KEPT,
      },
      // not read: pkg/service/model_build_load_balancer.go
      { set: asField, values: ['192.0.2.1', '192.0.2.2'], other: KEPT, asked: KEPT, left: KEPT },
    ],
  },
  {
    controller: 'metallb',
    unlike: [{ 'metallb.io/address-pool': 'one' }, { 'metallb.io/address-pool': 'two' }],
    // metallb/metallb v0.16.2, controller/service.go: an address of another pool is given up
    exchanged: ['replaced'],
    fixed: [
      {
        set: annotated('metallb.io/loadBalancerIPs'),
        values: ['192.0.2.1', '192.0.2.2'],
        other: ['replaced'],
        asked: ['replaced', 'unknown'],
        left: KEPT,
        // metallb/metallb v0.16.2, controller/main.go: those that wait are looked at again when one is gone
        comesBack: true,
      },
    ],
  },
  {
    controller: 'cloud-provider-azure',
    finalizer: 'service.kubernetes.io/load-balancer-cleanup',
    unlike: [
      { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
      { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'false' },
    ],
    // kubernetes-sigs/cloud-provider-azure v1.36.0, pkg/provider/azure_loadbalancer.go
    exchanged: ['replaced'],
    fixed: [
      {
        set: annotated('service.beta.kubernetes.io/azure-load-balancer-ipv4'),
        values: ['192.0.2.1', '192.0.2.2'],
        other: NOT_KEPT,
        asked: NOT_KEPT,
        left: ANY,
      },
      { set: asField, values: ['192.0.2.1', '192.0.2.2'], other: NOT_KEPT, asked: NOT_KEPT, left: ANY },
    ],
  },
];

interface Subject {
  readonly kind: Kind;
  readonly fixed: Fixed;
  readonly prune?: boolean;
}

interface Mutation {
  readonly name: string;
  readonly fits?: (subject: Subject) => boolean;
  /** What both sides have before it. */
  readonly from?: (services: Body[], subject: Subject) => void;
  change(services: Body[], subject: Subject): readonly Body[];
  truths(subject: Subject): Readonly<Record<string, Truth>>;
}

const [ECHO, SHOP] = ['edge/echo', 'edge/shop'];
const namespace = (name: string): Body => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const pruned = ({ prune }: Subject, truth: Truth): Truth => (prune === false ? KEPT : truth);
const same = { [ECHO]: KEPT, [SHOP]: KEPT };
const GONE: Truth = ['replaced', 'deleted'];

const MUTATIONS: readonly Mutation[] = [
  { name: 'nothing', change: (services) => services, truths: () => same },
  { name: 'another order in the file', change: (services) => [...services].reverse(), truths: () => same },
  {
    name: 'names exchanged',
    change: ([echo, shop, ...others]) => {
      [echo.metadata.name, shop.metadata.name] = [shop.metadata.name, echo.metadata.name];
      return [echo, shop, ...others];
    },
    truths: ({ kind }) => ({ [ECHO]: kind.exchanged, [SHOP]: kind.exchanged }),
  },
  {
    // they are alike but for what they select: clients reach the pods of the other one
    name: 'names of those that are alike exchanged',
    from: ([echo, shop]) => {
      shop.metadata.annotations = copyOf(echo.metadata.annotations);
    },
    change: ([echo, shop, ...others]) => {
      [echo.metadata.name, shop.metadata.name] = [shop.metadata.name, echo.metadata.name];
      return [echo, shop, ...others];
    },
    truths: () => ({ [ECHO]: ['interrupted'], [SHOP]: ['interrupted'] }),
  },
  {
    name: 'one gets the name of the other, which goes',
    change: ([echo, shop, ...others]) => {
      echo.metadata.name = shop.metadata.name;
      return [echo, ...others];
    },
    truths: (subject) => ({ [ECHO]: pruned(subject, GONE), [SHOP]: subject.kind.exchanged }),
  },
  {
    name: 'names go round',
    from: (services) => services.push({ ...copyOf(services[0]), metadata: { ...services[0].metadata, name: 'mail' } }),
    change: ([echo, shop, mail, ...others]) => {
      [echo.metadata.name, shop.metadata.name, mail.metadata.name] = ['shop', 'mail', 'echo'];
      return [echo, shop, mail, ...others];
    },
    truths: ({ kind }) => ({ [ECHO]: KEPT, [SHOP]: kind.exchanged, 'edge/mail': kind.exchanged }),
  },
  {
    name: 'another namespace for one',
    change: ([echo, ...others]) => {
      echo.metadata.namespace = 'moved';
      return [echo, ...others];
    },
    truths: (subject) => ({ [ECHO]: pruned(subject, GONE), [SHOP]: KEPT, 'moved/echo': ['created'] }),
  },
  {
    name: 'another namespace for all, and it is renamed',
    from: (services) => services.push(namespace('edge')),
    change: (services) =>
      services.map(({ metadata, ...service }) => ({
        ...service,
        metadata: service.kind === 'Namespace' ? { ...metadata, name: 'moved' } : { ...metadata, namespace: 'moved' },
      })),
    truths: (subject) => ({ [ECHO]: pruned(subject, GONE), [SHOP]: pruned(subject, GONE), 'moved/echo': ['created'] }),
  },
  {
    name: 'the namespace is gone, and the Services are not',
    from: (services) => services.push(namespace('edge')),
    change: (services) => services.filter(({ kind }) => kind !== 'Namespace'),
    truths: (subject) => ({ [ECHO]: pruned(subject, NOT_KEPT), [SHOP]: pruned(subject, NOT_KEPT) }),
  },
  {
    name: 'namespaces exchanged',
    from: (services) => {
      services[1].metadata = { ...services[1].metadata, name: 'echo', namespace: 'other' };
    },
    change: ([echo, other, ...others]) => {
      [echo.metadata.namespace, other.metadata.namespace] = ['other', 'edge'];
      return [echo, other, ...others];
    },
    truths: ({ kind }) => ({ [ECHO]: kind.exchanged, 'other/echo': kind.exchanged }),
  },
  {
    name: 'another class',
    change: ([echo, ...others]) => {
      echo.spec.loadBalancerClass = 'example.com/another';
      return [echo, ...others];
    },
    truths: () => ({ [ECHO]: ['refused'], [SHOP]: KEPT }),
  },
  {
    name: 'a class away',
    fits: ({ kind }) => kind.class !== undefined,
    change: ([echo, ...others]) => {
      delete echo.spec.loadBalancerClass;
      return [echo, ...others];
    },
    truths: () => ({ [ECHO]: ['refused'], [SHOP]: KEPT }),
  },
  {
    name: 'another class and another name',
    change: ([echo, ...others]) => {
      echo.metadata.name = 'other';
      echo.spec.loadBalancerClass = 'example.com/another';
      return [echo, ...others];
    },
    truths: (subject) => ({ [ECHO]: pruned(subject, GONE), [SHOP]: KEPT }),
  },
  {
    name: 'another address',
    from: ([echo], { fixed }) => fixed.set(echo, fixed.values[0]),
    change: ([echo, ...others], { fixed }) => {
      fixed.set(echo, fixed.values[1]);
      return [echo, ...others];
    },
    truths: ({ fixed }) => ({ [ECHO]: fixed.other, [SHOP]: KEPT }),
  },
  {
    name: 'an address is asked for',
    change: ([echo, ...others], { fixed }) => {
      fixed.set(echo, fixed.values[0]);
      return [echo, ...others];
    },
    truths: ({ fixed }) => ({ [ECHO]: fixed.asked, [SHOP]: KEPT }),
  },
  {
    name: 'no address is asked for any more',
    from: ([echo], { fixed }) => fixed.set(echo, fixed.values[0]),
    change: ([echo, ...others], { fixed }) => {
      fixed.set(echo, undefined);
      return [echo, ...others];
    },
    truths: ({ fixed }) => ({ [ECHO]: fixed.left, [SHOP]: KEPT }),
  },
  {
    name: 'another name with the same address',
    from: ([echo], { fixed }) => fixed.set(echo, fixed.values[0]),
    change: ([echo, ...others]) => {
      echo.metadata.name = 'renamed';
      return [echo, ...others];
    },
    // clients of an address that comes back need no other one
    truths: (subject) => ({ [ECHO]: pruned(subject, subject.fixed.comesBack ? ['interrupted'] : GONE), [SHOP]: KEPT }),
  },
];

function pairOf(random: Random, number: number) {
  const { mutation, subject } = drawnFor(MUTATIONS, number, (): Subject => {
    const kind = random(KINDS);
    return { kind, fixed: random(kind.fixed), prune: random([true, true, false]) };
  });
  const { kind, prune } = subject;
  const before: Body[] = ['echo', 'shop'].map((name, i) =>
    balanced({
      name,
      class: kind.class,
      annotations: kind.unlike[i],
      ...(kind.finalizer !== undefined && { finalizers: [kind.finalizer] }),
    }),
  );
  mutation.from?.(before, subject);
  const after = mutation.change(copyOf(before), subject);
  // each in a file of its own, or all in one
  const isOne = random([true, false]);
  const filesOf = (objects: readonly Body[]) =>
    isOne
      ? { 'all.yaml': documents(...objects) }
      : Object.fromEntries(objects.map((object, i) => [`${i}.yaml`, documents(object)]));
  return {
    changes: [`${kind.controller}: ${mutation.name}`],
    before: filesOf(before),
    after: filesOf(after),
    context: `controllers: [${kind.controller}]\n`,
    options: { prune },
    truths: new Map(Object.entries(mutation.truths(subject))),
  };
}

/** Pairs in which Services change their names, places, classes and addresses. */
export const SERVICES: Family = { name: 'services', changes: MUTATIONS.map(({ name }) => name), pairOf };
