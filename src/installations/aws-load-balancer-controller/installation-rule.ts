import type { Json } from '../../contract/json';
import type { RuleOf } from '../../contract/rule-of';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/annotations';

/** The finished objects of an installation that rules look at. */
export interface InstallationDocuments {
  readonly deployment: Json;
  readonly serviceAccount: Json;
  readonly clusterRole: Json;
  readonly budget?: Json;
  readonly ingressClass?: Json;
}

/** Another installation in the same app. */
export interface OtherInstallation {
  readonly path: string;
  /** Whether it stands in the chart of this one, which is applied to one cluster. */
  readonly inChart: boolean;
  readonly deployment: Json;
  /** Its service account, where this library wrote it. */
  readonly serviceAccount?: Json;
}

/** A finished object of the app. */
export interface ObjectInApp {
  readonly path: string;
  readonly json: Json;
}

/** What is known beside them. */
export interface InstallationContext {
  /** Whether flags and gates are those that are known here, and no newer ones. */
  readonly isKnownVersion: boolean;
  /** The version as it was said. */
  readonly version: string;
  /** Whether the kinds of the controller are written along with it. */
  readonly writesCrds: boolean;
  /** The version of the Gateway API that somebody said the cluster has. */
  readonly gatewayApiCrds?: string;
  /** The CRDs of a name that the app writes, finished. */
  readonly crdsNamed: (name: string) => readonly Json[];
  /** The GatewayClasses of the app, where this is its only installation. */
  readonly gatewayClasses: readonly ObjectInApp[];
  /** Disruption budgets of others that hold for the pods of the controller. */
  readonly foreignBudgets: readonly ObjectInApp[];
  /** Whether the chart has an IngressClass of the controller. */
  readonly hasIngressClass: boolean;
  /** What stands in the chart a second time, as text with the place of the other. */
  readonly twice: readonly string[];
  /** Gates that are said in two ways which contradict each other, by upstream's names. */
  readonly contradictedGates: readonly string[];
  /** Installations that were made before this one, or that are none of this library's. */
  readonly others: readonly OtherInstallation[];
  /** Whether only Network Load Balancers are wanted. */
  readonly nlbOnly: boolean;
  /** The network that permissions are kept to. */
  readonly vpcArn?: string;
}

/** Judges the finished objects of an installation together. */
export type InstallationRule = RuleOf<[documents: InstallationDocuments, context: InstallationContext]>;

/** What does not work. */
export function installationError(
  id: string,
  says: string,
  file: string,
  judge: InstallationRule['judge'],
): InstallationRule {
  return { id, severity: 'error', says, source: lbcFile(file), judge };
}

/** What works and surprises. */
export function installationWarning(...rule: Parameters<typeof installationError>): InstallationRule {
  return { ...installationError(...rule), severity: 'warning' };
}
