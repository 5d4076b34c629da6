import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/annotations';
import { judgeProps } from '../../rules/judge-props';
import { advertisementNamespace, advertisementSpec } from './advertisement-spec';
import type { MetalLbLayer2AdvertisementProps } from './metal-lb-advertisement.options';
import { metalLbObject } from './metal-lb-judge';
import { nameFor } from './name-for';

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
