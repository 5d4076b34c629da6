import { isMap, type Json, list } from '../contract/json';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { AKS_MODE_LABEL, AKS_SYSTEM_TAINT, TAINTS_OF_STATE } from './node-rules.facts';

const AKS_SYSTEM_POOL_TAINT: Rule<ObjectContext> = {
  id: 'aks-system-pool-taint',
  severity: 'warning',
  who: 'AKS',
  says: 'nodes of a system pool of AKS have no hard taint but CriticalAddonsOnly',
  source: { repository: 'Microsoft Learn', version: '2026-11', file: 'azure/aks/use-system-pools' },
  on: ['spec.taints'],
  judge: ({ metadata, spec }: Json) =>
    metadata?.labels?.[AKS_MODE_LABEL] !== 'system'
      ? undefined
      : list<Json>(spec?.taints).flatMap((taint, i) => {
          const { key, value, effect } = isMap(taint) ? taint : {};
          const isHard = effect === 'NoSchedule' || effect === 'NoExecute';
          return !isHard || key === AKS_SYSTEM_TAINT || TAINTS_OF_STATE.test(String(key))
            ? []
            : [
                {
                  what: `a node of a system pool has taint ${key}${value ? `=${value}` : ''}:${effect}, which system pods do not tolerate and AKS accepts on user pools alone`,
                  remedy: `put the taint on a user pool, or use ${AKS_SYSTEM_TAINT}=true:NoSchedule`,
                  value: String(key),
                  at: `/spec/taints/${i}`,
                },
              ];
        }),
};

/** What Nodes of a dump show of their pools. */
export const NODE_RULE_SET = new RuleSet<ObjectContext>([AKS_SYSTEM_POOL_TAINT]);
