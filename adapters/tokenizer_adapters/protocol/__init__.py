r"""The line protocol, version 1: any program can be an implementation, a trainer, or both.

The harness writes numbered requests on the program's standard input, one JSON object a line; the program answers each
with one line on its standard output, in order::

    {"id":1,"do":"start","protocol":1}
    {"id":2,"do":"load","name":"toy","file":"/tmp/toy/tokenizer.json"}
    {"id":3,"do":"observe","ask":"encode","text":"a b","add_special_tokens":false}
    {"id":4,"do":"stop"}

    {"id":1,"value":{"protocol":1,"name":"mine","version":"1.0","language":"C","stages":["model"],"fields":["ids"],
                     "offset_unit":"UTF-8 bytes"}}
    {"id":2,"value":{}}
    {"id":3,"value":{"ids":[5,6]}}
    {"id":4,"value":{}}

Beside ``normalize``, ``pre_tokenize``, ``encode`` and ``decode`` it may be asked to ``encode_batch`` (several inputs at
once), to ``decode_stream`` (ids one by one), to ``decode_steps`` (the same after a prompt, or with so many ids in each
of the first steps, and one in each that is left), to render a ``chat``, and something of these ``after`` changes; and
to ``save`` what it loaded. One that loads more than a pipeline may show its ``defaults``, and what a ``call`` without
any option gives. One that is to be timed without these lines is told to ``measure``: it encodes texts once, then again
for so many seconds, and tells how long each took by the clock, and of processor time.
A program that does not know what it is asked answers ``unsupported``::

    {"id":5,"do":"observe","ask":"encode_batch","inputs":[{"text":"a"},{"text":"b","pair":"c"}],
     "add_special_tokens":true}
    {"id":6,"do":"observe","ask":"decode_stream","ids":[5,6],"skip_special_tokens":true}
    {"id":7,"do":"observe","ask":"after","changes":[{"add_tokens":[{"content":"x"}],"special":false}],
     "then":{"ask":"encode","text":"x","add_special_tokens":false}}
    {"id":8,"do":"observe","ask":"chat","messages":"[{\"role\":\"user\",\"content\":\"a\"}]",
     "add_generation_prompt":true,"continue_final_message":false}
    {"id":9,"do":"save"}
    {"id":10,"do":"defaults"}
    {"id":11,"do":"call","text":"a","pair":"b"}
    {"id":12,"do":"observe","ask":"decode_steps","ids":[5,6,7],"skip_special_tokens":true,"prompt":[1],"chunks":[2]}
    {"id":13,"do":"measure","texts":["a b"],"seconds":0.2,"batch":false}

    {"id":5,"value":{"encodings":[{"ids":[1,5,2]},{"ids":[1,6,2,7,2]}]}}
    {"id":6,"value":{"chunks":["a"," b"]}}
    {"id":7,"value":{"ids":[8]}}
    {"id":8,"value":{"text":"<user>a<assistant>","ids":[9,5,10]}}
    {"id":9,"value":{"document":"{\"version\":\"1.0\", … }"}}
    {"id":10,"value":{"loader":"MyTokenizer","special_tokens":[{"role":"eos_token","content":"</s>","id":2}],
                     "settings":{"model_max_length":512,"model_input_names":["input_ids"]}}}
    {"id":11,"value":{"fields":{"input_ids":[1,5,2,6,2]}}}
    {"id":12,"value":{"chunks":["a b","c"]}}
    {"id":13,"value":{"call":"encode","fields":["ids"],"clocked":"call","first":[0.004,0.004],"later":[0.2,0.2],
                     "passes":117}}

A trainer says what it learns, and is asked to ``train``; one that cuts texts itself is asked to ``count`` words, too::

    {"id":1,"do":"start","protocol":1}
    {"id":2,"do":"train","algorithm":"wordlevel","pre_tokenizer":"whitespace","options":{"vocab_size":2},
     "words":[["to",2],["be",2],["or",1]]}

    {"id":1,"value":{"protocol":1,"name":"mine","version":"1.0","language":"C","algorithms":["wordlevel"],
                     "takes_words":true}}
    {"id":2,"value":{"tokens":{"be":0,"to":1}}}

``messages`` has the messages, ``request_lines`` and ``answer_lines`` their codec, ``schemas/protocol-1.json`` the same
as a JSON Schema. ``client`` and ``trainer_client`` speak for the harness, ``server`` for what is written in Python.
``process`` exchanges lines with a program; ``launch`` starts it, behind a ``guardian`` that ends it with the harness;
``pipes`` move its bytes. ``check`` plays the protocol with a program and says what is wrong.
"""
