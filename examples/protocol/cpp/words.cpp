// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//
// Build: g++ -std=c++17 -O2 -o words words.cpp
// Run:   tokconf run tokenizer.json -i tokenizers "command:./words"
//
// For your library replace the part "Your tokenizer": ABOUT, load, encode and decode. The rest is the protocol, and the
// JSON that the standard library lacks.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Encoding {
  std::vector<int64_t> ids;
  std::vector<std::string> tokens;
  std::vector<std::pair<size_t, size_t>> offsets;
};

// JSON ----------------------------------------------------------------------------------------------------------------

// A value. `text` is a string, or a number as it is written; `items` are those of a list, or the values of `names`.
struct Json {
  enum Kind { NOTHING, BOOLEAN, NUMBER, STRING, LIST, OBJECT } kind = NOTHING;
  bool truth = false;
  std::string text;
  std::vector<std::string> names;
  std::vector<Json> items;

  const Json* get(const std::string& name) const {
    auto found = std::find(names.begin(), names.end(), name);
    return kind == OBJECT && found != names.end() ? &items[found - names.begin()] : nullptr;
  }
  const std::string& string() const {
    if (kind != STRING) throw std::invalid_argument("JSON: a string expected");
    return text;
  }
  int64_t integer() const {
    if (kind != NUMBER) throw std::invalid_argument("JSON: a number expected");
    return std::stoll(text);
  }
};

class Reader {
 public:
  static Json read(const std::string& text) {
    Reader reader(text);
    Json value = reader.value(0);
    if (reader.next() != 0) reader.fail("more text");
    return value;
  }

 private:
  static constexpr int DEEPEST = 128;
  const std::string& text;
  size_t at = 0;

  explicit Reader(const std::string& text) : text(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("JSON: " + what + " at byte " + std::to_string(at));
  }

  // The next byte that is no white space, 0 at the end; it is not taken.
  char next() {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    return at < text.size() ? text[at] : 0;
  }

  bool taken(const std::string& expected) {
    next();
    if (text.compare(at, expected.size(), expected) != 0) return false;
    at += expected.size();
    return true;
  }

  void take(const std::string& expected) {
    if (!taken(expected)) fail(expected + " expected");
  }

  Json value(int depth) {
    if (depth > DEEPEST) fail("more than " + std::to_string(DEEPEST) + " levels");
    Json found;
    switch (next()) {
      case '{':
      case '[': {
        found.kind = text[at++] == '{' ? Json::OBJECT : Json::LIST;
        const std::string close = found.kind == Json::OBJECT ? "}" : "]";
        if (taken(close)) return found;
        do {
          if (found.kind == Json::OBJECT) {
            found.names.push_back(string());
            take(":");
          }
          found.items.push_back(value(depth + 1));
        } while (taken(","));
        take(close);
        return found;
      }
      case '"':
        found.kind = Json::STRING;
        found.text = string();
        return found;
      case 't':
      case 'f':
        found.kind = Json::BOOLEAN;
        found.truth = text[at] == 't';
        take(found.truth ? "true" : "false");
        return found;
      case 'n':
        take("null");
        return found;
      default:
        found.kind = Json::NUMBER;
        found.text = number();
        return found;
    }
  }

  std::string number() {
    size_t end = std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
    std::string found = text.substr(at, end - at);
    char* read = nullptr;
    std::strtod(found.c_str(), &read);
    if (found.empty() || *read != 0) fail("no value");
    at = end;
    return found;
  }

  std::string string() {
    take("\"");
    std::string found;
    while (at < text.size()) {
      unsigned char byte = text[at++];
      if (byte == '"') return found;
      if (byte < ' ') fail("a control character");
      if (byte == '\\') {
        escaped(found);
      } else {
        found += static_cast<char>(byte);
      }
    }
    fail("a string without an end");
  }

