import { type EditedValue, isLimited } from '../../contract/edit';
import type { Json } from '../../contract/json';
import { annotationsOf } from '../../rules/service-json';
import { HCLOUD } from './annotations';
import { HetznerCertificateType } from './options';

// Conditions of changes that look at more than the value.

export function hasManagedCertificate(service: Json): boolean {
  return HCLOUD.certificateType.on(annotationsOf(service)) === HetznerCertificateType.MANAGED;
}

export function hasUploadedCertificate(service: Json): boolean {
  return !hasManagedCertificate(service);
}

/** There was no certificate that the edit could change. */
export function becomesManaged({ objects: { before, after } }: EditedValue): boolean {
  return !hasManagedCertificate(before) && hasManagedCertificate(after);
}

export function leavesManaged({ objects: { before, after } }: EditedValue): boolean {
  return hasManagedCertificate(before) && HCLOUD.httpCertificates.on(annotationsOf(after)) === undefined;
}

export const privateAddress = (service: Json) => HCLOUD.privateIpv4.on(annotationsOf(service));

export function isFirstFalse({ before, after }: EditedValue): boolean {
  return before === undefined && after === false;
}

export function becomesCluster({ after }: EditedValue): boolean {
  return (after ?? 'Cluster') === 'Cluster';
}

export function isTcpPort({ around: { after } }: EditedValue): boolean {
  return (after.protocol ?? 'TCP') === 'TCP';
}

export function leavesNoRange({ after }: EditedValue): boolean {
  return !isLimited(after);
}
