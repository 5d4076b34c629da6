import { isIP } from 'node:net';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Decoded } from '../../contract/annotation-codec';
import { isMap, type Json, ownValue, shown } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { placeholderIn } from '../../contract/kubernetes-syntax';
import { LoadBalancerScheme, LoadBalancerWish } from '../../contract/options';
import { unlessLive } from '../../contract/rule';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { OwnershipState } from '../../controllers/load-balancer-owner';
import { otherOfKey } from '../../controllers/other-controller';
import { ignoresIt } from '../../rules/annotation-rules';
import {
  type ControllerDefinition,
  type ControllerVersion,
  definitionOf,
  isRemovedBy,
  unwrapped,
} from '../../rules/controller-definition';
import { allKinds } from '../../rules/known-kinds';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { classLike, remover } from '../owners-in-words';
import { variableIn } from '../service-judgement';
import { EXPOSED_PORT, SOURCE_RANGES_UNREAD } from './exposed-ports';
import { ruleOf } from './messages';
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
  return allKinds().some(({ catalogue }) => catalogue.find(key) !== undefined || catalogue.claims(key));
}

function annotationsOfJson(service: Json): [string, unknown][] {
  return Object.entries(isMap(service.metadata?.annotations) ? service.metadata.annotations : {});
}

export const WRITTEN_ANNOTATION_RULES: readonly WrittenRule[] = [
  ruleOf(
    RULES['annotation-old-spelling'],
    (service) =>
      annotationsOfJson(service).map(([key]) => {
        const spelling = ownValue(OLD_SPELLINGS, key);
        return spelling === undefined ? undefined : { spelling, value: key };
      }),
    { concerns: (keys) => keys.some((key) => ownValue(OLD_SPELLINGS, key) !== undefined) },
  ),
  ruleOf(
    RULES['annotation-of-other-controller'],
    (service, context) => {
      const kind = kindOf(context);
      const remedy = unlessLive(`remove it, or correct controllers in load-balancers.yaml`);
      return (
        kind &&
        annotationsOfJson(service).map(([key]) => {
          // a key that a descriptor has is judged by the rule on annotations of others
          const other = allKinds().some(({ catalogue }) => catalogue.find(key)) ? undefined : otherOfKey(key);
          return other && other.id !== kind.name
            ? { other: other.name, owner: kind.name, fate: ignoresIt(kind), remedy, value: key }
            : undefined;
        })
      );
    },
    { concerns: (keys) => keys.some((key) => otherOfKey(key) !== undefined) },
  ),
  ruleOf(
    RULES['annotation-without-prefix'],
    (service, context) =>
      !context.owner.controller &&
      annotationsOfJson(service).map(([key]) => {
        const all = isKnown(key) ? [] : allKinds().map(({ catalogue }) => catalogue.underOwnPrefix(key));
        const meant = all.find((known) => known !== undefined);
        return meant === undefined ? undefined : { meant, value: key };
      }),
    { concerns: (keys) => keys.some((key) => !isKnown(key)) },
  ),
  ruleOf(
    RULES['annotation-empty-item'],
    (service, context) =>
      annotationsOfJson(service).map(([key, text]) =>
        typeof text === 'string' && isListWithGaps(service, text, key, context)
          ? { key, text: shown(text), value: text }
          : undefined,
      ),
    { concerns: (keys) => keys.some(isKnown) },
  ),
  ruleOf(
    RULES['annotation-placeholder'],
    (service) =>
      annotationsOfJson(service).map(([key, text]) =>
        isKnown(key) && typeof text === 'string' && placeholderIn(text) !== undefined && variableIn(text) === undefined
          ? { key, text: shown(text), value: text }
          : undefined,
      ),
    { concerns: (keys) => keys.some(isKnown) },
  ),
];

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

const CLASS_MISSPELT: WrittenRule = ruleOf(RULES['class-misspelt'], (service, context) => {
  const { name, near } = classMeant(service, context);
  return near !== undefined && domainOf(near) === domainOf(name) && { near, value: name };
});

const CLASS_NEARLY_KNOWN: WrittenRule = ruleOf(RULES['class-nearly-known'], (service, context) => {
  const { name, near } = classMeant(service, context);
  return near !== undefined && domainOf(near) !== domainOf(name) && { near, value: name };
});

const isOfBalancers = (finalizer: string): boolean =>
  finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isRemovedBy(finalizer, kind));

const FINALIZER_LEFT: WrittenRule = ruleOf(RULES['finalizer-left'], (service, { controllers }) => {
  const kinds = controllers?.flatMap((one) => definitionOf(one) ?? []) ?? [];
  const isKnown = kinds.length > 0 && kinds.length === controllers?.length;
  const remedy = unlessLive('take it out of the manifest');
  return (
    isKnown &&
    !wantsLoadBalancer(service) &&
    !service.metadata?.deletionTimestamp &&
    finalizersOf(service).map((finalizer, i) =>
      isOfBalancers(finalizer) && !kinds.some((kind) => isRemovedBy(finalizer, kind))
        ? { remover: remover(finalizer), remedy, value: finalizer, at: `/metadata/finalizers/${i}` }
        : undefined,
    )
  );
});

