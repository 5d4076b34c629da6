import type { PortRange } from '../ports/ports.options';
import { PORTS_ANNOTATION } from './guard.facts';

/**
 * Where it stands which ports a tenant may listen on.
 */
export class TenantPorts {
  /**
   * In the policy itself: nobody but who writes policies can change it. A namespace that is not named gets no port.
   *
   * @param ports ports by namespace; no two namespaces share one
   */
  public static perNamespace(ports: { [namespace: string]: PortRange[] } = {}): TenantPorts {
    return new TenantPorts(ports);
  }

  /**
   * In an annotation of each namespace, such as `20000-20009,30017`, so that a tenant is added without touching the policy. A namespace
   * without it, or with one that nobody can read, gets no port. Nobody compares the namespaces, and who can annotate a namespace
   * gives it ports.
   *
   * @param key the key of the annotation, where it is another than `cdk8s-load-balancers/ports`
   */
  public static byAnnotation(key: string = PORTS_ANNOTATION): TenantPorts {
    return new TenantPorts({}, key);
  }

  private constructor(
    private readonly ports: { readonly [namespace: string]: readonly PortRange[] },
    private readonly annotation?: string,
  ) {}

  /** @internal */
  public get _ports(): { readonly [namespace: string]: readonly PortRange[] } {
    return this.ports;
  }

  /** @internal */
  public get _annotation(): string | undefined {
    return this.annotation;
  }
}
