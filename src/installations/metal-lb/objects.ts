import { ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import type { NodePool } from '../../contract/node-pool';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { MetalLb } from '../../controllers/metal-lb/controller';
import { METALLB_ADVERTISEMENTS, METALLB_API_VERSION, METALLB_NAMESPACE } from '../../controllers/metal-lb/facts';
import type { MetalLbMode } from '../../controllers/metal-lb/model';
import type { MetalLbBgpOptions, MetalLbLayer2Options } from '../../controllers/metal-lb/options';
import { entryOf } from '../../rules/app-objects';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { servicesOf } from '../balanced-services';
import { refusal } from '../construct-rules';
import { METALLB_POOL } from './facts';
import type {
  MetalLbAddressPoolProps,
  MetalLbAdvertisementProps,
  MetalLbBgpAdvertisementProps,
  MetalLbLayer2AdvertisementProps,
} from './options';
import { checkMetalLb, metalLbContextOf } from './rules';

/**
 * Addresses that MetalLB may give to Services (`IPAddressPool`). Nothing answers at them until an advertisement announces them.
 *
 * One pool that MetalLB refuses, in whatever app, keeps it from taking any change of its configuration.
 *
 * @see https://metallb.io/configuration/
 */
export class MetalLbAddressPool extends Construct {
  /** The object, for patches and dependencies. */
  public readonly resource: ApiObject;

  /** Its name, for `MetalLb.layer2({ addressPool })` and for advertisements. */
  public readonly poolName: string;

  /** The namespace of MetalLB. */
  public readonly namespace: string;

  private readonly modes: MetalLbMode[] = [];

  /**
   * A pool of addresses.
   *
   * @param props its addresses, and who may have them
   * @throws on a selector that Kubernetes would refuse, or that selects everything
   */
  public constructor(scope: Construct, id: string, props: MetalLbAddressPoolProps) {
    validateProps(scope, id, 'MetalLbAddressPoolProps', props);
    super(scope, id);
    this.namespace = props.namespace ?? METALLB_NAMESPACE;
    this.poolName = props.name ?? Names.toDnsLabel(this);
    const { serviceAllocation: allocation } = props;
    this.resource = metalLbObject(
      this,
      METALLB_POOL,
      { name: this.poolName, namespace: this.namespace },
      {
        addresses: [...props.addresses],
        autoAssign: props.autoAssign,
        avoidBuggyIPs: props.avoidBuggyIps,
        serviceAllocation: allocation && {
          ...(allocation.priority !== undefined && { priority: allocation.priority }),
          ...(allocation.namespaces && { namespaces: [...allocation.namespaces] }),
          ...(allocation.namespaceSelectors && {
            namespaceSelectors: selectors('namespaceSelectors', allocation.namespaceSelectors),
          }),
          ...(allocation.serviceSelectors && {
            serviceSelectors: selectors('serviceSelectors', allocation.serviceSelectors),
          }),
        },
      },
      this.modes,
    );
  }

  /**
   * MetalLB in layer 2 mode, with addresses of this pool.
   *
   * @param options what the request does not say
   * @throws when they name another pool or namespace
   */
  public layer2(options: MetalLbLayer2Options = {}): MetalLb {
    return MetalLb.layer2({ ...options, ...this.own(options, 'layer2') });
  }

  /**
   * MetalLB in BGP mode, with addresses of this pool.
   *
   * @param options what the request does not say
   * @throws when they name another pool or namespace
   */
  public bgp(options: MetalLbBgpOptions = {}): MetalLb {
    return MetalLb.bgp({ ...options, ...this.own(options, 'bgp') });
  }

  private own(options: MetalLbLayer2Options, mode: MetalLbMode): { addressPool: string; namespace: string } {
    const { poolName: addressPool, namespace } = this;
    const other =
      (options.addressPool ?? addressPool) !== addressPool
        ? `addressPool '${options.addressPool}'`
        : (options.namespace ?? namespace) !== namespace
          ? `namespace '${options.namespace}'`
          : undefined;
    if (other) {
      throw refusal(
        'pool-controller-mismatch',
        `[${this.node.path}] ${METALLB_CONTROLLER}: the pool is '${addressPool}' in namespace '${namespace}', but the options have ${other}; leave that option out`,
      );
    }
    if (!this.modes.includes(mode)) {
      this.modes.push(mode);
    }
    return { addressPool, namespace };
  }
}

/**
 * Announces addresses by ARP and NDP (`L2Advertisement`): one node at a time takes all traffic of an address.
 *
 * @see https://metallb.io/configuration/_advanced_l2_configuration/
 */
export class MetalLbLayer2Advertisement extends Construct {
  /** The object, for patches and dependencies. */
  public readonly resource: ApiObject;

  /**
   * An advertisement in layer 2.
   *
   * @param props what is announced, and from where
   * @throws on pools of another namespace, on an empty list of pools, and on a selector that Kubernetes would refuse
   */
  public constructor(scope: Construct, id: string, props: MetalLbLayer2AdvertisementProps = {}) {
    validateProps(scope, id, 'MetalLbLayer2AdvertisementProps', props);
    super(scope, id);
    this.resource = metalLbObject(
      this,
      METALLB_ADVERTISEMENTS.layer2,
      { name: props.name ?? Names.toDnsLabel(this), namespace: advertisementNamespace(props) },
      { ...advertisementSpec(props), interfaces: props.interfaces },
    );
  }
}

/**
 * Announces addresses to routers (`BGPAdvertisement`), which spread connections over the nodes that do.
 *
 * @see https://metallb.io/configuration/_advanced_bgp_configuration/
 */
export class MetalLbBgpAdvertisement extends Construct {
  /** The object, for patches and dependencies. */
  public readonly resource: ApiObject;

  /**
   * An advertisement by BGP.
   *
   * @param props what is announced, from where and to whom
   * @throws on pools of another namespace, on an empty list of pools, and on a selector that Kubernetes would refuse
   */
  public constructor(scope: Construct, id: string, props: MetalLbBgpAdvertisementProps = {}) {
    validateProps(scope, id, 'MetalLbBgpAdvertisementProps', props);
    super(scope, id);
    this.resource = metalLbObject(
      this,
      METALLB_ADVERTISEMENTS.bgp,
      { name: props.name ?? Names.toDnsLabel(this), namespace: advertisementNamespace(props) },
      {
        ...advertisementSpec(props),
        localPref: props.localPref,
        communities: props.communities,
        peers: props.peers,
      },
    );
  }
}

function metalLbObject(
  host: Construct,
  kind: string,
  metadata: { readonly name: string; readonly namespace: string },
  spec: Json,
  modes: readonly MetalLbMode[] = [],
): ApiObject {
  const given = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  const object = new ApiObject(host, 'Resource', { apiVersion: METALLB_API_VERSION, kind, metadata, spec: given });
  validateObject(host, object, {
    check: (json) => checkMetalLb(json, metalLbContextOf(entryOf(object), servicesOf(object), modes)),
  });
  return object;
}

function advertisementSpec(props: MetalLbAdvertisementProps): Json {
  const { pools, poolNames } = props;
  const names = [...(pools ?? []).map(({ poolName }) => poolName), ...(poolNames ?? [])];
  if ((pools ?? poolNames) && names.length === 0) {
    throw refusal(
      'advertisement-without-pools',
      `${METALLB_CONTROLLER}: an advertisement of an empty list of pools announces all; name pools, or leave the list out`,
    );
  }
  return {
    ipAddressPools: names.length > 0 ? names : undefined,
    nodeSelectors: nodeSelectors(props.nodePools),
    serviceSelectors: selectors('serviceSelectors', props.serviceSelectors),
  };
}

function advertisementNamespace({ namespace, pools = [] }: MetalLbAdvertisementProps): string {
  const own = namespace ?? pools[0]?.namespace ?? METALLB_NAMESPACE;
  const other = pools.find((pool) => pool.namespace !== own);
  if (other) {
    throw refusal(
      'advertisement-namespace-mismatch',
      `${METALLB_CONTROLLER}: an advertisement in namespace '${own}' cannot announce pool '${other.poolName}' in '${other.namespace}'; put both into the namespace of MetalLB`,
    );
  }
  return own;
}

/** @throws when a label is not valid, or there are none: an empty selector selects everything */
function selectors(
  option: string,
  labels: readonly { readonly [key: string]: string }[] | undefined,
): Json[] | undefined {
  for (const entry of labels ?? []) {
    const faults = Object.entries(entry).map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value));
    const fault =
      Object.keys(entry).length === 0 ? 'an entry without labels selects everything' : faults.find((one) => one);
    if (fault) {
      throw new Error(`${METALLB_CONTROLLER}: option ${option}: ${fault}; write labels, or leave the entry out`);
    }
  }
  return labels?.map((matchLabels) => ({ matchLabels: { ...matchLabels } }));
}

function nodeSelectors(pools: readonly NodePool[] | undefined): Json[] | undefined {
  return pools?.map(({ labels }) => ({ matchLabels: { ...labels } }));
}
