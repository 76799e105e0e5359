// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//
// Build: go build words.go
// Run:   tokconf run tokenizer.json -i tokenizers "command:./words"
//
// For your library replace the part "Your tokenizer": about, load, encode and decode. The rest is the protocol.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// Your tokenizer ------------------------------------------------------------------------------------------------------
//
// The calls of daulet/tokenizers (written from its source, not tested here; its offsets are UTF-8 bytes):
//
//	load:   loaded, err = tokenizers.FromFile(file)
//	encode: found := loaded.EncodeWithOptions(text, special, tokenizers.WithReturnAllAttributes())
//	        // found.IDs, found.Tokens, found.Offsets: nil where there are no tokens, and the answer has empty lists
//	decode: return loaded.Decode(ids, skipSpecial), nil
//
// It has no pairs (answer errUnsupported). It hands C strings over, so a text ends at its first U+0000 there.
//
// The calls of sugarme/tokenizer (not tested either, nor is the unit of its offsets known here):
//
//	load:   loaded, err = pretrained.FromFile(file)
//	encode: found, err := loaded.EncodeSingle(text, special) // loaded.EncodePair(text, *pair, special)
//	        // found.GetIds(), found.GetTokens(), found.GetOffsets()
//	decode: return loaded.Decode(ids, skipSpecial), nil // ids are of type int
//
// Both add special tokens, so "stages" in about gets "post_process"; README.md says what load answers without pairs.

var about = map[string]any{
	"protocol": 1, "name": "words-go", "version": "1.0", "language": "Go",
	"stages": []string{"model", "decode"}, "fields": []string{"ids", "tokens", "offsets", "text"},
	"offset_unit": "UTF-8 bytes",
}

type encoding struct {
	IDs     []uint32 `json:"ids"`
	Tokens  []string `json:"tokens"`
	Offsets [][2]int `json:"offsets"`
}

var errUnsupported = errors.New("words cannot show this")

var (
	tokens []string
	ids    map[string]uint32
)

func load(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var document struct {
		Model struct{ Vocab json.RawMessage }
	}
	if err := json.Unmarshal(content, &document); err != nil {
		return err
	}
	var byToken map[string]uint32
	var rows [][]any
	found := []string{}
	if json.Unmarshal(document.Model.Vocab, &byToken) == nil {
		for token := range byToken {
			found = append(found, token)
		}
		sort.Slice(found, func(one, other int) bool { return byToken[found[one]] < byToken[found[other]] })
	} else if err := json.Unmarshal(document.Model.Vocab, &rows); err == nil {
		for _, row := range rows {
			found = append(found, row[0].(string))
		}
	} else {
		return fmt.Errorf("model.vocab: %w", err)
	}
	tokens, ids = found, map[string]uint32{}
	for id, token := range tokens {
		ids[token] = uint32(id)
	}
	return nil
}

func encode(text string, pair *string, special bool) (encoding, error) {
	found := encoding{[]uint32{}, []string{}, [][2]int{}}
	if pair != nil || special {
		return found, errUnsupported
	}
	for start := 0; start < len(text); {
		word := text[start:]
		if end := strings.IndexFunc(word, isSpace); end >= 0 {
			word = word[:end]
		}
		if word != "" {
			id := ids[word]
			found.IDs = append(found.IDs, id)
			found.Tokens = append(found.Tokens, tokens[id])
			found.Offsets = append(found.Offsets, [2]int{start, start + len(word)})
		}
		start += len(word)
		start += len(text[start:]) - len(strings.TrimLeftFunc(text[start:], isSpace))
	}
	return found, nil
}

func decode(ids []uint32, skipSpecial bool) (string, error) {
	words := []string{}
	for _, id := range ids {
		if int(id) >= len(tokens) {
			return "", fmt.Errorf("no token %d", id)
		}
		words = append(words, tokens[id])
	}
	return strings.Join(words, " "), nil
}

// White space as in the other examples: that of Python's \s.
func isSpace(character rune) bool {
	return 9 <= character && character <= 13 || 28 <= character && character <= 32 || character == 0x85 ||
		character == 0xa0 || character == 0x1680 || 0x2000 <= character && character <= 0x200a ||
		character == 0x2028 || character == 0x2029 || character == 0x202f || character == 0x205f || character == 0x3000
}

// The protocol --------------------------------------------------------------------------------------------------------

// encoding/json makes U+FFFD of a lone surrogate: UTF-8 has no form for it, and U+FFFD has as many bytes.
type request struct {
	ID          json.RawMessage `json:"id"`
	Do          string          `json:"do"`
	Ask         string          `json:"ask"`
	File        string          `json:"file"`
	Text        *string         `json:"text"`
	Pair        *string         `json:"pair"`
	PairWords   []string        `json:"pair_words"`
	Special     bool            `json:"add_special_tokens"`
	IDs         []uint32        `json:"ids"`
	SkipSpecial bool            `json:"skip_special_tokens"`
}

func value(asked request) (any, error) {
	nothing := struct{}{}
	switch {
	case asked.Do == "start":
		return about, nil
	case asked.Do == "load":
		return nothing, load(asked.File)
	case asked.Do == "observe" && asked.Ask == "encode" && asked.Text != nil && asked.PairWords == nil:
		return encode(*asked.Text, asked.Pair, asked.Special)
	case asked.Do == "observe" && asked.Ask == "decode":
		text, err := decode(asked.IDs, asked.SkipSpecial)
		return map[string]string{"text": text}, err
	case asked.Do == "stop":
		return nothing, nil
	}
	return nil, errUnsupported
}

func answer(asked request, malformed error) (answered map[string]any) {
	answered = map[string]any{"id": asked.ID}
	defer func() { // a library that panics has crashed over this one question; what comes next may be well
		if panicked := recover(); panicked != nil {
			answered["error"] = map[string]any{"kind": "panic", "message": fmt.Sprint(panicked), "panic": true}
		}
	}()
	var found any
	err := malformed
	if err == nil {
		found, err = value(asked)
	}
	if err == nil {
		answered["value"] = found
	} else if errors.Is(err, errUnsupported) {
		answered["unsupported"] = err.Error()
	} else {
		answered["error"] = map[string]any{"kind": fmt.Sprintf("%T", err), "message": err.Error()}
	}
	return answered
}

func main() {
	lines := bufio.NewReader(os.Stdin) // not a Scanner, which refuses long lines
	output := json.NewEncoder(os.Stdout)
	for {
		line, end := lines.ReadBytes('\n')
		if end == io.EOF && len(line) == 0 {
			return
		}
		var asked request
		malformed := json.Unmarshal(line, &asked)
		if asked.ID == nil {
			fmt.Fprintln(os.Stderr, "words: a line that is no request")
			continue
		}
		if output.Encode(answer(asked, malformed)) != nil || asked.Do == "stop" {
			return
		}
	}
}
