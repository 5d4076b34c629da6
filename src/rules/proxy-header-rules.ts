import { isMap, type Json, list } from '../contract/json';
import { LoadBalancerWish } from '../contract/options';
import { podTemplateOf } from '../contract/pod-placement';
import type { ControllerDefinition } from './controller-definition';
import { possibleKinds } from './manifest-rules';
import { type IndexedObject, type ObjectIndex, titleOf } from './objects';
import type { Rule, RuleContext } from './rule';
import { rulesOf } from './rule-set';
import { INGRESS_CONTROLLERS, PROXY_HEADER_ROWS } from './rules.facts';
import { annotationsOf, wantsLoadBalancer } from './service-json';

// The PROXY header: the balancer sends it if the owner is asked for it, and the pods take it if their ConfigMap says so. One
// without the other refuses every connection.

const ON = /^(1|t|true)$/i;

function containersIn(workload: Json): Json[] {
  return list<Json>(podTemplateOf(workload)?.spec?.containers).filter(isMap);
}

function expectationOf(service: Json, among: IndexedObject, workloads: readonly Json[]) {
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
        ? selectsPodsOf(service, controller) && onlyOne(among, key)
        : named && among.index.nearest(among, '', 'ConfigMap', { namespace, name: named.name });
    if (configMap) {
      const text: unknown = isMap(configMap.json.data) ? configMap.json.data[key] : undefined;
      return { configMap, key, isOn: text === undefined && !named?.isNginx ? undefined : ON.test(String(text)) };
    }
  }
  return undefined;
}

function selectsPodsOf({ spec }: Json, { names }: { readonly names: RegExp }): boolean {
  return Object.values(isMap(spec?.selector) ? spec.selector : {}).some((text) => names.test(String(text)));
}

function onlyOne({ index, namespace: own }: IndexedObject, key: string): IndexedObject | undefined {
  const all = index.of('', 'ConfigMap');
  const [one, ...others] = all.filter(
    ({ namespace, json }) => namespace === own && isMap(json.data) && key in json.data,
  );
  return others.length === 0 ? one : undefined;
}

/** True if a controller among the objects sends the header by default; undefined if it is not among them. */
function defaultOf({ name, proxyHeaderDefault }: ControllerDefinition, index: ObjectIndex): boolean | undefined {
  return (
    proxyHeaderDefault &&
    index.once(proxyHeaderDefault, ({ all }) => {
      const found = all.flatMap(({ json }) => containersIn(json)).filter(({ image }) => String(image).includes(name));
      const variables = found.flatMap(({ env }) => list<Json>(env).filter(isMap));
      return found.length === 0
        ? undefined
        : variables.some((one) => one.name === proxyHeaderDefault.variable && ON.test(String(one.value)));
    })
  );
}

function senderOf(service: Json, kind: ControllerDefinition, index: ObjectIndex): string | undefined {
  const sender = kind.handles?.(service).find(({ does }) => does === 'proxy-protocol');
  const { annotation = '', variable } = kind.proxyHeaderDefault ?? {};
  const isByDefault = annotationsOf(service)[annotation] === undefined && defaultOf(kind, index) === true;
  return sender ? `${sender.annotation}: ${sender.text}` : isByDefault ? variable : undefined;
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

export const PROXY_HEADER_RULES: readonly Rule[] = rulesOf({
  rows: PROXY_HEADER_ROWS,
  /** The owner, if what it sends is known; of several likely ones, all must be alike. */
  read: (service: Json, context: RuleContext) => {
    const { workloads = [] } = context;
    if (workloads.length === 0 && !INGRESS_CONTROLLERS.some((one) => selectsPodsOf(service, one))) {
      return undefined;
    }
    const { among } = context;
    const [kind, ...others] = wantsLoadBalancer(service) ? possibleKinds(service, context) : [];
    const isKnown = others.length === 0 && kind?.handles !== undefined;
    const expected = isKnown && among ? expectationOf(service, among, workloads) : undefined;
    return expected && among && { kind, ...expected, index: among.index, sender: senderOf(service, kind, among.index) };
  },
  finds: {
    'proxy-header-missing': (reading, service) => {
      if (!reading?.isOn || reading.sender !== undefined) {
        return undefined;
      }
      const { kind, key, configMap, index } = reading;
      const { variable } = kind.proxyHeaderDefault ?? {};
      const isOpen = variable !== undefined && defaultOf(kind, index) === undefined;
      const way = wayToSend(service, kind);
      return {
        ...(way === undefined && { case: 'unsendable' }),
        unless: isOpen ? ` unless ${variable} of the controller is true` : '',
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
