import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { validateProps } from '../rules/warnings';
import { faultOf, refuseFirst } from '../tenancy/fault';
import * as guard from '../tenancy/guard/guard.facts';
import { celFinalizers, celText } from '../tenancy/guard/policy';
import * as facts from './policy.facts';
import { annotationsIn, type KeptServices, POLICIES, type PolicyApi, PolicySet, requests } from './policy-objects';
import { KeeperEngine, type LoadBalancerKeeperProps, PolicyFailure } from './policy-options';

/**
 * Puts back the finalizers and the class that a write drops from a live Service of type LoadBalancer: the whole-object update of an
 * operator, `kubectl replace`, or a patch with `finalizers: null`. The write succeeds, and nothing else of it changes. Finalizers on
 * Gateways, ListenerSets and TargetGroupBindings are kept in the same way.
 *
 * From a live Service only the identities of controllers remove a finalizer. On deletion and after a change of type everybody may who can
 * patch `services/status` in all namespaces, as controllers and administrators can and operators cannot. An operator that compares
 * finalizers with its own list writes again and again, as it does without the keeper. The annotation
 * `cdk8s-load-balancers/keeper: 'off: REASON'` leaves one Service out.
 */
export class LoadBalancerKeeper extends Construct {
  /**
   * The annotations by which known controllers find a load balancer or whose edit replaces it, for `annotations`.
   */
  public static lookupAnnotations(): string[] {
    return facts.losingAnnotations('orphaned', 'deleted', 'replaced');
  }

  /** The policy for Services, for patches and dependencies. */
  public readonly policy: ApiObject;

  /** The policy for Gateways, ListenerSets and TargetGroupBindings. */
  public readonly resourcePolicy: ApiObject;

  /**
   * A keeper for a cluster.
   *
   * @param props engine, identities and namespaces
   * @throws if the API server is too old for the engine, an annotation key is not valid, or a controller is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerKeeperProps = {}) {
    validateProps(scope, id, 'LoadBalancerKeeperProps', props);
    super(scope, id);
    const { engine = KeeperEngine.API_SERVER, allServices, annotations = [] } = props;
    const fault = annotations.map(labelKeyFault).find((one) => one);
    refuseFirst(this, [fault ? faultOf(POLICIES['kept-annotation-key-invalid'], { fault }) : undefined]);
    const defaults = { name: 'load-balancer-keeper', failurePolicy: PolicyFailure.IGNORE };
    const policies = new PolicySet(this, APIS[engine], props, defaults, {
      finalizers: facts.serviceFinalizers(),
      resourceFinalizers: facts.RESOURCE_FINALIZERS,
      annotations: [...annotations].sort(),
    });
    const kept: KeptServices = allServices ? 'all' : 'owned';
    const isLeft = engine === KeeperEngine.KYVERNO ? IS_LIVE : `(${IS_LIVE} || !${MAY_WRITE_STATUS})`;
    const byOthers = { 'not-a-controller': `!${policies.isController} && ${isLeft}` };
    const lost = policies.dropped('finalizers');
    const lostKeys = `${BEFORE}.filter(k, k in ${policies.list('annotations')} && !(k in ${NOW}))`;
    const serviceParts = {
      rules: [requests(['UPDATE'], ['services'])],
      conditions: {
        'something-dropped': `size(${lost}) > 0 || ${IS_BALANCED} && (${CLASS_DROPPED} || ${lostKeys}.size() > 0)`,
        ...(!allServices && { 'made-by-an-operator': IS_OWNED }),
        'not-switched-off': `!${isOff(BEFORE)} && !${isOff(NOW)}`,
        ...byOthers,
      },
      variables: { now: celFinalizers('object'), lost, lostKeys: `${IS_BALANCED} ? ${lostKeys} : []` },
      ...patches([PUT_FINALIZERS_BACK, ...PUT_REST_BACK]),
    };
    this.policy = policies.add('Policy', '', serviceParts, { [facts.KEEPER_LABEL]: kept });
    const resourcesLost = policies.dropped('resourceFinalizers');
    this.resourcePolicy = policies.add('ResourcePolicy', '-resources', {
      rules: facts.KEPT_RESOURCES.map(([group, resources]) => requests(['UPDATE'], resources, group)),
      conditions: { 'finalizer-dropped': `size(${resourcesLost}) > 0`, ...byOthers },
      variables: { now: celFinalizers('object'), lost: resourcesLost },
      ...patches([PUT_FINALIZERS_BACK]),
    });
  }
}

const MUTATING = {
  kind: 'MutatingAdmissionPolicy',
  rule: POLICIES['mutating-policy-unsupported'],
  remedy:
    'pass kubernetes if the cluster is newer, KeeperEngine.API_SERVER_BETA if 1.34 or 1.35 has the feature gate, or KeeperEngine.KYVERNO if Kyverno runs',
};
const KYVERNO = { ...MUTATING, kind: guard.KYVERNO_MUTATING_POLICY, isUnbound: true };
const APIS: Readonly<Record<KeeperEngine, PolicyApi>> = {
  [KeeperEngine.API_SERVER]: {
    ...MUTATING,
    since: guard.MUTATING_POLICIES_SINCE,
    apiVersion: `${guard.ADMISSION_GROUP}/v1`,
  },
  [KeeperEngine.API_SERVER_BETA]: { ...MUTATING, since: '1.34', apiVersion: `${guard.ADMISSION_GROUP}/v1beta1` },
  [KeeperEngine.KYVERNO]: { ...KYVERNO, since: '1.0', apiVersion: guard.KYVERNO_API_VERSION },
};

const [BEFORE, NOW] = [annotationsIn('oldObject'), annotationsIn('object')];
const isOff = (annotations: string) =>
  `${annotations}[?${celText(facts.KEEPER_ANNOTATION)}].orValue('').matches('^off: *\\\\S')`;

/** A load balancer that nobody has asked to be deleted: its own controller has no reason to remove the finalizer. */
const IS_LIVE =
  "(oldObject.?spec.?type.orValue('LoadBalancer') == 'LoadBalancer' && !has(oldObject.metadata.deletionTimestamp))";
/** Controllers of load balancers write addresses, under whatever name they run; operators do not. */
const MAY_WRITE_STATUS = "authorizer.group('').resource('services').subresource('status').check('patch').allowed()";
const IS_OWNED = 'size(oldObject.metadata.?ownerReferences.orValue([])) > 0';
const IS_BALANCED =
  "object.spec.?type.orValue('') == 'LoadBalancer' && oldObject.spec.?type.orValue('') == 'LoadBalancer'";
/** With another type the API server wants no class. */
const CLASS_DROPPED =
  "(object.spec.?type.orValue('') == 'LoadBalancer' && has(oldObject.spec.loadBalancerClass) && !has(object.spec.loadBalancerClass))";
const PUT_FINALIZERS_BACK =
  "(size(variables.lost) > 0 ? [JSONPatch{op: 'add', path: '/metadata/finalizers', value: variables.now + variables.lost}] : [])";
const PUT_REST_BACK = [
  `(${CLASS_DROPPED} ? [JSONPatch{op: 'add', path: '/spec/loadBalancerClass', value: oldObject.spec.loadBalancerClass}] : [])`,
  `(size(variables.lostKeys) > 0 && !has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}] : [])`,
  `variables.lostKeys.map(k, JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey(k), value: oldObject.metadata.annotations[k]})`,
];

function patches(expressions: readonly string[]) {
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: expressions.join('\n+ ') } }];
  return { reinvocationPolicy: 'IfNeeded', mutations };
}
