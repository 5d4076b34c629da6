import type { IConstruct } from 'constructs';
import { appIndexOf } from './app-objects';
import { likelyClaimsOf } from './claims';
import type { Claimer } from './claims-in-app';

/** The Services of an app that no rule validates, and what they claim. */
export function unjudgedClaimers(construct: IConstruct): Claimer[] {
  return appIndexOf(construct)
    .of('', 'Service')
    .filter(({ isJudged }) => !isJudged)
    .map((object) => ({
      object,
      group: object.unit,
      place: object.path,
      claims: likelyClaimsOf(object.json),
      isSilent: true,
    }))
    .filter(({ claims }) => claims.length > 0);
}
