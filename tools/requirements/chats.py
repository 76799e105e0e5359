"""Recipes of chat templates: what a template may count on, and what becomes of its text.

The templates are our own, as small as what they show. The target of these requirements is ``transformers``.
"""

from __future__ import annotations

from typing import Any

from requirements.recipe import (
    UNKNOWN,
    Area,
    CaseRecipe,
    Document,
    Questions,
    added,
    case,
    chat,
    component,
    numbered,
    tokenizer,
)

CHATS = Area(
    "chat",
    "Chat templates",
    "chat",
    "A conversation becomes the text of a prompt by the chat template beside tokenizer.json, and the text becomes ids. The template is in Jinja, and these requirements say what it may count on. Expected values are those of `transformers` 5.23.",
)

DOCUMENT = tokenizer(
    {"type": "WordLevel", "vocab": numbered([UNKNOWN, "<s>", "</s>", "Hi", "Yes", "No"]), "unk_token": UNKNOWN},
    pre_tokenizer=component("WhitespaceSplit"),
    post_processor=component(
        "TemplateProcessing",
        single=[{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        pair=[{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        special_tokens={"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    ),
    added_tokens=[added(1, "<s>", special=True), added(2, "</s>", special=True)],
)
"""A tokenizer that adds a BOS token to texts."""

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def rendered(template: str | list[Document], *questions: Questions) -> CaseRecipe:
    """Return a case of conversations with ``template``, which is a text, or several with names."""
    configuration = {"tokenizer_class": "PreTrainedTokenizerFast", **SPECIAL_TOKENS, "chat_template": template}
    return case(DOCUMENT, *questions, configuration=configuration)


def says(role: str, content: Any, **members: Any) -> Document:
    """Return a message."""
    return {"role": role, "content": content, **members}


HI, YES, NO = says("user", "Hi"), says("assistant", "Yes"), says("user", "No")
ONE = chat(HI)
TWO = chat(HI, YES)
TALK = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}


def core(head: str, rule: str, why: str, *cases: CaseRecipe) -> None:
    """Add a requirement that everyday templates need."""
    CHATS.requirement(head, rule, why, *cases, features=["chat"])


def edge(head: str, rule: str, why: str, *cases: CaseRecipe) -> None:
    """Add a requirement of rare templates."""
    CHATS.edge(head, rule, why, *cases, features=["chat"])


def quirk(head: str, rule: str, why: str, *cases: CaseRecipe) -> None:
    """Add an oddity of the target."""
    CHATS.quirk(head, rule, why, *cases, features=["chat"])


# White space ---------------------------------------------------------------------------------------------------------

core(
    "CHAT-TRIM-BLOCKS: The line break after a block is dropped",
    "One line break right after a block (`{% … %}`) is not part of the text (`trim_blocks`). A line break after an expression (`{{ … }}`) stays, and so does a second one.",
    "Engines of Jinja keep it by default, so prompts have empty lines that the model never saw.",
    rendered("{% for m in messages %}\n{{ m.content }}\n{% endfor %}\n\nend", ONE, TWO),
)
core(
    "CHAT-LSTRIP-BLOCKS: White space before a block that begins a line is dropped",
    "Spaces and tabs between the beginning of a line and a block are not part of the text (`lstrip_blocks`). Those before an expression stay, and so do those before a block that stands behind something else.",
    "Engines of Jinja keep it by default, so indented templates write their indentation into the prompt.",
    rendered(
        "a\n  {% for m in messages %}\n\t {% if true %}\n  {{ m.content }}  {% endif %}\n  {% endfor %}", ONE, TWO
    ),
)
core(
    "CHAT-LAST-LINE-BREAK: The line break that ends a template is dropped",
    "A template that ends in a line break gives a text without it; of several only the last one is dropped.",
    "Files end in a line break, and a prompt with one more begins another answer.",
    rendered("{{ messages[0].content }}\n", ONE),
    rendered("{{ messages[0].content }}\n\n", ONE),
)
core(
    "CHAT-DASHES: Dashes within the marks of a tag drop all white space on their side",
    "`{%- … -%}` and `{{- … -}}` drop spaces and line breaks before and behind them, however many.",
    "Who renders by replacing texts keeps some of it.",
    rendered("a \n\n {%- for m in messages -%} \n\n {{- m.content -}} \n b {%- endfor -%} \n c", ONE, TWO),
)

# The language --------------------------------------------------------------------------------------------------------

core(
    "CHAT-LOOP-CONTROLS: Loops can be left, and gone on with",
    "`{% break %}` ends a loop and `{% continue %}` begins the next round.",
    "They are an extension of Jinja, so engines without it refuse the template.",
    rendered(
        "{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}{{ m.content }}{% if m.content == 'Yes' %}{% break %}{% endif %}{% endfor %}",
        chat(says("system", "Be"), HI, YES, NO),
        ONE,
    ),
)
core(
    "CHAT-LOOP-SCOPE: What a loop sets is gone after it, but for members of a namespace",
    "A variable that is set within a loop has its earlier value in the next round and after the loop. A member of a `namespace(…)` keeps what it is set to.",
    "Engines with one scope for all take system messages twice, or count turns otherwise.",
    rendered(
        "{% set a = 'x' %}{% set n = namespace(b='x') %}{% for m in messages %}{{ a }}{{ n.b }}{% set a = m.content %}{% set n.b = m.content %}{% endfor %}{{ a }}{{ n.b }}",
        ONE,
        TWO,
    ),
)
core(
    "CHAT-NO-HTML: What is printed is not escaped",
    "Text of messages is printed as it is: no character becomes an entity of HTML, and what looks like a tag of the template is text.",
    "Jinja for web pages escapes `<`, `>`, `&` and quotes.",
    rendered(TALK, chat(says("user", "<b> & \"it\" 'is' {{ 7 * 7 }} {% if %}"))),
)
core(
    "CHAT-CONSTANTS: Constants print as Python writes them",
    "None, true and false of a template or of JSON print as `None`, `True` and `False`; a list and an object print as Python writes them, too.",
    "Engines in other languages print `null`, `true` or nothing.",
    rendered(
        "{{ none }} {{ true }} {{ false }} {{ messages[0].x }} {{ messages[0].y }}",
        chat(says("user", "Hi", x=True, y=[None, False, "a", {"b": 1.5}])),
    ),
)
core(
    "CHAT-MISSING-IS-EMPTY: What is not there prints nothing",
    "A name, a member or an index that is not there prints as nothing, is false, and is not `defined`.",
    "Strict engines refuse the conversation; others print `undefined`.",
    rendered(
        "[{{ nothing }}{{ messages[0].nothing }}{{ messages[0]['nothing'] }}{{ messages[7] }}]{{ nothing is defined }}{% if messages[0].name %}n{% endif %}{{ messages[0].name | default('d') }}",
        ONE,
        chat(says("user", "Hi", name="Ada")),
    ),
)
edge(
    "CHAT-MISSING-MEMBER-REFUSED: A member of what is not there is an error",
    "Asking for a member of something that is not there refuses the conversation.",
    "Engines where this is nothing again render prompts with parts missing.",
    rendered("{{ messages[0].function.name }}", ONE, chat(says("user", "Hi", function={"name": "find"}))),
)
core(
    "CHAT-RAISE-EXCEPTION: A template can refuse a conversation",
    "`raise_exception(message)` ends the rendering with an error: there is no prompt.",
    "Engines without this function go on, so the model reads what it was never trained on.",
    rendered(
        "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles alternate') }}{% endif %}{{ m.content }}{% endfor %}",
        TWO,
        chat(HI, NO),
        chat(YES),
    ),
)
edge(
    "CHAT-STRFTIME-NOW: Templates are told the time",
    "`strftime_now(format)` is the local time as `strftime` of C writes it. Whoever is asked here tells the 3rd of February 2025, 4:05:06.",
    "Engines lack the function, tell another zone, or know only some of the formats.",
    rendered("{{ strftime_now('%d %b %Y') }} {{ strftime_now('%H:%M:%S %j %%') }}", ONE),
)
core(
    "CHAT-GENERATION-BLOCK: The block that marks answers prints what is in it",
    "`{% generation %} … {% endgeneration %}` changes nothing in the text.",
    "It is an extension of the target for training, and engines that lack it refuse the template.",
    rendered(
        "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}{% else %}<s>{{ m.content }}{% endif %}{% endfor %}",
        ONE,
        TWO,
    ),
)
quirk(
    "CHAT-GENERATION-SCOPE: What the block of answers sets is gone after it",
    "A variable that is set within `{% generation %}` has its earlier value after the block.",
    "The block is a call with a body; engines that drop its tags keep the new value.",
    rendered(
        "{% set a = 'x' %}{% generation %}{% set a = messages[0].content %}{{ a }}{% endgeneration %}{{ a }}", ONE
    ),
)
quirk(
    "CHAT-RANGE-LIMIT: A range has at most 100,000 numbers",
    "`range` of 100,000 numbers can be made, a longer one is an error.",
    "Engines without the limit can be kept busy by a template.",
    rendered(
        "{{ range(messages[0].n) | length }}", chat(says("user", "Hi", n=100000)), chat(says("user", "Hi", n=100001))
    ),
)
edge(
    "CHAT-SANDBOX-CHANGES: A template cannot change what it is given",
    "Methods that change a list or an object (`append`, `update`, `pop`, …) are refused.",
    "Engines that allow it change the messages of the caller.",
    rendered(
        "{% if messages[0].content == 'No' %}{{ messages.append(1) }}{% endif %}{{ messages | length }}", ONE, chat(NO)
    ),
    rendered(
        "{% if messages[0].content == 'No' %}{{ messages[0].update({'a': 1}) }}{% endif %}{{ messages[0].content }}",
        ONE,
        chat(NO),
    ),
)
edge(
    "CHAT-SANDBOX-UNDERSCORES: Attributes that begin with an underscore are refused",
    "What a template makes of an attribute such as `__class__` or `__init__` is an error.",
    "Through these a template reaches all of the program that renders it.",
    rendered(
        "{% if messages[0].content == 'No' %}{{ messages.__class__.__base__ }}{% endif %}{{ messages[0].content }}",
        ONE,
        chat(NO),
    ),
)

# JSON ----------------------------------------------------------------------------------------------------------------

core(
    "CHAT-TOJSON-TEXT: JSON has all characters as they are",
    "`tojson` escapes neither what is not ASCII nor `<`, `>`, `&` and `'`; quotes, backslashes and control characters become escapes of JSON.",
    "Jinja's own filter escapes for web pages, and Python's encoder writes ASCII.",
    rendered("{{ messages[0].content | tojson }}", chat(says("user", "é 世 😀 <b> & 'a' \"c\" \\ / \t\n\x7f")), ONE),
)
core(
    "CHAT-TOJSON-ORDER: JSON keeps the order of members, with a space after commas and colons",
    "`tojson` writes the members of an object in the order in which they came, `, ` between members and `: ` after a name.",
    "Jinja's own filter sorts the members, and encoders of other languages write no spaces.",
    rendered(
        "{{ messages[0].x | tojson }}",
        chat(says("user", "Hi", x={"b": [1, 2.5, None], "a": {"d": True, "c": {}}, "e": []})),
    ),
)
core(
    "CHAT-TOJSON-INDENT: JSON is laid out where the template asks for it",
    "`tojson(indent=n)` has a line for each member and element, indented by `n` spaces more for each level; what is empty stays on one line.",
    "Engines ignore the argument, or leave spaces at the ends of lines.",
    rendered(
        "{{ messages[0].x | tojson(indent=2) }}\n{{ messages[0].x | tojson(indent=4) }}",
        chat(says("user", "Hi", x={"b": [1, {"c": "d"}], "a": {}, "e": []})),
    ),
)

# What a template is given --------------------------------------------------------------------------------------------

core(
    "CHAT-SPECIAL-TOKENS: Special tokens are variables",
    "Tokens with a role, such as `bos_token` and `eos_token`, are variables with their text; a role that no token has is not there.",
    "Engines give no such variables, or the ids in place of the text.",
    rendered("{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ sep_token }}", ONE),
)
core(
    "CHAT-GENERATION-PROMPT: The beginning of an answer is written where it is asked for",
    "`add_generation_prompt` is a variable: true where the prompt is to end with the beginning of an answer, else false.",
    "Engines that always set it train on, or continue, an answer too many.",
    rendered(f"{TALK}{{% if add_generation_prompt %}}<assistant>{{% endif %}}", ONE, chat(HI, prompt=True)),
)
core(
    "CHAT-TOOLS: Tools are given as they are, or are none",
    "`tools` is the list of tools with all their members in order. Without tools it is none, and an empty list is an empty list.",
    "Engines rebuild tools from what they know of them, and lose or reorder members.",
    rendered(
        "{% if tools is not none %}{{ tools | length }}{{ tools | tojson }}{% endif %}{{ messages[0].content }}",
        ONE,
        chat(HI, tools=[TOOL]),
        chat(HI, tools=[{"x": None, "name": "a"}]),
        chat(HI, tools=[]),
    ),
)
core(
    "CHAT-PARTS: Content in parts is given as it is",
    "Content that is a list of parts is given to the template as that list.",
    "Engines make one text of the parts before the template sees them.",
    rendered(
        "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}[{{ p.type }}{{ p.text }}]{% endfor %}{% endif %}{% endfor %}",
        chat(says("user", [{"type": "text", "text": "Hi"}, {"type": "image"}]), YES),
    ),
)
quirk(
    "CHAT-NULL-MEMBERS: Members that are null are left out",
    "A member of a message that is null is not there when the template looks for it; within other values null stays.",
    "Engines keep it, so templates that ask for `defined` print `None`.",
    rendered(
        "{% for m in messages %}{% if m.content is defined %}{{ m.content }}{% else %}-{% endif %}{{ m.x }}{% endfor %}",
        chat(says("assistant", None, x={"y": None}), HI),
    ),
)
quirk(
    "CHAT-REASONING-NAMES: Reasoning has both names that templates read",
    "The reasoning of a message, under whichever of the names `reasoning_content`, `thinking` and `reasoning` it came, is there as `reasoning_content` and as `thinking`.",
    "Engines give it under the name that it came with, and the template drops it.",
    rendered(
        "{% for m in messages %}[{{ m.reasoning_content }}|{{ m.thinking }}|{{ m.reasoning }}]{% endfor %}",
        chat(says("assistant", "Yes", reasoning_content="a")),
        chat(says("assistant", "Yes", thinking="b"), says("assistant", "Yes", reasoning="c")),
    ),
)
edge(
    "CHAT-NO-MESSAGES: A conversation without messages is refused",
    "An empty list of messages is an error, whatever the template makes of it.",
    "Engines render the template all the same.",
    rendered("<s>{{ messages | length }}", chat(), ONE),
)
edge(
    "CHAT-NAMED-TEMPLATES: Of several templates, one is taken by name",
    "Where a tokenizer has several templates, the one called `default` is taken. Where tools are given, it is the one called `tool_use`, if there is one. A name in the question comes before both.",
    "Engines read the first of the list, or only a single text.",
    rendered(
        [
            {"name": "rag", "template": "r{{ messages[0].content }}"},
            {"name": "tool_use", "template": "t{{ tools | length }}"},
            {"name": "default", "template": "d{{ messages[0].content }}"},
        ],
        ONE,
        chat(HI, tools=[TOOL]),
        chat(HI, template="rag"),
        chat(HI, tools=[TOOL], template="default"),
    ),
    rendered(
        [{"name": "default", "template": "d{{ tools | length }}"}, {"name": "rag", "template": "r"}],
        chat(HI, tools=[TOOL]),
    ),
)

# What JavaScript takes otherwise -------------------------------------------------------------------------------------

edge(
    "CHAT-JSON-OF-NOTHING: JSON of what is not there is an error",
    "`tojson` of a member that is not there refuses the conversation.",
    "Renderers in JavaScript write `null`, or nothing.",
    rendered("{{ messages[0].name | tojson }}", ONE, chat(says("user", "Hi", name="Ada"))),
)
edge(
    "CHAT-ADDING: Only a text is added to a text",
    "`+` and a text on its left want a text on its right: content that comes as parts, or is null, refuses the conversation. `~` takes anything.",
    "Renderers in JavaScript make a text of whatever it is.",
    rendered("{{ 'a' + messages[0].content }}", ONE, chat(says("user", ["Hi", 1])), chat(says("user", 1))),
    rendered("{{ 'a' ~ messages[0].content }}", ONE, chat(says("user", 1))),
)
core(
    "CHAT-STRIP-CHARACTERS: A strip takes away the characters it names",
    "`lstrip`, `rstrip` and `strip` with an argument strip these characters and no others, so spaces may stay.",
    "Renderers in JavaScript have no such argument, and strip all white space.",
    rendered(
        "{{ messages[0].content.lstrip('\n') }}|{{ messages[0].content.rstrip('\n') }}|{{ messages[0].content.strip('\nH') }}",
        chat(says("user", "\n Hi \n")),
        ONE,
    ),
)
edge(
    "CHAT-JSON-NUMBERS: A number keeps its fraction",
    "A number that is written with a fraction, be it 0, stays one: 2.0 is written 2.0, in JSON and as a text.",
    "Languages with one kind of numbers write 2.",
    rendered("{{ messages[0].content | tojson }}{{ messages[0].content[0] }}", chat(says("user", [2.0, 2, 2.5]))),
)
core(
    "CHAT-EQUALS: Values of two types are not equal",
    "`==` compares as Python does: an empty text is neither false nor 0, a number is not its text; true is 1.",
    "Renderers in JavaScript may compare loosely, and take an empty system message for none.",
    rendered(
        "{{ messages[0].content == false }}{{ messages[0].content == 0 }}{{ messages[0].content == '1' }}{{ messages[0].content == 1 }}",
        chat(says("user", "")),
        chat(says("user", 1)),
        chat(says("user", "1")),
        chat(says("user", True)),
    ),
)
edge(
    "CHAT-SELECT-ABSENT: Messages are selected by a member that is not there",
    "`selectattr` and `rejectattr` test a member that a message has not, too: it is `undefined`, and equals nothing.",
    "Renderers pass over such messages.",
    rendered(
        "{{ messages | selectattr('name', 'undefined') | list | length }}{{ messages | rejectattr('name', 'equalto', 'Ada') | list | length }}",
        ONE,
        chat(HI, says("assistant", "Yes", name="Ada")),
    ),
)
edge(
    "CHAT-ITERABLE: Texts, lists and objects can be gone through",
    "The test `iterable` holds for texts, lists and objects, and for no number.",
    "Renderers in other languages know an iterable by another rule, so parts of content are taken for a text.",
    rendered(
        "{{ messages[0].content is iterable }}",
        ONE,
        chat(says("user", [1])),
        chat(says("user", {"type": "text"})),
        chat(says("user", 1)),
    ),
)

# The last message ----------------------------------------------------------------------------------------------------

core(
    "CHAT-CONTINUE: The last message can be left open",
    "With `continue_final_message` the prompt ends right after the content of the last message: what the template writes behind it is cut off, the spaces that end the content stay.",
    "Engines cut at the first place where the content stands, or leave the end of the turn in.",
    rendered(
        TALK,
        chat(HI, YES, is_open=True),
        chat(YES, HI, YES, is_open=True),
        chat(HI, says("assistant", "Yes "), is_open=True),
    ),
)
edge(
    "CHAT-CONTINUE-TRIMMED: The last message is left open where a template trims content",
    "Where the template trims the content, the prompt ends after what it leaves of it.",
    "Who looks for the content as it was given does not find it.",
    rendered(
        "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}</s>{% endfor %}",
        chat(HI, says("assistant", "  Yes \n"), is_open=True),
        chat(HI, says("assistant", "  Yes \n")),
    ),
)
edge(
    "CHAT-CONTINUE-REFUSED: What cannot be left open is refused",
    "It is an error to ask for the last message to be left open and for the beginning of an answer, and to leave open a message without content or one that the template does not print.",
    "Engines take one of the two, or end the prompt somewhere.",
    rendered(
        "{% for m in messages %}{% if m.role != 'tool' %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}",
        chat(HI, YES, is_open=True),
        chat(HI, YES, is_open=True, prompt=True),
        chat(HI, {"role": "assistant"}, is_open=True),
        chat(HI, says("tool", "No way"), is_open=True),
    ),
)

# Ids -----------------------------------------------------------------------------------------------------------------

core(
    "CHAT-IDS: Nothing is added to the ids of a prompt",
    "The ids are those of the text without added special tokens: only what the template writes is there. A special token in the text becomes its id, whoever wrote it.",
    "Engines encode the prompt like any text, and a BOS token comes twice.",
    rendered("{{ bos_token }} {{ messages[0].content }} </s>", ONE, chat(says("user", "Hi </s> Yes"))),
    rendered("{{ messages[0].content }}", ONE),
)

AREAS = (CHATS,)
