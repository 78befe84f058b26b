"""The network as an ONNX graph for onnxruntime on a CPU.

Embedding table and matrices keep the four-bit blocks of the source bit by bit (operators GatherBlockQuantized and
MatMulNBits of the com.microsoft domain), so no second quantisation adds an error, and activations are quantised
row by row: the vector of a text does not depend on what else is in its batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from e5_weights import BLOCK

if TYPE_CHECKING:
    from e5_weights import Weights

MICROSOFT = "com.microsoft"
INT8_ACTIVATIONS = 4  # MatMulNBits' accuracy_level
EPSILON = 1e-12
OPSET = 21
IR_VERSION = 10


class Graph:
    """Nodes and constants in the order they are added; methods return the name of what they made."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, array: Any) -> str:
        """A tensor that is part of the model."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: Any) -> str:
        """One operator with one output."""
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def linear(self, source: str, prefixes: list[str], output: str) -> str:
        """The source times the quantised matrices of the prefixes side by side, plus their biases."""
        parts = [self.weights.blocks(prefix + ".w") for prefix in prefixes]
        bias = np.concatenate([self.weights.floats(prefix + ".b") for prefix in prefixes])
        per_row = sum(len(scales) for _, scales in parts) // len(bias)
        packed = _pack(np.concatenate([codes for codes, _ in parts])).reshape(len(bias), per_row, BLOCK // 2)
        scales = np.concatenate([scales for _, scales in parts]).reshape(len(bias), per_row)
        operands = [
            self.constant(output + ".codes", packed),
            self.constant(output + ".scales", scales),
            "",  # zero points: 8 unless given
            "",  # order of the columns: as they are
            self.constant(output + ".bias", bias),
        ]
        sizes = {"K": per_row * BLOCK, "N": len(bias), "bits": 4, "block_size": BLOCK}
        return self.node(
            "MatMulNBits", [source, *operands], output, domain=MICROSOFT, accuracy_level=INT8_ACTIVATIONS, **sizes
        )

    def layer_norm(self, source: str, prefix: str, output: str) -> str:
        """Normalised over the last axis."""
        scale = self.constant(output + ".scale", self.weights.floats(prefix + ".w"))
        shift = self.constant(output + ".shift", self.weights.floats(prefix + ".b"))
        return self.node("LayerNormalization", [source, scale, shift], output, axis=-1, epsilon=EPSILON)


def model_bytes(weights: Weights) -> bytes:
    """The serialised model: input_ids and attention_mask (batch, tokens) to last_hidden_state, sentence_embedding."""
    graph = Graph(weights)
    mask = graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    state = _embeddings(graph)
    for layer in range(weights.sizes.layers):
        state = _layer(graph, f"l{layer}", state, mask)
    graph.node("Identity", [state], "last_hidden_state")
    _mean(graph, state)
    return bytes(_model(graph, weights.sizes.hidden).SerializeToString())


def _pack(codes: Any) -> Any:
    """Neighbours of a block in one byte, the first of them in the low half."""
    return (codes[:, 0::2] | (codes[:, 1::2] << 4)).astype(np.uint8)


def _embeddings(graph: Graph) -> str:
    """Words + positions + the one token type, normalised."""
    weights, hidden = graph.weights, graph.weights.sizes.hidden
    codes, scales = weights.blocks("emb.word")
    signed = _pack(codes) ^ 0x88  # the operator reads two's complement: 0..15 less 8 flips the upper bit of each half
    words = helper.make_tensor("words", TensorProto.INT4, [codes.size // hidden, hidden], signed.tobytes(), raw=True)
    graph.constants.append(words)
    graph.constant("words.scales", scales.reshape(-1, hidden // BLOCK))
    inputs = ["words", "input_ids", "words.scales"]
    axes = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK}
    word = graph.node("GatherBlockQuantized", inputs, "word", domain=MICROSOFT, **axes)
    table = weights.floats("emb.pos").reshape(-1, hidden) + weights.floats("emb.type")[:hidden]
    graph.node("Add", [word, _first_rows(graph, graph.constant("positions", table))], "embedded")
    return graph.layer_norm("embedded", "emb.ln", "state")


def _first_rows(graph: Graph, table: str) -> str:
    """As many rows of the table as the batch has tokens."""
    shape = graph.node("Shape", ["input_ids"], "shape", start=1, end=2)
    zero = graph.constant("zero", np.array([0], np.int64))
    return graph.node("Slice", [table, zero, shape, zero], "position")


def _layer(graph: Graph, name: str, state: str, mask: str) -> str:
    """Self-attention and feed-forward, each with its residual and norm behind it (BERT's order)."""
    merged = graph.linear(state, [f"{name}.{part}" for part in "qkv"], f"{name}.qkv")
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [merged], parts, axis=-1, num_outputs=len(parts)))
    heads = graph.weights.sizes.heads
    inputs = [*parts, "", mask]
    attended = graph.node("MultiHeadAttention", inputs, f"{name}.attended", domain=MICROSOFT, num_heads=heads)
    attended = graph.linear(attended, [f"{name}.ao"], f"{name}.projected")
    graph.node("Add", [state, attended], f"{name}.sum1")
    state = graph.layer_norm(f"{name}.sum1", f"{name}.aln", f"{name}.state1")
    inner = graph.node("Gelu", [graph.linear(state, [f"{name}.fi"], f"{name}.inner")], f"{name}.gelu")
    outer = graph.linear(inner, [f"{name}.fo"], f"{name}.outer")
    graph.node("Add", [state, outer], f"{name}.sum2")
    return graph.layer_norm(f"{name}.sum2", f"{name}.oln", f"{name}.state2")


def _mean(graph: Graph, state: str) -> None:
    """The mean over the tokens that count, as a unit vector."""
    weight = graph.node("Cast", ["attention_mask"], "weight", to=TensorProto.FLOAT)
    last = graph.constant("last", np.array([-1], np.int64))
    tokens = graph.constant("tokens", np.array([1], np.int64))
    masked = graph.node("Mul", [state, graph.node("Unsqueeze", [weight, last], "column")], "masked")
    # the division by the number of tokens is left out: it does not change the direction
    total = graph.node("ReduceSum", [masked, tokens], "total", keepdims=0)
    graph.node("LpNormalization", [total], "sentence_embedding", axis=-1, p=2)


def _model(graph: Graph, hidden: int) -> onnx.ModelProto:
    batch: list[str | int] = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, batch) for name in ("input_ids", "attention_mask")]
    outputs = [
        helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*batch, hidden]),
        helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", hidden]),
    ]
    body = helper.make_graph(graph.nodes, "multilingual-e5-small", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=IR_VERSION, producer_name="agent-memory")
