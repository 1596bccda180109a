// What the grammar cannot tell by itself: which line breaks end a declaration, which `>` closes a
// sequence, which `::` belongs to a name, nested comments, and words that are special only by what
// stands behind them.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// The order is that of `externals` in the grammar.
enum Symbol {
    NEWLINE,
    INCLUDE_END,
    BLOCK_COMMENT,
    CLOSE_SEQUENCE,
    SCOPE,
    OPEN_MAP,
    NOT_ASSERTION,
    PRINT,
    INCLUDE,
    UNCLOSED,
    ERROR_SENTINEL,
};

typedef struct {
    // True behind a comment, if a boundary of declarations belongs to a line break before it. The
    // comment comes first, because once it is read no token can end before it.
    bool boundary_due;
} State;

// No word that matters here is longer.
enum { WORD_CAPACITY = 12 };

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static inline bool is_space(int32_t c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f' || c == 0xFEFF;
}

static inline bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

// Reads to the end of the comment whose `{-` has been read. Characters are taken in pairs after `-`
// and `{`, so `--}` closes nothing and `{{-` opens nothing.
static void skip_block_comment(TSLexer *lexer) {
    unsigned depth = 1;
    while (depth > 0 && !lexer->eof(lexer)) {
        int32_t first = lexer->lookahead;
        advance(lexer);
        if (first != '-' && first != '{') continue;
        int32_t second = lexer->lookahead;
        if (lexer->eof(lexer)) return;
        advance(lexer);
        if (first == '-' && second == '}') depth--;
        if (first == '{' && second == '-') depth++;
    }
}

// Reads a word, which is cut if it is long, with its quotes.
static void read_word(TSLexer *lexer, char *word) {
    unsigned length = 0;
    while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead) || lexer->lookahead == '_') {
        if (length < WORD_CAPACITY - 2) word[length++] = (char)lexer->lookahead;
        advance(lexer);
    }
    while (lexer->lookahead == '\'') {
        if (length < WORD_CAPACITY - 1) word[length++] = '\'';
        advance(lexer);
    }
    word[length] = 0;
}

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words; words++) {
        if (strcmp(word, *words) == 0) return true;
    }
    return false;
}

// What comes next, behind white space and comments.
typedef enum {
    // What cannot begin a declaration.
    NEXT_GOES_ON,
    // What may begin a declaration, if a line break stands before it.
    NEXT_BEGINS,
    // What ends a declaration without a line break: the end of a scope or of the file, `include`.
    NEXT_ENDS,
} Next;

static Next next_word(TSLexer *lexer) {
    static const char *const joining[] = {"true", "false", "and",  "or",   "not", "if",
                                          "then", "else",  "let", NULL};
    char word[WORD_CAPACITY];
    read_word(lexer, word);
    bool include = strcmp(word, "include") == 0 && is_space(lexer->lookahead);
    if (include || strcmp(word, "within") == 0) return NEXT_ENDS;
    return is_one_of(word, joining) ? NEXT_GOES_ON : NEXT_BEGINS;
}

// Reads on to the next token that is no comment, and into it.
static Next look_ahead(TSLexer *lexer, bool *line_break) {
    for (;;) {
        while (is_space(lexer->lookahead)) {
            *line_break |= lexer->lookahead == '\n';
            advance(lexer);
        }
        if (lexer->eof(lexer)) return NEXT_ENDS;
        int32_t c = lexer->lookahead;
        if (is_letter(c)) return next_word(lexer);
        switch (c) {
        case '-':
            advance(lexer);
            if (lexer->lookahead == '>') return NEXT_GOES_ON;
            if (lexer->lookahead != '-') return NEXT_BEGINS;
            while (!lexer->eof(lexer) && lexer->lookahead != '\n') advance(lexer);
            continue;
        case '{':
            advance(lexer);
            if (lexer->lookahead != '-') return NEXT_BEGINS;
            advance(lexer);
            skip_block_comment(lexer);
            continue;
        case '<':
            advance(lexer);
            return lexer->lookahead == '=' || lexer->lookahead == '-' ? NEXT_GOES_ON : NEXT_BEGINS;
        case '}':
            return NEXT_ENDS;
        case '(':
        case '#':
            return NEXT_BEGINS;
        default:
            return NEXT_GOES_ON;
        }
    }
}

static inline bool found(TSLexer *lexer, enum Symbol symbol) {
    lexer->result_symbol = symbol;
    return true;
}

// `::` between two names, with no space on either side.
static bool scan_scope(TSLexer *lexer) {
    advance(lexer);
    if (lexer->lookahead != ':') return false;
    advance(lexer);
    lexer->mark_end(lexer);
    return !is_space(lexer->lookahead) && found(lexer, SCOPE);
}

