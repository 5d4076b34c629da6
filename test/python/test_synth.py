"""A synth from Python: what is decorated is called by the jsii kernel as well, and may be overridden in Python."""

from pathlib import Path
from typing import Any, List

import pytest
from cdk8s import ApiObject, App, Chart, JsonPatch, YamlOutputType
from cdk8s_load_balancers import (
    AcceptedLoadBalancerLoss,
    AdoptedService,
    AwsIdentity,
    AwsLoadBalancerController,
    AwsLoadBalancerControllerInstallation,
    LoadBalancedService,
    LoadBalancerDiff,
    LoadBalancerOutcome,
    LoadBalancerPort,
    LoadBalancerProtection,
    LoadBalancerScheme,
    NodePool,
    NodepoolPinnedService,
    TargetGroupBinding,
    NlbTargetType,
    WebhookCertificate,
)

TOKEN = "${Token[TOKEN.12]}"
POD = {"metadata": {"labels": {"app": "echo"}}, "spec": {"containers": [{"name": "echo", "image": "echo:1"}]}}


class OwnApp(App):
    """An app that does something before it is written."""

    synthesized = 0

    def synth(self) -> None:
        self.synthesized += 1
        super().synth()


class Noted(ApiObject):
    """An object whose class adds something to what is written."""

    def to_json(self) -> Any:
        json = super().to_json()
        json["metadata"].setdefault("annotations", {}).setdefault("notes", "")
        json["metadata"]["annotations"]["notes"] += "!"
        return json


def installation(app: App) -> None:
    AwsLoadBalancerControllerInstallation(
        Chart(app, "system", namespace="kube-system"),
        "Controller",
        cluster_name="prod",
        region="eu-west-1",
        vpc_id=TOKEN,
        identity=AwsIdentity.pod_identity(),
        certificate=WebhookCertificate.cert_manager(),
    )


def binding(app: App) -> None:
    TargetGroupBinding(
        Chart(app, "edge"),
        "Binding",
        target_group_arn=TOKEN,
        target_type=NlbTargetType.IP,
        service_name="echo",
        service_port=443,
    )


@pytest.mark.parametrize("make", [installation, binding])
@pytest.mark.parametrize("kind", [App, OwnApp])
def test_a_token_is_no_text_for_a_file(make: Any, kind: Any, tmp_path: Path) -> None:
    app = kind(outdir=str(tmp_path))
    make(app)
    with pytest.raises(Exception, match="token-unresolved"):
        app.synth()
    with pytest.raises(Exception, match="token-unresolved"):
        app.synth_yaml()
    assert list(tmp_path.iterdir()) == []


def test_a_subclass_of_an_app_writes(tmp_path: Path) -> None:
    app = OwnApp(outdir=str(tmp_path))
    service(Chart(app, "a"), "echo", "a")
    app.synth()
    assert app.synthesized == 1
    assert [file.name for file in tmp_path.iterdir()] == ["a.k8s.yaml"]


def deployment(chart: Chart, kind: Any = ApiObject) -> ApiObject:
    made: ApiObject = kind(chart, "Echo", api_version="apps/v1", kind="Deployment")
    made.add_json_patch(
        JsonPatch.add("/spec", {"selector": {"matchLabels": {"app": "echo"}}, "template": POD}),
    )
    return made


def pinned(chart: Chart, workload: ApiObject) -> None:
    NodepoolPinnedService(
        chart,
        "Service",
        controller=AwsLoadBalancerController.nlb(),
        node_pool=NodePool.labeled({"pool": "edge"}),
        workload=workload,
        ports=[LoadBalancerPort(port=443)],
    )


def terms(json: Any) -> List[Any]:
    affinity = json["spec"]["template"]["spec"]["affinity"]["nodeAffinity"]
    found: List[Any] = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    return found


PINNED = [{"matchExpressions": [{"key": "pool", "operator": "In", "values": ["edge"]}]}]


def test_a_pinned_workload_says_so_in_its_json() -> None:
    chart = Chart(App(), "chart")
    workload = deployment(chart)
    pinned(chart, workload)
    assert terms(workload.to_json()) == PINNED
    assert workload.to_json() in chart.to_json()


def test_a_workload_of_a_class_that_overrides_its_json_is_pinned() -> None:
    chart = Chart(App(), "chart")
    workload = deployment(chart, Noted)
    pinned(chart, workload)
    [json] = [json for json in chart.to_json() if json["kind"] == "Deployment"]
    assert terms(json) == PINNED
    assert json["metadata"]["annotations"]["notes"] == "!"


def test_a_service_of_a_class_that_overrides_its_json_is_adopted() -> None:
    chart = Chart(App(), "chart")
    manifest = Noted(chart, "Echo", api_version="v1", kind="Service")
    manifest.add_json_patch(JsonPatch.add("/spec", {"selector": {"app": "echo"}, "ports": [{"port": 443}]}))
    AdoptedService(
        chart,
        "Adopted",
        controller=AwsLoadBalancerController.nlb(),
        scheme=LoadBalancerScheme.INTERNAL,
        service=manifest,
    )
    [json] = chart.to_json()
    assert json["spec"]["loadBalancerClass"] == "service.k8s.aws/nlb"
    assert json["metadata"]["annotations"]["notes"] == "!"


def service(chart: Chart, name: str, namespace: str) -> None:
    LoadBalancedService(
        chart,
        f"{namespace}-{name}",
        controller=AwsLoadBalancerController.nlb(),
        name=name,
        namespace=namespace,
        selector={"app": "echo"},
        ports=[LoadBalancerPort(port=443)],
    )


def test_two_services_in_one_file_are_an_error(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path), yaml_output_type=YamlOutputType.FILE_PER_RESOURCE)
    chart = Chart(app, "chart")
    service(chart, "echo", "a")
    service(chart, "echo", "b")
    with pytest.raises(Exception, match="output-file-duplicate"):
        app.synth()
    assert list(tmp_path.iterdir()) == []


def echo(app: App, name: str) -> LoadBalancedService:
    return LoadBalancedService(
        Chart(app, "edge", namespace="edge"),
        "Echo",
        name=name,
        controller=AwsLoadBalancerController.nlb(),
        selector={"app": "echo"},
        ports=[LoadBalancerPort(port=443)],
    )


def test_what_a_change_does_to_live_balancers() -> None:
    older, newer = App(), App()
    echo(older, "echo")
    echo(newer, "shop")
    diff = LoadBalancerDiff.between(older, newer, prune=True)
    assert "edge/shop" in [change.service for change in diff.changes]
    lost = diff.of_service("edge/echo")
    assert lost is not None and lost.outcome in [loss.outcome for loss in diff.losses]
    assert "edge/echo" in diff.text()


def test_a_protected_balancer_is_not_lost(tmp_path: Path) -> None:
    def write(name: str, accept: List[AcceptedLoadBalancerLoss]) -> None:
        app = App(outdir=str(tmp_path))
        echo(app, name).protect()
        LoadBalancerProtection(app, "Protection", accept=accept)
        app.synth()

    write("echo", [])
    with pytest.raises(RuntimeError, match="edge/echo .* is protected .*protected-balancer-lost"):
        write("shop", [])
    agreed = [
        AcceptedLoadBalancerLoss(service="edge/echo", outcome=outcome, reason="nobody calls it")
        for outcome in (LoadBalancerOutcome.DELETED, LoadBalancerOutcome.REPLACED, LoadBalancerOutcome.ORPHANED)
    ]
    write("shop", agreed)
