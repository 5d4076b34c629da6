import { isIP } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Decoded } from '../../contract/annotation-codec';
import { unlessLive } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ownValue } from '../../contract/own-value';
import { placeholderIn } from '../../contract/placeholder';
import { shown } from '../../contract/printable';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { OwnershipState } from '../../controllers/load-balancer-owner';
import { otherOfKey } from '../../controllers/other-controller';
import { isRemovedBy } from '../../rules/added-finalizers';
import { eachEntry } from '../../rules/api-server-rule';
import {
  type ControllerDefinition,
  type ControllerVersion,
  definitionOf,
  knownKinds,
  unwrapped,
} from '../../rules/controller-definition';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { classLike, remover } from '../owners-in-words';
import { variableIn } from '../service-judgement';
import { EXPOSED_PORT } from './exposed-ports';
import { PROXY_HEADER_RULES } from './proxy-header-rules';
import { RULES } from './rules.facts';
import { kindOf, likelyKinds, readers, type WrittenContext, type WrittenRule } from './service-notes';
import { OLD_SPELLINGS } from './written.facts';

function isListWithGaps(service: Json, text: string, key: string, context: WrittenContext): boolean {
  const items = text.split(',').map((item) => item.trim());
  const whole = items.filter((item) => item !== '');
  if (whole.length === items.length || whole.length === 0) {
    return false;
  }
  const reads = readers(service, context).flatMap(({ catalogue }) => catalogue.find(key) ?? []);
  return reads.some((entry) => isList(entry.decode(whole.join(','))) && !('fault' in entry.decode(text)));
}

function isList(read: Decoded<unknown>): boolean {
  return 'value' in read && Array.isArray(read.value);
}

function isKnown(key: string): boolean {
  return knownKinds().some(({ catalogue }) => catalogue.find(key) !== undefined || catalogue.claims(key));
}

function annotationsIn(service: Json, look: Parameters<typeof eachEntry>[1]) {
  return eachEntry(service.metadata?.annotations, look);
}

export const WRITTEN_ANNOTATION_RULES: readonly WrittenRule[] = [
  {
    ...RULES['annotation-old-spelling'],
    concerns: (keys) => keys.some((key) => ownValue(OLD_SPELLINGS, key) !== undefined),
    judge: (service) =>
      annotationsIn(service, (key) => {
        const spelling = ownValue(OLD_SPELLINGS, key);
        return spelling === undefined
          ? undefined
          : { what: `annotation ${key} is an old name that is still read`, remedy: `write ${spelling}`, value: key };
      }),
  },
  {
    ...RULES['annotation-of-other-controller'],
    concerns: (keys) => keys.some((key) => otherOfKey(key) !== undefined),
    judge: (service, context) => {
      const kind = kindOf(context);
      return kind
        ? annotationsIn(service, (key) => {
            const other = kind.catalogue.find(key) ? undefined : otherOfKey(key);
            return other
              ? {
                  what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind.name}, which ignores it`,
                  remedy: unlessLive(`remove it, or correct controllers in load-balancers.yaml`),
                  value: key,
                }
              : undefined;
          })
        : undefined;
    },
  },
  {
    ...RULES['annotation-without-prefix'],
    concerns: (keys) => keys.some((key) => !isKnown(key)),
    judge: (service, context) =>
      context.owner.controller
        ? undefined
        : annotationsIn(service, (key) => {
            const meant = isKnown(key)
              ? undefined
              : knownKinds()
                  .map(({ catalogue }) => catalogue.underOwnPrefix(key))
                  .find((known) => known !== undefined);
            return meant === undefined
              ? undefined
              : {
                  what: `annotation ${key} is read by no controller, so the balancer has the default instead`,
                  remedy: `write ${meant}`,
                  value: key,
                };
          }),
  },
  {
    ...RULES['annotation-empty-item'],
    concerns: (keys) => keys.some(isKnown),
    judge: (service, context) =>
      annotationsIn(service, (key, text) =>
        typeof text === 'string' && isListWithGaps(service, text, key, context)
          ? {
              what: `annotation ${key} is ${shown(text)}, a list with an empty item`,
              remedy: 'remove the comma, or write what is missing',
              value: text,
            }
          : undefined,
      ),
  },
  {
    ...RULES['annotation-placeholder'],
    concerns: (keys) => keys.some(isKnown),
    judge: (service) =>
      annotationsIn(service, (key, text) =>
        isKnown(key) && typeof text === 'string' && placeholderIn(text) !== undefined && variableIn(text) === undefined
          ? {
              what: `annotation ${key} is ${shown(text)}, which looks like a placeholder`,
              remedy: 'write the value, or remove the annotation',
              value: text,
            }
          : undefined,
      ),
  },
];

/** Whether a controller has a rule of its own about any `spec.loadBalancerIP`. */
function hasRuleOnIp({ rules }: ControllerDefinition): boolean {
  return rules.some(({ supersedes }) => supersedes?.includes('load-balancer-ip'));
}

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

const CLASS_MISSPELT: WrittenRule = {
  ...RULES['class-misspelt'],
  judge(service, context) {
    const { name, near } = classMeant(service, context);
    return near !== undefined && domainOf(near) === domainOf(name) ? classFinding(name, near) : undefined;
  },
};

const CLASS_NEARLY_KNOWN: WrittenRule = {
  ...RULES['class-nearly-known'],
  judge(service, context) {
    const { name, near } = classMeant(service, context);
    return near !== undefined && domainOf(near) !== domainOf(name) ? classFinding(name, near) : undefined;
  },
};

const isOfBalancers = (finalizer: string): boolean =>
  finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || knownKinds().some((kind) => isRemovedBy(finalizer, kind));

const FINALIZER_LEFT: WrittenRule = {
  ...RULES['finalizer-left'],
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

const FIELD_RULES: readonly WrittenRule[] = [
  {
    ...RULES['load-balancer-ip'],
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

const isTakenForTrue = (text: string) =>
  'value' in AWS_CLOUD.internal.decode(text) && 'fault' in AWS_LBC.internal.decode(text);

const typeOf = (service: Json): unknown => annotationsOf(service)[AWS_LBC.type.key()];

const VENDOR_RULES: readonly WrittenRule[] = [
  {
    ...RULES['aws-type-unclaimed'],
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
    ...RULES['aws-type-nlb-ip'],
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
    ...RULES['aws-scheme-unread'],
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
    ...RULES['aws-internal-word'],
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
    ...RULES['gke-type-word'],
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

export const WRITTEN_SERVICE_RULES: readonly WrittenRule[] = [
  ...WRITTEN_ANNOTATION_RULES,
  ...FIELD_RULES,
  ...VENDOR_RULES,
  EXPOSED_PORT,
  ...PROXY_HEADER_RULES,
];
