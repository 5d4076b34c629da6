import type { Json } from '../../contract/json';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/annotations';
import type { Rule } from '../../rules/rule';
import type { AppService } from '../app-services';
import type { ServedObject } from '../served-services';

/** Another installation in the same app. */
export interface OtherInstallation {
  readonly path: string;
  /** Whether it is in the chart of this one, which is applied to one cluster. */
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

/** What may be known beside the finished Deployment of the controller. */
export interface InstallationContext {
  readonly serviceAccount: Json;
  readonly clusterRole: Json;
  /** The disruption budget of the installation, if it has one. */
  readonly budget?: Json;
  /** The IngressClass of the installation, if it has one. */
  readonly ingressClass?: Json;

  /** Whether flags and gates are those that are known here, and no newer ones. */
  readonly isKnownVersion: boolean;
  /** The version, as text. */
  readonly version: string;
  /** Whether the kinds of the controller are written along with it. */
  readonly writesCrds: boolean;
  /** The version of the Gateway API that the cluster has, where the props say it. */
  readonly gatewayApiCrds?: string;
  /** The CRDs of a name that the app writes, finished. */
  readonly crdsNamed: (name: string) => readonly Json[];
  /** The GatewayClasses of the app, where this is its only installation. */
  readonly gatewayClasses: readonly ObjectInApp[];
  /** Third-party disruption budgets that select the pods of the controller. */
  readonly foreignBudgets: readonly ObjectInApp[];
  /** Whether the chart has an IngressClass of the controller. */
  readonly hasIngressClass: boolean;
  /** Objects that the chart has a second time, as text with the place of the other. */
  readonly twice: readonly string[];
  /** Gates that two props set differently, by upstream's names. */
  readonly contradictedGates: readonly string[];
  /** Installations that were made before this one, and third-party ones. */
  readonly others: readonly OtherInstallation[];
  /** Whether only Network Load Balancers are wanted. */
  readonly nlbOnly: boolean;
  /** The network that permissions are kept to. */
  readonly vpcArn?: string;
  /** How it takes Services. */
  readonly claiming: Claiming;
  /** The Services of the app; unset where the app has several controllers, since each Service may be for any of them. */
  readonly services?: readonly AppService[];
  /** What it serves of the app. */
  readonly served: readonly ServedObject[];
  /** The chart of the installation. */
  readonly chart: string;
}

/** How an installation takes Services. */
export interface Claiming {
  readonly loadBalancerClass: string;
  /** Whether its webhook gives that class to Services without one. */
  readonly webhook: boolean;
  /** The namespace that it runs in, which its webhook spares. */
  readonly namespace?: string;
}

/** A rule about what does not work. */
export function installationError(
  id: string,
  says: string,
  file: string,
  judge: Rule<InstallationContext>['judge'],
): Rule<InstallationContext> {
  return { id, severity: 'error', says, source: lbcFile(file), judge };
}

/** A rule about what works and surprises. */
export function installationWarning(...rule: Parameters<typeof installationError>): Rule<InstallationContext> {
  return { ...installationError(...rule), severity: 'warning' };
}
