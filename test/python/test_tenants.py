"""Tenants in Python: a shared load balancer, its guard, the ports that a command locks, and what is refused."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cdk8s import App, Chart, Size
from cdk8s_load_balancers import (
    AwsLoadBalancerController,
    KubernetesVersion,
    PortRange,
    SharedLoadBalancer,
    SharedLoadBalancerEngine,
    SharedPort,
    TenancyIdentity,
    TenantLoadBalancerGuard,
)


def shared(app: App, lock: Path, **more: Any) -> SharedLoadBalancer:
    platform = Chart(app, "platform", namespace="infra")
    TenantLoadBalancerGuard(
        platform,
        "Guard",
        namespace_labels={"cdk8s-load-balancers/tenant": "true"},
        min_source_range_prefix=16,
        kubernetes=KubernetesVersion.V1_36,
    )
    return SharedLoadBalancer(
        platform,
        "Shared",
        engine=SharedLoadBalancerEngine.envoy_gateway(controller=AwsLoadBalancerController.nlb()),
        platform=[TenancyIdentity.service_account("flux-system", "kustomize-controller")],
        hostname="tcp.example.com",
        port_lock=str(lock),
        **more,
    )


def attach(app: App, balancer: SharedLoadBalancer) -> None:
    balancer.attach(
        Chart(app, "team-a", namespace="team-a"),
        tenant="team-a",
        service="db",
        ports=[SharedPort(port=5432)],
        source_ranges=["10.0.0.0/16"],
    )


def tenants(lock: Path, outdir: Path) -> App:
    app = App(outdir=str(outdir))
    balancer = shared(app, lock)
    balancer.add_tenant("team-a", max_connections=200, runtime_ports=PortRange(first=20000, last=20009))
    attach(app, balancer)
    return app


def test_a_port_is_locked_by_the_command_alone(tmp_path: Path) -> None:
    lock = tmp_path / "ports.lock.json"
    with pytest.raises(Exception, match="run `cdk8s-load-balancers ports`"):
        tenants(lock, tmp_path / "dist").synth()

    command = Path(__file__).parents[2] / "bin" / "cdk8s-load-balancers"
    (tmp_path / "app.py").write_text(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path; import os\n"
        "from test_tenants import tenants\n"
        f"tenants(Path({str(lock)!r}), Path(os.environ['CDK8S_OUTDIR'])).synth()\n"
    )
    done = subprocess.run(
        ["node", str(command), "ports", "--app", f"{sys.executable} app.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert '"team-a/db:5432": { "balancer": 0, "port": 5432 }' in lock.read_text()

    tenants(lock, tmp_path / "dist").synth()
    written = (tmp_path / "dist" / "team-a.k8s.yaml").read_text()
    assert "name: tcp-5432" in written
    assert "- 10.0.0.0/16" in written
    # 200 connections over 2 proxies, and over 11 ports that the tenant has or may get
    assert "value: 9" in written


def test_a_limit_that_the_engine_cannot_keep_is_told(tmp_path: Path) -> None:
    app = App()
    balancer = shared(app, tmp_path / "ports.lock.json")
    balancer.add_tenant("team-a", bandwidth=Size.mebibytes(10))
    attach(app, balancer)
    with pytest.raises(Exception, match="engine-limit-unsupported"):
        app.synth_yaml()
