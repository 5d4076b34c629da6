package ledgercloud

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	v1 "k8s.io/api/core/v1"
)

// Ledger is the account of a cloud: which load balancers were asked for, by whom, and not yet given back. It is kept
// outside of these programs, since a cloud forgets nothing when a controller dies.
type Ledger struct {
	address string
	token   string
}

// NewLedger is the account that the environment names.
func NewLedger() Ledger {
	return Ledger{address: os.Getenv("LEDGER_ADDRESS"), token: os.Getenv("LEDGER_TOKEN")}
}

// Entry is what the account knows of one balancer.
type Entry struct {
	Call    string   `json:"call"`
	Service string   `json:"service"`
	UID     string   `json:"uid"`
	Nodes   []string `json:"nodes"`
}

// Put asks for a balancer, or for other nodes behind it; the answer is its address.
func (l Ledger) Put(ctx context.Context, owner, name string, asked Entry) (string, error) {
	body, err := json.Marshal(asked)
	if err != nil {
		return "", err
	}
	found, answer, err := l.call(ctx, http.MethodPut, owner, name, body)
	if err != nil {
		return "", err
	}
	if !found {
		return "", fmt.Errorf("there is no balancer %s to update", name)
	}
	var given struct {
		IP string `json:"ip"`
	}
	return given.IP, json.Unmarshal(answer, &given)
}

// Has says whether a balancer is there.
func (l Ledger) Has(ctx context.Context, owner, name string) (bool, error) {
	found, _, err := l.call(ctx, http.MethodGet, owner, name, nil)
	return found, err
}

// Delete gives a balancer back.
func (l Ledger) Delete(ctx context.Context, owner, name string) error {
	_, _, err := l.call(ctx, http.MethodDelete, owner, name, nil)
	return err
}

// call answers whether the balancer exists, and what the account said.
func (l Ledger) call(ctx context.Context, method, owner, name string, body []byte) (bool, []byte, error) {
	path := l.address + "/balancers/" + url.PathEscape(owner) + "/" + url.PathEscape(name)
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return false, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+l.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return false, nil, err
	}
	switch response.StatusCode {
	case http.StatusOK:
		return true, answer, nil
	case http.StatusNotFound:
		return false, nil, nil
	default:
		return false, nil, fmt.Errorf("%s", answer)
	}
}

// StatusWith is the status of a Service whose balancer has an address.
func StatusWith(ip string) *v1.LoadBalancerStatus {
	return &v1.LoadBalancerStatus{Ingress: []v1.LoadBalancerIngress{{IP: ip}}}
}
