import { isMap, type Json, list } from '../../contract/json';
import { LoadBalancerWish } from '../../contract/options';
import { podTemplateOf } from '../../contract/pod-placement';
import { HCLOUD, HCLOUD_CONTROLLER } from '../../controllers/hetzner-cloud/annotations';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { type IndexedObject, type ObjectIndex, titleOf } from '../../rules/objects';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, wantsLoadBalancer } from '../../rules/service-json';
import { likelyKinds, type WrittenContext } from '../service-judgement';
import { PROXY_HEADER_ROWS } from './rules.facts';
import { INGRESS_CONTROLLERS } from './written.facts';

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

function expectationOf(service: Json, { among, workloads = [] }: WrittenContext): Expectation | undefined {
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

export const PROXY_HEADER_RULES = rulesOf({
  rows: PROXY_HEADER_ROWS,
  /** The owner, if what it sends is known; of several likely ones, all must be alike. */
  read: (service: Json, context: WrittenContext) => {
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
