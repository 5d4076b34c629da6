import { reaches } from '../../contract/compare-versions';
import { type Json, list } from '../../contract/json';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { FinalizerPolicy, type LoadBalancerFinding } from '../../contract/options';
import { unlessLive } from '../../contract/printable';
import { type DescribedRule, findingOf } from '../../contract/rule';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { finalizerTrace, hangTrace, withTrace } from '../../rules/finalizer-traces';
import type { Handling } from '../../rules/port-handling';
import { configurationOf, textAt } from '../operator/kafka-json';
import {
  FINALIZER_STRIPPED,
  FINALIZER_UNDECLARED,
  LISTENER_HTTP,
  LISTENER_PROXY_PROTOCOL,
  LISTENER_TLS_TERMINATED,
} from '../rules.facts';
import {
  SERVER_SIDE_APPLY_GATE,
  SERVER_SIDE_APPLY_GATE_SINCE,
  SERVER_SIDE_APPLY_SINCE,
} from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';

export interface FinalizerContext {
  readonly strimzi: StrimziVersion;
  readonly owner: string;
  readonly kind?: ControllerDefinition;
  readonly planned: readonly string[];
  readonly policy: FinalizerPolicy;
  readonly isPlanned?: boolean;
}

/**
 * What is wrong with the finalizers of a finished listener, between operator and owner.
 *
 * @param service one of its Services: on it may depend which finalizer a manifest may declare
 * @param controller the owner as it is installed, where that is known
 */
export function finalizerFaults(
  listener: Json,
  context: FinalizerContext,
  service: Json = {},
  controller?: ILoadBalancerController,
): LoadBalancerFinding[] {
  const { strimzi, owner, kind, planned, policy } = context;
  const own = kind ? (kind.declarable?.(service, controller) ?? kind.finalizers) : planned;
  const declared = list<string>(configurationOf(listener).finalizers);
  if (strimzi.keepsForeignFinalizers || declared.some((finalizer) => own.includes(finalizer))) {
    return [];
  }
  const untouchable = kind?.untouchableFinalizers ?? [];
  const leaves = policy === FinalizerPolicy.LEAVE_TO_CONTROLLER;
  const why = `Strimzi ${strimzi.version} replaces whole Services, so its next reconciliation removes the finalizer`;
  const newer = keepingFinalizers(strimzi);
  if (own.length === 0 && untouchable.length > 0) {
    return [
      findingOf(
        FINALIZER_STRIPPED,
        {
          what: `only ${owner} may write its finalizers ${untouchable.join(', ')}, and ${why}: deleting the listener leaves its balancers behind`,
          remedy: withTrace(
            unlessLive(`${newer}; or choose a class whose finalizer can be declared`),
            finalizerTrace(kind?.name, 'left', 'put'),
          ),
          value: untouchable.join(', '),
        },
        owner,
      ),
    ];
  }
  const mayBeDeclared = own.length > 0 || (kind === undefined && leaves);
  return mayBeDeclared ? [undeclared(context, own, why, newer)] : [];
}

/** How to get an operator that strips no finalizer: an upgrade is of no use where the gate was switched off. */
function keepingFinalizers(strimzi: StrimziVersion): string {
  const newer = `run Strimzi ${SERVER_SIDE_APPLY_SINCE} or newer`;
  const on = `switch on the gate ${SERVER_SIDE_APPLY_GATE} of Strimzi ${strimzi.version}`;
  if (reaches(strimzi, SERVER_SIDE_APPLY_SINCE)) {
    return on;
  }
  return reaches(strimzi, SERVER_SIDE_APPLY_GATE_SINCE)
    ? `${newer}, or ${on}`
    : `${newer}, or one whose gate ${SERVER_SIDE_APPLY_GATE} is on`;
}

function undeclared(
  context: FinalizerContext,
  own: readonly string[],
  why: string,
  newer: string,
): LoadBalancerFinding {
  const { owner, kind, policy } = context;
  const leaves = policy === FinalizerPolicy.LEAVE_TO_CONTROLLER;
  const name = own.length > 0 ? own.join(' or ') : 'of the owner';
  const finding = {
    what: `the listener does not declare finalizer ${name}${leaves ? ', by finalizer policy leave-to-controller' : ''}, and ${why}: the next deletion leaves its balancers behind`,
    remedy: withTrace(
      `${declaring(context, own)}; or ${newer}, or apply what cdk8s-load-balancers policies keeper prints`,
      finalizerTrace(kind?.name, 'left', 'put'),
    ),
    value: leaves ? policy : undefined,
  };
  return findingOf(FINALIZER_UNDECLARED, finding, owner);
}

