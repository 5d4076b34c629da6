package main

import (
	"slices"

	v1 "k8s.io/api/core/v1"
)

// owner is a line of the table of controllers that a model plays: which Services it serves, and its finalizer.
type owner struct {
	Name      string `json:"name"`
	Finalizer string `json:"finalizer"`
	// Classes that it serves.
	Classes []string `json:"classes"`
	// Annotations with their values: a classless Service that has all those of one entry is claimed, whatever its type.
	Annotations []map[string][]string `json:"annotations"`
	// Classless says that it claims every classless Service.
	Classless bool `json:"classless"`
	// Workers that it has, where they are more than those of the model.
	Workers int `json:"workers"`
}

func (o owner) claims(service *v1.Service) bool {
	if class := service.Spec.LoadBalancerClass; class != nil {
		return slices.Contains(o.Classes, *class)
	}
	return o.Classless && service.Spec.Type == v1.ServiceTypeLoadBalancer || slices.ContainsFunc(o.Annotations, func(all map[string][]string) bool {
		for key, values := range all {
			if !slices.Contains(values, service.Annotations[key]) {
				return false
			}
		}
		return true
	})
}

// marks says whether the owner's finalizer stands on the Service.
func (o owner) marks(service *v1.Service) bool {
	return o.Finalizer != "" && slices.Contains(service.Finalizers, o.Finalizer)
}
