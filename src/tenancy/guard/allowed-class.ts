import { App } from 'cdk8s';
import { refuseWrongProps } from '../../contract/declared-types';
import { dnsLabelFault, labelKeyFault } from '../../contract/kubernetes-syntax';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { type LoadBalancerPlan, LoadBalancerScheme } from '../../contract/options';
import { sentenceOf } from '../../contract/rule';
import { knownKinds } from '../../rules/known-kinds';
import { type Fault, faultOf } from '../fault';
import { SHARED_CLASS } from '../tenancy.facts';
import { OPENING_OPTIONS } from './guard.facts';
import type { AllowedClassOptions } from './options';
import { classFault, GUARD } from './rules';
import { TenancyIdentity } from './tenancy-identity';

/**
 * A class of load balancers that tenants may use.
 */
export class AllowedClass {
  /**
   * The class of the shared load balancer.
   *
   * @param loadBalancerClass the class, where it has another name than `cdk8s-load-balancers/shared`
   */
  public static shared(loadBalancerClass: string = SHARED_CLASS): AllowedClass {
    return new AllowedClass(loadBalancerClass, {}, undefined, true);
  }

  /** The class of the shared load balancer, while something serves it. @internal */
  public static _sharedIf(loadBalancerClass: string, isServed: () => boolean): AllowedClass {
    return new AllowedClass(loadBalancerClass, {}, undefined, true, isServed);
  }

  /**
   * Any class.
   *
   * @param loadBalancerClass the value of `spec.loadBalancerClass`
   * @param options what a Service of the class must say, and what not
   */
  public static of(loadBalancerClass: string, options: AllowedClassOptions = {}): AllowedClass {
    refuseWrongProps('AllowedClass.of', 'AllowedClassOptions', options);
    return new AllowedClass(loadBalancerClass, options);
  }

  /**
   * The class of a controller, with a scheme: the annotations by which the controller distinguishes it from the other scheme are required, with
   * their values.
   *
   * @param controller the controller, as it is used elsewhere in the app
   * @param scheme the scheme that tenants may have
   * @param options what a Service of the class must say beside, and what not
   * @throws when the controller serves no class, cannot have the scheme, or does not say it by annotations
   */
  public static ofController(
    controller: ILoadBalancerController,
    scheme: LoadBalancerScheme,
    options: AllowedClassOptions = {},
  ): AllowedClass {
    refuseWrongProps('AllowedClass.ofController', 'AllowedClassOptions', options);
    const { loadBalancerClass, annotations, forbiddenAnnotations, finalizers } = schemeAnnotations(controller, scheme);
    const allowed = {
      ...options,
      annotations: { ...annotations, ...options.annotations },
      forbiddenAnnotations: [...forbiddenAnnotations, ...(options.forbiddenAnnotations ?? [])],
      finalizers: [...finalizers, ...(options.finalizers ?? [])],
    };
    return new AllowedClass(loadBalancerClass, allowed, controller);
  }

  private constructor(
    /** The value of `spec.loadBalancerClass`. */
    public readonly loadBalancerClass: string,
    /** @internal */
    public readonly _options: AllowedClassOptions = {},
    private readonly controller?: ILoadBalancerController,
    /** @internal */
    public readonly _isShared: boolean = false,
    /** @internal */
    public readonly _isAllowed: () => boolean = () => true,
  ) {}

  /** Controller of the class, as far as it is known. @internal */
  public get _identities(): TenancyIdentity[] {
    return this.controller
      ? TenancyIdentity._knownOf(this.controller)
      : knownKinds()
          .filter(({ classes }) => classes.includes(this.loadBalancerClass))
          .flatMap((kind) => TenancyIdentity._knownOf(kind.installed()));
  }

  /** @internal */
  public get _forbiddenAnnotations(): string[] {
    const { forbiddenAnnotations = [], openingAnnotations: allowed = [], annotations = {} } = this._options;
    const opening = openingAnnotations(this.loadBalancerClass, this.controller?.name);
    return [
      ...new Set([
        ...forbiddenAnnotations,
        ...opening.filter((key) => !allowed.includes(key) && !(key in annotations)),
      ]),
    ];
  }

