# How Sphinx makes the site of the docs: `npm run docs:site` hands over what it knows by the environment.
import json
import os

_site = json.loads(os.environ["SITE"])

project = _site["name"]
author = _site["author"]
language = "en"

extensions = ["myst_parser", "sphinx_design"]
root_doc = "index"
exclude_patterns = ["conf.py"]

# the Markdown of GitHub, and directives for what the build itself adds
myst_heading_anchors = 4
myst_disable_syntax = ["myst_role", "myst_target", "myst_line_comment", "myst_block_break"]
smartquotes = False
# a block that a highlighter cannot read is shown plainly
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_use_index = False
# summaries are fetched, which a browser does not do for files
html_show_search_summary = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"font-stack": "system-ui, sans-serif"},
    "navigation_with_keys": False,
}
# a block without a language is no Python
highlight_language = "text"
pygments_style = "default"
pygments_dark_style = "github-dark"
