import { isMap, type Json, list } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { LoadBalancerScheme, LoadBalancerWish } from '../../contract/options';
import { podTemplateOf } from '../../contract/pod-placement';
import { AWS_CLOUD, AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { NLB_TYPE } from '../../controllers/aws-cloud-provider/facts';
import { AWS_LBC, AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerType, NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { GKE, GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { HCLOUD, HCLOUD_CONTROLLER } from '../../controllers/hetzner-cloud/annotations';
import { OwnershipState } from '../../controllers/options';
import { otherOfKey } from '../../controllers/other-controller';
import { ignoresIt } from '../../rules/annotation-rules';
import { type ControllerDefinition, definitionOf, isRemovedBy } from '../../rules/controller-definition';
import { allKinds } from '../../rules/known-kinds';
import { isKnownAnnotation, MANIFEST_RULES } from '../../rules/manifest-rules';
import { type IndexedObject, type ObjectIndex, titleOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationAt, annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../../rules/service-json';
import { classLike, remover } from '../owners-in-words';
import { kindOf, likelyKinds, type ServiceContext } from '../service-checks';
import { PROXY_HEADER_ROWS, SERVICE_ROWS } from './rules.facts';
import { INGRESS_CONTROLLERS } from './written.facts';

const domainOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

/** The known class that the one of a pending Service is like, in the same domain or in another one. */
function classMeant(service: Json, { owner }: ServiceContext, isSameDomain: boolean) {
  const value = classOf(service);
  const isPending = wantsLoadBalancer(service) && owner.state !== OwnershipState.OWNED;
  const near = typeof value === 'string' && isPending ? classLike(value) : undefined;
  return near !== undefined && (domainOf(near) === domainOf(String(value))) === isSameDomain && { near, value };
}

const isOfBalancers = (finalizer: string): boolean =>
  finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isRemovedBy(finalizer, kind));

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

// The PROXY header: the balancer sends it if the owner is asked for it, and the pods take it if their ConfigMap says so. One
// without the other refuses every connection.

const ON = /^(1|t|true)$/i;

/** The variable that has the controller of Hetzner ask for the header unless a Service says otherwise. */
const HCLOUD_DEFAULT = 'HCLOUD_LOAD_BALANCERS_USES_PROXYPROTOCOL';

function containersIn(workload: Json): Json[] {
  return list<Json>(podTemplateOf(workload)?.spec?.containers).filter(isMap);
}

interface Expectation {
  readonly configMap: IndexedObject;
  readonly key: string;
  readonly isOn?: boolean;
}

function expectationOf(service: Json, { among, workloads = [] }: ServiceContext): Expectation | undefined {
  const containers = workloads.flatMap(containersIn);
  for (const controller of INGRESS_CONTROLLERS) {
    const { flag, key } = controller;
    const [named] = containers.flatMap(({ command, args, image }) =>
      [...list(command), ...list(args)].flatMap((text) => {
        const name = flag.exec(String(text))?.[1].split('/').at(-1);
        return name === undefined ? [] : [{ name, isNginx: String(image).includes('nginx') }];
      }),
    );
    const { namespace } = among;
    const configMap =
      workloads.length === 0
        ? onlyOne(among, service, controller)
        : named && among.index.nearest(among, '', 'ConfigMap', { namespace, name: named.name });
    if (configMap) {
      const text: unknown = isMap(configMap.json.data) ? configMap.json.data[key] : undefined;
      return { configMap, key, isOn: text === undefined && !named?.isNginx ? undefined : ON.test(String(text)) };
    }
  }
  return undefined;
}

function onlyOne(
  among: IndexedObject,
  { spec }: Json,
  { key, names }: (typeof INGRESS_CONTROLLERS)[number],
): IndexedObject | undefined {
  const selects = Object.values(isMap(spec?.selector) ? spec.selector : {}).some((text) => names.test(String(text)));
  const [one, ...others] = among.index
    .of('', 'ConfigMap')
    .filter(({ namespace, json }) => namespace === among.namespace && isMap(json.data) && key in json.data);
  return selects && others.length === 0 ? one : undefined;
}

function hcloudDefault(index: ObjectIndex): boolean | undefined {
  return index.once(hcloudDefault, ({ all }) => {
    const found = all
      .flatMap(({ json }) => containersIn(json))
      .filter(({ image }) => String(image).includes('hcloud-cloud-controller-manager'));
    const values = found.flatMap(({ env }) => list<Json>(env).filter((one) => one?.name === HCLOUD_DEFAULT));
    return found.length === 0 ? undefined : values.some(({ value }) => ON.test(String(value)));
  });
}

function senderOf(service: Json, kind: ControllerDefinition, index: ObjectIndex): string | undefined {
  const sender = kind.handles?.(service).find(({ does }) => does === 'proxy-protocol');
  const byDefault = kind.name === HCLOUD_CONTROLLER && hcloudDefault(index) === true;
  const isSaid = annotationsOf(service)[HCLOUD.usesProxyProtocol.key()] !== undefined;
  return sender ? `${sender.annotation}: ${sender.text}` : byDefault && !isSaid ? HCLOUD_DEFAULT : undefined;
}

const ATTRIBUTE = 'proxy_protocol_v2.enabled=true';

function wayToSend(service: Json, kind: ControllerDefinition): string | undefined {
  const annotations = annotationsOf(service);
  const candidates = kind.catalogue.annotations
    .filter(({ fact }) => !fact.key.includes('{'))
    .flatMap((entry): [string, string][] => {
      const key = entry.key();
      if (entry.fact.wish === LoadBalancerWish.PROXY_PROTOCOL) {
        return ['*', 'true'].map((text) => [key, text]);
      }
      const texts = [annotations[key], ATTRIBUTE].filter((text) => text !== undefined);
      return key.endsWith('target-group-attributes') ? [[key, texts.join(',')]] : [];
    });
  const found = candidates.find(([key, text]) => {
    const changed = { ...service, metadata: { ...service.metadata, annotations: { ...annotations, [key]: text } } };
    return kind.handles?.(changed).some(({ does, annotation }) => does === 'proxy-protocol' && annotation === key);
  });
  return found && `${found[0]}: '${found[1]}'`;
}

const PROXY_HEADER_RULES = rulesOf({
  rows: PROXY_HEADER_ROWS,
  /** The owner, if what it sends is known; of several likely ones, all must be alike. */
  read: (service: Json, context: ServiceContext) => {
    const [kind, ...others] = likelyKinds(service, context);
    const isKnown = wantsLoadBalancer(service) && others.length === 0 && kind?.handles !== undefined;
    const expected = isKnown ? expectationOf(service, context) : undefined;
    const { index } = context.among;
    return expected && { kind, ...expected, index, sender: senderOf(service, kind, index) };
  },
  finds: {
    'proxy-header-missing': (reading, service) => {
      if (!reading?.isOn || reading.sender !== undefined) {
        return undefined;
      }
      const { kind, key, configMap, index } = reading;
      const isOpen = kind.name === HCLOUD_CONTROLLER && hcloudDefault(index) === undefined;
      const way = wayToSend(service, kind);
      return {
        ...(way === undefined && { case: 'unsendable' }),
        unless: isOpen ? ` unless ${HCLOUD_DEFAULT} of the controller is true` : '',
        configMap: titleOf(configMap),
        owner: kind.name,
        ...{ key, way },
      };
    },
    'proxy-header-unexpected': (reading) => {
      const { isOn, sender, key, configMap } = reading ?? {};
      return (
        isOn === false &&
        sender !== undefined && {
          sender,
          key,
          configMap: configMap && titleOf(configMap),
          value: sender.split(': ')[1],
        }
      );
    },
  },
});

export const WRITTEN_SERVICE_RULES: readonly Rule<ServiceContext>[] = [
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
      'annotation-for-unlisted-controller': ({ entries }, _, context) => {
        const kind = kindOf(context);
        return (
          kind &&
          entries.map(([key]) => {
            // a key that a descriptor has is checked by the rule on annotations of others
            const other = allKinds().some(({ catalogue }) => catalogue.find(key)) ? undefined : otherOfKey(key);
            return other && other.id !== kind.name
              ? { other: other.name, owner: kind.name, fate: ignoresIt(kind), value: key, at: annotationAt(key) }
              : undefined;
          })
        );
      },
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
            isOfBalancers(finalizer) && !kinds.some((kind) => isRemovedBy(finalizer, kind))
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
  ...PROXY_HEADER_RULES,
];
