// Writes the configuration that objects of kind TCP become, through the library by which the HAProxy Kubernetes Ingress
// Controller writes it: its types say which fields there are, its checks which values, and its parser how a line looks.
// What the controller itself does is done here as well: names of frontends and backends, the mode, which objects are its own,
// and who goes where two want one frontend or one port. haproxytech/kubernetes-ingress v3.2.11: pkg/handler/tcp-cr.go,
// pkg/store/types-tcp-cr.go, pkg/service/service.go
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"github.com/go-openapi/strfmt"
	"github.com/haproxytech/client-native/v6/configuration"
	"github.com/haproxytech/client-native/v6/configuration/options"
	"github.com/haproxytech/client-native/v6/models"
)

// What comes in.
type input struct {
	// The class of the controller.
	Class string `json:"class"`
	// What stands before all that is rendered.
	Head string `json:"head"`
	// Objects of kind TCP, the oldest first.
	Objects []object `json:"objects"`
	// The addresses of Services by `namespace/name:port`, with spaces between those of several pods; a Service that has none here
	// does not exist.
	Services map[string]string `json:"services"`
}

type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec []entry `json:"spec"`
}

type entry struct {
	Name     string   `json:"name"`
	Frontend frontend `json:"frontend"`
	Service  service  `json:"service"`
}

// A frontend whose every field the library knows: its own reading leaves out what it does not.
type frontend struct {
	models.Frontend
}

func (f *frontend) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &f.Frontend); err != nil {
		return err
	}
	again, err := json.Marshal(f.Frontend)
	if err != nil {
		return err
	}
	var said, known any
	if err := errors.Join(json.Unmarshal(text, &said), json.Unmarshal(again, &known)); err != nil {
		return err
	}
	return lost("frontend", said, known)
}

// Whatever was said and is not known.
func lost(path string, said, known any) error {
	switch value := said.(type) {
	case map[string]any:
		others, _ := known.(map[string]any)
		for key, each := range value {
			if err := lost(path+"."+key, each, others[key]); err != nil {
				return err
			}
		}
	case []any:
		others, _ := known.([]any)
		for i, each := range value {
			if i >= len(others) {
				return fmt.Errorf("%s[%d] is lost", path, i)
			}
			if err := lost(fmt.Sprintf("%s[%d]", path, i), each, others[i]); err != nil {
				return err
			}
		}
	default:
		if !reflect.DeepEqual(said, known) {
			return fmt.Errorf("%s: %v is lost, there is %v", path, said, known)
		}
	}
	return nil
}

type service struct {
	Name string `json:"name"`
	Port int    `json:"port"`
}

// What comes out.
type output struct {
	Configuration string `json:"configuration"`
	// What the controller would leave out, and write into its log.
	LeftOut []string `json:"leftOut"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	in := input{}
	decoder := json.NewDecoder(os.Stdin)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return fmt.Errorf("no objects of kind TCP: %w", err)
	}
	folder, err := os.MkdirTemp("", "haproxy-renderer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(in.Head), 0o600); err != nil {
		return err
	}
	leftOut, err := write(file, in)
	if err != nil {
		return err
	}
	written, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(output{Configuration: string(written), LeftOut: leftOut})
}

func write(file string, in input) (leftOut []string, err error) {
	client, err := configuration.New(nil,
		options.ConfigurationFile(file),
		options.TransactionsDir(filepath.Dir(file)),
		options.UseModelsValidation,
		options.SkipConfigurationFileValidation,
	)
	if err != nil {
		return nil, err
	}
	transaction, err := client.StartTransaction(1)
	if err != nil {
		return nil, err
	}
	leftOut = []string{}
	frontends, binds := map[string]string{}, map[string]string{}
	for _, each := range in.Objects {
		if each.Metadata.Annotations["ingress.class"] != in.Class {
			leftOut = append(leftOut, fmt.Sprintf("%s/%s: of another class", each.Metadata.Namespace, each.Metadata.Name))
			continue
		}
		for _, one := range each.Spec {
			why, err := claim(one, frontends, binds)
			if err != nil {
				return nil, err
			}
			if why == "" && in.Services[key(each, one.Service)] == "" && !isService(in, each, one.Service) {
				why = "service not found"
			}
			if why != "" {
				leftOut = append(leftOut, fmt.Sprintf("%s/%s: %s", each.Metadata.Namespace, one.Name, why))
				continue
			}
			if err := add(client, transaction.ID, in, each, one); err != nil {
				return nil, err
			}
		}
	}
	_, err = client.CommitTransaction(transaction.ID)
	return leftOut, err
}

// Names without their namespace, and ports with their address as it is written.
func claim(one entry, frontends, binds map[string]string) (string, error) {
	if first, taken := frontends[one.Frontend.Name]; taken {
		return "collision on the frontend with " + first, nil
	}
	addresses := []string{}
	for _, bind := range one.Frontend.Binds {
		if bind.Port == nil {
			return "", fmt.Errorf("%s: a bind without a port", one.Name)
		}
		addresses = append(addresses, fmt.Sprintf("%s:%d", bind.Address, *bind.Port))
	}
	sort.Strings(addresses)
	for _, address := range addresses {
		if first, taken := binds[address]; taken {
			return "collision on " + address + " with " + first, nil
		}
	}
	for _, address := range addresses {
		binds[address] = one.Name
	}
	frontends[one.Frontend.Name] = one.Name
	return "", nil
}

func key(each object, to service) string {
	return fmt.Sprintf("%s/%s:%d", each.Metadata.Namespace, to.Name, to.Port)
}

// A Service with other ports exists: the frontend is made, and leads nowhere.
func isService(in input, each object, to service) bool {
	_, exists := in.Services[fmt.Sprintf("%s/%s", each.Metadata.Namespace, to.Name)]
	return exists
}

func add(client configuration.Configuration, id string, in input, each object, one entry) error {
	namespace := each.Metadata.Namespace
	front := one.Frontend.Frontend
	front.Mode = models.FrontendBaseModeTCP
	front.Name = "tcpcr_" + namespace + "_" + front.Name
	if err := front.Validate(strfmt.Default); err != nil {
		return err
	}
	backend := fmt.Sprintf("%s_svc_%s_%d", namespace, one.Service.Name, one.Service.Port)
	if address := in.Services[key(each, one.Service)]; address != "" {
		front.DefaultBackend = backend
		if err := server(client, id, backend, address); err != nil {
			return err
		}
	}
	return client.CreateStructuredFrontend(&front, id, 0)
}

func server(client configuration.Configuration, id, backend, address string) error {
	if _, _, err := client.GetBackend(backend, id); err == nil {
		return nil
	}
	base := models.BackendBase{Name: backend, Mode: models.BackendBaseModeTCP}
	if err := client.CreateBackend(&models.Backend{BackendBase: base}, id, 0); err != nil {
		return err
	}
	for i, each := range strings.Fields(address) {
		var host string
		var port int64
		if _, err := fmt.Sscanf(strings.ReplaceAll(each, ":", " "), "%s %d", &host, &port); err != nil {
			return errors.New(each + " is no address with a port")
		}
		one := models.Server{Name: fmt.Sprintf("SRV_%d", i+1), Address: host, Port: &port}
		if err := client.CreateServer("backend", backend, &one, id, 0); err != nil {
			return err
		}
	}
	return nil
}
