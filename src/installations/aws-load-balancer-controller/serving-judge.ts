import { findingsIn } from '../../contract/finding';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { Judgement } from '../../rules/rule';
import type { AppService } from '../app-services';
import { SERVED_SERVICE_RULES, type Serving } from './served-service-rules';
import { type Claiming, SERVICE_CLAIM_RULES, serves } from './service-claim-rules';

/** What rules say of the Services of an app that has one installation. */
export function judgeServices(services: readonly AppService[], claiming: Claiming, serving: Serving): Judgement {
  const judgement = new Judgement();
  const rules = SERVED_SERVICE_RULES.filter((rule) => rule.concerns(serving));
  for (const service of services) {
    for (const rule of SERVICE_CLAIM_RULES) {
      judgement.keep(rule, AWS_LBC, findingsIn(rule.judge(service, claiming)));
    }
    // most apps switch nothing off: then no Service is rendered for this
    if (rules.length > 0 && (service.owner ?? AWS_LBC) === AWS_LBC && serves(claiming, service.json())) {
      for (const rule of rules) {
        const said = findingsIn(rule.judge(service.json(), serving));
        const verdicts = said.map(({ what, ...verdict }) => ({ ...verdict, what: `${what} (${service.name})` }));
        judgement.keep(rule, AWS_LBC, verdicts);
      }
    }
  }
  return judgement;
}
