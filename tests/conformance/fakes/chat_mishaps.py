"""Chat templates with one fault each, of our own: shapes of publicly reported mishaps, and what else an audit finds."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Mishap:
    """A ``template`` beside the tokenizer of that name, and the defect that is to be found.

    ``seen`` is in what is said of it. ``reported`` is the public thread, if there is one; ``files`` are further ones.
    """

    defect: str
    seen: str
    template: str
    reported: str = ""
    tokenizer: str = "roberta-mini"
    tokens: dict[str, str] = field(default_factory=lambda: {"bos_token": "<s>", "eos_token": "</s>"})
    files: dict[str, str] = field(default_factory=dict)
    post_processor: object = None

    @property
    def name(self) -> str:
        return f"{self.defect} {self.reported}".strip()

    def written(self, folder: Path) -> Path:
        """Write the checkpoint into ``folder``, and return that."""
        shutil.copy(bundled_file(self.tokenizer), folder / "tokenizer.json")
        if self.post_processor is not None:
            document = json.loads((folder / "tokenizer.json").read_text("utf-8"))
            document["post_processor"] = self.post_processor or None
            (folder / "tokenizer.json").write_text(json.dumps(document), "utf-8")
        (folder / "tokenizer_config.json").write_text(json.dumps(self.tokens), "utf-8")
        if self.template:
            (folder / "chat_template.jinja").write_text(self.template, "utf-8")
        for name, content in self.files.items():
            (folder / name).write_text(content, "utf-8")
        return folder


TURN = "[{{ m.role }}] {{ m.content or '' }}{{ eos_token }}"
CALLS = "{% for c in m.tool_calls or [] %}[call] {{ c.function | tojson }}{% endfor %}"
TOOLS = "{% if tools %}[tools] {{ tools | tojson }}{{ eos_token }}{% endif %}"
BEGIN = "{% if add_generation_prompt %}[assistant] {% endif %}"
PARTS = (
    "{% macro said(c) %}{% if c is string %}{{ c }}{% else %}{% for p in c or [] %}{{ p.text }}{% endfor %}{% endif %}"
    "{% endmacro %}"
)


def of_turns(turn: str = TURN, before: str = "", after: str = BEGIN, tools: str = TOOLS) -> str:
    """Return a template that writes ``turn`` for each message ``m``."""
    return f"{PARTS}{before}{tools}{{% for m in messages %}}{turn}{{% endfor %}}{after}"


SOUND = of_turns(f"[{{{{ m.role }}}}] {{{{ said(m.content) }}}}{CALLS}{{{{ eos_token }}}}", before="{{ bos_token }}")
"""A template without any of the faults; its tokenizer adds no special tokens."""

GIVEN = "{{ said(m.content) }}"
ALTERNATING = (
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}{% endfor %}"
)
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system messages') }}{% endif %}"
THOUGHTS_KEPT_LAST = (
    "[{{ m.role }}] {% if loop.last or '</think>' not in said(m.content) %}{{ said(m.content) }}"
    "{% else %}{{ said(m.content).split('</think>')[-1].lstrip() }}{% endif %}{{ eos_token }}"
)

UNLESS = "{{% if not ({} and m.role == 'system') %}}[{{{{ m.role }}}}] {{{{ said(m.content) }}}}</s>{{% endif %}}"
SYSTEM_LAST = SOUND.replace(
    "in messages",
    "in messages | rejectattr('role', 'eq', 'system') | list + messages | selectattr('role', 'eq', 'system') | list",
)

CHANNELS = SOUND.replace("[{{ m.role }}] ", "[{{ m.role }}]{% if m.role == 'assistant' %}<final>{% endif %} ").replace(
    "[assistant] ", "[assistant]"
)
LINES_OF_JSON = (
    "{% for m in messages %}{{ m | tojson }}\n{{ eos_token if m.role == 'assistant' }}{% endfor %}"
    '{% if add_generation_prompt %}{{ \'{"role": "assistant", "content": "\' }}{% endif %}'
)
INSTRUCTIONS = (
    "{% for m in messages %}{% if m.role == 'user' %}{{ '[go] ' + said(m.content) + ' [/go]' }}"
    "{% else %}{{ ' ' + said(m.content) + eos_token }}{% endif %}{% endfor %}"
)
THOUGHTS_IN_ALL = SOUND.replace(
    "{{ said(m.content) }}",
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ said(m.content) }}",
)
ENDED_LAST = INSTRUCTIONS.replace("+ eos_token }}", "+ (eos_token if loop.last else '') }}")
SOUND_SHAPES = {
    "thoughts that stay, in a form of its own": (THOUGHTS_IN_ALL, set()),
    "thoughts that the prompt begins": (
        THOUGHTS_IN_ALL.replace("[assistant] ", "[assistant] <think>"),
        {"chat-generation-prompt-unlike", "chat-prefix-changed"},
    ),
    "the model writes the beginning of its answers": (CHANNELS, set()),
    "a line of JSON each": (LINES_OF_JSON, {"chat-tools-ignored"}),
    "no generation prompt, as an answer follows at once": (
        PARTS + INSTRUCTIONS,
        {"chat-tool-calls-lost", "chat-tools-ignored", "chat-roles-alike"},
    ),
    "no generation prompt, and an end of the last answer alone": (
        PARTS + ENDED_LAST,
        {"chat-tool-calls-lost", "chat-tools-ignored", "chat-roles-alike", "chat-prefix-changed"},
    ),
}
"""Templates of unusual shapes that are as they should be, and what else is true of each."""

REPORTED: tuple[Mishap, ...] = (
    Mishap("chat-bos-twice", 'writes "<s>" (id 0)', of_turns(before="{{ bos_token }}"), "vllm-project/vllm#9519"),
    Mishap(
        "chat-generation-prompt-always",
        "a conversation that is over",
        of_turns(after="[assistant] "),
        "huggingface/transformers#30893",
    ),
    Mishap("chat-prefix-changed", "an answer with thoughts", of_turns(THOUGHTS_KEPT_LAST), "QwenLM/Qwen3#1826"),
    Mishap("chat-tools-ignored", '"measure_distance"', of_turns(tools=""), "ggml-org/llama.cpp#27129"),
    Mishap(
        "chat-tool-calls-lost",
        "the result of the call, and not its name or arguments",
        of_turns(),
        "huggingface/trl#5517",
    ),
    Mishap(
        "chat-none-printed",
        "None",
        of_turns(f"[{{{{ m.role }}}}] {{{{ m.content }}}}{CALLS}{{{{ eos_token }}}}"),
        "vllm-project/vllm#54337",
    ),
    Mishap("chat-injection", '"</s>"', SOUND, "huggingface/transformers#29279"),
    Mishap("chat-system-refused", "no system messages", of_turns(before=NO_SYSTEM), "EricLBuehler/mistral.rs#45"),
    Mishap("chat-order-refused", "in a row", of_turns(before=ALTERNATING), "vllm-project/vllm#6862"),
    Mishap(
        "chat-continue",
        '"About nine hours. " is last',
        of_turns("[{{ m.role }}] {{ said(m.content) | trim }}{{ eos_token }}"),
        "huggingface/transformers#35433",
    ),
    Mishap(
        "chat-end-other",
        'eos_token is "<s>"',
        of_turns("[{{ m.role }}] {{ said(m.content) }}</s>"),
        "Blaizzy/mlx-vlm#2112",
        tokens={"eos_token": "<s>"},
        files={"generation_config.json": '{"eos_token_id": [0]}'},
    ),
)
"""The mishaps, each with the thread that reported it."""

BOTH_ENDS = {
    "type": "TemplateProcessing",
    "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {"</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}},
}

OTHERS: tuple[Mishap, ...] = (
    Mishap("chat-template-missing", "neither", ""),
    Mishap("chat-template-broken", "TemplateSyntaxError", "{% for m in messages %}"),
    Mishap("chat-template-broken", "tokenizer_config.json", SOUND, files={"tokenizer_config.json": "{"}),
    Mishap("chat-template-stopped", "512 MiB", SOUND + "{% if tools %}{{ 'x' * 2000000000 }}{% endif %}"),
    Mishap(
        "chat-template-differs",
        "chat_template.jinja and tokenizer_config.json",
        SOUND,
        files={"tokenizer_config.json": json.dumps({"chat_template": "older", "eos_token": "</s>"})},
    ),
    Mishap("chat-variables", "1 variable: enable_thinking", SOUND + "{% if enable_thinking %}<think>{% endif %}"),
    Mishap("chat-bos-not-written", '"<s>" (id 0)', of_turns()),
    Mishap(
        "chat-bos-other",
        'writes "</s>" (id 2)',
        of_turns(before="{{ bos_token }}"),
        tokens={"bos_token": "</s>", "eos_token": "</s>"},
    ),
    Mishap("chat-eos-after-prompt", '"</s>" (id 2)', SOUND, post_processor=BOTH_ENDS),
    Mishap("chat-marker-no-token", '"<|user|>"', of_turns("<|{{ m.role }}|> {{ said(m.content) }}{{ eos_token }}")),
    Mishap("chat-no-end", 'only "\\n\\n"', of_turns("{{ m.role }}: {{ said(m.content) }}\n\n")),
    Mishap(
        "chat-message-lost",
        "the developer",
        of_turns("{% if m.role != 'developer' %}[{{ m.role }}] {{ said(m.content) }}{{ eos_token }}{% endif %}"),
    ),
    Mishap("chat-trimmed", "before a message of the user", of_turns("[{{ m.role }}]{{ said(m.content) | trim }}</s>")),
    Mishap(
        "chat-none-refused",
        "null as content",
        of_turns(f"{{{{ '[' + m.role + '] ' + m.content + eos_token }}}}{CALLS}"),
    ),
    Mishap("chat-parts-printed", "'type': 'text'", of_turns("[{{ m.role }}] {{ m.content }}{{ eos_token }}")),
    Mishap(
        "chat-tools-refused",
        "no attribute",
        of_turns(tools="{% for t in tools or [] %}{{ t.name + ': ' }}{% endfor %}"),
    ),
    Mishap(
        "chat-arguments-refused",
        "an object as arguments",
        of_turns(TURN + "{% for c in m.tool_calls or [] %}{{ '[call] ' + c.function.arguments }}{% endfor %}"),
    ),
    Mishap(
        "chat-generation-prompt-unlike",
        "<think>",
        of_turns(after="{% if add_generation_prompt %}[assistant] <think>{% endif %}"),
    ),
    Mishap("chat-generation-prompt-ignored", "with it or without", of_turns(after="")),
    Mishap("chat-random", "others are not the same", SOUND + "{{ range(99) | random }}"),
    Mishap(
        "chat-order-changed", '"Then let us walk.", then "About', SOUND.replace("in messages", "in messages | reverse")
    ),
    Mishap("chat-order-changed", '"How far is Quito?", then "Speak', SYSTEM_LAST),
    Mishap("chat-roles-alike", '"About nine hours."', SOUND.replace("{{ m.role }}", "turn")),
    Mishap("chat-message-lost", "a system message first, where tools are given", of_turns(UNLESS.format("tools"))),
    Mishap(
        "chat-message-lost",
        "a system message first, where an answer is asked for",
        of_turns(UNLESS.format("add_generation_prompt")),
    ),
    Mishap("chat-message-lost", "a conversation of 41 messages", SOUND.replace("in messages", "in messages[-30:]")),
    Mishap("chat-content-changed", "signs that HTML escapes", SOUND.replace("{{ c }}", "{{ c | e }}")),
    Mishap("chat-content-changed", "capitals", SOUND.replace("{{ c }}", "{{ c | lower }}")),
    Mishap("chat-content-changed", "white space inside", SOUND.replace("{{ c }}", "{{ c.split() | join(' ') }}")),
    Mishap("chat-content-changed", "a long text", SOUND.replace("{{ c }}", "{{ c | truncate(900) }}")),
    Mishap("chat-content-changed", "the end of thoughts", SOUND.replace("{{ c }}", "{{ c.split('</think>')[-1] }}")),
    Mishap(
        "chat-content-twice",
        "of the user is there 2 times",
        of_turns(f"{GIVEN}{{% if m.role == 'user' %}}{GIVEN}{{% endif %}}"),
    ),
    Mishap("chat-several-lost", "two parts of a content", SOUND.replace("in c or []", "in (c or [])[:1]")),
    Mishap(
        "chat-several-lost", "two calls in one message", SOUND.replace("m.tool_calls or []", "(m.tool_calls or [])[:1]")
    ),
    Mishap("chat-several-lost", "two tools", SOUND.replace("{{ tools |", "{{ tools[:1] |")),
    Mishap("chat-tools-printed", "tools: the prompt has", SOUND.replace("{{ tools | tojson }}", "{{ tools }}")),
    Mishap("chat-tools-printed", "arguments: the prompt has", SOUND.replace("c.function | tojson", "c.function")),
    Mishap("chat-tool-arguments-lost", "the name of the call", SOUND.replace("c.function | tojson", "c.function.name")),
    Mishap(
        "chat-end-twice",
        '"</s></s>"',
        of_turns(f"[{{{{ m.role }}}}] {GIVEN}{CALLS}{{{{ eos_token }}}}{{{{ eos_token }}}}"),
    ),
    Mishap(
        "chat-bos-not-first",
        'begins "\\n<s>"',
        "\n" + of_turns(before="{{ bos_token }}").replace("endmacro %}", "endmacro -%}"),
    ),
    Mishap("chat-parts-lost", 'prompt is "<s>[user] </s>"', SOUND.replace("{{ p.text }}", "")),
    Mishap(
        "chat-roles-alike",
        "the result of a tool",
        SOUND.replace("[{{ m.role }}]", "[{{ {'tool': 'assistant'}[m.role] or m.role }}]"),
    ),
    Mishap(
        "chat-message-lost",
        "text beside a call",
        SOUND.replace("{{ said(m.content) }}", "{{ said(m.content) if not m.tool_calls }}"),
    ),
    Mishap(
        "chat-tools-ignored", "and not in the next", SOUND.replace("if tools", "if tools and messages | length == 1")
    ),
    Mishap(
        "chat-content-changed",
        "in a system message",
        SOUND.replace("said(m.content)", "said(m.content) | upper if m.role == 'system' else said(m.content)"),
    ),
    Mishap(
        "chat-content-twice",
        '"How far is Quito?" of the user',
        SOUND.replace("[{{ m.role }}]", "[{{ m.role }}]{{ messages[0].content if m.role == 'tool' }}"),
    ),
    Mishap("chat-date", "03 Feb 2025", SOUND + "{{ strftime_now('%d %b %Y') }}"),
)
"""What else there is to find."""
