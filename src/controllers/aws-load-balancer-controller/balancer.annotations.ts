import { flag, oneOf, text } from '../../contract/annotation-codec';
import { escapedPairs } from '../../contract/annotation-codecs-lists';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { AWS_PREFIX } from '../aws/annotations';
import { AWS_PAIRS, loadBalancerAttributes } from './attributes';
import { AwsLoadBalancerType, NlbIpAddressType } from './balancer.options';
import { capacity } from './codecs';
import { awsEntry, LBC_FILES, SEEN } from './product.annotations';

// what the remarks of obsolete entries name
const SCHEME = 'scheme';
const ATTRIBUTES = 'attributes';
const ACCESS_LOG = 'access-log-enabled';

/** The balancer as a whole. */
export const AWS_BALANCER = {
  type: awsEntry('type', {
    option: 'type',
    codec: oneOf(Object.values(AwsLoadBalancerType)),
    default: 'none: the class claims the Service',
    remark: 'not consulted where the Service has a class; leaves a balancer behind when it is added or edited later',
    badValue: 'accepted',
    source: LBC_FILES.claims,
    ...SEEN,
  }),
  name: awsEntry('name', {
    namesOne: {
      thing: 'Network Load Balancer',
      fate: 'the two destroy the listeners of each other',
    },
    option: 'loadBalancerName',
    codec: text({
      says: 'at most 32 letters, digits and dashes, no dash at the ends and no internal- in front',
      matches: /^(?!-|internal-)[A-Za-z0-9-]{1,32}(?<!-)$/,
    }),
    default: 'made from namespace, name and UID of the Service',
    since: 'v2.2.0',
    remark: 'read at creation only; two Services of one name destroy the listeners of each other',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  scheme: awsEntry(SCHEME, {
    option: 'scheme',
    wish: LoadBalancerWish.SCHEME,
    codec: oneOf(Object.values(LoadBalancerScheme)),
    default: 'that of the live balancer, else internal, or what the flag --default-load-balancer-scheme says',
    since: 'v2.2.0',
    remark: 'a change replaces the balancer, with a new DNS name',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  internal: awsEntry('internal', {
    option: 'loadBalancerInternal',
    wish: LoadBalancerWish.SCHEME,
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use ${AWS_PREFIX}${SCHEME} instead, beside which this one is not read`,
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  ipAddressType: awsEntry('ip-address-type', {
    option: 'ipAddressType',
    wish: LoadBalancerWish.IP_FAMILIES,
    codec: oneOf(Object.values(NlbIpAddressType)),
    default: 'ipv4',
    since: 'v2.1.0',
    remark: 'a Service with IPv6 needs dualstack, and dualstack an IPv6 range in every subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  loadBalancerAttributes: awsEntry(ATTRIBUTES, {
    option: 'loadBalancerAttributes',
    codec: loadBalancerAttributes(),
    default: "AWS's",
    since: 'v2.3.0',
    remark:
      'an attribute that is taken out stays as it is; one that AWS does not know leaves a balancer without listeners',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  crossZone: awsEntry('cross-zone-load-balancing-enabled', {
    option: 'crossZoneLoadBalancingEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use load_balancing.cross_zone.enabled in ${AWS_PREFIX}${ATTRIBUTES} instead, over which this one wins`,
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  accessLogEnabled: awsEntry(ACCESS_LOG, {
    option: 'accessLogEnabled',
    codec: flag(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.enabled in ${AWS_PREFIX}${ATTRIBUTES} instead, over which true wins here; false says nothing`,
    source: LBC_FILES.loadBalancer,
  }),
  accessLogBucket: awsEntry('access-log-s3-bucket-name', {
    option: 'accessLogS3BucketName',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.bucket in ${AWS_PREFIX}${ATTRIBUTES} instead: this one is read only with ${AWS_PREFIX}${ACCESS_LOG}`,
    source: LBC_FILES.loadBalancer,
  }),
  accessLogPrefix: awsEntry('access-log-s3-bucket-prefix', {
    option: 'accessLogS3BucketPrefix',
    codec: text(),
    default: 'none',
    deprecated: true,
    remark: `use access_logs.s3.prefix in ${AWS_PREFIX}${ATTRIBUTES} instead: this one is read only with ${AWS_PREFIX}${ACCESS_LOG}`,
    source: LBC_FILES.loadBalancer,
  }),
  minimumCapacity: awsEntry('minimum-load-balancer-capacity', {
    option: 'minimumLoadBalancerCapacity',
    codec: capacity(),
    default: 'none reserved',
    since: 'v2.11.0',
    remark: '0 ends a reservation; needs two permissions of its own',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  additionalResourceTags: awsEntry('additional-resource-tags', {
    option: 'additionalResourceTags',
    codec: escapedPairs(AWS_PAIRS),
    default: 'none',
    remark: "the controller's default tags win; a tag of --external-managed-tags is refused",
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
};
