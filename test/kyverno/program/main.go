// Kyverno, of which policies are asked: `apply` and whatever else its own command has are that command itself. `webhook FILE` is what
// its admission webhook answers to requests that an API server really sends, of which a test hands over one a line; what it would
// write beside (reports, events) goes nowhere.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"github.com/julienschmidt/httprouter"
	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/commands"
	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/log"
	"github.com/kyverno/kyverno/pkg/cel/libs"
	"github.com/kyverno/kyverno/pkg/cel/matching"
	"github.com/kyverno/kyverno/pkg/cel/policies/mpol"
	"github.com/kyverno/kyverno/pkg/cel/policies/mpol/compiler"
	"github.com/kyverno/kyverno/pkg/cel/policies/mpol/engine"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	"github.com/kyverno/kyverno/pkg/event"
	"github.com/kyverno/kyverno/pkg/webhooks/handlers"
	webhook "github.com/kyverno/kyverno/pkg/webhooks/resource/mpol"
	"github.com/kyverno/kyverno/pkg/webhooks/updaterequest"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/yaml"
)

// What Kyverno would read from the API server.
type cluster struct {
	Policy     policiesv1beta1.MutatingPolicy
	Namespaces []corev1.Namespace
}

// No reports of any kind.
type noReports struct{}

func (noReports) ValidateReportsEnabled() bool                { return false }
func (noReports) MutateReportsEnabled() bool                  { return false }
func (noReports) MutateExistingReportsEnabled() bool          { return false }
func (noReports) ImageVerificationReportsEnabled() bool       { return false }
func (noReports) GenerateReportsEnabled() bool                { return false }
func (noReports) IsStatusAllowed(_ engineapi.RuleStatus) bool { return false }

// Types are converted for policies that apply configurations, of which there are none here.
type noTypes struct{}

func (noTypes) GetTypeConverter(_ schema.GroupVersionKind) managedfields.TypeConverter { return nil }

func main() {
	var err error
	if len(os.Args) == 3 && os.Args[1] == "webhook" {
		err = serve(os.Args[2], os.Stdin, os.Stdout)
	} else {
		err = command()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command() error {
	if err := log.Configure(); err != nil {
		return err
	}
	root := commands.RootCommand(false)
	root.SilenceErrors = true
	return root.Execute()
}

func serve(file string, in io.Reader, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var its cluster
	if err := yaml.UnmarshalStrict(text, &its); err != nil {
		return err
	}
	// what Kyverno asks of a policy when it is written
	if _, err := mpol.Validate(&its.Policy); err != nil {
		return err
	}
	contextProvider := libs.NewFakeContextProvider()
	provider, err := engine.NewProvider(compiler.NewCompiler(), []policiesv1beta1.MutatingPolicyLike{&its.Policy}, nil, contextProvider)
	if err != nil {
		return err
	}
	policies := engine.NewEngine(provider, its.namespace, matching.NewMatcher(), noTypes{}, contextProvider)
	handler := webhook.New(contextProvider, policies, nil, noReports{}, updaterequest.NewFake(), "", event.NewFake())
	ctx := context.WithValue(context.Background(), httprouter.ParamsKey, httprouter.Params{{Key: "policies", Value: its.Policy.Name}})

	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(lines.Bytes(), &review); err != nil {
			return err
		}
		request := handlers.AdmissionRequest{AdmissionRequest: *review.Request}
		response := handler.MutateClustered(ctx, logr.Discard(), request, "", time.Now())
		answer := admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: &response}
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (its cluster) namespace(name string) *corev1.Namespace {
	for i := range its.Namespaces {
		if its.Namespaces[i].Name == name {
			return &its.Namespaces[i]
		}
	}
	return nil
}
