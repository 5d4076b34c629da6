import type { EditedValue } from '../../contract/edit';
import { isLimited } from '../../contract/edits-that-open';
import { annotationsOf } from '../../rules/service-json';
import { HCLOUD } from './annotations';
import { HetznerCertificateType } from './options';

// Conditions of changes that look at more than the value.

export function hasUploadedCertificate({ objects: { after } }: EditedValue): boolean {
  return HCLOUD.certificateType.on(annotationsOf(after)) !== HetznerCertificateType.MANAGED;
}

export function isTcpPort({ around: { after } }: EditedValue): boolean {
  return (after.protocol ?? 'TCP') === 'TCP';
}

export function leavesNoRange({ after }: EditedValue): boolean {
  return !isLimited(after);
}