function declaring({ kind, policy, isPlanned = true }: FinalizerContext, own: readonly string[]): string {
  const option = isPlanned ? kind?.finalizerOption : undefined;
  const ways = [
    ...(policy === FinalizerPolicy.LEAVE_TO_CONTROLLER ? ['use FinalizerPolicy.DECLARE'] : []),
    ...(option === undefined ? [] : [`set ${option}: true in the options of the controller`]),
    ...(own.length === 0 ? ['name it in finalizers of the plan of the controller'] : []),
  ];
  return ways.length > 0 ? ways.join(', and ') : 'declare it in configuration.finalizers of the listener';
}

export const UNKNOWN_FINALIZER = 'finalizer-unknown';

export function blocksTheCluster(finding: LoadBalancerFinding): LoadBalancerFinding {
  return {
    ...finding,
    what: `finalizer ${finding.value} is removed by no load balancer controller that is known here: once the listener is renamed or removed, the operator waits 300 s for its Services, and no reconciliation of the cluster succeeds`,
    remedy: withTrace(
      unlessLive('take it out of the listener, or name it in the plan of the controller that removes it'),
      hangTrace(),
    ),
  };
}

interface Handled {
  readonly listener: Json;
  readonly port: number;
  readonly annotation: string;
  readonly all: readonly Handling[];
}

type Fault = readonly [rule: DescribedRule, what: string, remedy: string];

const FAULTS: { readonly [H in Handling]: (handled: Handled) => Fault | undefined } = {
  'proxy-protocol': ({ annotation, port }) => [
    LISTENER_PROXY_PROTOCOL,
    `${annotation} has the balancer send a header of the PROXY protocol to port ${port}, which Kafka brokers do not understand`,
    'leave it out: clientAddress PRESERVE keeps the address of the client without it, where the balancer can',
  ],
  'terminates-tls': terminated,
  'encrypts-again': ({ listener, annotation, port }) =>
    listener.tls === false
      ? [
          LISTENER_TLS_TERMINATED,
          `${annotation} sends TLS to port ${port} of brokers that do not speak it, since tls is false`,
          'leave it out, or set tls: true',
        ]
      : undefined,
  'speaks-http': ({ annotation, port }) => [
    LISTENER_HTTP,
    `${annotation} has the balancer treat port ${port} as HTTP, which no client of Kafka speaks`,
    'leave it out, so that it passes TCP on',
  ],
  'checks-by-http': ({ annotation, port }) => [
    LISTENER_HTTP,
    `${annotation} has the balancer check port ${port} of brokers by HTTP, so no target is healthy`,
    'check by TCP',
  ],
};

function terminated({ listener, annotation, port, all }: Handled): Fault | undefined {
  if (listener.tls !== true) {
    return undefined;
  }
  if (!all.includes('encrypts-again')) {
    return [
      LISTENER_TLS_TERMINATED,
      `${annotation} ends TLS at the balancer, which sends plain text to brokers that speak TLS on port ${port}`,
      'leave it out, and give the brokers a certificate by brokerCertificate; or set tls: false',
    ];
  }
  return textAt(listener, 'authentication.type') === 'tls'
    ? [
        LISTENER_TLS_TERMINATED,
        `${annotation} ends TLS at the balancer, so the certificates of clients never reach the brokers`,
        'leave it out, or use another type of authentication',
      ]
    : undefined;
}

/**
 * What is wrong between a listener and what its balancer does to connections.
 *
 * @param service one of its Services
 * @param listener the listener
 * @param kinds the definition of its owner; all of them where that is unknown
 */
export function handlingFaults(
  service: Json,
  listener: Json,
  kinds: readonly ControllerDefinition[],
): LoadBalancerFinding[] {
  const found = new Map<string, LoadBalancerFinding>();
  for (const { name, handles } of kinds) {
    const handlings = handles?.(service) ?? [];
    for (const { does, port, annotation, text } of handlings) {
      const all = handlings.filter((other) => other.port === port).map((other) => other.does);
      const fault = FAULTS[does]({ listener, port, annotation: `annotation ${annotation} '${text}'`, all });
      const key = `${does}\n${annotation}`;
      if (fault && !found.has(key)) {
        const [rule, what, remedy] = fault;
        found.set(key, findingOf(rule, { what, remedy, value: text }, name));
      }
    }
  }
  return [...found.values()];
}
