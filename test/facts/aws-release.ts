import { casesIn } from '../support/yaml-cases';

/** What differs between two small releases in the shape of the AWS Load Balancer Controller. */
export interface SmallRelease {
  readonly version: string;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly flags: Readonly<Record<string, string>>;
  readonly annotations: readonly string[];
  readonly verbs: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly actions: readonly string[];
  readonly failurePolicy: string;
}

const variable = (name: string): string => name.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());

const policy = (actions: readonly string[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] });

/** The files of such a release, written for these tests. */
export function awsRelease(release: SmallRelease): Files {
  const { version, gates, flags, annotations, verbs, fields, actions, failurePolicy } = release;
  return {
    'helm/aws-load-balancer-controller/Chart.yaml': `apiVersion: v2\nappVersion: v${version}\n`,
    'go.mod': 'module example.test/balancers\n\nrequire (\n\tsigs.k8s.io/gateway-api v1.6.0\n)\n',
    'pkg/config/feature_gates.go': `package config

// Feature is the name of a switch.
type Feature string

const (
${Object.keys(gates)
  .map((gate) => `\tthe${gate} Feature = "${gate}"`)
  .join('\n')}
)

func states() map[Feature]bool {
	return map[Feature]bool{
${Object.entries(gates)
  .map(([gate, on]) => `\t\tthe${gate}: ${on},`)
  .join('\n')}
	}
}
`,
    'pkg/config/flags.go': `package config

import "github.com/spf13/pflag"

const (
${Object.keys(flags)
  .map((flag) => `\tflag_${variable(flag)} = "${flag}"`)
  .join('\n')}
)

func bind(fs *pflag.FlagSet) {
	var to string
${Object.entries(flags)
  .map(([flag, value]) => `\tfs.StringVar(&to, flag_${variable(flag)}, "${value}", "what it is for")`)
  .join('\n')}
}
`,
    'pkg/annotations/constants.go': `package annotations

const (
	common = "aws-load-balancer-"
${annotations.map((name) => `\tSvcLBSuffix${variable(`-${name}`)} = common + "${name}"`).join('\n')}
)
`,
    'pkg/shared_constants/finalizers.go':
      'package shared_constants\n\nconst ServiceFinalizer = "service.k8s.aws/resources"\n',
    'pkg/gateway/crddetect/gateway_feature_flags.go': `package crddetect

const stable = "gateway.networking.k8s.io/v1"

var nlbKinds = map[string][]string{stable: {"Gateway", "GatewayClass"}}
`,
    'config/rbac/role.yaml': `kind: ClusterRole
apiVersion: rbac.authorization.k8s.io/v1
metadata: { name: controller-role }
rules:
  - { apiGroups: [''], resources: [configmaps], verbs: [${verbs.join(', ')}] }
`,
    'config/rbac/leader_election_role.yaml': `kind: Role
apiVersion: rbac.authorization.k8s.io/v1
metadata: { name: controller-leader-election-role }
rules:
  - { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }
`,
    'config/webhook/manifests.yaml': `kind: MutatingWebhookConfiguration
apiVersion: admissionregistration.k8s.io/v1
metadata: { name: webhook }
webhooks:
  - name: mpod.elbv2.k8s.aws
    failurePolicy: ${failurePolicy}
    clientConfig: { service: { name: webhook, namespace: system, path: /mutate-v1-pod } }
    rules:
      - { apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE] }
`,
    'config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml': `kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata: { name: targetgroupbindings.elbv2.k8s.aws }
spec:
  group: elbv2.k8s.aws
  scope: Namespaced
  names: { kind: TargetGroupBinding, plural: targetgroupbindings }
  versions:
    - name: v1beta1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${Object.entries(fields)
  .map(([name, type]) => `                ${name}: { type: ${type}, description: what it is for }`)
  .join('\n')}
`,
    'docs/install/iam_policy.json': policy(actions),
    'docs/install/iam_policy_acm_certs.json': policy(['acm:RequestCertificate']),
    'docs/install/aga_controller_iam_policy.json': policy(['globalaccelerator:ListAccelerators']),
    'docs/install/iam_policy_v1_to_v2_additional.json': policy(['ec2:CreateTags']),
  };
}

/** A release that has what the tables of this library have of 3.5.0, as far as it goes. */
export const OLDER: SmallRelease = casesIn(__dirname, 'aws-release.yaml').older;

/** The next one: of each kind something is new, changed or gone. */
export const NEWER: SmallRelease = casesIn(__dirname, 'aws-release.yaml').newer;

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;
