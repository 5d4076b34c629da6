import type { Construct } from 'constructs';
import { shown } from './json';
import { dnsNameFault, tokenFault } from './kubernetes-syntax';
import { KubernetesVersion } from './kubernetes-version';
import type { ILoadBalancerController, LoadBalancerRequest } from './load-balancer-request';
import {
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  IpFamily,
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  type LoadBalancerPort,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRemoval,
  PortProtocol,
  type Rollout,
  TrafficPolicy,
} from './options';
import { wishAsText } from './plan-draft';
import { BAD_CONTROLLER, BAD_REQUEST, CONTROLLER_FAILED, UNANSWERED_WISH } from './request-rules.facts';

export interface BoundPlan {
  readonly plan: LoadBalancerPlan;
  readonly problems: readonly LoadBalancerFinding[];
  /** True if the controller answered at all; otherwise there is no plan to validate. */
  readonly answered: boolean;
}

const NONE: readonly LoadBalancerFinding[] = [];

/**
 * Asks a controller, of ours or of a user's, in whatever language: a bad request does not reach it, its failure is a
 * problem like any other, and a wish that its answer passes over is reported.
 */
export function bindTo(controller: ILoadBalancerController, scope: Construct, request: LoadBalancerRequest): BoundPlan {
  // a factory whose parentheses were forgotten has a name and a bind, too
  const isFactory = typeof (controller as unknown) === 'function';
  if (typeof controller?.bind !== 'function' || typeof controller.name !== 'string' || isFactory) {
    return failed(
      'controller',
      BAD_CONTROLLER.id,
      'this is not a controller',
      'pass an object with a name and a bind method',
    );
  }
  const faults = requestFaults(request);
  if (faults.length > 0) {
    return { plan: { owner: controller.name }, problems: faults, answered: false };
  }
  try {
    const plan = controller.bind(scope, request);
    return typeof plan?.owner === 'string' && plan.owner !== ''
      ? { plan, problems: unanswered(controller, request, plan), answered: true }
      : failed(controller.name, CONTROLLER_FAILED.id, 'bind returned no plan with an owner', 'mend the controller');
  } catch (error) {
    // errors from other languages come with their whole stack
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return failed(controller.name, CONTROLLER_FAILED.id, `bind failed: ${line}`, 'mend the controller');
  }
}

function failed(who: string, ruleId: string, what: string, remedy: string): BoundPlan {
  return { plan: { owner: who }, problems: [{ ruleId, who, what, remedy, at: '' }], answered: false };
}

function unanswered(
  controller: ILoadBalancerController,
  request: LoadBalancerRequest,
  plan: LoadBalancerPlan,
): readonly LoadBalancerFinding[] {
  const silent = request.wishes.filter(
    (wish) => !answers(plan.answers, wish) && !reports(plan.problems, wish) && !reports(plan.warnings, wish),
  );
  return silent.length === 0
    ? NONE
    : silent.map((wish) => ({
        ruleId: UNANSWERED_WISH.id,
        who: controller.name,
        what: `the plan does not answer ${wish}, with value ${wishAsText(request, wish)}`,
        remedy: `answer it in the plan's answers, problems or warnings, or leave the wish out`,
        value: wishAsText(request, wish),
        at: '',
        wish,
      }));
}

/** The names of the values: what an enum member becomes in languages whose enums have no values. */
const NAMES = new Map(Object.entries(LoadBalancerWish).map(([name, wish]) => [wish, name]));

function answers(means: { readonly [wish: string]: string } | undefined, wish: LoadBalancerWish): boolean {
  return means?.[wish] !== undefined || means?.[NAMES.get(wish) as string] !== undefined;
}

function reports(findings: readonly LoadBalancerFinding[] | undefined, wish: LoadBalancerWish): boolean {
  return findings?.some((finding) => finding.wish === wish || finding.wish === NAMES.get(wish)) === true;
}

/**
 * Faults of a request for any controller: values that no enum has (callers from JavaScript), values that
 * cannot be meant. What the finished manifest shows as well is left to the rules that read it.
 */
