import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { METALLB_API_VERSION, METALLB_NAMESPACE } from '../../controllers/metal-lb/annotations';
import { judgeProps } from '../../rules/judge-props';
import { metalLbObject } from './metal-lb-judge';
import { METALLB_COMMUNITY } from './metal-lb-kinds.facts';
import { nameFor } from './name-for';

/**
 * Names for BGP communities.
 */
export interface MetalLbCommunityProps {
  /** The values by name: `{ 'no-export': '65535:65281' }`. A name stands once in all of MetalLB. */
  readonly communities: { [name: string]: string };

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

/**
 * Names for BGP communities (`Community`), for advertisements to use.
 *
 * @see https://metallb.io/configuration/_advanced_bgp_configuration/
 */
export class MetalLbCommunity extends Construct {
  /** The object, for patches and dependencies. */
  public readonly resource: ApiObject;

  /**
   * Names for communities.
   *
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props the names and values
   */
  public constructor(scope: Construct, id: string, props: MetalLbCommunityProps) {
    judgeProps(scope, id, 'MetalLbCommunityProps', props);
    super(scope, id);
    this.resource = metalLbObject(
      this,
      METALLB_API_VERSION,
      METALLB_COMMUNITY,
      { name: props.name ?? nameFor(this), namespace: props.namespace ?? METALLB_NAMESPACE },
      { communities: Object.entries(props.communities).map(([name, value]) => ({ name, value })) },
    );
  }
}
