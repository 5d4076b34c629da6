import { list } from '../contract/json';
import { addedFinalizers, expectedFinalizers, isRemovedBy } from '../rules/added-finalizers';
import { definitionOf } from '../rules/controller-definition';
import type { Rule } from '../rules/rule';
import { RuleSet } from '../rules/rule-set';
import { finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import { FIELD_MANAGERS, finalizerWriters } from './field-managers';
import { remover } from './finalizers-in-words';

// What objects of a cluster show beside what was written, as `kubectl get -o yaml` prints them.

/** What a Service of a running cluster waits for, or has lost. */
const LIVE_RULES: readonly Rule[] = [
  {
    id: 'deletion-waits',
    severity: 'warning',
    who: 'kubernetes',
    says: 'a Service that is deleted waits for no finalizer',
    source: 'ours',
    on: ['metadata.deletionTimestamp'],
    judge(service, { controllers }) {
      const { deletionTimestamp } = service.metadata ?? {};
      if (!deletionTimestamp) {
        return undefined;
      }
      const kinds = controllers?.map(definitionOf);
      return finalizersOf(service).map((finalizer, i) => {
        const runs = kinds === undefined || kinds.some((kind) => kind === undefined || isRemovedBy(finalizer, kind));
        return {
          what: `the Service is being deleted since ${deletionTimestamp} and waits for ${remover(finalizer)} to remove ${finalizer}${runs ? '' : ', and none of the controllers that run does'}`,
          remedy: runs
            ? 'look at the events of the Service and at the log of that controller, which goes on once the balancer is gone'
            : 'run that controller again until the Service is gone',
          value: String(finalizer),
          at: `/metadata/finalizers/${i}`,
        };
      });
    },
  },
  {
    id: 'finalizer-missing',
    severity: 'warning',
    says: 'a Service that has its balancer has the finalizer of the controller that made it',
    source: 'ours',
    on: ['status.loadBalancer.ingress'],
    judge(service, { kind }) {
      const own = kind ? addedFinalizers(service, kind) : [];
      const expected = kind ? expectedFinalizers(service, kind).join(' or ') : '';
      const { uid, deletionTimestamp } = service.metadata ?? {};
      const isServed = list(service.status?.loadBalancer?.ingress).length > 0;
      const isLive = uid !== undefined && !deletionTimestamp;
      const writers = finalizerWriters(service);
      return kind &&
        isServed &&
        isLive &&
        wantsLoadBalancer(service) &&
        own.length > 0 &&
        !finalizersOf(service).some((finalizer) => own.includes(finalizer))
        ? {
            what: `the Service has an address, and its finalizer of ${kind.name} (${expected}) is gone: deleted now, it can leave its balancer behind`,
            remedy: `${writers === undefined ? 'find who writes the whole Service (kubectl get --show-managed-fields)' : `see whether ${writers} writes the whole list of finalizers`}, and have it keep or declare the finalizer`,
            value: expected,
            at: '/metadata',
          }
        : undefined;
    },
  },
  FIELD_MANAGERS,
];

export const LIVE_RULE_SET = new RuleSet(LIVE_RULES);
