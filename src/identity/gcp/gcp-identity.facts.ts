// Config Connector and Workload Identity Federation of GKE. GoogleCloudPlatform/k8s-config-connector v1.155.1: samples of
// iampolicymember, and its CRD; cloud.google.com/kubernetes-engine/docs/how-to/workload-identity (2026)
import type { Citation } from '../../contract/kubernetes.facts';

export const IAM_API_VERSION = 'iam.cnrm.cloud.google.com/v1beta1';
export const IAM_POLICY_MEMBER_KIND = 'IAMPolicyMember';
export const IAM_SERVICE_ACCOUNT_KIND = 'IAMServiceAccount';
export const PROJECT_ANNOTATION = 'cnrm.cloud.google.com/project-id';
export const SERVICE_ACCOUNT_ANNOTATION = 'iam.gke.io/gcp-service-account';

/** The role that lets a ServiceAccount act as a service account of Google. */
export const WORKLOAD_IDENTITY_USER = 'roles/iam.workloadIdentityUser';

export const PROJECT_ID = /^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/;
export const PROJECT_NUMBER = /^\d{6,20}$/;
export const SERVICE_ACCOUNT_EMAIL = /^[a-z0-9-]+@[a-z0-9.:-]+\.gserviceaccount\.com$/;
export const ROLE = /^((projects|organizations)\/[^/\s]+\/)?roles\/[A-Za-z0-9_.]+$/;

const ADDRESS = '[^\\s@:]+@[a-z0-9.-]+\\.[a-z]+';

/** Who can be given a role. cloud.google.com/iam/docs/principal-identifiers (2026), allow policies */
export const MEMBER = new RegExp(
  `^(${[
    `(user|group|serviceAccount):${ADDRESS}`,
    'serviceAccount:[a-z0-9.:-]+\\.svc\\.id\\.goog\\[[a-z0-9-]+/[a-z0-9.-]+\\]',
    `deleted:(user|group|serviceAccount):${ADDRESS}\\?uid=\\d+`,
    'deleted:principal://iam\\.googleapis\\.com/\\S+',
    'domain:[a-z0-9.-]+\\.[a-z]+',
    'project(Owner|Editor|Viewer):[a-z0-9.:-]+',
    'principal(Set)?://[a-z0-9.-]+\\.googleapis\\.com/\\S+',
    'all(Authenticated)?Users',
  ].join('|')})$`,
);

export const CRD: Citation = {
  repository: 'GoogleCloudPlatform/k8s-config-connector',
  version: 'v1.155.1',
  file: 'crds/iam_v1beta1_iampolicymember.yaml',
};
