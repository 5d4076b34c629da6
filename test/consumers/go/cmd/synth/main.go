// Command synth writes dist/*.k8s.yaml, and permissions.json for the stack that makes the role of the controller.
package main

import (
	"encoding/json"
	"log"
	"os"

	"example.com/edge-platform/platform"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()
	app := cdk8s.NewApp(nil)
	var permissions []any
	for _, policy := range platform.New(app) {
		permissions = append(permissions, *policy.ToPolicyDocument())
	}
	app.Synth()
	written, err := json.MarshalIndent(permissions, "", "  ")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("permissions.json", written, 0o644); err != nil {
		log.Fatal(err)
	}
}
