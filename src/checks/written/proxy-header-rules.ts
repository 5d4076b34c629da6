import { isMap, type Json, list } from '../../contract/json';
import { LoadBalancerWish } from '../../contract/options';
import { podTemplateOf } from '../../contract/pod-placement';
import { HCLOUD, HCLOUD_CONTROLLER } from '../../controllers/hetzner-cloud/annotations';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { type IndexedObject, type ObjectIndex, titleOf } from '../../rules/objects';
import { annotationsOf, wantsLoadBalancer } from '../../rules/service-json';
import { ruleOf } from './messages';
import { RULES } from './rules.facts';
import { likelyKinds, type WrittenContext, type WrittenRule } from './service-notes';

// The PROXY header: the balancer sends it if the owner is asked for it, and the pods take it if their ConfigMap says so. One
// without the other refuses every connection.

interface IngressController {
  readonly flag: RegExp;
  readonly key: string;
  readonly names: RegExp;
}

/** Also nginx/kubernetes-ingress v5.0.0, docs of its ConfigMap. */
const INGRESS_CONTROLLERS: readonly IngressController[] = [
  { flag: /^--?configmap=(.+)$/, key: 'use-proxy-protocol', names: /^(ingress-nginx|nginx-ingress-controller)/ },
  { flag: /^--?nginx-configmaps=(.+)$/, key: 'proxy-protocol', names: /^nginx-(ingress|config$)/ },
];

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

function expectationOf(service: Json, { among, workloads = [] }: WrittenContext): Expectation | undefined {
  if (!among) {
    return undefined;
  }
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

function onlyOne(among: IndexedObject, { spec }: Json, { key, names }: IngressController): IndexedObject | undefined {
  const selects = Object.values(isMap(spec?.selector) ? spec.selector : {}).some((text) => names.test(String(text)));
  const [one, ...others] = among.index
    .of('', 'ConfigMap')
    .filter(({ namespace, json }) => namespace === among.namespace && isMap(json.data) && key in json.data);
  return selects && others.length === 0 ? one : undefined;
}

/** What the environment of the controller of Hetzner among the objects says; undefined if it is not there. */
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

/** The owner, if what it sends is known; of several likely ones, all must be alike. */
function knownOwner(service: Json, context: WrittenContext): ControllerDefinition | undefined {
  const [kind, ...others] = likelyKinds(service, context);
  return wantsLoadBalancer(service) && others.length === 0 && kind?.handles ? kind : undefined;
}

export const PROXY_HEADER_RULES: readonly WrittenRule[] = [
  ruleOf(RULES['proxy-header-missing'], (service, context) => {
    const kind = knownOwner(service, context);
    const expected = kind && expectationOf(service, context);
    const { among } = context;
    if (!kind || !expected?.isOn || !among || senderOf(service, kind, among.index) !== undefined) {
      return undefined;
    }
    const { key, configMap } = expected;
    const isOpen = kind.name === HCLOUD_CONTROLLER && hcloudDefault(among.index) === undefined;
    const way = wayToSend(service, kind);
    const off = `${key} of the ConfigMap to "false"`;
    return {
      unless: isOpen ? ` unless ${HCLOUD_DEFAULT} of the controller is true` : '',
      key,
      configMap: titleOf(configMap),
      remedy: way === undefined ? `set ${off}: no annotation of ${kind.name} sends it` : `set ${way}, or ${off}`,
      at: '/metadata/annotations',
    };
  }),
  ruleOf(RULES['proxy-header-unexpected'], (service, context) => {
    const kind = knownOwner(service, context);
    const expected = kind && expectationOf(service, context);
    const sender = kind && context.among && senderOf(service, kind, context.among.index);
    return (
      expected?.isOn === false &&
      sender !== undefined && {
        sender,
        key: expected.key,
        configMap: titleOf(expected.configMap),
        value: sender.split(': ')[1],
        at: '/metadata/annotations',
      }
    );
  }),
];
