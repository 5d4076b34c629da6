import { Folder } from './repository';

// What tells a controller of its cloud: nobody edits its Services, and it may run where no manifest says so.

const ECHO = `apiVersion: v1
kind: Service
metadata: { name: echo, namespace: edge, finalizers: [service.kubernetes.io/load-balancer-cleanup] }
spec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 80 }] }
`;
const AZURE = 'controllers: [cloud-provider-azure]\n';
const CONFIG = { cloud: 'AzurePublicCloud', resourceGroup: 'a', aadClientSecret: 'hunter2' };

const object = (kind: string, key: string, text: string, name = 'azure-cloud-provider') =>
  `${JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace: 'kube-system' }, [FIELDS[kind]]: { [key]: text } })}\n`;
const FIELDS: Readonly<Record<string, string>> = { ConfigMap: 'data', Secret: 'stringData' };
const secret = (more: object = {}, key = 'cloud-config') =>
  object('Secret', key, JSON.stringify({ ...CONFIG, ...more }, undefined, 2));
const encoded = secret().replace(
  /"stringData".*/,
  `"data":{"cloud-config":"${Buffer.from(JSON.stringify(CONFIG)).toString('base64')}"}}`,
);
const map = (more: object = {}) => object('ConfigMap', 'azure.json', JSON.stringify({ ...CONFIG, ...more }));
const isLive = (text: string) => text.replace('name: echo', 'name: echo, uid: a-b');
const POOL = 'loadBalancerBackendPoolConfigurationType';

function changeOf(before: string | undefined, after: string | undefined, ...args: readonly string[]) {
  const side = (name: string, config: string | undefined) => ({
    [`${name}/echo.yaml`]: ECHO,
    ...(config !== undefined && { [`${name}/config.yaml`]: config }),
  });
  const folder = new Folder({ 'load-balancers.yaml': AZURE, ...side('old', before), ...side('new', after) });
  const { changes } = folder.json('old', 'new', ...args);
  const [{ outcome, causes }] = changes;
  const telling = causes.filter((cause) => cause.outcome !== 'kept');
  return { outcome, fields: telling.map(({ field }) => field), text: JSON.stringify(changes), causes };
}

const SECRET = 'Secret kube-system/azure-cloud-provider';
const OF_SECRET = `${SECRET}, data.cloud-config`;

test.each<[string, string | undefined, string | undefined, string, readonly string[]]>([
  ['nothing', secret(), secret(), 'kept', []],
  ['how it is written', secret(), encoded, 'kept', []],
  ['another group', secret(), secret({ resourceGroup: 'b' }), 'unknown', [`${OF_SECRET}.resourceGroup`]],
  ['a password', secret(), secret({ aadClientSecret: 'hunter3' }), 'unknown', [`${OF_SECRET}.aadClientSecret`]],
  ['how nodes join', secret(), secret({ [POOL]: 'nodeIP' }), 'unknown', [`${OF_SECRET}.${POOL}`]],
  ['two settings', secret(), secret({ [POOL]: 'nodeIP', resourceGroup: 'b' }), 'unknown', [OF_SECRET]],
  [
    'a ConfigMap',
    map(),
    map({ vnetName: 'v' }),
    'unknown',
    ["ConfigMap kube-system/azure-cloud-provider, data['azure.json'].vnetName"],
  ],
  [
    'what is no map',
    object('Secret', 'cloud-config', 'ENC[a]'),
    object('Secret', 'cloud-config', 'ENC[b]'),
    'unknown',
    [OF_SECRET],
  ],
  ['one that is new', undefined, secret(), 'unknown', [SECRET]],
  ['one that is gone', secret(), undefined, 'unknown', [SECRET]],
  ['another object', object('Secret', 'password', 'a'), object('Secret', 'password', 'b'), 'kept', []],
])('%s', (_, before, after, outcome, fields) => {
  const change = changeOf(before, after);
  expect(change).toMatchObject({ outcome, fields });
  expect(change.text).not.toContain('hunter');
});

test('no value is printed, since any may be a secret', () => {
  const { causes } = changeOf(map(), map({ aadClientSecret: 'hunter3' }));
  expect(causes.map(({ from, to }) => [from, to])).toEqual([[undefined, undefined]]);
});

test('what is not pruned stays', () => {
  expect(changeOf(secret(), undefined, '--no-prune').outcome).toBe('kept');
});

test('of another controller it says nothing', () => {
  const files = (side: string, group: string) => ({
    [`${side}/echo.yaml`]: ECHO,
    [`${side}/config.yaml`]: secret({ resourceGroup: group }),
    [`${side}/load-balancers.yaml`]: 'controllers: [cloud-provider-aws]\n',
  });
  const folder = new Folder({ ...files('old', 'a'), ...files('new', 'b') });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'kept' });
});

test('where it is not known who owns a Service, it may be this one', () => {
  const files = (side: string, group: string) => ({
    [`${side}/echo.yaml`]: ECHO,
    [`${side}/config.yaml`]: secret({ resourceGroup: group }),
  });
  const folder = new Folder({ ...files('old', 'a'), ...files('new', 'b') });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'unknown' });
});

test('what runs in a cluster may have one that is not in its dump', () => {
  const folder = new Folder({
    'load-balancers.yaml': AZURE,
    'live.yaml': isLive(ECHO),
    'new/echo.yaml': ECHO,
    'new/config.yaml': secret(),
  });
  expect(folder.outcomes('live.yaml', 'new')).toEqual({ 'edge/echo': 'unknown' });
  folder.write({ 'live.yaml': `${isLive(ECHO)}---\n${secret()}` });
  expect(folder.outcomes('live.yaml', 'new')).toEqual({ 'edge/echo': 'kept' });
});

test('each cluster has that of its own folder', () => {
  const files = (side: string, group: string) => ({
    [`${side}/a/echo.yaml`]: ECHO,
    [`${side}/a/config.yaml`]: secret(),
    [`${side}/b/web.yaml`]: ECHO.replace('name: echo', 'name: web'),
    [`${side}/b/config.yaml`]: secret({ resourceGroup: group }),
  });
  const folder = new Folder({ 'load-balancers.yaml': AZURE, ...files('old', 'b'), ...files('new', 'c') });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/web': 'unknown', 'edge/echo': 'kept' });
});

test('where it is mounted it is told once', () => {
  const workload = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cloud-controller-manager, namespace: kube-system }
spec:
  template:
    spec:
      containers: [{ name: a, image: mcr.microsoft.com/oss/kubernetes/azure-cloud-controller-manager:v1.36.5 }]
      volumes: [{ name: a, secret: { secretName: azure-cloud-provider } }]
`;
  const [before, after] = ['a', 'b'].map((group) => secret({ resourceGroup: group }) + workload);
  expect(changeOf(before, after).fields).toEqual([`${OF_SECRET}.resourceGroup`]);
});
