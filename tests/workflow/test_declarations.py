"""Rules declare the source files that their scripts use, and scripts log from their first line."""

import ast
import re
import textwrap
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*.py"))
IMPORTS = grimp.build_graph("ccerates", cache_dir=None)


def rules():
    """Return pairs of a script's name and the text of its rule."""
    texts = [path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk"))]
    in_loop = re.compile(r"^    rule:\n(?: {8}.*\n)+", flags=re.M)
    texts = [in_loop.sub(lambda rule: textwrap.dedent(rule[0]), text) for text in texts]
    found = [rule for text in texts for rule in re.split(r"^rule\b", text, flags=re.M)[1:]]
    scripts = [re.search(r'"\.\./scripts/(\w+)\.py"', rule) for rule in found]
    return [(match[1], rule) for match, rule in zip(scripts, found, strict=True) if match]


def with_imports(modules):
    upstream = (IMPORTS.find_upstream_modules(module) for module in modules)
    return {*modules}.union(*upstream)


RULES = rules()


def test_every_script_has_one_rule():
    assert sorted(script for script, _ in RULES) == [path.stem for path in SCRIPTS]


@pytest.mark.parametrize(
    ("script", "rule"), [(script, rule) for script, rule in RULES if "    output:\n" in rule]
)
def test_code_that_a_script_imports_is_an_input(script, rule):
    statements = ast.walk(ast.parse((ROOT / f"workflow/scripts/{script}.py").read_text()))
    imported = {each.module for each in statements if isinstance(each, ast.ImportFrom)}
    imported = {name for name in imported if name.startswith("ccerates")}
    (declared,) = re.findall(r"^        code=(.*?)^    \w", rule, flags=re.M | re.S)
    modules = re.findall(r'"(ccerates[\w.]*)"', declared)
    assert with_imports(imported) <= with_imports(modules)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_start_their_log_before_anything_can_fail(script):
    _docstring, first, block = ast.parse(script.read_text()).body
    assert ast.unparse(first) == "from ccerates.script import logged"
    assert ast.unparse(block.items[0]) == "logged(snakemake.log[0])"
