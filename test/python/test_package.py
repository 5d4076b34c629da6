"""What is published to Python users: the page of the package, and the snippets of the docs."""

import re
from importlib.metadata import metadata
from pathlib import Path

import cdk8s_load_balancers as library
import jsii
import pytest
from cdk8s import App, Chart
from cdk8s_plus_27 import ContainerProps, Deployment
from constructs import Construct

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)

README = metadata("cdk8s-load-balancers")["Description"]


def test_the_page_of_the_package_is_in_python() -> None:
    snippets = FENCE.findall(README)
    assert snippets
    for snippet in snippets:
        compile(snippet, "README", "exec")


def test_no_link_of_the_page_needs_the_repository() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", README, flags=re.DOTALL | re.MULTILINE))
    assert links
    assert [link for link in links if not link.startswith(("https:", "#"))] == []


@pytest.mark.parametrize("page", sorted(page for page in DOCS.rglob("*.md") if FENCE.search(page.read_text())))
def test_the_python_of_the_docs_runs(page: Path) -> None:
    chart = Chart(App(), "docs")
    names = {
        **vars(library),
        "jsii": jsii,
        "Construct": Construct,
        "chart": chart,
        "echo": Deployment(chart, "echo", containers=[ContainerProps(image="echo:1", port_number=8080)]),
    }
    for snippet in FENCE.findall(page.read_text()):
        exec(snippet, names)
    App.of(chart).synth_yaml()


def test_parameters_are_named_as_those_of_the_interface() -> None:
    chart = Chart(App(), "keywords")
    request = library.LoadBalancerRequest(ports=[library.LoadBalancerPort(port=443)])
    plan = library.AwsLoadBalancerController.nlb().bind(scope=chart, request=request)
    assert plan.owner == "aws-load-balancer-controller"
