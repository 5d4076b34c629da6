import type { ApiObject } from 'cdk8s';
import type { ObjectJudge } from '../rules/judged-object';
import { perMoment } from '../rules/per-moment';
import { Judgement } from '../rules/rule';
import { objectsOf } from './app-services';
import { FLUX_API_VERSION, FLUX_KIND } from './order.facts';

/** The warning about stages of one name in different charts. */
export const FLUX_STAGE_TWICE = {
  id: 'flux-stage-twice-in-app',
  severity: 'warning',
  says: 'Stages of one namespace and name in different charts are for different clusters.',
} as const;

/** Judges the Kustomization of a stage beside others of its app; of two in one chart every object is told. */
export class FluxStageJudge implements ObjectJudge {
  public constructor(private readonly stage: ApiObject) {}

  public judge(): Judgement {
    const judgement = new Judgement();
    const { chart, metadata, name } = this.stage;
    const namesakes = stagesOf(this.stage).get(identityOf(this.stage)) ?? [];
    const first = namesakes.slice(0, namesakes.indexOf(this.stage)).find((other) => other.chart !== chart);
    judgement.warnings = first
      ? [
          {
            ruleId: FLUX_STAGE_TWICE.id,
            who: 'flux',
            what: `stage '${name}' in namespace ${metadata.namespace} is written by ${first.node.path} as well, so that one replaces the other`,
            remedy:
              'give one of the two another name, or acknowledge it where the charts are applied to different clusters of Kubernetes',
            value: name,
          },
        ]
      : [];
    return judgement;
  }
}

/** The stages of an app by their namespaces and names. */
const stagesOf = perMoment((root) => {
  const stages = new Map<string, ApiObject[]>();
  for (const object of objectsOf(root)) {
    if (object.kind === FLUX_KIND && object.apiVersion === FLUX_API_VERSION) {
      const identity = identityOf(object);
      stages.set(identity, [...(stages.get(identity) ?? []), object]);
    }
  }
  return stages;
});

function identityOf({ metadata, name }: ApiObject): string {
  return `${metadata.namespace}/${name}`;
}
