"""Answers for crates/ini/tests/it/pyffish.rs: a JSON line with a variant, a start and moves gives a line with the legal moves."""

import json
import sys

import pyffish

pyffish.load_variant_config(sys.stdin.readline().encode().decode("unicode_escape"))
known = set(pyffish.variants())
for line in sys.stdin:
    asked = json.loads(line)
    name = asked["variant"]
    # Unknown names end the process, and with it all other tests.
    if name not in known:
        print(json.dumps({"unknown": name}), flush=True)
        continue
    start = asked.get("fen") or pyffish.start_fen(name)
    moves = pyffish.legal_moves(name, start, asked["moves"])
    print(json.dumps({"start": start, "moves": sorted(moves)}), flush=True)