export function requestFaults(request: LoadBalancerRequest): readonly LoadBalancerFinding[] {
  const faults = new Faults();
  faults.word('scheme', request.scheme, LoadBalancerScheme);
  faults.word('trafficPolicy', request.trafficPolicy, TrafficPolicy);
  faults.word('clientAddress', request.clientAddress, ClientAddress);
  faults.word('finalizerPolicy', request.finalizerPolicy, FinalizerPolicy);
  faults.word('healthCheck.protocol', request.healthCheck?.protocol, HealthCheckProtocol);
  faults.ports(request.ports);
  faults.set('ipFamilies', request.ipFamilies, IpFamily);
  faults.set('sourceRanges', request.sourceRanges);
  faults.set('staticAddresses', request.staticAddresses);
  faults.kind('kubernetes', request.kubernetes, request.kubernetes instanceof KubernetesVersion, 'a KubernetesVersion');
  faults.kind('backendNodes', request.backendNodes, typeof request.backendNodes?.sameAs === 'function', 'a NodePool');
  faults.kind('healthCheck', request.healthCheck, typeof request.healthCheck === 'object', 'an object');
  for (const [name, span] of [
    ['sessionAffinity.timeout', request.sessionAffinity?.timeout],
    ['healthCheck.interval', request.healthCheck?.interval],
    ['healthCheck.timeout', request.healthCheck?.timeout],
    ['rollout.drainTime', request.rollout?.drainTime],
    ['rollout.balancerTime', request.rollout?.balancerTime],
  ] as const) {
    faults.kind(name, span, typeof span?.toSeconds === 'function', 'a Duration');
  }
  faults.word('rollout.nodeRemoval', request.rollout?.nodeRemoval, NodeRemoval);
  faults.rollout(request.rollout, request.publishNotReadyAddresses);
  if (faults.kind('dnsName', request.dnsName, typeof request.dnsName === 'string', 'a string') && request.dnsName) {
    const fault = tokenFault(request.dnsName) ?? dnsNameFault(request.dnsName);
    if (fault) faults.report(`dnsName: ${fault}`, 'use a name like db.example.com', request.dnsName);
  }
  return faults.found;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

class Faults {
  public found = NONE;

  public report(what: string, remedy: string, value?: unknown): void {
    const finding = { ruleId: BAD_REQUEST.id, who: 'request', what, remedy, at: '' };
    this.found = [...this.found, value === undefined ? finding : { ...finding, value: String(value) }];
  }

  public word(name: string, value: unknown, words: Readonly<Record<string, unknown>>): void {
    if (value === undefined) {
      return;
    }
    for (const key in words) {
      if (words[key] === value) return;
    }
    this.report(`${name} ${shown(value)} is unknown`, `use one of ${Object.values(words).join(', ')}`, asText(value));
  }

  public kind(name: string, value: unknown, isRight: boolean, right: string): boolean {
    if (value === undefined) {
      return false;
    }
    if (!isRight) {
      this.report(`${name} '${asText(value)}' is not ${right}`, `pass ${right} that is known at synth`, asText(value));
    }
    return isRight;
  }

  /** Texts that are listed once each, and none to be filled in later. */
  public set(name: string, entries: readonly string[] | undefined, words?: Readonly<Record<string, unknown>>): void {
    const areTexts = Array.isArray(entries) && entries.every((entry) => typeof entry === 'string');
    if (!this.kind(name, entries, areTexts, 'a list of strings') || !entries) {
      return;
    }
    if (entries.length === 0 || new Set(entries).size !== entries.length) {
      const what = `${name} [${entries.join(', ')}] is empty, or has an entry twice`;
      this.report(what, 'leave it out, or name each once', entries);
    }
    for (const entry of entries) {
      const fault = tokenFault(entry);
      if (fault) this.report(`${name}: ${fault}`, 'pass a value that is known at synth', entry);
      if (words) this.word(name, entry, words);
    }
  }

  public rollout(rollout: Rollout | undefined, publishesNotReady: boolean | undefined): void {
    if (!this.kind('rollout', rollout, typeof rollout === 'object', 'an object') || !rollout) {
      return;
    }
    const { healthCheckNodePort: port, drainTime, balancerTime } = rollout;
    if (publishesNotReady) {
      this.report(
        'publishNotReadyAddresses true has pods get connections before they are ready, and after they began to terminate, so rollout cannot be kept',
        'leave one of the two out',
        'true',
      );
    }
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port <= 65535)) {
      this.report(`rollout.healthCheckNodePort ${port} is not a port`, 'use a node port such as 32100', port);
    }
    for (const [name, span] of Object.entries({ drainTime, balancerTime })) {
      const seconds = typeof span?.toSeconds === 'function' ? span.toSeconds({ integral: false }) : 0;
      if (!Number.isInteger(seconds)) {
        this.report(`rollout.${name} is ${seconds} seconds`, 'use whole seconds, which grace periods have', seconds);
      }
    }
  }

  public ports(ports: readonly LoadBalancerPort[]): void {
    if (!Array.isArray(ports) || ports.length === 0) {
      this.report('there are no ports', 'name at least one');
      return;
    }
    const areNumbered = ports.every((port) => typeof port?.port === 'number');
    if (!this.kind('ports', ports, areNumbered, 'a list of ports')) {
      return;
    }
    for (const { port, protocol, targetPort, targetPortName } of ports as readonly LoadBalancerPort[]) {
      this.word('protocol', protocol, PortProtocol);
      if (targetPort !== undefined && targetPortName !== undefined) {
        const what = `port ${port} has both targetPort ${targetPort} and targetPortName '${targetPortName}'`;
        this.report(what, 'keep one', port);
      }
    }
  }
}
