import { isIP } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { unlessLive } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import { type Citation, LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER, AWS_CLOUD_SOURCE } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { LBC_FILES } from '../../controllers/aws-load-balancer-controller/facts';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { gkeFile } from '../../controllers/gke/facts';
import { OwnershipState } from '../../controllers/load-balancer-owner';
import { isRemovedBy } from '../../rules/added-finalizers';
import {
  type ControllerDefinition,
  type ControllerVersion,
  definitionOf,
  knownKinds,
  unwrapped,
} from '../../rules/controller-definition';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { remover } from '../finalizers-in-words';
import { classLike } from '../known-classes';
import { WRITTEN_ANNOTATION_RULES } from './annotation-rules';
import { EXPOSED_PORT } from './exposed-ports';
import { PROXY_HEADER_RULES } from './proxy-header-rules';
import { SERVICE_WARNINGS } from './written.facts';
import { kindOf, likelyKinds, type WrittenContext, type WrittenRule } from './written-service';

/** Whether a controller has a rule of its own about any `spec.loadBalancerIP`. */
function hasRuleOnIp({ rules }: ControllerDefinition): boolean {
  return rules.some(({ supersedes }) => supersedes?.includes('load-balancer-ip'));
}

/** The annotation by which the owner is asked for an address, in its version. */
function addressRemedy(kinds: readonly ControllerDefinition[], { owner }: WrittenContext): string {
  const [kind, ...others] = kinds;
  const version = owner.controller && kind?.versionOf?.(unwrapped(owner.controller));
  const [entry] =
    others.length > 0 ? [] : (kind?.catalogue.annotations ?? []).filter((one) => isForAddress(one, version));
  return entry === undefined
    ? 'set the address by the annotation of the controller that owns the balancer'
    : `write ${entry.key()}, ${entry.fact.codec.says}`;
}

function isForAddress({ fact }: AnyAnnotation, version: ControllerVersion | undefined): boolean {
  const { wish, since, deprecated, deprecatedSince } = fact;
  const isRead = since === undefined || version?.reaches(since) !== false;
  const isObsolete = deprecated && (deprecatedSince === undefined || version?.reaches(deprecatedSince) !== false);
  return wish === LoadBalancerWish.STATIC_ADDRESSES && isRead && !isObsolete;
}

/** A class that is nearly a known one, and whether no other controller has classes of its domain. */
function classMeant(service: Json, { owner }: WrittenContext): { readonly name: string; readonly near?: string } {
  const name = classOf(service);
  const isPending = wantsLoadBalancer(service) && owner.state !== OwnershipState.OWNED;
  return typeof name === 'string' && isPending ? { name, near: classLike(name) } : { name: '' };
}

const domainOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

function classFinding(name: string, near: string) {
  return {
    what: `the Service stays pending without an event: class '${name}' is served by no known controller, and is nearly '${near}'`,
    remedy: `write '${near}'; a live Service is deleted and created, since its class cannot be changed`,
    value: name,
  };
}