  void escaped(std::string& found) {
    static const std::string NAMES = "\"\\/bfnrt", CHARACTERS = "\"\\/\b\f\n\r\t";
    char name = at < text.size() ? text[at++] : 0;
    if (name == 'u') return code_point(found);
    size_t number = NAMES.find(name);
    if (number == std::string::npos) fail("an unknown escape");
    found += CHARACTERS[number];
  }

  // What \u begins. UTF-8 has no lone surrogates: each becomes U+FFFD, which has as many bytes.
  void code_point(std::string& found) {
    uint32_t code = unit();
    if (code >= 0xD800 && code < 0xDC00 && text.compare(at, 2, "\\u") == 0) {
      size_t before = at;
      at += 2;
      uint32_t low = unit();
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at = before;
      }
    }
    if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    if (code < 0x80) {
      found += static_cast<char>(code);
      return;
    }
    static constexpr uint32_t LEADS[] = {0, 0xC0, 0xE0, 0xF0};
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    found += static_cast<char>(LEADS[more] | code >> 6 * more);
    while (more-- > 0) found += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
  }

  uint32_t unit() {
    std::string digits = text.substr(at, 4);
    if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      fail("four hexadecimal digits expected");
    }
    at += 4;
    return static_cast<uint32_t>(std::stoul(digits, nullptr, 16));
  }
};

std::string quoted(const std::string& text) {
  static const char* DIGITS = "0123456789abcdef";
  std::string quoted = "\"";
  for (unsigned char byte : text) {
    if (byte == '"' || byte == '\\') {
      quoted += '\\';
      quoted += static_cast<char>(byte);
    } else if (byte < ' ') {
      quoted += std::string("\\u00") + DIGITS[byte >> 4] + DIGITS[byte & 15];
    } else {
      quoted += static_cast<char>(byte);
    }
  }
  return quoted + '"';
}

template <typename Item, typename Shown>
std::string list(const std::vector<Item>& items, Shown shown) {
  std::string written = "[";
  for (const Item& item : items) written += (written.size() > 1 ? "," : "") + shown(item);
  return written + "]";
}

// Your tokenizer ------------------------------------------------------------------------------------------------------
//
// The calls of mlc-ai/tokenizers-cpp (written from its header, not tested here):
//
//     load:   tokenizer = tokenizers::HFTokenizer::FromBlobJSON(content);  // std::unique_ptr<tokenizers::HFTokenizer>
//     encode: std::vector<int32_t> ids = tokenizer->Encode(text, special);
//             // each token is tokenizer->IdToToken(id); there are no offsets: take them out of "fields" and the answer
//     decode: return tokenizer->Decode({ids.begin(), ids.end()}, skip_special);
//
// It adds special tokens, so "stages" in ABOUT gets "post_process". It has no pairs: README.md says what load answers.

const char* ABOUT =
    R"({"protocol":1,"name":"words-cpp","version":"1.0","language":"C++","stages":["model","decode"],)"
    R"("fields":["ids","tokens","offsets","text"],"offset_unit":"UTF-8 bytes"})";

std::vector<std::string> tokens;
std::unordered_map<std::string, int64_t> numbers;

void load(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw std::runtime_error("cannot read " + file);
  const Json document = Reader::read({std::istreambuf_iterator<char>(input), {}});
  const Json* model = document.get("model");
  const Json* vocab = model ? model->get("vocab") : nullptr;
  if (!vocab) throw std::runtime_error("the file has no model.vocab");
  std::vector<std::pair<int64_t, std::string>> rows;
  for (size_t number = 0; number < vocab->items.size(); number++) {
    const Json& item = vocab->items[number];
    bool is_row = vocab->kind == Json::LIST;
    rows.emplace_back(is_row ? number : item.integer(), is_row ? item.items.at(0).string() : vocab->names[number]);
  }
  std::sort(rows.begin(), rows.end());
  tokens.clear();
  numbers.clear();
  for (const auto& row : rows) {
    numbers.emplace(row.second, tokens.size());
    tokens.push_back(row.second);
  }
}

