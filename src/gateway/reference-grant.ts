import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { definedOrNothing } from '../contract/json';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, GATEWAY_GROUP, REFERENCE_GRANT_KIND } from './gateway.facts';
import { judgeAtSynth } from './gateway-rule';
import { REFERENCE_GRANT_RULE_SET } from './gateway-rules';

/**
 * Objects of another namespace that may refer to some of this one.
 */
export interface ReferenceGrantFrom {
  /** The kind of the objects, such as `TCPRoute`. */
  readonly kind: string;

  /** The namespace of the objects. */
  readonly namespace: string;

  /**
   * The API group of the objects.
   *
   * @default 'gateway.networking.k8s.io'
   */
  readonly group?: string;
}

/**
 * Objects of this namespace that may be referred to.
 */
export interface ReferenceGrantTo {
  /** The kind of the objects, such as `Service`. */
  readonly kind: string;

  /**
   * The API group of the objects.
   *
   * @default - the core group, which Services and Secrets are in
   */
  readonly group?: string;

  /**
   * The name of the one object that is meant.
   *
   * @default - every object of the kind
   */
  readonly name?: string;
}

/**
 * A grant to refer from one namespace to another.
 */
export interface ReferenceGrantProps {
  /**
   * The name of the grant.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the objects that are referred to.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /** Who may refer, at least one. */
  readonly fromKinds: ReferenceGrantFrom[];

  /** What may be referred to, at least one. */
  readonly toKinds: ReferenceGrantTo[];

  /**
   * Annotations of the grant.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the grant.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
}

/**
 * Lets routes of another namespace lead to Services of this one, or Gateways elsewhere use its certificates. Without a grant
 * such a reference is refused in the status of the route alone. To attach a route to a Gateway takes none: that is what its
 * listeners admit.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/referencegrant/
 */
export class ReferenceGrant extends ApiObject {
  /**
   * A grant.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: ReferenceGrantProps) {
    judgeProps(scope, id, 'ReferenceGrantProps', props);
    const { name, namespace, annotations, labels, fromKinds, toKinds } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: REFERENCE_GRANT_KIND,
      metadata: definedOrNothing({ name, namespace, annotations, labels }),
      spec: {
        from: fromKinds.map(({ group = GATEWAY_GROUP, kind, namespace }) => ({ group, kind, namespace })),
        to: toKinds.map(({ group = '', kind, name }) => ({ group, kind, name })),
      },
    });
    judgeAtSynth(this, REFERENCE_GRANT_RULE_SET);
  }
}