  /** @internal */
  public _within(namespaces: string[]): AllowedClass {
    return new AllowedClass(this.loadBalancerClass, { namespaces, ...this._options }, this.controller);
  }

  /** @internal */
  public get _fault(): Fault | undefined {
    const { annotations = {}, finalizers = [], namespaces = [] } = this._options;
    const keys = Object.keys(annotations);
    const forbidden = this._forbiddenAnnotations;
    const first = (texts: readonly string[], faultOfText: typeof labelKeyFault) =>
      texts.map(faultOfText).find((fault) => fault !== undefined);
    const both = keys.find((key) => forbidden.includes(key));
    const faults = {
      annotation: first([...keys, ...forbidden], labelKeyFault),
      finalizer: first(finalizers, labelKeyFault),
      namespace: first(namespaces, dnsLabelFault),
      both: both && `it both wants and forbids the annotation ${both}`,
    };
    const [field] = Object.entries(faults).find(([, fault]) => fault) ?? [];
    const own =
      field &&
      faultOf(GUARD[`${field as keyof typeof faults}OfClass`], {
        class: this.loadBalancerClass,
        fault: faults[field as keyof typeof faults],
      });
    return classFault(this.loadBalancerClass) ?? (own || undefined);
  }
}

interface SchemeAnnotations {
  readonly loadBalancerClass: string;
  readonly annotations: { [key: string]: string };
  readonly forbiddenAnnotations: string[];
  readonly finalizers: readonly string[];
}

function schemeAnnotations(controller: ILoadBalancerController, scheme: LoadBalancerScheme): SchemeAnnotations {
  const wanted = planFor(controller, scheme);
  const { loadBalancerClass, finalizers = [], problems = [] } = wanted;
  if (problems.length > 0) {
    throw new Error(problems.map(sentenceOf).join('\n'));
  }
  if (loadBalancerClass === undefined) {
    throw new Error(
      `${controller.name}: it serves Services without a class, and tenants must name one; give the controller a class, or use AllowedClass.of()`,
    );
  }
  const { annotations: own = {} } = wanted;
  const { annotations: others = {} } = planFor(
    controller,
    scheme === LoadBalancerScheme.INTERNAL ? LoadBalancerScheme.INTERNET_FACING : LoadBalancerScheme.INTERNAL,
  );
  const annotations = Object.fromEntries(Object.entries(own).filter(([key, value]) => others[key] !== value));
  const forbiddenAnnotations = Object.keys(others).filter((key) => !(key in own));
  if (Object.keys(annotations).length + forbiddenAnnotations.length === 0) {
    throw new Error(
      `${controller.name}: no annotation of a Service sets the scheme ${scheme}; use AllowedClass.of('${loadBalancerClass}') and restrict the scheme at the controller`,
    );
  }
  return { loadBalancerClass, annotations, forbiddenAnnotations, finalizers };
}

function planFor(controller: ILoadBalancerController, scheme: LoadBalancerScheme): LoadBalancerPlan {
  return controller.bind(new App(), new LoadBalancerRequest({ ports: [{ port: 443 }], scheme }));
}

/**
 * The annotations of a class that let clients in whom the source ranges keep out: a policy that checks the ranges would check nothing.
 *
 * @param loadBalancerClass the class
 * @param controller the name of its controller, where it has a class of its own
 */
function openingAnnotations(loadBalancerClass: string, controller?: string): string[] {
  const { controllers, options, catalogue } = OPENING_OPTIONS;
  const serves = knownKinds().filter(
    ({ name, classes }) => name === controller || (controller === undefined && classes.includes(loadBalancerClass)),
  );
  const keys = knownKinds().find(({ name }) => name === catalogue)?.catalogue;
  return serves.some(({ name }) => controllers.includes(name))
    ? options.flatMap((option) => keys?.ofOption(option)?.key() ?? [])
    : [];
}
