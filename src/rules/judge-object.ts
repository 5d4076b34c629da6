import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/late-rendering';
import { JudgedObject, type ObjectJudge } from './judged-object';

const RENDERERS = new WeakMap<ApiObject, () => Json>();

/**
 * Has an object of a chart judged before it is written, with its lazy values and its patches.
 *
 * @param host the construct that the user made; its path stands in messages
 * @param object the object
 * @param judge judges it when it is finished
 */
export function judgeObject(host: Construct, object: ApiObject, judge: ObjectJudge): JudgedObject {
  const render: () => Json = object.toJson.bind(object);
  RENDERERS.set(object, render);
  const judged = new JudgedObject(host, object, { rendered: render }, judge);
  object.toJson = () => judged.write();
  return judged;
}

/** An object as it is now; to look at one that is judged is not to write it. */
export function lookAt(object: ApiObject): Json {
  return (RENDERERS.get(object) ?? (() => object.toJson() as Json))();
}
