import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import { RenderStage, renderBy, renderingOf } from '../contract/late-rendering';
import { JudgedObject, type ObjectJudge } from './judged-object';
import { KeptInPass } from './kept-in-pass';

const RENDERINGS = new WeakMap<ApiObject, KeptInPass<Json>>();

/**
 * Has an object of a chart validated before it is written, with its lazy values and its patches.
 *
 * @param host the construct that the user made; its path is in messages
 * @param object the object
 * @param judge validates it when it is finished
 */
export function judgeObject(host: Construct, object: ApiObject, judge: ObjectJudge): JudgedObject {
  const rendering = new KeptInPass(object, renderingOf(object, RenderStage.WRITE));
  RENDERINGS.set(object, rendering);
  const judged = new JudgedObject(host, object, { rendered: () => rendering.now }, judge);
  renderBy(object, RenderStage.WRITE, () => judged.write());
  return judged;
}

/** An object as it is now; to look at one that is validated is not to write it. */
export function lookAt(object: ApiObject): Json {
  let rendering = RENDERINGS.get(object);
  if (!rendering) {
    rendering = new KeptInPass(object, () => object.toJson() as Json);
    RENDERINGS.set(object, rendering);
  }
  return rendering.now;
}
