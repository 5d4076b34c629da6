"""What is published to Python users: the page of the package, and the snippets of the docs."""

import re
from importlib.metadata import files, metadata
from pathlib import Path

import cdk8s_load_balancers as library
import jsii
import pytest
from cdk8s import App, Chart
from cdk8s_plus_27 import ContainerProps, Deployment
from constructs import Construct

DOCS = Path(__file__).parents[2] / "docs"
# what is marked is a file of its own, which test:languages writes and runs
FENCE = re.compile(r"(?<!-->\n)^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)

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


def test_the_index_can_say_what_it_is_and_whose() -> None:
    about = metadata("cdk8s-load-balancers")
    classifiers = about.get_all("Classifier") or []
    assert "Topic :: System :: Networking" in classifiers
    assert "Typing :: Typed" in classifiers
    assert about["License"] == "Apache-2.0"
    assert about["Requires-Python"] == ">=3.10"
    assert about["Home-page"] == "https://github.com/cdk8s-load-balancers/cdk8s-load-balancers"


def test_the_wheel_has_the_module_the_package_of_npm_and_the_commands_alone() -> None:
    names = [str(file) for file in files("cdk8s-load-balancers") or [] if "__pycache__" not in str(file)]
    of_use = re.compile(
        r"cdk8s_load_balancers/(__init__\.py|py\.typed|_jsii/(__init__\.py|bin/[\w.-]+|cdk8s-load-balancers@[\d.]+\.jsii\.tgz))"
        r"|cdk8s_load_balancers-[\w.]+\.dist-info/.*|(\.\./)+bin/(cdk8s-load-balancers|kubectl-lb)"
    )
    assert len(names) > 5
    assert [name for name in names if not of_use.fullmatch(name)] == []


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
