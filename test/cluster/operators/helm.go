package main

import (
	"encoding/json"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

const template = "templates/service.yaml"

// reconcileHelm installs a chart with the Service, or upgrades its release.
func reconcileHelm(r resource) error {
	service, err := json.Marshal(r.manifest())
	if err != nil {
		return err
	}
	config := &action.Configuration{}
	if err := config.Init(r.getter(), r.meta.Namespace, "secret", func(string, ...any) {}); err != nil {
		return err
	}
	content := &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: chart.APIVersionV2, Name: r.meta.Name, Version: "1.0.0"},
		Templates: []*chart.File{{Name: template, Data: service}},
	}
	if _, err := config.Releases.Last(r.meta.Name); err != nil {
		install := action.NewInstall(config)
		install.ReleaseName, install.Namespace = r.meta.Name, r.meta.Namespace
		_, err := install.Run(content, nil)
		return err
	}
	upgrade := action.NewUpgrade(config)
	upgrade.Namespace = r.meta.Namespace
	_, err = upgrade.Run(r.meta.Name, content, nil)
	return err
}

func (r resource) getter() *genericclioptions.ConfigFlags {
	flags := genericclioptions.NewConfigFlags(false)
	flags.Namespace = &r.meta.Namespace
	flags.WrapConfigFn = func(*rest.Config) *rest.Config { return r.config }
	return flags
}
