"""Reads and writes a file with libraries and commands of others: `peers.py FORMAT FILE`, for the bench `files`.

Prints a line for each peer of the format: name, seconds to read, seconds to write or `-`, between tabs. What is not
installed, cannot read the file, or takes more than a minute is named with `SKIPPED`.

    pip install translate-toolkit lxml polib PyYAML ruamel.yaml fluent.syntax tomlkit phply
    apt-get install gettext
"""

import importlib
import io
import json
import os
import signal
import subprocess
import sys
import time

LIMIT = 60


def load(module):
    return importlib.import_module(module)


def toolkit(module, name, **options):
    """A store of translate-toolkit, which most of its tools and Weblate use."""

    def prepare(_path, data):
        make = getattr(load(f"translate.storage.{module}"), name)

        def read():
            store = make(**options)
            store.parse(data)
            assert len(store.units) > 1
            return store

        return read, bytes

    return f"translate-toolkit {name}", prepare


def gettext_po(path, _data):
    polib = load("polib")
    return lambda: polib.pofile(path), lambda catalogue: str(catalogue).encode()


def msgfmt(path, _data):
    command = ["msgfmt", "--check-format", "-o", os.devnull, path]
    return lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL), None


def msgcat(path, _data):
    command = ["msgcat", "-o", os.devnull, path]
    return lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL), None


def python_json(_path, data):
    return lambda: json.loads(data), lambda value: json.dumps(value, ensure_ascii=False, indent=2).encode()


def pyyaml(_path, data):
    yaml = load("yaml")
    loader, dumper = yaml.CSafeLoader, yaml.CSafeDumper
    return lambda: yaml.load(data, Loader=loader), lambda value: yaml.dump(value, Dumper=dumper, allow_unicode=True)


def ruamel(_path, data):
    yaml = load("ruamel.yaml").YAML()
    return lambda: yaml.load(data), lambda value: yaml.dump(value, io.BytesIO())


def fluent(_path, data):
    syntax = load("fluent.syntax")
    text = data.decode()
    return lambda: syntax.parse(text), syntax.serialize


def tomlkit(_path, data):
    library = load("tomlkit")
    return lambda: library.parse(data), library.dumps


def tomllib(_path, data):
    text = data.decode()
    return lambda: load("tomllib").loads(text), None


def plist(_path, data):
    library = load("plistlib")
    return lambda: library.loads(data), library.dumps


def python_csv(_path, data):
    library = load("csv")
    text = data.decode()

    def write(rows):
        library.writer(io.StringIO()).writerows(rows)

    return lambda: list(library.reader(io.StringIO(text))), write


def configparser(_path, data):
    library = load("configparser")
    text = data.decode()

    def read():
        parser = library.RawConfigParser()
        parser.read_string(text)
        return parser

    return read, lambda parser: parser.write(io.StringIO())


def lxml_tree(_path, data):
    etree = load("lxml.etree")
    return lambda: etree.fromstring(data), etree.tostring


JSON = ("json of Python", python_json)
LXML = ("lxml, the tree alone", lxml_tree)
PEERS = {
    "json": [JSON, toolkit("jsonl10n", "JsonNestedFile")],
    "i18next": [JSON, toolkit("jsonl10n", "I18NextV4File")],
    "arb": [JSON, toolkit("jsonl10n", "ARBJsonFile")],
    "laravel-json": [JSON, toolkit("jsonl10n", "JsonFile")],
    "chrome": [JSON, toolkit("jsonl10n", "WebExtensionJsonFile")],
    "docusaurus": [JSON],
    "formatjs": [JSON, toolkit("jsonl10n", "FormatJSJsonFile")],
    "xcstrings": [JSON],
    "gettext": [
        ("polib", gettext_po),
        toolkit("pypo", "pofile"),
        ("msgfmt, starts and checks", msgfmt),
        ("msgcat, starts and writes", msgcat),
    ],
    "android": [LXML, toolkit("aresource", "AndroidResourceFile")],
    "resx": [LXML, toolkit("resx", "RESXFile")],
    "qt-ts": [LXML, toolkit("ts2", "tsfile")],
    "xliff-1.2": [LXML, toolkit("xliff", "xlifffile")],
    "xliff-2": [LXML, toolkit("xliff2", "Xliff2File")],
    "apple-stringsdict": [("plistlib", plist), toolkit("stringsdict", "StringsDictFile")],
    "apple-strings": [toolkit("properties", "stringsutf8file")],
    "properties": [toolkit("properties", "javafile")],
    "csv": [("csv of Python", python_csv), toolkit("csvl10n", "csvfile")],
    "ini": [("configparser", configparser)],
    "yaml": [("PyYAML with libyaml", pyyaml), ("ruamel.yaml", ruamel), toolkit("yaml", "RubyYAMLFile")],
    "toml": [("tomllib", tomllib), ("tomlkit", tomlkit), toolkit("toml", "GoI18nTOMLFile")],
    "php": [toolkit("php", "LaravelPHPFile")],
    "fluent": [("fluent.syntax", fluent), toolkit("fluent", "FluentFile")],
}


def timed(work):
    began = time.perf_counter()
    value = work()
    return time.perf_counter() - began, value


def best(work):
    """The best of several rounds, in two seconds or one round."""
    took, value = timed(work)
    spent = took
    while spent + took < 2:
        again, value = timed(work)
        spent, took = spent + again, min(took, again)
    return took, value


def too_long(_signal, _frame):
    raise TimeoutError(f"took more than {LIMIT} s")


def main(form, path):
    with open(path, "rb") as file:
        data = file.read()
    signal.signal(signal.SIGALRM, too_long)
    for name, prepare in PEERS.get(form, []):
        signal.alarm(LIMIT)
        try:
            read, write = prepare(path, data)
            took, value = best(read)
            wrote = f"{best(lambda: write(value))[0]:.6f}" if write else "-"
            print(f"{name}\t{took:.6f}\t{wrote}", flush=True)
        except Exception as error:  # whatever a library raises says that it has no figure
            print(f"SKIPPED: {name}: {type(error).__name__}: {str(error).splitlines()[:1]}", flush=True)
        finally:
            signal.alarm(0)


main(*sys.argv[1:])
