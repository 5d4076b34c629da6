import { ApiObject } from 'cdk8s';
import type { ObjectJudge } from '../rules/judged-object';
import { Judgement } from '../rules/rule';
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
    const stages = this.stage.node.root.node
      .findAll()
      .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct))
      .filter(({ kind, apiVersion }) => kind === FLUX_KIND && apiVersion === FLUX_API_VERSION);
    const first = stages
      .slice(0, stages.indexOf(this.stage))
      .find((other) => other.name === name && other.metadata.namespace === metadata.namespace && other.chart !== chart);
    judgement.warnings = first
      ? [
          {
            ruleId: FLUX_STAGE_TWICE.id,
            who: 'flux',
            what: `stage '${name}' in namespace ${metadata.namespace} is written by ${first.node.path} as well, so that one replaces the other`,
            wayOut:
              'give one of the two another name, or acknowledge it where the charts are applied to different clusters of Kubernetes',
            value: name,
          },
        ]
      : [];
    return judgement;
  }
}
