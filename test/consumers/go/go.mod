module example.com/edge-platform

go 1.25

require (
	github.com/aws/constructs-go/constructs/v10 v10.5.0
	github.com/aws/jsii-runtime-go v1.140.0
	github.com/cdk8s-load-balancers/cdk8s-load-balancers-go/cdk8sloadbalancers v0.0.0
	github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2 v2.70.0
)

require (
	github.com/Masterminds/semver/v3 v3.4.0 // indirect
	github.com/fatih/color v1.18.0 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/yuin/goldmark v1.4.13 // indirect
	golang.org/x/lint v0.0.0-20210508222113-6edffad5e616 // indirect
	golang.org/x/mod v0.27.0 // indirect
	golang.org/x/sync v0.16.0 // indirect
	golang.org/x/sys v0.35.0 // indirect
	golang.org/x/tools v0.36.0 // indirect
)
