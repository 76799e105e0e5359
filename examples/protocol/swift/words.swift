// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//
// Build: swiftc -O words.swift      (in a package it is called main.swift)
// Run:   tokconf run tokenizer.json -i tokenizers "command:./words"
//
// For your library replace the part "Your tokenizer": about, load, encode and decode. The rest is the protocol, and
// JSON: Foundation reads objects into dictionaries, and as keys "é" and "e\u{301}" are equal in Swift.

import Foundation

// Your tokenizer ------------------------------------------------------------------------------------------------------
//
// The calls of Tokenizers in swift-transformers (written from its source, not tested here):
//
//     load:   let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
//             tokenizer = try await AutoTokenizer.from(modelFolder: folder)
//             // load, value and outcome become async, and are called with "await"
//     encode: let ids = tokenizer.encode(text: text, addSpecialTokens: special)
//             // each token is tokenizer.convertIdToToken(id) ?? ""; there are no offsets: take them out of "fields"
//             // and the answer
//     decode: return tokenizer.decode(tokens: ids, skipSpecialTokens: skipSpecial)
//
// It needs tokenizer_config.json beside the file. It adds special tokens, so "stages" in about gets "post_process". It
// has no pairs: README.md says what load answers.

let about: [(String, Json)] = [
    ("protocol", .number("1")), ("name", .text("words-swift")), ("version", .text("1.0")), ("language", .text("Swift")),
    ("stages", .list([.text("model"), .text("decode")])),
    ("fields", .list([.text("ids"), .text("tokens"), .text("offsets"), .text("text")])),
    ("offset_unit", .text("UTF-8 bytes")),
]

struct Encoding {
    var ids: [Int] = []
    var tokens: [String] = []
    var offsets: [(Int, Int)] = []
}

var tokens: [String] = []
var numbers: [[UInt8]: Int] = [:]

