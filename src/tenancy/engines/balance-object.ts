import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import { BalancedObject } from '../../rules/balanced-object';
import { Judgement } from '../../rules/rule';

/** Has an object counted that a controller makes a balancer of. */
export function balanceObject(host: Construct, object: ApiObject, plan: LoadBalancerPlan): void {
  const balanced = new BalancedObject(
    host,
    object,
    { rendered: renderingOf(object, RenderStage.WRITE) },
    plan,
    [],
    [],
    SILENT,
  );
  renderBy(object, RenderStage.WRITE, () => balanced.write());
}

const SILENT = { judge: () => new Judgement() };
