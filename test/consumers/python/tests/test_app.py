"""What the CI of this repository asks of its manifests."""

import cdk8s
import pytest
from cdk8s import App
from cdk8s_load_balancers import LoadBalancers
from syrupy.assertion import SnapshotAssertion

from platform_app import platform

app = App()
platform(app)
CHARTS = {chart.node.id: chart for chart in app.charts}


@pytest.mark.parametrize("name", CHARTS)
def test_the_manifests_are_what_they_were(name: str, snapshot: SnapshotAssertion) -> None:
    assert cdk8s.Testing.synth(CHARTS[name]) == snapshot


def test_nothing_stops_the_synth_and_every_warning_is_acknowledged() -> None:
    found = LoadBalancers.of(app)
    assert [(each.path, each.finding.rule_id) for each in found.errors] == []
    assert [each.finding.rule_id for each in found.warnings if each.acknowledged is None] == []
