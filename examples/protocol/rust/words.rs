//! A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//!
//! Build: rustc -O words.rs
//! Run:   tokconf run tokenizer.json -i tokenizers "command:./words"
//!
//! For your library replace the part "Your tokenizer": ABOUT, load, encode and decode. The rest is the protocol, and
//! the JSON that the standard library lacks. (serde_json refuses the lone surrogates that some texts have.)

use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

// Your tokenizer ------------------------------------------------------------------------------------------------------
//
// The calls of the crate `tokenizers` (written from its documentation, not tested here; its offsets are UTF-8 bytes):
//
//     load:   let tokenizer = tokenizers::Tokenizer::from_file(file).map_err(|error| failed("load", error))?;
//     encode: let found = match pair {
//                 None => tokenizer.encode(text, special),
//                 Some(pair) => tokenizer.encode((text, pair), special),
//             }.map_err(|error| failed("encode", error))?;
//             Ok(Encoding { ids: found.get_ids().to_vec(), tokens: found.get_tokens().to_vec(),
//                           offsets: found.get_offsets().to_vec() })
//     decode: tokenizer.decode(ids, skip_special).map_err(|error| failed("decode", error))
//
// It answers pairs and adds special tokens, so "stages" in ABOUT gets "post_process", too.

const ABOUT: &str = r#"{"protocol":1,"name":"words-rust","version":"1.0","language":"Rust",
    "stages":["model","decode"],"fields":["ids","tokens","offsets","text"],"offset_unit":"UTF-8 bytes"}"#;

struct Tokenizer {
    tokens: Vec<String>,
    ids: HashMap<String, u32>,
}

struct Encoding {
    ids: Vec<u32>,
    tokens: Vec<String>,
    offsets: Vec<(usize, usize)>,
}

fn load(file: &str) -> Result<Tokenizer, Failure> {
    let document = std::fs::read_to_string(file).map_err(|error| failed("io", error))?;
    let document = Json::parse(&document).map_err(|error| failed("json", error))?;
    let mut rows: Vec<(u32, String)> = match document.get("model").and_then(|model| model.get("vocab")) {
        Some(Json::Object(members)) => {
            members.iter().map(|(token, id)| Ok((id.whole()?, token.clone()))).collect::<Result<_, Failure>>()?
        }
        Some(Json::List(rows)) => {
            let token = |row: &Json| row.item(0).and_then(Json::text).map(str::to_string);
            (0..).zip(rows.iter().map(|row| token(row).unwrap_or_default())).collect()
        }
        _ => return Err(failed("vocab", "the file has no model.vocab")),
    };
    rows.sort_by_key(|row| row.0);
    let tokens: Vec<String> = rows.into_iter().map(|row| row.1).collect();
    let ids = tokens.iter().cloned().zip(0..).collect();
    Ok(Tokenizer { tokens, ids })
}

fn encode(tokenizer: &Tokenizer, text: &str, pair: Option<&str>, special: bool) -> Result<Encoding, Failure> {
    if pair.is_some() || special {
        return Err(Failure::Unsupported("words has neither pairs nor special tokens".to_string()));
    }
    let mut found = Encoding { ids: vec![], tokens: vec![], offsets: vec![] };
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let id = *tokenizer.ids.get(word).unwrap_or(&0);
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        found.ids.push(id);
        found.tokens.push(tokenizer.tokens[id as usize].clone());
        found.offsets.push((start, start + word.len()));
    }
    Ok(found)
}

fn decode(tokenizer: &Tokenizer, ids: &[u32], _skip_special: bool) -> Result<String, Failure> {
    let token = |id: &u32| tokenizer.tokens.get(*id as usize).ok_or_else(|| failed("id", format!("no token {id}")));
    let tokens = ids.iter().map(token).collect::<Result<Vec<_>, _>>()?;
    Ok(tokens.iter().map(|token| token.as_str()).collect::<Vec<_>>().join(" "))
}

/// White space as in the other examples: that of Python's `\s`.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

// The protocol --------------------------------------------------------------------------------------------------------

