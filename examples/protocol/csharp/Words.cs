// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
//
// Build: dotnet build -o out      (Words.csproj is beside this file)
// Run:   tokconf run tokenizer.json -i tokenizers "command:out/Words"
//
// For your library replace the part "Your tokenizer": About, Load, Encode and Decode. The rest is the protocol.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;

public static class Words
{
    // Your tokenizer --------------------------------------------------------------------------------------------------
    //
    // The calls of Microsoft.ML.Tokenizers (written from its source, not tested here):
    //
    //     Load:   tokenizer = BpeTokenizer.Create(folder + "/vocab.json", folder + "/merges.txt");
    //     Encode: IReadOnlyList<EncodedToken> found = tokenizer.EncodeToTokens(text, out string normalized);
    //             // each has Id, Value and Offset: Offset.Start.Value, Offset.End.Value
    //     Decode: return tokenizer.Decode(ids);
    //
    // It reads no tokenizer.json: your code reads there what to create, and with which normalizer and pre-tokenizer.
    // "folder" is a field of the request, or the folder of the file. Its offsets count UTF-16 units of the normalized
    // text: where "normalized" is another text, leave them out. It has no pairs.

    static readonly object About = new Dictionary<string, object>
    {
        ["protocol"] = 1, ["name"] = "words-csharp", ["version"] = "1.0", ["language"] = "C#",
        ["stages"] = new[] { "model", "decode" }, ["fields"] = new[] { "ids", "tokens", "offsets", "text" },
        ["offset_unit"] = "UTF-16 units",
    };

    sealed class Encoding
    {
        public List<int> Ids = new List<int>();
        public List<string> Tokens = new List<string>();
        public List<int[]> Offsets = new List<int[]>();
    }

    static List<string> tokens = new List<string>();
    static Dictionary<string, int> ids = new Dictionary<string, int>();

    static void Load(string file)
    {
        using (JsonDocument document = JsonDocument.Parse(File.ReadAllText(file)))
        {
            JsonElement vocab = document.RootElement.GetProperty("model").GetProperty("vocab");
            tokens = vocab.ValueKind == JsonValueKind.Array
                ? vocab.EnumerateArray().Select(row => row[0].GetString()).ToList()
                : vocab.EnumerateObject().OrderBy(row => row.Value.GetInt64()).Select(row => row.Name).ToList();
        }
        ids = new Dictionary<string, int>();
        for (int id = 0; id < tokens.Count; id++)
        {
            ids[tokens[id]] = id;
        }
    }

    static Encoding Encode(string text, string pair, bool special)
    {
        if (pair != null || special)
        {
            throw new NotSupportedException("words has neither pairs nor special tokens");
        }
        var found = new Encoding();
        for (int start = 0, end; start < text.Length; start = end + 1)
        {
            for (end = start; end < text.Length && !IsSpace(text[end]); end++) { }
            if (end > start)
            {
                ids.TryGetValue(text.Substring(start, end - start), out int id); // 0 where it is not found
                found.Ids.Add(id);
                found.Tokens.Add(tokens[id]);
                found.Offsets.Add(new[] { start, end });
            }
        }
        return found;
    }

    static string Decode(int[] ids, bool skipSpecial)
    {
        return string.Join(" ", ids.Select(id => tokens[id]));
    }

    // White space as in the other examples: that of Python's \s.
    static bool IsSpace(char unit)
    {
        return char.IsWhiteSpace(unit) || (unit >= '\u001C' && unit <= '\u001F');
    }

    // The protocol ----------------------------------------------------------------------------------------------------

    static readonly Dictionary<string, object> Nothing = new Dictionary<string, object>();

    static string Text(JsonElement request, string name)
    {
        return request.TryGetProperty(name, out JsonElement field) ? field.GetString() : null;
    }

    static bool Flag(JsonElement request, string name)
    {
        return request.TryGetProperty(name, out JsonElement field) && field.GetBoolean();
    }

    static object Value(JsonElement request)
    {
        switch (Text(request, "do") + " " + Text(request, "ask"))
        {
            case "start ":
                return About;
            case "load ":
                Load(Text(request, "file"));
                return Nothing;
            case "observe encode":
                if (Text(request, "text") == null || request.TryGetProperty("pair_words", out _))
                {
                    break;
                }
                bool special = Flag(request, "add_special_tokens");
                Encoding found = Encode(Text(request, "text"), Text(request, "pair"), special);
                return new Dictionary<string, object>
                {
                    ["ids"] = found.Ids, ["tokens"] = found.Tokens, ["offsets"] = found.Offsets,
                };
            case "observe decode":
                int[] given = request.GetProperty("ids").EnumerateArray().Select(id => id.GetInt32()).ToArray();
                string text = Decode(given, Flag(request, "skip_special_tokens"));
                return new Dictionary<string, object> { ["text"] = text };
            case "stop ":
                return Nothing;
        }
        throw new NotSupportedException("words cannot show this");
    }

    static Dictionary<string, object> Answer(JsonElement id, JsonElement request)
    {
        var answer = new Dictionary<string, object> { ["id"] = id };
        try
        {
            answer["value"] = Value(request);
        }
        catch (NotSupportedException why)
        {
            answer["unsupported"] = why.Message;
        }
        catch (Exception error)
        {
            string kind = error.GetType().Name;
            answer["error"] = new Dictionary<string, object> { ["kind"] = kind, ["message"] = error.Message };
        }
        return answer;
    }

    static readonly Regex Escapes = new Regex(
        @"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)");

    // System.Text.Json reads no lone surrogates: each becomes U+FFFD, which is one UTF-16 unit as well.
    static string WithoutLoneSurrogates(string line)
    {
        return Escapes.Replace(line, escape => escape.Groups[1].Success ? @"\uFFFD" : escape.Value);
    }

    static JsonDocument Parsed(string line)
    {
        try
        {
            return JsonDocument.Parse(WithoutLoneSurrogates(line));
        }
        catch (JsonException)
        {
            return JsonDocument.Parse("null");
        }
    }

    public static void Main()
    {
        var output = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true, NewLine = "\n" };
        for (string line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            using (JsonDocument document = Parsed(line))
            {
                JsonElement request = document.RootElement;
                if (request.ValueKind != JsonValueKind.Object || !request.TryGetProperty("id", out JsonElement id))
                {
                    Console.Error.WriteLine("words: a line that is no request");
                    continue;
                }
                output.WriteLine(JsonSerializer.Serialize(Answer(id, request)));
                if (request.TryGetProperty("do", out JsonElement what) && what.ToString() == "stop")
                {
                    return;
                }
            }
        }
    }
}
