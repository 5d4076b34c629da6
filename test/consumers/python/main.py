"""Writes dist/*.k8s.yaml, and permissions.json for the stack that makes the role of the controller."""

import json
from pathlib import Path

from cdk8s import App

from platform_app import platform

app = App()
permissions = [policy.to_policy_document() for policy in platform(app)]
app.synth()
Path("permissions.json").write_text(json.dumps(permissions, indent=2) + "\n")
