import { byApiServer, byWebhook, type ClassDefaultWay, keepWay, leavingOut, SERVICE_WRITES } from './class-default';
import { clusterObject } from './cluster-object';
import { KYVERNO_API_VERSION, KYVERNO_MUTATING_POLICY } from './guard.facts';

/**
 * What gives Services of tenants their class.
 */
export class ClassDefaultMechanism {
  /**
   * The API server itself (MutatingAdmissionPolicy), from Kubernetes 1.36 on.
   *
   * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
   */
  public static mutatingAdmissionPolicy(): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byApiServer);
  }

  /**
   * Kyverno (MutatingPolicy), which must be installed; seen with version 1.19.1. While it is away, Services of type LoadBalancer can be
   * neither created nor changed in namespaces of tenants. Webhooks of controllers that give Services a class of their own may be
   * asked before Kyverno, and then win: keep them out of those namespaces.
   *
   * @see LoadBalancerClassDefault#webhookNamespaceSelector
   */
  public static kyverno(): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byKyverno);
  }

  /**
   * The webhook of a load balancer controller, which gives Services the class of that controller and no other. Nothing is written: what
   * the webhook's `namespaceSelector` must be, the class default says as data. Where tenants are to get the controller's class, it
   * selects their namespaces. Where they are to get another, it leaves them out, nothing gives them a class, and
   * `LoadBalancerAdmissionPolicy` refuses Services that name none, with the class to use.
   *
   * @param webhookClass the class that the webhook gives
   */
  public static controllerWebhook(webhookClass: string): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byWebhook(webhookClass));
  }

  private constructor(way: ClassDefaultWay) {
    keepWay(way, this);
  }
}

/** By Kyverno, whose policies are a superset of those of the API server and need no binding. */
const byKyverno: ClassDefaultWay = (host, { name, namespaceLabels, namespaceSelector, spec }) => ({
  webhookNamespaceSelector: leavingOut(namespaceLabels),
  policy: clusterObject(host, 'Policy', {
    apiVersion: KYVERNO_API_VERSION,
    kind: KYVERNO_MUTATING_POLICY,
    name,
    content: { spec: { ...spec, matchConstraints: { ...SERVICE_WRITES, namespaceSelector } } },
  }),
});