func load(_ file: String) throws {
    let document = try Json.read([UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
    var rows: [(Int, String)] = []
    switch document["model"]?["vocab"] {
    case .object(let members):
        rows = try members.map { (try $0.1.integer(), $0.0) }.sorted { $0.0 < $1.0 }
    case .list(let items):
        for case .list(let row) in items {
            rows.append((rows.count, try row.first?.string() ?? ""))
        }
    default:
        throw Failure(kind: "vocab", message: "the file has no model.vocab")
    }
    tokens = rows.map { $0.1 }
    numbers = [:]
    for (number, token) in tokens.enumerated() {
        numbers[Array(token.utf8)] = number
    }
}

func encode(_ text: String, pair: String?, special: Bool) throws -> Encoding {
    if pair != nil || special {
        throw Unsupported(why: "words has neither pairs nor special tokens")
    }
    var found = Encoding()
    var word: [UInt8] = []
    var at = 0
    for scalar in text.unicodeScalars + [" "] {
        if !isSpace(scalar.value) {
            word += Array(String(scalar).utf8)
        } else if !word.isEmpty {
            let id = numbers[word] ?? 0
            guard id < tokens.count else { throw Failure(kind: "vocab", message: "no token is loaded") }
            found.ids.append(id)
            found.tokens.append(tokens[id])
            found.offsets.append((at - word.count, at))
            word = []
        }
        at += String(scalar).utf8.count
    }
    return found
}

func decode(_ ids: [Int], skipSpecial: Bool) throws -> String {
    try ids.map { id in
        guard tokens.indices.contains(id) else { throw Failure(kind: "id", message: "no token \(id)") }
        return tokens[id]
    }.joined(separator: " ")
}

/// White space as in the other examples: that of Python's \s.
func isSpace(_ code: UInt32) -> Bool {
    switch code {
    case 9...13, 28...32, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: return true
    default: return false
    }
}

// The protocol --------------------------------------------------------------------------------------------------------

struct Unsupported: Error { let why: String }

struct Failure: Error {
    let kind: String
    let message: String
}

func value(_ request: Json) throws -> Json {
    func text(_ name: String) throws -> String? { try request[name]?.string() }
    func flag(_ name: String) -> Bool { request[name]?.isTrue ?? false }
    switch (try text("do"), try text("ask")) {
    case ("start", _):
        return .object(about)
    case ("load", _):
        try load(try text("file") ?? "")
        return .object([])
    case ("observe", "encode"):
        guard let given = try text("text"), request["pair_words"] == nil else { break }
        let found = try encode(given, pair: try text("pair"), special: flag("add_special_tokens"))
        return .object([
            ("ids", .list(found.ids.map { .number(String($0)) })),
            ("tokens", .list(found.tokens.map { .text($0) })),
            ("offsets", .list(found.offsets.map { .list([.number(String($0.0)), .number(String($0.1))]) })),
        ])
    case ("observe", "decode"):
        guard case .list(let ids)? = request["ids"] else { throw Failure(kind: "request", message: "no ids") }
        let given = try ids.map { try $0.integer() }
        return .object([("text", .text(try decode(given, skipSpecial: flag("skip_special_tokens"))))])
    case ("stop", _):
        return .object([])
    default:
        break
    }
    throw Unsupported(why: "words cannot show this")
}

func outcome(_ request: Json) -> (String, Json) {
    do {
        return ("value", try value(request))
    } catch let unsupported as Unsupported {
        return ("unsupported", .text(unsupported.why))
    } catch let failure as Failure {
        return ("error", .object([("kind", .text(failure.kind)), ("message", .text(failure.message))]))
    } catch {
        return ("error", .object([("kind", .text("\(type(of: error))")), ("message", .text("\(error)"))]))
    }
}

while let line = readLine() {
    guard let request = try? Json.read([UInt8](line.utf8)), case .number(let id)? = request["id"] else {
        FileHandle.standardError.write(Data("words: a line that is no request\n".utf8))
        continue
    }
    let answer = Json.object([("id", .number(id)), outcome(request)])
    FileHandle.standardOutput.write(Data((answer.written + "\n").utf8))
    if (try? request["do"]?.string()) == "stop" {
        break
    }
}

// JSON ----------------------------------------------------------------------------------------------------------------

/// A value; a number stays as it is written.
enum Json {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([Json])
    case object([(String, Json)])

    static func read(_ bytes: [UInt8]) throws -> Json {
        var reader = Reader(bytes: bytes)
        let value = try reader.value(depth: 0)
        guard reader.next() == nil else { throw reader.wrong("more text") }
        return value
    }

    subscript(name: String) -> Json? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.0 == name }?.1
    }

    var isTrue: Bool {
        if case .bool(true) = self { return true }
        return false
    }

    func string() throws -> String {
        guard case .text(let text) = self else { throw Failure(kind: "json", message: "a string expected") }
        return text
    }

    func integer() throws -> Int {
        guard case .number(let digits) = self, let number = Int(digits) else {
            throw Failure(kind: "json", message: "an integer expected")
        }
        return number
    }

    var written: String {
        switch self {
        case .null: return "null"
        case .bool(let truth): return truth ? "true" : "false"
        case .number(let digits): return digits
        case .text(let text): return Json.quoted(text)
        case .list(let items): return "[" + items.map { $0.written }.joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { Json.quoted($0.0) + ":" + $0.1.written }.joined(separator: ",") + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted.unicodeScalars.append(contentsOf: ["\\", scalar])
            case "\0"..." " where scalar != " ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

struct Reader {
    static let deepest = 128

    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    func wrong(_ what: String) -> Failure {
        Failure(kind: "json", message: "\(what) at byte \(at)")
    }

    /// The next byte that is no white space; it is not taken.
    mutating func next() -> UInt8? {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) {
            at += 1
        }
        return at < bytes.count ? bytes[at] : nil
    }

    mutating func taken(_ expected: String) -> Bool {
        _ = next()
        let found = bytes[at...].starts(with: expected.utf8)
        at += found ? expected.utf8.count : 0
        return found
    }

    mutating func take(_ expected: String) throws {
        if !taken(expected) { throw wrong("\(expected) expected") }
    }

    mutating func value(depth: Int) throws -> Json {
        if depth > Reader.deepest { throw wrong("more than \(Reader.deepest) levels") }
        if taken("{") {
            var members: [(String, Json)] = []
            if taken("}") { return .object([]) }
            repeat {
                let name = try string()
                try take(":")
                members.append((name, try value(depth: depth + 1)))
            } while taken(",")
            try take("}")
            return .object(members)
        }
        if taken("[") {
            var items: [Json] = []
            if taken("]") { return .list([]) }
            repeat {
                items.append(try value(depth: depth + 1))
            } while taken(",")
            try take("]")
            return .list(items)
        }
        if next() == UInt8(ascii: "\"") { return .text(try string()) }
        if taken("true") { return .bool(true) }
        if taken("false") { return .bool(false) }
        return taken("null") ? .null : try number()
    }

    mutating func number() throws -> Json {
        let end = bytes[at...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? bytes.count
        let digits = String(decoding: bytes[at..<end], as: UTF8.self)
        guard Double(digits) != nil else { throw wrong("no value") }
        at = end
        return .number(digits)
    }

    mutating func string() throws -> String {
        try take("\"")
        var found: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: found, as: UTF8.self)
            case UInt8(ascii: "\\"): found += Array(String(try escaped()).utf8)
            case 0..<0x20: throw wrong("a control character")
            default: found.append(byte)
            }
        }
        throw wrong("a string without an end")
    }

    mutating func escaped() throws -> Unicode.Scalar {
        let name = at < bytes.count ? bytes[at] : 0
        at += 1
        switch Unicode.Scalar(name) {
        case "u": return try codePoint()
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "\"", "\\", "/": return Unicode.Scalar(name)
        default: throw wrong("an unknown escape")
        }
    }

    /// What \u begins. A string of Swift has no lone surrogates: each becomes U+FFFD, which has as many bytes.
    mutating func codePoint() throws -> Unicode.Scalar {
        var code = try unit()
        if (0xD800..<0xDC00).contains(code), bytes[at...].starts(with: "\\u".utf8) {
            let before = at
            at += 2
            let low = try unit()
            if (0xDC00..<0xE000).contains(low) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            } else {
                at = before
            }
        }
        return Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    mutating func unit() throws -> UInt32 {
        let digits = String(decoding: bytes[at...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, !digits.hasPrefix("+"), let code = UInt32(digits, radix: 16) else {
            throw wrong("four hexadecimal digits expected")
        }
        at += 4
        return code
    }
}