// White space as in the other examples: that of Python's \s.
bool is_space(uint32_t code) {
  return (code >= 9 && code <= 13) || (code >= 28 && code <= 32) || code == 0x85 || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

// The length in bytes of the character at `at` of a text in UTF-8, and whether it is white space.
std::pair<size_t, bool> character(const std::string& text, size_t at) {
  auto byte = [&](size_t more) { return at + more < text.size() ? static_cast<unsigned char>(text[at + more]) : 0u; };
  if (byte(0) < 0xC0) return {1, is_space(byte(0)) && byte(0) < 0x80};
  if (byte(0) < 0xE0) return {2, is_space((byte(0) & 0x1F) << 6 | (byte(1) & 0x3F))};
  if (byte(0) < 0xF0) return {3, is_space((byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F))};
  return {4, false};
}

Encoding encode(const std::string& text, const std::optional<std::string>& pair, bool special) {
  if (pair || special) throw Unsupported("words has neither pairs nor special tokens");
  Encoding found;
  size_t start = 0;
  for (size_t at = 0; at <= text.size();) {
    auto [length, space] = at < text.size() ? character(text, at) : std::pair<size_t, bool>(1, true);
    if (space && at > start) {
      std::string word = text.substr(start, at - start);
      auto number = numbers.find(word);
      int64_t id = number == numbers.end() ? 0 : number->second;
      found.ids.push_back(id);
      found.tokens.push_back(tokens.at(id));
      found.offsets.emplace_back(start, at);
    }
    at += length;
    if (space) start = at;
  }
  return found;
}

std::string decode(const std::vector<int64_t>& ids, bool /* skip_special */) {
  std::string text;
  for (size_t number = 0; number < ids.size(); number++) text += (number ? " " : "") + tokens.at(ids[number]);
  return text;
}

// The protocol --------------------------------------------------------------------------------------------------------

std::string answer(const Json& request) {
  auto text = [&](const char* name) {
    const Json* field = request.get(name);
    return field ? std::optional<std::string>(field->string()) : std::nullopt;
  };
  auto flag = [&](const char* name) { return request.get(name) && request.get(name)->truth; };
  std::string asked = text("do").value_or("") + " " + text("ask").value_or("");
  if (asked == "start ") return ABOUT;
  if (asked == "load ") {
    load(text("file").value());
    return "{}";
  }
  if (asked == "observe encode" && text("text") && !request.get("pair_words")) {
    Encoding found = encode(*text("text"), text("pair"), flag("add_special_tokens"));
    auto span = [](const std::pair<size_t, size_t>& offset) {
      return "[" + std::to_string(offset.first) + "," + std::to_string(offset.second) + "]";
    };
    return "{\"ids\":" + list(found.ids, [](int64_t id) { return std::to_string(id); }) +
           ",\"tokens\":" + list(found.tokens, quoted) + ",\"offsets\":" + list(found.offsets, span) + "}";
  }
  if (asked == "observe decode") {
    std::vector<int64_t> ids;
    const Json* given = request.get("ids");
    if (!given) throw std::invalid_argument("no ids");
    for (const Json& id : given->items) ids.push_back(id.integer());
    return "{\"text\":" + quoted(decode(ids, flag("skip_special_tokens"))) + "}";
  }
  if (asked == "stop ") return "{}";
  throw Unsupported("words cannot show this");
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    Json request;
    try {
      request = Reader::read(line);
    } catch (const std::exception&) {
    }
    const Json* id = request.get("id");
    if (!id) {
      std::cerr << "words: a line that is no request" << std::endl;
      continue;
    }
    std::string outcome;
    try {
      outcome = "\"value\":" + answer(request);
    } catch (const Unsupported& why) {
      outcome = "\"unsupported\":" + quoted(why.what());
    } catch (const std::exception& error) {
      outcome = "\"error\":{\"kind\":\"exception\",\"message\":" + quoted(error.what()) + "}";
    }
    std::cout << "{\"id\":" << id->text << "," << outcome << "}" << std::endl;
    const Json* what = request.get("do");
    if (what && what->text == "stop") break;
  }
}
