"""What a controller written in Python can rely on, from its request to the manifest."""

from textwrap import dedent
from typing import Optional

import pytest
from acme_controller import AcmeController, PublicByDefault
from cdk8s import App, Chart
from cdk8s_load_balancers import (
    HealthCheck,
    ILoadBalancerController,
    LoadBalancedService,
    LoadBalancerFindingSeverity,
    LoadBalancerPort,
    LoadBalancers,
    LoadBalancerScheme,
    NodePool,
    NodepoolPinnedService,
    NodeTaint,
    PortProtocol,
    TrafficPolicy,
)
from cdk8s_plus_27 import ContainerProps, Deployment

HTTPS = LoadBalancerPort(port=443, target_port=8443)


@pytest.fixture
def acme() -> AcmeController:
    return AcmeController({"shop": "192.0.2.7"})


@pytest.fixture
def chart() -> Chart:
    return Chart(App(), "shop", disable_resource_name_hashes=True)


def deployment(chart: Chart) -> Deployment:
    return Deployment(chart, "web", containers=[ContainerProps(image="shop:1", port_number=8443)])


def yaml_of(chart: Chart) -> str:
    return App.of(chart).synth_yaml()


def test_its_plan_is_what_the_manifest_says(acme: AcmeController, chart: Chart) -> None:
    LoadBalancedService(
        chart,
        "lb",
        controller=acme,
        ports=[HTTPS],
        selector={"app": "shop"},
        static_addresses=["shop"],
        traffic_policy=TrafficPolicy.LOCAL,
    )
    assert yaml_of(chart) == dedent(
        """\
        apiVersion: v1
        kind: Service
        metadata:
          annotations:
            acme.example/address: 192.0.2.7
            acme.example/network: office
          finalizers:
            - acme.example/appliance
          name: shop-lb
        spec:
          externalTrafficPolicy: Local
          loadBalancerClass: acme.example/appliance
          ports:
            - port: 443
              protocol: TCP
              targetPort: 8443
          selector:
            app: shop
          type: LoadBalancer
        """
    )


def test_the_service_selects_the_pods_of_a_deployment(acme: AcmeController, chart: Chart) -> None:
    web = deployment(chart)
    service = LoadBalancedService(chart, "lb", controller=acme, ports=[HTTPS], workload=web)
    assert service.to_json()["spec"]["selector"] == dict(web.match_labels)


def test_a_node_pool_pins_pods_and_backend(acme: AcmeController, chart: Chart) -> None:
    pool = NodePool.labeled({"acme.example/pool": "edge"}, taints=[NodeTaint.no_schedule("dedicated", "edge")])
    pinned = NodepoolPinnedService(
        chart, "lb", controller=acme, ports=[HTTPS], workload=deployment(chart), node_pool=pool
    )
    assert dict(pinned.plan.annotations or {})["acme.example/nodes"] == "acme.example/pool=edge"
    text = yaml_of(chart)
    for written in (
        "acme.example/nodes: acme.example/pool=edge",
        "- key: acme.example/pool\n                    operator: In\n                    values:\n                      - edge",
        "tolerations:\n        - effect: NoSchedule\n          key: dedicated\n          operator: Equal\n          value: edge",
    ):
        assert written in text


def test_a_wish_that_it_passes_over_is_an_error_at_synth(acme: AcmeController, chart: Chart) -> None:
    LoadBalancedService(
        chart, "lb", controller=acme, ports=[HTTPS], selector={"app": "shop"}, health_check=HealthCheck(path="/healthy")
    )
    with pytest.raises(RuntimeError, match=r"shop/lb.*acme-controller: .*healthCheck"):
        yaml_of(chart)


def test_its_own_problem_is_an_error_at_synth(acme: AcmeController, chart: Chart) -> None:
    dns = LoadBalancerPort(port=53, protocol=PortProtocol.UDP)
    LoadBalancedService(chart, "lb", controller=acme, ports=[dns], selector={"app": "shop"})
    with pytest.raises(RuntimeError, match=r"shop/lb.*acme-controller: .*UDP; use TCP \(acme-tcp-only\)"):
        yaml_of(chart)


def test_an_exception_of_its_own_is_an_error_at_synth(acme: AcmeController, chart: Chart) -> None:
    LoadBalancedService(
        chart, "lb", controller=acme, ports=[HTTPS], selector={"app": "shop"}, static_addresses=["spare"]
    )
    with pytest.raises(RuntimeError, match=r"shop/lb.*acme-controller: bind failed: .*spare.*\(controller-failed\)"):
        yaml_of(chart)


def test_all_problems_are_told_in_one_synth(acme: AcmeController, chart: Chart) -> None:
    for name in ("one", "two"):
        LoadBalancedService(chart, name, controller=acme, ports=[HTTPS], selector={"app": name}, proxy_protocol=True)
    with pytest.raises(RuntimeError, match=r"(?s)shop/one.*shop/two"):
        yaml_of(chart)


def test_findings_are_asked_for_without_a_synth(acme: AcmeController, chart: Chart) -> None:
    LoadBalancedService(chart, "right", controller=acme, ports=[HTTPS], selector={"app": "right"})
    assert LoadBalancers.of(chart).findings == []
    LoadBalancedService(chart, "lb", controller=acme, ports=[HTTPS], selector={"app": "shop"}, proxy_protocol=True)
    (found,) = LoadBalancers.of(chart).errors
    assert (found.path, found.severity) == ("shop/lb", LoadBalancerFindingSeverity.ERROR)
    with pytest.raises(RuntimeError, match=rf"shop/lb.*\({found.finding.rule_id}\)"):
        yaml_of(chart)


@pytest.mark.parametrize(
    ("scheme", "network"),
    [(None, "internet"), (LoadBalancerScheme.INTERNAL, "office"), (LoadBalancerScheme.INTERNET_FACING, "internet")],
)
def test_a_request_is_changed_on_its_way_to_a_wrapped_controller(
    acme: AcmeController, chart: Chart, scheme: Optional[LoadBalancerScheme], network: str
) -> None:
    wrapper: ILoadBalancerController = PublicByDefault(acme)
    LoadBalancedService(chart, "lb", controller=wrapper, ports=[HTTPS], selector={"app": "shop"}, scheme=scheme)
    (planned,) = LoadBalancers.of(chart).all
    assert (planned.path, planned.plan.owner) == ("shop/lb", "acme-controller")
    assert f"acme.example/network: {network}" in yaml_of(chart)
