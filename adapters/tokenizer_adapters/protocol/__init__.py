"""The line protocol, version 1: any program can be an implementation.

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

``messages`` has the messages and their codec, ``schemas/protocol-1.json`` the same as a JSON Schema; ``client`` speaks
for the harness and ``server`` for an implementation written in Python; ``process`` runs a program; ``check`` plays the
protocol with a program and says what is wrong.
"""
