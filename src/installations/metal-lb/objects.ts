import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  METALLB_ADVERTISEMENTS,
  METALLB_CONTROLLER,
  METALLB_NAMESPACE,
  type MetalLbMode,
} from '../../controllers/metal-lb/annotations';
import { MetalLb } from '../../controllers/metal-lb/controller';
import type { MetalLbBgpOptions, MetalLbLayer2Options } from '../../controllers/metal-lb/options';
import { judgeProps } from '../../rules/judge-props';
import { advertisementNamespace, advertisementSpec } from './advertisement-spec';
import { METALLB_POOL } from './facts';
import { nameFor } from './name-for';
import type { MetalLbBgpAdvertisementProps, MetalLbLayer2AdvertisementProps } from './options';
import { metalLbObject } from './rules';
import { selectors } from './selectors';

/**
 * Which Services may have addresses of a pool. Without any namespaces and selectors all may.
 */
export interface MetalLbServiceAllocation {
  /**
   * Which of several pools comes first, that with the lowest number; at least 1. Pools without one come last.
   *
   * @default - last
   */
  readonly priority?: number;

  /**
   * The namespaces of Services that may have its addresses.
   *
   * @default - none by name
   */
  readonly namespaces?: string[];

  /**
   * Labels of namespaces whose Services may have its addresses: all labels of one entry.
   *
   * @default - none by label
   */
  readonly namespaceSelectors?: { [key: string]: string }[];

  /**
   * Labels of Services that may have its addresses: all labels of one entry.
   *
   * @default - none by label
   */
  readonly serviceSelectors?: { [key: string]: string }[];
}

/**
 * A pool of addresses of MetalLB.
 */
export interface MetalLbAddressPoolProps {
  /**
   * Its ranges: CIDRs, whose first and last address are given out as well, or two addresses with a dash between them. An
   * address that is taken away later is taken from its Service at once.
   */
  readonly addresses: string[];

  /**
   * Its name.
   *
   * @default - made of the path of the construct
   */
  readonly name?: string;

  /**
   * Whether Services that name no pool get its addresses.
   *
   * @default true
   */
  readonly autoAssign?: boolean;

  /**
   * Whether addresses that end with .0 and .255 are left out, which some old routers drop.
   *
   * @default false
   */
  readonly avoidBuggyIps?: boolean;

  /**
   * Which Services may have its addresses.
   *
   * @default - all
   */
  readonly serviceAllocation?: MetalLbServiceAllocation;

  /**
   * The namespace that MetalLB runs in. It looks nowhere else.
   *
   * @default 'metallb-system'
   */
  readonly namespace?: string;
}

/**
 * Addresses that MetalLB may give to Services (`IPAddressPool`). Nobody answers to them until an advertisement announces them.
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
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props its addresses, and who may have them
   * @throws on a selector that Kubernetes would refuse, or that selects everything
   */
  public constructor(scope: Construct, id: string, props: MetalLbAddressPoolProps) {
    judgeProps(scope, id, 'MetalLbAddressPoolProps', props);
    super(scope, id);
    this.namespace = props.namespace ?? METALLB_NAMESPACE;
    this.poolName = props.name ?? nameFor(this);
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
      throw new Error(
        `[${this.node.path}] ${METALLB_CONTROLLER}: the pool is '${addressPool}' in namespace '${namespace}', and the options say ${other}; leave that out (pool-of-controller)`,
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
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is announced, and from where
   * @throws on pools of another namespace, on an empty list of pools, and on a selector that Kubernetes would refuse
   */
  public constructor(scope: Construct, id: string, props: MetalLbLayer2AdvertisementProps = {}) {
    judgeProps(scope, id, 'MetalLbLayer2AdvertisementProps', props);
    super(scope, id);
    this.resource = metalLbObject(
      this,
      METALLB_ADVERTISEMENTS.layer2,
      { name: props.name ?? nameFor(this), namespace: advertisementNamespace(props) },
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
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is announced, from where and to whom
   * @throws on pools of another namespace, on an empty list of pools, and on a selector that Kubernetes would refuse
   */
  public constructor(scope: Construct, id: string, props: MetalLbBgpAdvertisementProps = {}) {
    judgeProps(scope, id, 'MetalLbBgpAdvertisementProps', props);
    super(scope, id);
    this.resource = metalLbObject(
      this,
      METALLB_ADVERTISEMENTS.bgp,
      { name: props.name ?? nameFor(this), namespace: advertisementNamespace(props) },
      {
        ...advertisementSpec(props),
        aggregationLength: props.aggregationLength,
        aggregationLengthV6: props.aggregationLengthV6,
        localPref: props.localPref,
        communities: props.communities,
        peers: props.peers,
      },
    );
  }
}
