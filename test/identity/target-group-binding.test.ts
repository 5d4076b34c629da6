import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { TargetGroupBinding, type TargetGroupBindingProps, TargetGroupTargetType } from '../../src';
import { stderrOf } from '../support/apps';
import { faultsAt } from '../support/faults-at';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'target-group-binding.yaml');

const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/edge/0123456789abcdef';
const PROPS: TargetGroupBindingProps = {
  name: 'edge',
  targetGroupArn: ARN,
  targetType: TargetGroupTargetType.IP,
  serviceName: 'echo',
  servicePort: 443,
};

function synth(props: Partial<TargetGroupBindingProps> = {}, ...patches: JsonPatch[]) {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'edge' });
  const binding = new TargetGroupBinding(chart, 'Binding', { ...PROPS, ...props });
  binding.addJsonPatch(...patches);
  return Testing.synth(chart)[0];
}

function refusal(props: Partial<TargetGroupBindingProps>, ...patches: JsonPatch[]): string {
  const app = Testing.app();
  const chart = new Chart(app, 'chart');
  const binding = new TargetGroupBinding(chart, 'Binding', { ...PROPS, ...props });
  binding.addJsonPatch(...patches);
  return faultsAt(binding).join('\n');
}

test('a binding names the Service and the target group', () => {
  expect(synth()).toEqual({
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'TargetGroupBinding',
    metadata: { name: 'edge', namespace: 'edge' },
    spec: { targetGroupARN: ARN, targetType: 'ip', serviceRef: { name: 'echo', port: 443 } },
  });
  expect(refusal({})).toBe('');
});

test('everything that can be said is said', () => {
  const { apiVersion, spec } = synth({
    targetType: TargetGroupTargetType.INSTANCE,
    servicePort: undefined,
    servicePortName: 'https',
    nodeLabels: { pool: 'edge' },
    peers: [
      { securityGroupId: 'sg-0123456789abcdef0', ports: [30443, 30444] },
      { cidr: '10.0.0.0/8', protocol: 'UDP' },
    ],
    multiCluster: true,
    vpcId: 'vpc-0123456789abcdef0',
  });
  expect(apiVersion).toBe('elbv2.k8s.aws/v1beta1');
  expect(spec).toEqual({
    targetGroupARN: ARN,
    targetType: 'instance',
    serviceRef: { name: 'echo', port: 'https' },
    nodeSelector: { matchLabels: { pool: 'edge' } },
    networking: {
      ingress: [
        {
          from: [{ securityGroup: { groupID: 'sg-0123456789abcdef0' } }],
          ports: [
            { port: 30443, protocol: 'TCP' },
            { port: 30444, protocol: 'TCP' },
          ],
        },
        { from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ protocol: 'UDP' }] },
      ],
    },
    multiClusterTargetGroup: true,
    vpcID: 'vpc-0123456789abcdef0',
  });
});

test('EKS Auto Mode has an API of its own', () => {
  expect(synth({ eksAutoMode: true }).apiVersion).toBe('eks.amazonaws.com/v1');
});

test('a token stays as it is', () => {
  const token = '$' + '{Token[Group.12]}';
  expect(refusal({ targetGroupArn: token, vpcId: token, peers: [{ securityGroupId: token }, { cidr: token }] })).toBe(
    '',
  );
});

describe('is refused at synth', () => {
  const instance = { targetType: TargetGroupTargetType.INSTANCE };
  test.each<[string, Partial<TargetGroupBindingProps>, JsonPatch[], string]>([
    ...CASES.refusedAtSynth,
    ['no target group', {}, [JsonPatch.remove('/spec/targetGroupARN')], 'names no target group'],
    ['two target groups', {}, [JsonPatch.add('/spec/targetGroupName', 'edge')], 'has both the ARN and the name'],
    ['no Service', {}, [JsonPatch.remove('/spec/serviceRef')], 'spec.serviceRef is missing'],
    [
      'a number for a text',
      {},
      [JsonPatch.replace('/spec/serviceRef/name', 1)],
      'spec.serviceRef.name is 1; write a string',
    ],
    [
      'a protocol of no target group',
      {},
      [JsonPatch.add('/spec/targetGroupProtocol', 'tcp')],
      "Protocol is 'tcp', which is not",
    ],
    ['another target type', {}, [JsonPatch.replace('/spec/targetType', 'Instance')], "the target type is 'Instance'"],
    [
      'a role for instances',
      instance,
      [JsonPatch.add('/spec/iamRoleArnToAssume', 'arn:aws:iam::123456789012:role/x')],
      'a role of another account is to be taken, and targets are instances',
    ],
    [
      'an external ID alone',
      {},
      [JsonPatch.add('/spec/assumeRoleExternalId', 'x')],
      'there is an external ID, and no role',
    ],
    ['QUIC to instances', instance, [JsonPatch.add('/spec/targetGroupProtocol', 'TCP_QUIC')], 'speaks TCP_QUIC'],
  ])('%s', (_, props, patches, what) => {
    const message = refusal(props, ...patches);
    expect(message).toContain(`aws-load-balancer-controller: `);
    expect(message).toContain(what);
    expect(message.split('\n')).toHaveLength(1);
  });
});

test('a field that the known definition does not have is a warning', () => {
  const app = Testing.app();
  const binding = new TargetGroupBinding(new Chart(app, 'chart'), 'Binding', PROPS);
  binding.addJsonPatch(JsonPatch.add('/spec/vpcId', 'vpc-0123456789abcdef0'));
  expect(stderrOf(() => app.synthYaml())).toMatch(/drops the field spec\.vpcId[^(]*\(binding-field-unknown\)/);
});

test.each<[string, Partial<TargetGroupBindingProps>, RegExp]>([
  ['no port', { servicePort: undefined }, /^chart\/Binding: exactly one of servicePort and servicePortName/],
  ['two ports', { servicePortName: 'https' }, /exactly one of servicePort and servicePortName/],
  ['a peer that is nobody', { peers: [{}] }, /exactly one of securityGroupId and cidr/],
])('not with %s', (_, props, message) => {
  expect(() => synth(props)).toThrow(message);
});

test('it is an ApiObject, for dependencies and patches', () => {
  const chart = Testing.chart();
  expect(ApiObject.isApiObject(new TargetGroupBinding(chart, 'Binding', PROPS))).toBe(true);
});