// A comment, and whether a boundary is due behind it.
static bool scan_block_comment(TSLexer *lexer, State *state, bool line_break, bool boundary) {
    advance(lexer);
    skip_block_comment(lexer);
    lexer->mark_end(lexer);
    state->boundary_due = false;
    if (boundary && line_break) {
        state->boundary_due = look_ahead(lexer, &line_break) != NEXT_GOES_ON;
    }
    return found(lexer, BLOCK_COMMENT);
}

static bool scan_close_sequence(TSLexer *lexer) {
    advance(lexer);
    lexer->mark_end(lexer);
    return lexer->lookahead != '=' && found(lexer, CLOSE_SEQUENCE);
}

// `not`, `print` and `include`, where they are no names.
static bool scan_word(TSLexer *lexer, const bool *valid) {
    char word[WORD_CAPACITY];
    read_word(lexer, word);
    lexer->mark_end(lexer);
    if (valid[NOT_ASSERTION] && strcmp(word, "not") == 0) return found(lexer, NOT_ASSERTION);
    if (valid[PRINT] && strcmp(word, "print") == 0 && lexer->lookahead == ' ') {
        return found(lexer, PRINT);
    }
    if (valid[INCLUDE] && strcmp(word, "include") == 0 && is_space(lexer->lookahead)) {
        return found(lexer, INCLUDE);
    }
    return false;
}

static bool scan(TSLexer *lexer, State *state, const bool *valid) {
    bool recovering = valid[ERROR_SENTINEL];
    // An include ends with its path, whatever else stands on its line.
    if (valid[INCLUDE_END] && !recovering) {
        lexer->mark_end(lexer);
        return found(lexer, INCLUDE_END);
    }
    if (valid[SCOPE] && lexer->lookahead == ':') return scan_scope(lexer);

    bool line_break = valid[NEWLINE] && state->boundary_due;
    while (is_space(lexer->lookahead)) {
        line_break |= lexer->lookahead == '\n';
        lexer->advance(lexer, true);
    }
    lexer->mark_end(lexer);

    int32_t first = lexer->lookahead;
    if (first == '{') {
        // Either the beginning of a comment, or a token that may begin a declaration.
        advance(lexer);
        if (lexer->lookahead == '-') {
            return scan_block_comment(lexer, state, line_break, valid[NEWLINE]);
        }
        if ((valid[NEWLINE] || valid[UNCLOSED]) && line_break) {
            state->boundary_due = false;
            return found(lexer, NEWLINE);
        }
        return false;
    }
    if (valid[NEWLINE]) {
        Next next = look_ahead(lexer, &line_break);
        if (next == NEXT_GOES_ON || (next == NEXT_BEGINS && !line_break)) return false;
        state->boundary_due = false;
        return found(lexer, NEWLINE);
    }
    if (recovering) return false;
    if (valid[UNCLOSED] && line_break) {
        // What is in brackets is complete, and the bracket is not closed. No boundary is expected
        // here: the parser closes the brackets, since behind them it is.
        if (first == '>' && valid[CLOSE_SEQUENCE]) return scan_close_sequence(lexer);
        return look_ahead(lexer, &line_break) == NEXT_BEGINS && found(lexer, NEWLINE);
    }
    if (valid[CLOSE_SEQUENCE] && first == '>') return scan_close_sequence(lexer);
    if (valid[OPEN_MAP] && first == '(') {
        advance(lexer);
        if (lexer->lookahead != '|') return false;
        advance(lexer);
        lexer->mark_end(lexer);
        return is_space(lexer->lookahead) && found(lexer, OPEN_MAP);
    }
    if ((valid[NOT_ASSERTION] || valid[PRINT] || valid[INCLUDE]) && is_letter(first)) {
        return scan_word(lexer, valid);
    }
    return false;
}

void *tree_sitter_cspm_external_scanner_create(void) { return ts_calloc(1, sizeof(State)); }

void tree_sitter_cspm_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_cspm_external_scanner_serialize(void *payload, char *buffer) {
    buffer[0] = (char)((State *)payload)->boundary_due;
    return 1;
}

void tree_sitter_cspm_external_scanner_deserialize(
    void *payload, const char *buffer, unsigned length) {
    ((State *)payload)->boundary_due = length > 0 && buffer[0] != 0;
}

bool tree_sitter_cspm_external_scanner_scan(
    void *payload, TSLexer *lexer, const bool *valid) {
    return scan(lexer, (State *)payload, valid);
}
