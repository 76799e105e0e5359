// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//
// Build: javac Words.java      (or none: "command:java Words.java" compiles it at each start)
// Run:   tokconf run tokenizer.json -i tokenizers "command:java -cp . Words"
//
// For your library replace the part "Your tokenizer": ABOUT, load, encode and decode. The rest is the protocol, and the
// JSON that the standard library lacks.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class Words {

    // Your tokenizer --------------------------------------------------------------------------------------------------
    //
    // The calls of DJL, ai.djl.huggingface:tokenizers (written from its source, not tested here):
    //
    //     load:   var options = Map.of("truncation", "false", "padding", "false");
    //             tokenizer = HuggingFaceTokenizer.newInstance(Path.of(file), options);
    //     encode: ai.djl.huggingface.tokenizers.Encoding found = pair == null
    //                 ? tokenizer.encode(text, special, false)
    //                 : tokenizer.encode(text, pair, special, false);
    //             // found.getIds(), found.getTokens(), found.getCharTokenSpans(): a span is null for a special token
    //     decode: return tokenizer.decode(ids, skipSpecial);
    //
    // It truncates and pads by options of its own, not by those of the file: these turn both off. Its spans count code
    // points: say so in ABOUT. It answers pairs and adds special tokens, so "stages" there gets "post_process", too.

    static final Map<String, Object> ABOUT = Map.of(
        "protocol", 1, "name", "words-java", "version", "1.0", "language", "Java",
        "stages", List.of("model", "decode"), "fields", List.of("ids", "tokens", "offsets", "text"),
        "offset_unit", "UTF-16 units");

    static List<String> tokens = List.of();
    static Map<String, Long> ids = Map.of();

    record Encoding(List<Long> ids, List<String> tokens, List<List<Integer>> offsets) {}

    static void load(String file) throws IOException {
        Object model = object(new Json(Files.readString(Path.of(file))).whole()).get("model");
        Object vocab = object(model).get("vocab");
        List<String> found = new ArrayList<>();
        if (vocab instanceof List<?> rows) {
            rows.forEach(row -> found.add((String) ((List<?>) row).get(0)));
        } else {
            object(vocab).entrySet().stream()
                .sorted((one, other) -> Long.compare((Long) one.getValue(), (Long) other.getValue()))
                .forEach(entry -> found.add(entry.getKey()));
        }
        Map<String, Long> numbered = new HashMap<>();
        found.forEach(token -> numbered.put(token, (long) numbered.size()));
        tokens = found;
        ids = numbered;
    }

    static Encoding encode(String text, String pair, boolean special) {
        if (pair != null || special) {
            throw new UnsupportedOperationException("words has neither pairs nor special tokens");
        }
        Encoding found = new Encoding(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int start = 0, end; start < text.length(); start = end + 1) {
            for (end = start; end < text.length() && !isSpace(text.charAt(end)); end++) {}
            if (end > start) {
                Long id = ids.getOrDefault(text.substring(start, end), 0L);
                found.ids.add(id);
                found.tokens.add(tokens.get(id.intValue()));
                found.offsets.add(List.of(start, end));
            }
        }
        return found;
    }

    static String decode(long[] ids, boolean skipSpecial) {
        List<String> words = new ArrayList<>();
        for (long id : ids) {
            words.add(tokens.get(Math.toIntExact(id)));
        }
        return String.join(" ", words);
    }

    /** White space as in the other examples: that of Python's \s. */
    static boolean isSpace(char unit) {
        return unit >= 9 && unit <= 13 || unit >= 28 && unit <= 32 || unit == 0x85 || unit == 0xA0 || unit == 0x1680
            || unit >= 0x2000 && unit <= 0x200A || unit == 0x2028 || unit == 0x2029 || unit == 0x202F || unit == 0x205F
            || unit == 0x3000;
    }

    // The protocol ----------------------------------------------------------------------------------------------------

    static Object value(Map<String, Object> request) throws IOException {
        String asked = request.get("do") + " " + request.getOrDefault("ask", "");
        switch (asked.strip()) {
            case "start":
                return ABOUT;
            case "load":
                load((String) request.get("file"));
                return Map.of();
            case "observe encode":
                if (!(request.get("text") instanceof String text) || request.containsKey("pair_words")) {
                    break;
                }
                boolean special = request.get("add_special_tokens") == Boolean.TRUE;
                Encoding found = encode(text, (String) request.get("pair"), special);
                return Map.of("ids", found.ids, "tokens", found.tokens, "offsets", found.offsets);
            case "observe decode":
                long[] ids = ((List<?>) request.get("ids")).stream().mapToLong(id -> (Long) id).toArray();
                return Map.of("text", decode(ids, request.get("skip_special_tokens") == Boolean.TRUE));
            case "stop":
                return Map.of();
            default:
        }
        throw new UnsupportedOperationException("words cannot show this");
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, Object> request;
            try {
                request = object(new Json(line).whole());
            } catch (IllegalArgumentException malformed) {
                request = Map.of();
            }
            if (!(request.get("id") instanceof Long id)) {
                System.err.println("words: a line that is no request");
                continue;
            }
            Map<String, Object> answer = new LinkedHashMap<>(Map.of("id", id));
            try {
                answer.put("value", value(request));
            } catch (UnsupportedOperationException why) {
                answer.put("unsupported", String.valueOf(why.getMessage()));
            } catch (Exception error) {
                String message = String.valueOf(error.getMessage());
                answer.put("error", Map.of("kind", error.getClass().getSimpleName(), "message", message));
            }
            System.out.print(Json.written(answer) + "\n");
            System.out.flush();
            if ("stop".equals(request.get("do"))) {
                return;
            }
        }
    }

    // JSON ------------------------------------------------------------------------------------------------------------

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("a JSON object expected");
        }
        return (Map<String, Object>) value;
    }

    /** Reads and writes JSON: Map, List, String, Long, Double, Boolean, null. Lone surrogates stay as they are. */
    static class Json {
        static final int DEEPEST = 128;

        final String text;
        int at;

        Json(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value(0);
            if (next() != 0) {
                throw wrong("more text");
            }
            return value;
        }

        IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("JSON: " + what + " at " + at);
        }

        /** The next character that is no white space, 0 at the end; it is not taken. */
        char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        boolean taken(String expected) {
            next();
            boolean found = text.startsWith(expected, at);
            at += found ? expected.length() : 0;
            return found;
        }

        void take(String expected) {
            if (!taken(expected)) {
                throw wrong(expected + " expected");
            }
        }

        Object value(int depth) {
            if (depth > DEEPEST) {
                throw wrong("more than " + DEEPEST + " levels");
            }
            if (taken("{")) {
                Map<String, Object> members = new LinkedHashMap<>();
                items("}", () -> {
                    String name = string();
                    take(":");
                    members.put(name, value(depth + 1));
                });
                return members;
            }
            if (taken("[")) {
                List<Object> items = new ArrayList<>();
                items("]", () -> items.add(value(depth + 1)));
                return items;
            }
            if (next() == '"') {
                return string();
            }
            if (taken("true") || taken("false")) {
                return text.charAt(at - 2) == 'u';
            }
            return taken("null") ? null : number();
        }

        void items(String close, Runnable item) {
            if (taken(close)) {
                return;
            }
            do {
                item.run();
            } while (taken(","));
            take(close);
        }

        Object number() {
            int start = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            String digits = text.substring(start, at);
            try {
                boolean isWhole = digits.matches("-?[0-9]{1,18}");
                return isWhole ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
            } catch (NumberFormatException malformed) {
                throw wrong("no value");
            }
        }

        String string() {
            take("\"");
            StringBuilder found = new StringBuilder();
            while (at < text.length()) {
                char unit = text.charAt(at++);
                if (unit == '"') {
                    return found.toString();
                }
                if (unit < ' ') {
                    throw wrong("a control character");
                }
                found.append(unit == '\\' ? escaped() : unit);
            }
            throw wrong("a string without an end");
        }

        char escaped() {
            int named = "\"\\/bfnrt".indexOf(at < text.length() ? text.charAt(at) : 'u');
            at++;
            if (named >= 0) {
                return "\"\\/\b\f\n\r\t".charAt(named);
            }
            if (!text.startsWith("u", at - 1) || at + 4 > text.length()) {
                throw wrong("an unknown escape");
            }
            at += 4;
            return (char) HexFormat.fromHexDigits(text, at - 4, at);
        }

        /** A value as JSON in ASCII. */
        static String written(Object value) {
            if (value instanceof Map<?, ?> members) {
                List<String> written = new ArrayList<>();
                members.forEach((name, member) -> written.add(written(name) + ":" + written(member)));
                return "{" + String.join(",", written) + "}";
            }
            if (value instanceof List<?> items) {
                List<String> written = new ArrayList<>();
                items.forEach(item -> written.add(written(item)));
                return "[" + String.join(",", written) + "]";
            }
            return value instanceof String text ? quoted(text) : String.valueOf(value);
        }

        static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char unit : text.toCharArray()) {
                if (unit == '"' || unit == '\\') {
                    quoted.append('\\').append(unit);
                } else if (unit >= ' ' && unit < 0x7F) {
                    quoted.append(unit);
                } else {
                    quoted.append(String.format("\\u%04x", (int) unit));
                }
            }
            return quoted.append('"').toString();
        }
    }
}
