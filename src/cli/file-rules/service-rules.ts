import type { Json } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/options';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { OwnershipState } from '../../controllers/options';
import { definitionOf, isRemovedBy } from '../../rules/controller-definition';
import { allKinds, isOfController } from '../../rules/known-kinds';
import { isKnownAnnotation, MANIFEST_RULES } from '../../rules/manifest-rules';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationAt, annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { classLike, remover } from '../owners-in-words';
import { likelyKinds, type ServiceContext } from '../service-checks';
import { SERVICE_ROWS } from './rules.facts';

const domainOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

/** The known class that resembles the class of a pending Service, with the same domain or with another domain. */
function classMeant(service: Json, { owner }: ServiceContext, isSameDomain: boolean) {
  const value = classOf(service);
  const isPending = wantsLoadBalancer(service) && owner.state !== OwnershipState.OWNED;
  const near = typeof value === 'string' && isPending ? classLike(value) : undefined;
  return near !== undefined && (domainOf(near) === domainOf(String(value))) === isSameDomain && { near, value };
}

const isTakenForTrue = (text: string) =>
  'value' in AWS_CLOUD.internal.decode(text) && 'fault' in AWS_LBC.internal.decode(text);

function wrongWord(
  service: Json,
  context: ServiceContext,
  owner: string,
  key: string,
  isWrong: (text: string) => boolean,
) {
  const text: unknown = annotationsOf(service)[key];
  const isLikely = () => likelyKinds(service, context).some(({ name }) => name === owner);
  return typeof text === 'string' && text !== '' && isWrong(text) && isLikely() && { key, value: text };
}

export const FILE_SERVICE_RULES: readonly Rule<ServiceContext>[] = [
  ...MANIFEST_RULES,
  ...rulesOf({
    rows: SERVICE_ROWS,
    catalogue: {
      type: AWS_LBC.type,
      scheme: AWS_LBC.scheme,
      internal: AWS_CLOUD.internal,
      oldType: GKE.oldLoadBalancerType,
    },
    read: (service: Json, _: ServiceContext) => ({
      annotations: annotationsOf(service),
      entries: Object.entries<unknown>(annotationsOf(service)),
      isClassless: classOf(service) === undefined,
      type: annotationsOf(service)[AWS_LBC.type.key()],
    }),
    finds: {
      'annotation-prefix-incomplete': ({ entries }, _, { owner }) =>
        !owner.controller &&
        entries.map(([key]) => {
          const all = isKnownAnnotation(key) ? [] : allKinds().map(({ catalogue }) => catalogue.underOwnPrefix(key));
          const meant = all.find((known) => known !== undefined);
          return meant === undefined ? undefined : { meant, value: key, at: annotationAt(key) };
        }),
      'class-misspelt': (_, service, context) => classMeant(service, context, true),
      'class-maybe-misspelt': (_, service, context) => classMeant(service, context, false),
      'finalizer-without-controller': (_, service, { controllers = [] }) => {
        const kinds = wantsLoadBalancer(service) ? [] : controllers.flatMap((one) => definitionOf(one) ?? []);
        return (
          kinds.length > 0 &&
          kinds.length === controllers.length &&
          !service.metadata?.deletionTimestamp &&
          finalizersOf(service).map((finalizer, i) =>
            isOfController(finalizer) && !kinds.some((kind) => isRemovedBy(finalizer, kind))
              ? { remover: remover(finalizer), value: finalizer, at: `/metadata/finalizers/${i}` }
              : undefined,
          )
        );
      },
      'aws-type-without-target-type': ({ annotations, type, isClassless }, service, context) => {
        const targetType = annotations[AWS_LBC.targetType.key()];
        return (
          type === AwsLoadBalancerType.EXTERNAL &&
          isClassless &&
          wantsLoadBalancer(service) &&
          context.owner.state === OwnershipState.UNKNOWN &&
          targetType !== NlbTargetType.IP &&
          targetType !== NlbTargetType.INSTANCE && { value: type }
        );
      },
      'aws-type-nlb-ip-deprecated': ({ type, isClassless }) =>
        type === AwsLoadBalancerType.NLB_IP && isClassless && { value: type },
      'aws-scheme-ignored': ({ annotations, type, isClassless }, service, { owner, controllers }) => {
        const [scheme, internal] = [AWS_LBC.scheme.key(), AWS_CLOUD.internal.key()];
        return (
          AWS_LBC.scheme.on(annotations) === LoadBalancerScheme.INTERNAL &&
          isClassless &&
          wantsLoadBalancer(service) &&
          (type === undefined || type === NLB_TYPE) &&
          annotations[internal] === undefined &&
          owner.controller === undefined &&
          controllers?.some(({ name }) => name === AWS_CLOUD_CONTROLLER) !== false && {
            ...{ scheme, internal, class: AWS_LBC_CLASS },
            value: annotations[scheme],
          }
        );
      },
      'aws-internal-value-unknown': (_, service, context) =>
        wrongWord(service, context, AWS_CLOUD_CONTROLLER, AWS_CLOUD.internal.key(), isTakenForTrue),
      'gke-type-value-unknown': ({ annotations }, service, context) =>
        GKE.oldLoadBalancerType.on(annotations) !== true &&
        wrongWord(service, context, GKE_CONTROLLER, GKE.oldLoadBalancerType.key(), () => true),
    },
  }),
];
