import { AwsCloudProvider, ClientAddress, LoadBalancerScheme } from '../../../src';
import { type Plot, theGroup, theNetworkBalancer, written } from '../harness/aws-story';

const ATTRIBUTES = 'service.beta.kubernetes.io/aws-load-balancer-target-group-attributes';
const PRIVATE_ADDRESSES = 'service.beta.kubernetes.io/aws-load-balancer-private-ipv4-addresses';
const TAGS = 'service.beta.kubernetes.io/aws-load-balancer-additional-resource-tags';
const TLS_POLICY = 'ELBSecurityPolicy-TLS13-1-2-2021-06';

/** The other wishes and options of a Network Load Balancer: what was written is what AWS got. */
export const networkOptions: Record<string, Plot> = {
  'attributes and tags of the balancer': async (story) => {
    const controller = AwsCloudProvider.nlb({
      crossZoneLoadBalancingEnabled: true,
      accessLogEnabled: true,
      accessLogS3BucketName: 'logs',
      accessLogS3BucketPrefix: 'echo',
      additionalResourceTags: { team: 'edge', stage: 'test' },
    });
    const service = written(story.namespace, controller);
    const made = await story.create('cross zone, access logs, tags', service, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(made).attributes).toMatchObject({
      'load_balancing.cross_zone.enabled': 'true',
      'access_logs.s3.enabled': 'true',
      'access_logs.s3.bucket': 'logs',
      'access_logs.s3.prefix': 'echo',
    });
    expect(theNetworkBalancer(made).tags).toMatchObject({ team: 'edge', stage: 'test' });
    expect(theGroup(made).tags).toMatchObject({ team: 'edge', stage: 'test' });
    await story.say('looked up', 'cross zone, logs/echo, team=edge', 'tags also on the target group');

    await story.cluster.plane.api.merge(service, { metadata: { annotations: { [TAGS]: 'team=core' } } });
    await story.hearAgain('EnsuredLoadBalancer');
    await story.seeThat(
      'the annotation says team=core now',
      ({ networkBalancers, targetGroups }) => [...networkBalancers, ...targetGroups].map(({ tags }) => tags.team),
      ['edge', 'edge'],
      'tags are given at creation only',
    );
    await story.remove(service);
  },

  'proxy protocol and the client address': async (story) => {
    const wishes = { proxyProtocol: true, clientAddress: ClientAddress.REPLACE };
    const service = written(story.namespace, AwsCloudProvider.nlb(), wishes);
    const made = await story.create('proxyProtocol, REPLACE', service, '1 NLB, 1 target group, 2 rules');
    const asWritten = { 'proxy_protocol_v2.enabled': 'true', 'preserve_client_ip.enabled': 'false' };
    expect(theGroup(made).attributes).toMatchObject(asWritten);
    await story.say('looked up', 'proxy protocol v2, client replaced', 'as written');

    await story.cluster.plane.api.merge(service, { metadata: { annotations: { [ATTRIBUTES]: null } } });
    await story.hearAgain('EnsuredLoadBalancer');
    await story.seeThat(
      'the annotation is taken out',
      ({ targetGroups }) => targetGroups.map(({ attributes }) => attributes['proxy_protocol_v2.enabled']),
      ['true'],
      'the target group stays as it is',
    );
    await story.remove(service);
  },

  'TLS on one of two ports': async (story) => {
    const { certificate } = story.cluster.aws.account;
    const controller = AwsCloudProvider.nlb({
      sslCert: certificate,
      sslPorts: ['443'],
      sslNegotiationPolicy: TLS_POLICY,
    });
    const service = written(story.namespace, controller, {
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'https', port: 443, targetPort: 8443 },
      ],
    });
    const made = await story.create('sslPorts 443', service, '1 NLB, 2 target groups, 3 rules');
    const listeners = Object.fromEntries(theNetworkBalancer(made).listeners.map((each) => [each.port, each]));
    expect(listeners[80]).toMatchObject({ protocol: 'TCP', certificates: [] });
    expect(listeners[443]).toMatchObject({ protocol: 'TLS', certificates: [certificate], policy: TLS_POLICY });
    expect(made.targetGroups.map(({ protocol }) => protocol)).toEqual(['TCP', 'TCP']);
    await story.say('looked up', 'TCP:80, TLS:443', 'TLS ends at the balancer');
    await story.remove(service);
  },

  'subnets by id and by name': async (story) => {
    const [publicSubnet] = story.cluster.aws.account.publicSubnets;
    const byId = written(story.namespace, AwsCloudProvider.nlb({ subnets: [publicSubnet] }));
    const first = await story.create('subnets, an id', byId, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(first).subnets).toEqual([publicSubnet]);
    await story.remove(byId);

    const byName = written(story.namespace, AwsCloudProvider.nlb({ subnets: ['internal-elb-us-east-1b'] }));
    const second = await story.create('subnets, a name', byName, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(second).subnets).toEqual([story.cluster.aws.account.internalSubnets[1]]);
    await story.remove(byName);
  },

  'elastic addresses': async (story) => {
    const { elasticAddresses, publicSubnets } = story.cluster.aws.account;
    const scheme = LoadBalancerScheme.INTERNET_FACING;
    const one = written(story.namespace, AwsCloudProvider.nlb(), { scheme, staticAddresses: [elasticAddresses[0]] });
    await story.refused(
      'one for two zones',
      one,
      /Must have same number of EIP AllocationIDs \(1\) and SubnetIDs \(2\)/,
    );

    const both = written(story.namespace, AwsCloudProvider.nlb(), { scheme, staticAddresses: [...elasticAddresses] });
    const made = await story.create('one for each zone', both, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(made)).toMatchObject({
      scheme: 'internet-facing',
      addresses: { [publicSubnets[0]]: elasticAddresses[0], [publicSubnets[1]]: elasticAddresses[1] },
    });
    await story.say('looked up', 'an allocation in each zone', 'in the order of the zones');
    await story.remove(both);
  },

  'private addresses': async (story) => {
    const { internalSubnets } = story.cluster.aws.account;
    const one = written(story.namespace, AwsCloudProvider.nlb(), { staticAddresses: ['10.0.10.8'] });
    await story.refused(
      'one for two zones',
      one,
      /Must have same number of Private IPv4Addresses \(1\) and SubnetIDs \(2\)/,
    );

    const staticAddresses = ['10.0.10.8', '10.0.11.8'];
    const both = written(story.namespace, AwsCloudProvider.nlb(), { staticAddresses });
    const made = await story.create('one for each zone', both, '1 NLB, 1 target group, 2 rules');
    expect(theNetworkBalancer(made)).toMatchObject({
      scheme: 'internal',
      addresses: { [internalSubnets[0]]: '10.0.10.8', [internalSubnets[1]]: '10.0.11.8' },
    });
    await story.say('looked up', staticAddresses.join(', '), 'in the order of the zones');

    const annotations = { [PRIVATE_ADDRESSES]: '10.0.10.9,10.0.11.9' };
    await story.cluster.plane.api.merge(both, { metadata: { annotations } });
    await story.hearAgain('EnsuredLoadBalancer');
    await story.seeThat(
      'the annotation names others now',
      ({ networkBalancers }) => networkBalancers.flatMap(({ addresses }) => Object.values(addresses)).sort(),
      staticAddresses,
      'read at creation only',
    );
    await story.remove(both);
  },
};