const CLASS_SOURCE: Citation = { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' };

const CLASS_MISSPELT: WrittenRule = {
  id: 'class-misspelt',
  who: 'kubernetes',
  severity: 'error',
  says: 'misspelt class of a known controller',
  source: CLASS_SOURCE,
  on: ['spec.loadBalancerClass'],
  judge(service, context) {
    const { name, near } = classMeant(service, context);
    return near !== undefined && domainOf(near) === domainOf(name) ? classFinding(name, near) : undefined;
  },
};

const CLASS_NEARLY_KNOWN: WrittenRule = {
  id: 'class-nearly-known',
  who: 'kubernetes',
  severity: 'warning',
  says: 'class that is nearly one of a known controller',
  source: CLASS_SOURCE,
  on: ['spec.loadBalancerClass'],
  judge(service, context) {
    const { name, near } = classMeant(service, context);
    return near !== undefined && domainOf(near) !== domainOf(name) ? classFinding(name, near) : undefined;
  },
};

/** Whether a controller of load balancers has a finalizer. */
const isOfBalancers = (finalizer: string): boolean =>
  finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || knownKinds().some((kind) => isRemovedBy(finalizer, kind));

const FINALIZER_LEFT: WrittenRule = {
  id: 'finalizer-left',
  who: 'kubernetes',
  severity: 'warning',
  says: 'finalizer on a Service that its controller does not serve',
  source: 'ours',
  on: ['metadata.finalizers'],
  judge(service, { controllers }) {
    const kinds = controllers?.flatMap((one) => definitionOf(one) ?? []) ?? [];
    const isKnown = kinds.length > 0 && kinds.length === controllers?.length;
    return isKnown && !wantsLoadBalancer(service) && !service.metadata?.deletionTimestamp
      ? finalizersOf(service).flatMap((finalizer, i) =>
          isOfBalancers(finalizer) && !kinds.some((kind) => isRemovedBy(finalizer, kind))
            ? [
                {
                  what: `deletion of the Service hangs: ${finalizer} is removed by ${remover(finalizer)} alone, which is not among the controllers that run`,
                  remedy: unlessLive('take it out of the manifest'),
                  value: finalizer,
                  at: `/metadata/finalizers/${i}`,
                },
              ]
            : [],
        )
      : undefined;
  },
};

/** What people write in fields of Services, whoever owns the balancer. */
const FIELD_RULES: readonly WrittenRule[] = [
  {
    id: 'load-balancer-ip',
    who: 'kubernetes',
    severity: 'warning',
    says: 'deprecated spec.loadBalancerIP',
    source: SERVICE_WARNINGS,
    on: ['spec.loadBalancerIP'],
    judge(service, context) {
      const ip: unknown = service.spec?.loadBalancerIP;
      const kinds = likelyKinds(service, context);
      if (typeof ip !== 'string' || ip === '' || !wantsLoadBalancer(service) || kinds.some(hasRuleOnIp)) {
        return undefined;
      }
      return isIP(ip) === 0
        ? {
            what: `spec.loadBalancerIP '${ip}' is not an IP address, so the balancer does not get the address that is meant`,
            remedy: addressRemedy(kinds, context),
            value: ip,
          }
        : {
            what: `spec.loadBalancerIP '${ip}' is deprecated, and controllers may ignore it`,
            remedy: addressRemedy(kinds, context),
            value: ip,
          };
    },
  },
  CLASS_MISSPELT,
  CLASS_NEARLY_KNOWN,
  FINALIZER_LEFT,
];

/** Whether one controller takes a text for true, and the other one refuses it. */
const isTakenForTrue = (text: string) =>
  'value' in AWS_CLOUD.internal.decode(text) && 'fault' in AWS_LBC.internal.decode(text);

const typeOf = (service: Json): unknown => annotationsOf(service)[AWS_LBC.type.key()];

/** What people write for balancers of AWS and GKE. */
const VENDOR_RULES: readonly WrittenRule[] = [
  {
    id: 'aws-type-unclaimed',
    who: 'aws-load-balancer-controller',
    severity: 'warning',
    says: `type ${AwsLoadBalancerType.EXTERNAL} without a target type`,
    source: LBC_FILES.claims,
    reads: [AWS_LBC.type],
    judge(service, context) {
      const targetType: unknown = annotationsOf(service)[AWS_LBC.targetType.key()];
      return typeOf(service) === AwsLoadBalancerType.EXTERNAL &&
        wantsLoadBalancer(service) &&
        classOf(service) === undefined &&
        kindOf(context) === undefined &&
        context.controllers?.some(({ name }) => name === AWS_LBC_CONTROLLER) !== false &&
        targetType !== NlbTargetType.IP &&
        targetType !== NlbTargetType.INSTANCE
        ? {
            what: `type '${AwsLoadBalancerType.EXTERNAL}' without a target type is claimed by no controller, and the Service stays pending, unless a webhook gave it a class`,
            remedy: `write ${AWS_LBC.targetType.key()} with ${NlbTargetType.IP} or ${NlbTargetType.INSTANCE}, or set the class before the Service is created`,
            value: AwsLoadBalancerType.EXTERNAL,
          }
        : undefined;
    },
  },
  {
    id: 'aws-type-nlb-ip',
    who: 'aws-load-balancer-controller',
    severity: 'warning',
    says: `old type ${AwsLoadBalancerType.NLB_IP}`,
    source: { ...LBC_FILES.claims, file: 'docs/guide/service/annotations.md' },
    reads: [AWS_LBC.type],
    judge: (service) =>
      typeOf(service) === AwsLoadBalancerType.NLB_IP && classOf(service) === undefined
        ? {
            what: `type '${AwsLoadBalancerType.NLB_IP}' is an old spelling`,
            remedy: `on a new Service set the class, or type ${AwsLoadBalancerType.EXTERNAL} with target type ${NlbTargetType.IP}; on a live one leave it`,
            value: AwsLoadBalancerType.NLB_IP,
          }
        : undefined,
  },
  {
    id: 'aws-scheme-unread',
    severity: 'warning',
    who: 'cloud-provider-aws',
    says: 'scheme annotation that the cloud controller does not read',
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_LBC.scheme],
    judge(service, context) {
      const annotations = annotationsOf(service);
      const type = typeOf(service);
      return AWS_LBC.scheme.on(annotations) === LoadBalancerScheme.INTERNAL &&
        wantsLoadBalancer(service) &&
        classOf(service) === undefined &&
        (type === undefined || type === NLB_TYPE) &&
        annotations[AWS_CLOUD.internal.key()] === undefined &&
        context.owner.controller === undefined &&
        context.controllers?.some(({ name }) => name === AWS_CLOUD_CONTROLLER) !== false
        ? {
            what: `the balancer is public if the cloud controller makes it, which does not read ${AWS_LBC.scheme.key()}: it makes the balancer of a Service without a class, unless a webhook of ${AWS_LBC_CONTROLLER} or EKS Auto Mode gives it one`,
            remedy: `set the class before the Service is created, such as ${AWS_LBC_CLASS}, or write ${AWS_CLOUD.internal.key()} "true" for the cloud controller`,
            value: String(annotations[AWS_LBC.scheme.key()]),
          }
        : undefined;
    },
  },
  {
    id: 'aws-internal-word',
    who: 'cloud-provider-aws',
    severity: 'warning',
    says: `${AWS_CLOUD.internal.key()} is neither true nor false`,
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_CLOUD.internal],
    judge(service, context) {
      const text: unknown = annotationsOf(service)[AWS_CLOUD.internal.key()];
      const isLikely = likelyKinds(service, context).some(({ name }) => name === AWS_CLOUD_CONTROLLER);
      return isLikely && typeof text === 'string' && text !== '' && isTakenForTrue(text)
        ? {
            what: `${AWS_CLOUD.internal.key()} is '${text}', which the cloud controller takes for internal, and aws-load-balancer-controller refuses`,
            remedy: 'write "true" where internal is meant, and nothing otherwise: it is no range of clients',
            value: text,
          }
        : undefined;
    },
  },
  {
    id: 'gke-type-word',
    who: 'gke',
    severity: 'warning',
    says: `${GKE.oldLoadBalancerType.key()} is not Internal`,
    source: gkeFile('pkg/l4/annotations/gce_annotations.go'),
    reads: [GKE.oldLoadBalancerType],
    judge(service, context) {
      const text: unknown = annotationsOf(service)[GKE.oldLoadBalancerType.key()];
      const isLikely = likelyKinds(service, context).some(({ name }) => name === GKE_CONTROLLER);
      return isLikely &&
        typeof text === 'string' &&
        text !== '' &&
        GKE.oldLoadBalancerType.on(annotationsOf(service)) !== true
        ? {
            what: `${GKE.oldLoadBalancerType.key()} is '${text}', which is not a value of it: the balancer is external because the text is ignored`,
            remedy: 'remove it where an external balancer is meant',
            value: text,
          }
        : undefined;
    },
  },
];

/** What people write by hand in load balanced Services, which is taken and surprises. */
export const WRITTEN_SERVICE_RULES: readonly WrittenRule[] = [
  ...WRITTEN_ANNOTATION_RULES,
  ...FIELD_RULES,
  ...VENDOR_RULES,
  EXPOSED_PORT,
  ...PROXY_HEADER_RULES,
];
