#!/bin/sh
# A normalizer behind the line protocol: ASCII letters in lower case. A request is one line of ASCII with "id" first and
# "text" last, so the text is lowered as it stands, escapes and closing brace included: \u00c9 stays \u00c9.

started='"protocol":1,"name":"lowercase","version":"1.0","language":"POSIX shell"'
started=$started',"stages":["normalize"],"fields":["text"],"offset_unit":"code points"'

answer() {
  printf '{"id":%s,%s}\n' "$id" "$1"
}

while IFS= read -r line; do
  id=${line#'{"id":'}
  id=${id%%,*}
  case $line in
    *'"do":"start"'*) answer "\"value\":{$started}" ;;
    *'"do":"load"'*)
      file=${line##*'"file":"'}
      if [ -r "${file%%\"*}" ]; then answer '"value":{}'
      else answer '"error":{"kind":"FileNotFoundError","message":"no such file"}'
      fi ;;
    *'"do":"observe","ask":"normalize","text":'*)
      text=$(printf '%s' "${line#*'"text":'}" | tr A-Z a-z)
      answer "\"value\":{\"text\":$text" ;;
    *'"do":"stop"'*) answer '"value":{}'; exit ;;
    *) answer '"unsupported":"lowercase shows only normalize"' ;;
  esac
done
