import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { judgeProps } from '../rules/judge-props';
import { refuse } from '../tenancy/fault';
import { celText } from '../tenancy/guard/admission';
import { tenantsAmong } from '../tenancy/guard/exemptions';
import {
  ADMISSION_GROUP,
  KYVERNO_API_VERSION,
  KYVERNO_MUTATING_POLICY,
  MUTATING_POLICIES_SINCE,
} from '../tenancy/guard/guard.facts';
import {
  KEEPER_ANNOTATION,
  KEEPER_LABEL,
  keptResources,
  lookupAnnotations,
  resourceFinalizers,
  serviceFinalizers,
} from './policy.facts';
import { annotationsIn, controllerLists, droppedFinalizers, PolicyScope, requests } from './policy-objects';
import { KeptServices, type LoadBalancerPolicyProps, PolicyFailure } from './policy-options';
import { KEEPER_ANNOTATION_KEY, KEEPER_KUBERNETES } from './rules';

/**
 * The program that evaluates the policies of a keeper.
 */
export enum KeeperEngine {
  /**
   * The API server itself, with MutatingAdmissionPolicy v1. It needs Kubernetes 1.36.
   *
   * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
   */
  API_SERVER = 'api-server',

  /**
   * The API server itself, with MutatingAdmissionPolicy v1beta1. It needs Kubernetes 1.34 or 1.35, the feature gate
   * `MutatingAdmissionPolicy` and `--runtime-config=admissionregistration.k8s.io/v1beta1=true`.
   *
   * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
   */
  API_SERVER_BETA = 'api-server-beta',

  /**
   * Kyverno, with its MutatingPolicy. Kyverno must run; seen with version 1.19.1. Its expressions cannot ask for the rights of a user, so a
   * Service that is deleted, or has another type, is not kept.
   *
   * @see https://kyverno.io/docs/policy-types/mutating-policy/
   */
  KYVERNO = 'kyverno',
}

/**
 * Options of a keeper.
 */
export interface LoadBalancerKeeperProps extends LoadBalancerPolicyProps {
  /**
   * The program that evaluates the policies.
   *
   * @default KeeperEngine.API_SERVER
   */
  readonly engine?: KeeperEngine;

  /**
   * The Services that are kept.
   *
   * @default KeptServices.OWNED
   */
  readonly services?: KeptServices;

  /**
   * Annotations that a write may change but not remove. A removal in the custom resource of an operator then has no effect on the live
   * Service.
   *
   * @default - none
   * @see LoadBalancerKeeper.lookupAnnotations
   */
  readonly annotations?: string[];

  /**
   * What the API server does with a write if the policy cannot be evaluated.
   *
   * @default PolicyFailure.IGNORE
   */
  readonly failurePolicy?: PolicyFailure;
}

