"""Writes C# again as the compiler of Mono reads it, so that types are compared where there is no .NET SDK.

    older_csharp.py FROM TO

FROM is a folder of generated packages and of an app that uses them. Mono knows C# 7: what came later, and says nothing of types, is
taken out or written in an older way.

- Whether a reference may be null: `string?`, and the `!` behind a value.
- Members of interfaces with a body, which jsii has for optional ones: they lose it, and classes that lack such a member get it.
- The proxies of jsii inside interfaces, which programs do not see.
- Statements outside of classes: they are the method Main of a class.
"""

import sys
from pathlib import Path

from read_csharp import PARSER, Node, files_below, text, types_of, walk

VALUES = {"bool", "byte", "char", "decimal", "double", "float", "int", "long"}

Edit = tuple[int, int, bytes]


def is_in_interface(node: Node) -> bool:
    above = node.parent.parent if node.parent else None
    return above is not None and above.type == "interface_declaration"


def name_of(node: Node) -> str:
    return text(node.child_by_field_name("name"))


class Rewriter:
    def __init__(self, folder: Path) -> None:
        self.files = list(files_below(folder))
        self.enums = {
            name_of(node) for file in self.files for node in walk(file.root) if node.type == "enum_declaration"
        }
        self.optional = {
            one.name: self.optional_members(file.root)
            for file in self.files
            for one in types_of(file)
            if one.is_interface
        }

    def optional_members(self, root: Node) -> dict[str, str]:
        """Properties of interfaces that have a body, with their types as Mono has them."""
        found: dict[str, str] = {}
        for node in walk(root):
            if node.type == "property_declaration" and is_in_interface(node) and b"return" in node.text:
                kind = node.child_by_field_name("type")
                is_nullable = kind.type == "nullable_type" and not self.is_value(kind.children[0])
                found[name_of(node)] = (kind.children[0] if is_nullable else kind).text.decode()
        return found

    def is_value(self, node: Node) -> bool:
        return node.text.decode() in VALUES or text(node) in self.enums | {"DateTime"}

    def nullable(self, node: Node) -> list[Edit]:
        mark = node.children[-1]
        return [] if self.is_value(node.children[0]) else [(mark.start_byte, mark.end_byte, b"")]

    def missing_members(self, node: Node) -> list[Edit]:
        bases = [base for child in node.children if child.type == "base_list" for base in child.named_children]
        own = {name_of(member) for member in walk(node) if member.type == "property_declaration"}
        added = [
            f" {kind} {base.text.decode()}.{name} {{ get {{ return default({kind}); }} }}"
            for base in bases
            for name, kind in self.optional.get(text(base), {}).items()
            if name not in own
        ]
        start = node.child_by_field_name("body").start_byte + 1
        return [(start, start, "".join(added).encode())] if added else []

    def edits(self, node: Node) -> list[Edit]:
        """What changes in a node; what is taken out whole is not looked into."""
        if node.type == "class_declaration" and is_in_interface(node):
            return [(node.start_byte, node.end_byte, b"")]
        if node.type == "accessor_list" and node.parent and is_in_interface(node.parent):
            words = [word.type for child in node.named_children for word in child.children if word.type in ("get", "set")]
            return [(node.start_byte, node.end_byte, f"{{ {' '.join(f'{word};' for word in words)} }}".encode())]
        here: list[Edit] = []
        if node.type == "nullable_type":
            here = self.nullable(node)
        elif node.type == "postfix_unary_expression" and node.children[-1].type == "!":
            here = [(node.children[-1].start_byte, node.children[-1].end_byte, b"")]
        elif node.type == "class_declaration":
            here = self.missing_members(node)
        return here + [edit for child in node.children for edit in self.edits(child)]

    def rewritten(self, root: Node) -> bytes:
        result = root.text
        statements = [node for node in root.children if node.type == "global_statement"]
        edits = self.edits(root)
        if statements:
            start, end = statements[0].start_byte, statements[-1].end_byte
            edits += [(start, start, b"internal static class Program { private static void Main() {\n"), (end, end, b"\n} }")]
        for start, end, put in sorted(edits, reverse=True):
            result = result[:start] + put + result[end:]
        return result


def main(source: Path, target: Path) -> None:
    rewriter = Rewriter(source)
    for file in rewriter.files:
        to = target / file.path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(rewriter.rewritten(file.root))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
