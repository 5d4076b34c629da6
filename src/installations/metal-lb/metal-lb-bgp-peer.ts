import type { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { NodePool } from '../../contract/node-pool';
import { METALLB_NAMESPACE } from '../../controllers/metal-lb/annotations';
import { judgeProps } from '../../rules/judge-props';
import { metalLbObject } from './metal-lb-judge';
import { METALLB_PEER, METALLB_PEER_API_VERSION } from './metal-lb-kinds.facts';
import { nameFor } from './name-for';
import { nodeSelectors } from './selectors';

/**
 * On which side of the own autonomous system a router is.
 */
export enum MetalLbDynamicAsn {
  /** In the same. */
  INTERNAL = 'internal',

  /** In another. */
  EXTERNAL = 'external',
}

/**
 * A router that MetalLB speaks BGP with.
 */
export interface MetalLbBgpPeerProps {
  /** The number of the autonomous system of the nodes. */
  readonly myAsn: number;

  /**
   * The number of the autonomous system of the router. This or `dynamicAsn`.
   *
   * @default - whatever the router says, as far as `dynamicAsn` admits it
   */
  readonly peerAsn?: number;

  /**
   * On which side the router is, where its number is not said. This or `peerAsn`.
   *
   * @default - `peerAsn` is said
   */
  readonly dynamicAsn?: MetalLbDynamicAsn;

  /**
   * The number that the router is shown instead of `myAsn`. Not in the native mode of MetalLB.
   *
   * @default - `myAsn`
   */
  readonly localAsn?: number;

  /**
   * The address of the router. This or `interfaceName`.
   *
   * @default - the router is behind an interface
   */
  readonly peerAddress?: string;

  /**
   * The network interface of the nodes behind which the router is. This or `peerAddress`.
   *
   * @default - the router has an address
   */
  readonly interfaceName?: string;

  /**
   * The port of the router, at most 16384.
   *
   * @default 179
   */
  readonly peerPort?: number;

  /**
   * The address that nodes speak from.
   *
   * @default - the node decides
   */
  readonly sourceAddress?: string;

  /**
   * The id of the own router.
   *
   * @default - the address of the node
   */
  readonly routerId?: string;

  /**
   * How long a silent session is held: nothing, or 3 seconds and more.
   *
   * @default - 90 seconds
   */
  readonly holdTime?: Duration;

  /**
   * How often a session is kept alive.
   *
   * @default - a third of `holdTime`
   */
  readonly keepaliveTime?: Duration;

  /**
   * How long to wait before the router is tried again.
   *
   * @default - as the BGP program has it
   */
  readonly connectTime?: Duration;

  /**
   * The Secret of type `kubernetes.io/basic-auth`, in the namespace of MetalLB, with the key `password`.
   *
   * @default - no password
   */
  readonly passwordSecret?: string;

  /**
   * The name of a BFDProfile.
   *
   * @default - no BFD
   */
  readonly bfdProfile?: string;

  /**
   * Whether routers keep sending while MetalLB starts anew. Cannot be changed later. Not in the native mode of MetalLB.
   *
   * @default false
   */
  readonly enableGracefulRestart?: boolean;

  /**
   * Whether the router is several hops away.
   *
   * @default false
   */
  readonly ebgpMultiHop?: boolean;

  /**
   * The VRF of the nodes by which the router is reached.
   *
   * @default - the default one
   */
  readonly vrf?: string;

  /**
   * The nodes that speak with the router: those of each of these pools.
   *
   * @default - all nodes
   */
  readonly nodePools?: NodePool[];

  /**
   * The name of the object.
   *
   * @default - made of the path of the construct
   */
  readonly name?: string;

  /**
   * The namespace that MetalLB runs in. It looks nowhere else.
   *
   * @default 'metallb-system'
   */
  readonly namespace?: string;
}

/** A duration as the API server gives it back. */
function written(duration: Duration | undefined): string | undefined {
  return duration && `${duration.toSeconds()}s`;
}

/**
 * A router that MetalLB announces addresses to (`BGPPeer`).
 *
 * MetalLB takes a router once. Twice in one chart is an error; in two charts it is a warning, unless both hold an object of one
 * name, which no cluster has twice: acknowledge it where the charts are for different clusters.
 *
 * @see https://metallb.io/configuration/_advanced_bgp_configuration/
 */
export class MetalLbBgpPeer extends Construct {
  /** The object, for patches and dependencies. */
  public readonly resource: ApiObject;

  /** Its name, for the `peers` of an advertisement. */
  public readonly peerName: string;

  /**
   * A router.
   *
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props who it is, and how to speak with it
   */
  public constructor(scope: Construct, id: string, props: MetalLbBgpPeerProps) {
    judgeProps(scope, id, 'MetalLbBgpPeerProps', props);
    super(scope, id);
    this.peerName = props.name ?? nameFor(this);
    this.resource = metalLbObject(
      this,
      METALLB_PEER_API_VERSION,
      METALLB_PEER,
      { name: this.peerName, namespace: props.namespace ?? METALLB_NAMESPACE },
      {
        myASN: props.myAsn,
        peerASN: props.peerAsn,
        dynamicASN: props.dynamicAsn,
        localASN: props.localAsn,
        peerAddress: props.peerAddress,
        interface: props.interfaceName,
        peerPort: props.peerPort,
        sourceAddress: props.sourceAddress,
        routerID: props.routerId,
        holdTime: written(props.holdTime),
        keepaliveTime: written(props.keepaliveTime),
        connectTime: written(props.connectTime),
        passwordSecret: props.passwordSecret === undefined ? undefined : { name: props.passwordSecret },
        bfdProfile: props.bfdProfile,
        enableGracefulRestart: props.enableGracefulRestart,
        ebgpMultiHop: props.ebgpMultiHop,
        vrf: props.vrf,
        nodeSelectors: nodeSelectors(props.nodePools),
      },
    );
  }
}
