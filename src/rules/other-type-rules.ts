import { knownKinds } from './known-kinds';
import type { Rule } from './rule';
import { annotationsOf, isService } from './service-json';

/** Annotations of balancers are read on Services that get one. */
export const BALANCER_ANNOTATION_ON_TYPE: Rule = {
  id: 'balancer-annotation-on-type',
  severity: 'warning',
  who: 'kubernetes',
  says: 'load balancer annotation on a Service that gets no balancer',
  source: 'ours',
  on: ['metadata.annotations'],
  judge(service, { kind }) {
    const { type = 'ClusterIP' } = service.spec ?? {};
    if (type === 'LoadBalancer' || kind !== undefined || !isService(service)) {
      return undefined;
    }
    const kinds = knownKinds();
    if (kinds.some((each) => each.claimsOtherTypes?.(service, each.installed()).claimed === 'yes')) {
      return undefined;
    }
    return Object.keys(annotationsOf(service)).flatMap((key) => {
      // others are for other products of the same cloud
      const reader = kinds.find(({ catalogue }) => {
        const { option, wish } = catalogue.find(key)?.fact ?? {};
        return option !== undefined || wish !== undefined;
      });
      return reader === undefined
        ? []
        : [
            {
              what: `${key} does nothing on a Service of type ${type}, of which ${reader.name} makes no load balancer`,
              remedy: 'write type: LoadBalancer where a balancer is meant, or remove the annotation',
              value: key,
              at: `/metadata/annotations/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
            },
          ];
    });
  },
};