/**
 * Keeps the finalizers and the class that a controller or its webhook put on a live Service of type LoadBalancer, whoever else writes
 * the Service. A write that drops them, such as the whole-object update of an operator, `kubectl replace` or a patch with
 * `finalizers: null`, succeeds, and the API server puts them back. Nothing else of the write changes. Finalizers on Gateways,
 * ListenerSets and TargetGroupBindings are kept in the same way.
 *
 * The owner of a load balancer still removes its finalizer. From a live Service only the identities of controllers may. On deletion and
 * after a change of type everybody may who can patch `services/status` in all namespaces, which controllers of load balancers and
 * administrators can under any name, and operators cannot. An operator that compares finalizers with its own list writes again and again,
 * as it does without the keeper. The annotation `cdk8s-load-balancers/keeper: 'off: REASON'` leaves one Service out.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export class LoadBalancerKeeper extends Construct {
  /**
   * The annotations by which known controllers find a load balancer or whose edit replaces it, for `annotations`.
   */
  public static lookupAnnotations(): string[] {
    return lookupAnnotations();
  }

  /** The policy for Services, for patches and dependencies. */
  public readonly policy: ApiObject;

  /** The policy for Gateways, ListenerSets and TargetGroupBindings. */
  public readonly resourcePolicy: ApiObject;

  /**
   * A keeper for a cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props engine, identities and namespaces
   * @throws if the API server is too old for the engine, an annotation key is not valid, or a controller is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerKeeperProps = {}) {
    judgeProps(scope, id, 'LoadBalancerKeeperProps', props);
    super(scope, id);
    const { engine = KeeperEngine.API_SERVER, services = KeptServices.OWNED, annotations = [] } = props;
    const { failurePolicy = PolicyFailure.IGNORE, controllers = [] } = props;
    const api = this.apiOf(engine, props.kubernetes ?? DEFAULT_KUBERNETES);
    this.refuseKeys(annotations);
    const everybody = tenantsAmong(controllers);
    if (everybody) {
      refuse(this, everybody);
    }
    const lists = {
      finalizers: serviceFinalizers(),
      resourceFinalizers: resourceFinalizers(),
      annotations: [...annotations].sort(),
      ...controllerLists(controllers),
    };
    const policies = new PolicyScope(this, props, 'load-balancer-keeper', lists, engine !== KeeperEngine.KYVERNO);
    const common = { ...api, failurePolicy };
    const byOthers = {
      name: 'not-a-controller',
      expression: `!${policies.isController} && (${IS_LIVE}${engine === KeeperEngine.KYVERNO ? '' : ` || !${MAY_WRITE_STATUS}`})`,
    };
    const [before, now] = [annotationsIn('oldObject'), annotationsIn('object')];
    const lostKeys = `${before}.filter(k, k in ${policies.list('annotations')} && !(k in ${now}))`;
    const isOff = (of: string) => `${of}[?${celText(KEEPER_ANNOTATION)}].orValue('').matches('^off: *\\\\S')`;
    this.policy = policies.add({
      ...common,
      id: 'Policy',
      name: policies.name,
      labels: { [KEEPER_LABEL]: services },
      rules: [requests(['UPDATE'], '', ['services'])],
      conditions: [
        {
          name: 'something-dropped',
          expression: `size(${droppedFinalizers(policies.list('finalizers'))}) > 0 || ${IS_BALANCED} && (${CLASS_DROPPED} || ${lostKeys}.size() > 0)`,
        },
        ...(services === KeptServices.OWNED ? [{ name: 'made-by-an-operator', expression: IS_OWNED }] : []),
        { name: 'not-switched-off', expression: `!${isOff(before)} && !${isOff(now)}` },
        byOthers,
      ],
      variables: [
        { name: 'now', expression: 'object.metadata.?finalizers.orValue([])' },
        { name: 'lost', expression: droppedFinalizers(policies.list('finalizers')) },
        { name: 'lostKeys', expression: `${IS_BALANCED} ? ${lostKeys} : []` },
      ],
      does: mutations([
        PUT_FINALIZERS_BACK,
        `(${CLASS_DROPPED} ? [JSONPatch{op: 'add', path: '/spec/loadBalancerClass', value: oldObject.spec.loadBalancerClass}] : [])`,
        `(size(variables.lostKeys) > 0 && !has(object.metadata.annotations) ? [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}] : [])`,
        `variables.lostKeys.map(k, JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey(k), value: oldObject.metadata.annotations[k]})`,
      ]),
    });
    const lost = droppedFinalizers(policies.list('resourceFinalizers'));
    this.resourcePolicy = policies.add({
      ...common,
      id: 'ResourcePolicy',
      name: `${policies.name}-resources`,
      rules: keptResources().map(([group, resources]) => requests(['UPDATE'], group, resources)),
      conditions: [{ name: 'finalizer-dropped', expression: `size(${lost}) > 0` }, byOthers],
      variables: [
        { name: 'now', expression: 'object.metadata.?finalizers.orValue([])' },
        { name: 'lost', expression: lost },
      ],
      does: mutations([PUT_FINALIZERS_BACK]),
    });
  }

  private apiOf(engine: KeeperEngine, kubernetes: KubernetesVersion) {
    if (engine === KeeperEngine.KYVERNO) {
      return { apiVersion: KYVERNO_API_VERSION, kind: KYVERNO_MUTATING_POLICY, bindingKind: '' };
    }
    const [since, version] = engine === KeeperEngine.API_SERVER ? [MUTATING_POLICIES_SINCE, 'v1'] : ['1.34', 'v1beta1'];
    if (!kubernetes.isAtLeast(KubernetesVersion.of(since))) {
      refuse(this, {
        rule: KEEPER_KUBERNETES,
        what: `Kubernetes ${kubernetes.version} has no MutatingAdmissionPolicy ${version}, which comes with ${since}`,
        remedy:
          'pass kubernetes if the cluster is newer, KeeperEngine.API_SERVER_BETA if 1.34 or 1.35 has the feature gate, or KeeperEngine.KYVERNO if Kyverno runs',
      });
    }
    return {
      apiVersion: `${ADMISSION_GROUP}/${version}`,
      kind: 'MutatingAdmissionPolicy',
      bindingKind: 'MutatingAdmissionPolicyBinding',
    };
  }

  private refuseKeys(keys: readonly string[]): void {
    const fault = keys.map(labelKeyFault).find((one) => one);
    if (fault) {
      refuse(this, {
        rule: KEEPER_ANNOTATION_KEY,
        what: `annotations: ${fault}`,
        remedy: 'write the key of an annotation',
      });
    }
  }
}

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

function mutations(patches: readonly string[]) {
  return {
    reinvocationPolicy: 'IfNeeded',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches.join('\n+ ') } }],
  };
}
