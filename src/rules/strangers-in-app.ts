import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { likelyClaimsOf } from './claims';
import type { Claimer } from './claims-in-app';
import { lookAt } from './judge-object';
import { identityOf, type JudgedObject } from './judged-object';

/** The Services of an app that are in it as they are, and what they claim. */
export function strangersIn({ node: { root } }: IConstruct, judged: readonly JudgedObject[]): Claimer[] {
  const known = new Set(judged.map(({ identity }) => identity));
  return root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && one.kind === 'Service' && one.apiGroup === 'core')
    .filter((object) => !known.has(identityOf(object)))
    .map((object) => ({
      object,
      group: object.chart,
      place: object.node.path,
      claims: likelyClaimsOf(lookAt(object)),
      isSilent: true,
    }))
    .filter(({ claims }) => claims.length > 0);
}
