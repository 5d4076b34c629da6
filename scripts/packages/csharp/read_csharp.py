"""Reads C# by its grammar, where no compiler is at hand.

    read_csharp.py LIBRARIES... APP

LIBRARIES are folders of generated packages, APP a folder with a program that uses them. Prints as JSON how many files and types
there are, and what a compiler would refuse: syntax errors, members that are named as their class (CS0542), types that are declared
twice in a namespace, members that an interface has and a class of the app has not, and names in the app that no type has. Of the
last it knows those of types, of what is initialized, and of variables whose type stands in the same file.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser

PARSER = Parser(Language(tree_sitter_c_sharp.language()))

TYPES = {"class_declaration", "interface_declaration", "enum_declaration", "struct_declaration"}
MEMBERS = {"method_declaration", "property_declaration", "enum_member_declaration", "event_declaration"}


@dataclass
class Type:
    name: str
    space: str
    place: str
    is_interface: bool
    bases: list[str]
    members: dict[str, str] = field(default_factory=dict)


@dataclass
class File:
    path: Path
    root: Node
    space: str


def text(node: Node | None) -> str:
    """A name as it is read: without its namespace, its escape, its arguments, and whether it may be null."""
    written = "" if node is None else node.text.decode().split("<")[0].rstrip("?")
    return written.split(".")[-1].lstrip("@")


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from walk(child)


def files_below(folder: Path) -> Iterator[File]:
    for path in sorted(folder.rglob("*.cs")):
        root = PARSER.parse(path.read_bytes()).root_node
        spaces = [node for node in walk(root) if node.type.endswith("namespace_declaration")]
        name = spaces[0].child_by_field_name("name") if spaces else None
        yield File(path, root, "" if name is None else name.text.decode())


def syntax_errors(file: File) -> list[str]:
    if not file.root.has_error:
        return []
    wrong = [node for node in walk(file.root) if node.is_error or node.is_missing]
    return [f"{file.path}:{node.start_point.row + 1}" for node in wrong]


def types_of(file: File) -> Iterator[Type]:
    for node in walk(file.root):
        if node.type not in TYPES or any(above.type in TYPES for above in above_of(node)):
            continue
        bases = [child for child in node.children if child.type == "base_list"]
        place = f"{file.path}:{node.start_point.row + 1}"
        made = Type(
            text(node.child_by_field_name("name")),
            file.space,
            place,
            node.type == "interface_declaration",
            [text(base) for each in bases for base in each.named_children],
        )
        body = node.child_by_field_name("body")
        for member in [] if body is None else body.named_children:
            if member.type in MEMBERS:
                made.members[text(member.child_by_field_name("name"))] = text(
                    member.child_by_field_name("type") or member.child_by_field_name("returns")
                )
        yield made


def above_of(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def members_of(name: str, types: dict[str, Type]) -> dict[str, str] | None:
    """The members of a type with those of its bases; nothing where one of them is of another library."""
    if name not in types:
        return None
    members: dict[str, str] = {}
    for base in types[name].bases:
        inherited = {} if base == "DeputyBase" else members_of(base, types)
        if inherited is None:
            return None
        members |= inherited
    return members | types[name].members


def variables_of(file: File) -> dict[str, str]:
    """The variables of a file whose type is written, by their names."""
    found: dict[str, str] = {}
    for node in walk(file.root):
        if node.type == "parameter":
            found[text(node.child_by_field_name("name"))] = text(node.child_by_field_name("type"))
        if node.type == "variable_declaration":
            declared = text(node.child_by_field_name("type"))
            for each in (child for child in node.named_children if child.type == "variable_declarator"):
                made = [child for child in each.named_children if child.type == "object_creation_expression"]
                found[text(each.child_by_field_name("name"))] = (
                    text(made[0].child_by_field_name("type")) if made and declared == "var" else declared
                )
    return found


def unknown_names(file: File, types: dict[str, Type]) -> Iterator[str]:
    variables = variables_of(file)
    for node in walk(file.root):
        place = f"{file.path}:{node.start_point.row + 1}"
        if node.type == "object_creation_expression":
            made = text(node.child_by_field_name("type"))
            members = members_of(made, types)
            initializer = node.child_by_field_name("initializer")
            for each in [] if initializer is None or members is None else initializer.named_children:
                name = text(each.child_by_field_name("left")) if each.type == "assignment_expression" else ""
                if name and members is not None and name not in members:
                    yield f"{place} {made} has no {name}"
            if members is None and made not in KNOWN:
                yield f"{place} there is no {made}"
        if node.type == "member_access_expression":
            of, name = node.child_by_field_name("expression"), text(node.child_by_field_name("name"))
            owner = text(of) if of is not None and of.type == "identifier" else ""
            members = members_of(variables.get(owner, owner), types)
            if members is not None and name not in members:
                yield f"{place} {variables.get(owner, owner)} has no {name}"


# of .NET itself
KNOWN = {"Dictionary"}


def missing_members(types: dict[str, Type], own: list[Type]) -> Iterator[str]:
    for each in own:
        for base in (types[name] for name in each.bases if name in types and types[name].is_interface):
            for name in sorted(base.members.keys() - each.members.keys()):
                yield f"{each.place} {each.name} has no {name} of {base.name}"


def main(libraries: list[Path], app: Path) -> None:
    generated = [file for folder in libraries for file in files_below(folder)]
    written = list(files_below(app))
    library_types = [each for file in generated for each in types_of(file)]
    own = [each for file in written for each in types_of(file)]
    declared: dict[tuple[str, str], list[str]] = {}
    for each in library_types:
        declared.setdefault((each.space, each.name), []).append(each.place)
    types = {each.name: each for each in library_types + own}
    print(
        json.dumps(
            {
                "files": len(generated),
                "types": len(library_types),
                "syntaxErrors": [error for file in generated + written for error in syntax_errors(file)],
                "namedAsTheirClass": [each.place for each in library_types + own if each.name in each.members],
                "declaredTwice": [name for (_, name), places in declared.items() if len(places) > 1],
                "missing": list(missing_members(types, own)),
                "unknown": [name for file in written for name in unknown_names(file, types)],
            }
        )
    )


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:-1]], Path(sys.argv[-1]))
