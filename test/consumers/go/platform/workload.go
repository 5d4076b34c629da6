package platform

import (
	"strings"

	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

// Fields keep their order in the manifest; the keys of a map would be sorted.
type (
	deploymentSpec struct {
		Replicas int      `json:"replicas"`
		Selector selector `json:"selector"`
		Template template `json:"template"`
	}
	selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	}
	template struct {
		Metadata metadata `json:"metadata"`
		Spec     podSpec  `json:"spec"`
	}
	metadata struct {
		Labels map[string]string `json:"labels"`
	}
	podSpec struct {
		Containers []container `json:"containers"`
	}
	container struct {
		Name  string `json:"name"`
		Image string `json:"image"`
		Ports []port `json:"ports"`
	}
	port struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
	}
)

// Workload is a Deployment of echo servers that listen on 8443.
func Workload(scope constructs.Construct, id string) cdk8s.ApiObject {
	name := strings.ToLower(id)
	labels := map[string]string{"app": name}
	deployment := cdk8s.NewApiObject(scope, jsii.String(id), &cdk8s.ApiObjectProps{
		ApiVersion: jsii.String("apps/v1"),
		Kind:       jsii.String("Deployment"),
		Metadata:   &cdk8s.ApiObjectMetadata{Name: jsii.String(name)},
	})
	echo := container{
		Name:  "echo",
		Image: "registry.example/echo:1.4.2",
		Ports: []port{{Name: "https", ContainerPort: 8443}},
	}
	deployment.AddJsonPatch(cdk8s.JsonPatch_Add(jsii.String("/spec"), deploymentSpec{
		Replicas: 2,
		Selector: selector{MatchLabels: labels},
		Template: template{Metadata: metadata{Labels: labels}, Spec: podSpec{Containers: []container{echo}}},
	}))
	return deployment
}
