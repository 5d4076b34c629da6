import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/annotations';
import { judgeProps } from '../../rules/judge-props';
import { advertisementNamespace, advertisementSpec } from './advertisement-spec';
import type { MetalLbBgpAdvertisementProps } from './metal-lb-advertisement.options';
import { metalLbObject } from './metal-lb-judge';
import { nameFor } from './name-for';

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
