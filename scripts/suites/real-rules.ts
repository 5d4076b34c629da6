import { lackOfRealRules } from '../../test/cluster/rules/network';

/** Whether the rules of kube-proxy can be loaded into the kernel of this machine; or why their test is left out. */
export interface RealRules {
  readonly env: NodeJS.ProcessEnv;
  /** Where it is left out: the reason, in one sentence. */
  readonly leftOut?: string;
}

export function realRules(suite: string, lack = lackOfRealRules()): RealRules {
  if (lack === undefined) {
    return { env: {} };
  }
  const leftOut = `${suite} left out the count of connections through rules in the kernel, which needs ${lack}`;
  return { leftOut, env: { REAL_RULES_LEFT_OUT: leftOut } };
}
