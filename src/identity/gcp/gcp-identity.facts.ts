// Config Connector and Workload Identity Federation of GKE. GoogleCloudPlatform/k8s-config-connector v1.155.1: samples of
// iampolicymember, and its CRD; cloud.google.com/kubernetes-engine/docs/how-to/workload-identity (2026)

export const IAM_API_VERSION = 'iam.cnrm.cloud.google.com/v1beta1';
export const IAM_POLICY_MEMBER_KIND = 'IAMPolicyMember';
export const PROJECT_ANNOTATION = 'cnrm.cloud.google.com/project-id';

export const PROJECT_ID = /^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/;
export const SERVICE_ACCOUNT_ANNOTATION = 'iam.gke.io/gcp-service-account';
