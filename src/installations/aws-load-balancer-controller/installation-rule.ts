import type { Json } from '../../contract/json';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/reading';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import type { BalancedService } from '../balanced-services';
import type { ServedContext } from '../served-services';

export interface OtherInstallation {
  readonly path: string;
  /** Whether it is in the chart of this one, which is applied to one cluster. */
  readonly inChart: boolean;
  readonly deployment: Json;
  /** Its service account, where that is known. */
  readonly serviceAccount?: Json;
}

export interface InstallationContext extends ServedContext {
  /** The ServiceAccount that names its role. */
  readonly serviceAccount?: Json;

  /** Whether flags and gates are those that are known here, and no newer ones. */
  readonly isKnownVersion?: boolean;
  /** The version, as text; unknown where no image shows one that is known here. */
  readonly version?: string;
  /** Whether the kinds of the controller are written along with it. */
  readonly writesCrds?: boolean;
  /** Whether the Gateway API of the cluster is known where these objects do not have it: an installation says it. */
  readonly saysGatewayApi?: boolean;
  /** The version of the Gateway API that the cluster has, where the props say it. */
  readonly gatewayApiCrds?: string;
  /** The CRDs of a name that are among the objects, finished. */
  readonly crdsNamed: (name: string) => readonly Json[];
  /** The GatewayClasses, where this is the only installation. */
  readonly gatewayClasses: readonly IndexedObject[];
  /** Installations before this one, and those that no rule validates. */
  readonly others: readonly OtherInstallation[];
  /** Whether only Network Load Balancers are wanted. */
  readonly nlbOnly?: boolean;
  /** How it takes Services. */
  readonly claiming: Claiming;
  /** The Services; unset where there are several controllers, since each Service may be for any of them. */
  readonly services?: readonly BalancedService[];
}

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
  needs?: Rule<InstallationContext>['needs'],
): Rule<InstallationContext> {
  return { id, severity: 'error', says, source: lbcFile(file), judge, needs };
}

export function installationWarning(...rule: Parameters<typeof installationError>): Rule<InstallationContext> {
  return { ...installationError(...rule), severity: 'warning' };
}