enum Failure {
    Unsupported(String),
    Error { kind: &'static str, message: String },
    Panic,
}

fn failed(kind: &'static str, message: impl Display) -> Failure {
    Failure::Error { kind, message: message.to_string() }
}

fn answer(loaded: &mut Option<Tokenizer>, request: &Json) -> Result<String, Failure> {
    let text = |name| request.get(name).and_then(Json::text);
    let flag = |name| matches!(request.get(name), Some(Json::Bool(true)));
    let given = |name| request.get(name).is_some();
    let none = || failed("state", "no tokenizer is loaded");
    match (text("do"), text("ask")) {
        (Some("start"), _) => Ok(ABOUT.replace('\n', "")),
        (Some("load"), _) => {
            *loaded = Some(load(text("file").unwrap_or_default())?);
            Ok("{}".to_string())
        }
        (Some("observe"), Some("encode")) if text("text").is_some() && !given("pair_words") => {
            let tokenizer = loaded.as_ref().ok_or_else(none)?;
            let found = encode(tokenizer, text("text").unwrap_or_default(), text("pair"), flag("add_special_tokens"))?;
            let ids = list(&found.ids, |id| id.to_string());
            let tokens = list(&found.tokens, |token| quoted(token));
            let offsets = list(&found.offsets, |(start, end)| format!("[{start},{end}]"));
            Ok(format!(r#"{{"ids":{ids},"tokens":{tokens},"offsets":{offsets}}}"#))
        }
        (Some("observe"), Some("decode")) => {
            let Some(Json::List(ids)) = request.get("ids") else { return Err(failed("request", "no ids")) };
            let ids = ids.iter().map(Json::whole).collect::<Result<Vec<u32>, Failure>>()?;
            let tokenizer = loaded.as_ref().ok_or_else(none)?;
            Ok(format!(r#"{{"text":{}}}"#, quoted(&decode(tokenizer, &ids, flag("skip_special_tokens"))?)))
        }
        (Some("stop"), _) => Ok("{}".to_string()),
        _ => Err(Failure::Unsupported("words cannot show this".to_string())),
    }
}

fn main() -> io::Result<()> {
    let mut loaded = None;
    for line in io::stdin().lock().split(b'\n') {
        let request = Json::parse(&String::from_utf8_lossy(&line?)).unwrap_or(Json::Null);
        let Some(Json::Number(id)) = request.get("id") else {
            eprintln!("words: a line that is no request");
            continue;
        };
        // A library that panics has crashed over this one question; what comes next may be well.
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&mut loaded, &request)));
        let outcome = match answered.unwrap_or(Err(Failure::Panic)) {
            Ok(value) => format!(r#""value":{value}"#),
            Err(Failure::Unsupported(why)) => format!(r#""unsupported":{}"#, quoted(&why)),
            Err(Failure::Error { kind, message }) => {
                format!(r#""error":{{"kind":{},"message":{}}}"#, quoted(kind), quoted(&message))
            }
            Err(Failure::Panic) => {
                r#""error":{"kind":"panic","message":"see standard error","panic":true}"#.to_string()
            }
        };
        let mut output = io::stdout().lock();
        writeln!(output, r#"{{"id":{id},{outcome}}}"#)?;
        output.flush()?;
        if request.get("do").and_then(Json::text) == Some("stop") {
            break;
        }
    }
    Ok(())
}

// JSON ----------------------------------------------------------------------------------------------------------------

/// A value; a number stays as it is written.
enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

const DEEPEST: usize = 128;

impl Json {
    fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        if reader.next().is_some() {
            return Err(format!("more text at byte {}", reader.at));
        }
        Ok(value)
    }

    fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().rev().find(|member| member.0 == name).map(|member| &member.1)
    }

    fn item(&self, number: usize) -> Option<&Json> {
        let Json::List(items) = self else { return None };
        items.get(number)
    }

    fn text(&self) -> Option<&str> {
        let Json::Text(text) = self else { return None };
        Some(text)
    }

    fn whole(&self) -> Result<u32, Failure> {
        let Json::Number(number) = self else { return Err(failed("number", "no number")) };
        number.parse().map_err(|_| failed("number", format!("{number} is no id")))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space; it is not taken.
    fn next(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|byte| b" \t\r\n".contains(byte)) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn take(&mut self, expected: &str) -> Result<(), String> {
        self.next();
        if !self.text[self.at..].starts_with(expected) {
            return Err(format!("{expected} expected at byte {}", self.at));
        }
        self.at += expected.len();
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} levels"));
        }
        match self.next() {
            Some(b'{') => {
                let mut members = vec![];
                self.items("{", "}", |reader| {
                    let name = reader.string()?;
                    reader.take(":")?;
                    members.push((name, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Json::Object(members))
            }
            Some(b'[') => {
                let mut items = vec![];
                self.items("[", "]", |reader| {
                    items.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b't') => self.take("true").map(|()| Json::Bool(true)),
            Some(b'f') => self.take("false").map(|()| Json::Bool(false)),
            Some(b'n') => self.take("null").map(|()| Json::Null),
            _ => self.number(),
        }
    }

    fn items(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.take(open)?;
        if self.take(close).is_ok() {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take(",").is_err() {
                return self.take(close);
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let rest = &self.text[self.at..];
        let end = rest.find(|character| !"+-.0123456789eE".contains(character)).unwrap_or(rest.len());
        rest[..end].parse::<f64>().map_err(|_| format!("no value at byte {}", self.at))?;
        self.at += end;
        Ok(Json::Number(rest[..end].to_string()))
    }

    fn string(&mut self) -> Result<String, String> {
        self.take("\"")?;
        let mut found = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find(|character| character < ' ' || character == '"' || character == '\\');
            let end = end.ok_or("a string without an end")?;
            found.push_str(&rest[..end]);
            self.at += end + 1;
            match rest.as_bytes()[end] {
                b'"' => return Ok(found),
                b'\\' => found.push(self.escaped()?),
                _ => return Err(format!("a control character at byte {}", self.at - 1)),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        self.at += 1;
        match self.text.as_bytes().get(self.at - 1) {
            Some(b'u') => self.code_point(),
            Some(b'b') => Ok('\u{8}'),
            Some(b'f') => Ok('\u{c}'),
            Some(b'n') => Ok('\n'),
            Some(b'r') => Ok('\r'),
            Some(b't') => Ok('\t'),
            Some(&byte) if b"\"\\/".contains(&byte) => Ok(byte as char),
            _ => Err(format!("an unknown escape at byte {}", self.at - 1)),
        }
    }

    /// What `\u` begins. UTF-8 has no lone surrogates: each becomes U+FFFD, which has as many bytes.
    fn code_point(&mut self) -> Result<char, String> {
        let high = self.unit()?;
        let mut code = high;
        if (0xd800..0xdc00).contains(&high) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let low = self.unit()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            } else {
                self.at -= 6;
            }
        }
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn unit(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() < 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("four hexadecimal digits expected at byte {}", self.at));
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '.. => quoted.push(character),
            _ => quoted.push_str(&format!("\\u{:04x}", character as u32)),
        }
    }
    quoted + "\""
}

fn list<T>(items: &[T], shown: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(","))
}