const FIELD_RULES: readonly WrittenRule[] = [
  ruleOf(RULES['load-balancer-ip'], (service, context) => {
    const ip: unknown = service.spec?.loadBalancerIP;
    const kinds = likelyKinds(service, context);
    if (typeof ip !== 'string' || ip === '' || !wantsLoadBalancer(service) || kinds.some(hasRuleOnIp)) {
      return undefined;
    }
    const fault =
      isIP(ip) === 0
        ? 'is not an IP address, so the balancer does not get the address that is meant'
        : 'is deprecated, and controllers may ignore it';
    return { fault, remedy: addressRemedy(kinds, context), value: ip };
  }),
  CLASS_MISSPELT,
  CLASS_NEARLY_KNOWN,
  FINALIZER_LEFT,
];

const isTakenForTrue = (text: string) =>
  'value' in AWS_CLOUD.internal.decode(text) && 'fault' in AWS_LBC.internal.decode(text);

const typeOf = (service: Json): unknown => annotationsOf(service)[AWS_LBC.type.key()];

const isLikelyOwner = (service: Json, context: WrittenContext, owner: string): boolean =>
  likelyKinds(service, context).some(({ name }) => name === owner);

const VENDOR_RULES: readonly WrittenRule[] = [
  ruleOf(
    RULES['aws-type-unclaimed'],
    (service, context) => {
      const targetType: unknown = annotationsOf(service)[AWS_LBC.targetType.key()];
      return (
        typeOf(service) === AwsLoadBalancerType.EXTERNAL &&
        wantsLoadBalancer(service) &&
        classOf(service) === undefined &&
        kindOf(context) === undefined &&
        context.controllers?.some(({ name }) => name === AWS_LBC_CONTROLLER) !== false &&
        targetType !== NlbTargetType.IP &&
        targetType !== NlbTargetType.INSTANCE && { value: AwsLoadBalancerType.EXTERNAL }
      );
    },
    { reads: [AWS_LBC.type] },
  ),
  ruleOf(
    RULES['aws-type-nlb-ip'],
    (service) =>
      typeOf(service) === AwsLoadBalancerType.NLB_IP &&
      classOf(service) === undefined && { value: AwsLoadBalancerType.NLB_IP },
    { reads: [AWS_LBC.type] },
  ),
  ruleOf(
    RULES['aws-scheme-unread'],
    (service, context) => {
      const annotations = annotationsOf(service);
      const [scheme, internal] = [AWS_LBC.scheme.key(), AWS_CLOUD.internal.key()];
      const type = typeOf(service);
      return (
        AWS_LBC.scheme.on(annotations) === LoadBalancerScheme.INTERNAL &&
        wantsLoadBalancer(service) &&
        classOf(service) === undefined &&
        (type === undefined || type === NLB_TYPE) &&
        annotations[internal] === undefined &&
        context.owner.controller === undefined &&
        context.controllers?.some(({ name }) => name === AWS_CLOUD_CONTROLLER) !== false && {
          ...{ scheme, internal, class: AWS_LBC_CLASS },
          value: String(annotations[scheme]),
        }
      );
    },
    { reads: [AWS_LBC.scheme] },
  ),
  ruleOf(
    RULES['aws-internal-word'],
    (service, context) => {
      const key = AWS_CLOUD.internal.key();
      const text: unknown = annotationsOf(service)[key];
      const isWord = typeof text === 'string' && text !== '' && isTakenForTrue(text);
      return isWord && isLikelyOwner(service, context, AWS_CLOUD_CONTROLLER) && { key, value: text };
    },
    { reads: [AWS_CLOUD.internal] },
  ),
  ruleOf(
    RULES['gke-type-word'],
    (service, context) => {
      const annotations = annotationsOf(service);
      const key = GKE.oldLoadBalancerType.key();
      const text: unknown = annotations[key];
      const isWord = typeof text === 'string' && text !== '' && GKE.oldLoadBalancerType.on(annotations) !== true;
      return isWord && isLikelyOwner(service, context, GKE_CONTROLLER) && { key, value: text };
    },
    { reads: [GKE.oldLoadBalancerType] },
  ),
];

export const WRITTEN_SERVICE_RULES: readonly WrittenRule[] = [
  ...WRITTEN_ANNOTATION_RULES,
  ...FIELD_RULES,
  ...VENDOR_RULES,
  EXPOSED_PORT,
  SOURCE_RANGES_UNREAD,
  ...PROXY_HEADER_RULES,
];
