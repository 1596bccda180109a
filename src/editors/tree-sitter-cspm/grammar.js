/**
 * CSPm, the language of FDR, as cspsym reads it.
 *
 * Patterns are expressions here: only the `=` or `<-` behind a pattern tells that it was one.
 * The scanner (`src/scanner.c`) decides which line breaks end a declaration, and which `>` closes a
 * sequence.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const UPPER = [
  'postfix', 'concatenation', 'length', 'times', 'plus', 'comparison', 'not', 'and', 'or',
  'dot', 'restricted', 'field', 'arrow',
];
const PROCESSES = [
  'sequential', 'sliding', 'interrupt', 'external', 'internal', 'parallel', 'interleave',
];
const LOWER = ['double', 'weak'];

/** What may stand between the words of a property, as in `deadlock-free`. */
const GAP = /[ \t\r-]+/;

const comma1 = (rule) => seq(rule, repeat(seq(',', rule)));
const comma0 = (rule) => optional(comma1(rule));

module.exports = grammar({
  name: 'cspm',

  word: ($) => $.identifier,

  extras: ($) => [/[ \t\r\n\v\f\uFEFF]/, $.line_comment, $.block_comment],

  // The order is that of the enumeration in the scanner.
  externals: ($) => [
    $._newline,
    $._include_end,
    $.block_comment,
    $._close_sequence,
    $._scope,
    $._open_map,
    $._not_assertion,
    $._print,
    $._include,
    $._unclosed,
    $._error_sentinel,
  ],

  supertypes: ($) => [$.declaration, $.expression, $.type, $.field],

  // Hiding is compared with no other operator on processes, so what is on its left is always
  // complete: `P ||| Q \ A` hides in both, and `P \ A ||| Q` in P only.
  precedences: () => [
    [...UPPER, ...PROCESSES, ...LOWER],
    [...UPPER, 'hiding', ...LOWER],
  ],

  rules: {
    source_file: ($) => repeat($._ended_declaration),

    // ---- Declarations

    // The scanner gives a line break at the end of each scope, too.
    _ended_declaration: ($) =>
      choice(
        seq($.declaration, $._newline),
        // What follows on the line of an include is the next declaration.
        seq($.include_declaration, $._include_end),
      ),

    declaration: ($) =>
      choice(
        $.constant_definition,
        $.function_definition,
        $.pattern_definition,
        $.type_annotation,
        $.channel_declaration,
        $.datatype_declaration,
        $.subtype_declaration,
        $.nametype_declaration,
        $.external_declaration,
        $.transparent_declaration,
        $.module_declaration,
        $.instance_declaration,
        $.timed_section,
        $.print_declaration,
        $.assertion,
      ),

    constant_definition: ($) =>
      prec(1, seq(field('name', $.identifier), '=', field('body', $._body))),

    function_definition: ($) =>
      prec(1, seq(field('head', $.call), '=', field('body', $._body))),

    pattern_definition: ($) => seq(field('pattern', $._element), '=', field('body', $._body)),

    type_annotation: ($) =>
      seq(comma1(field('name', $.identifier)), '::', field('type', $._scheme)),

    channel_declaration: ($) =>
      seq(
        'channel',
        comma1(field('name', $.identifier)),
        optional(seq(':', field('fields', $._body))),
      ),

    datatype_declaration: ($) =>
      seq('datatype', field('name', $.identifier), '=', $._constructors),

    subtype_declaration: ($) => seq('subtype', field('name', $.identifier), '=', $._constructors),

    _constructors: ($) => seq($.constructor, repeat(seq('|', $.constructor))),

    constructor: ($) =>
      seq(field('name', $.identifier), optional(seq('.', field('fields', $._body)))),

    nametype_declaration: ($) =>
      seq('nametype', field('name', $.identifier), '=', field('body', $._body)),

    external_declaration: ($) => seq('external', comma1(field('name', $.identifier))),

    transparent_declaration: ($) => seq('transparent', comma1(field('name', $.identifier))),

    module_declaration: ($) =>
      seq(
        'module',
        field('name', $.identifier),
        optional(field('parameters', $.arguments)),
        $._newline,
        repeat($._ended_declaration),
        $.exports,
        'endmodule',
      ),

    exports: ($) => seq('exports', $._newline, repeat($._ended_declaration)),

    instance_declaration: ($) =>
      seq(
        'instance',
        field('name', $.identifier),
        '=',
        field('module', $._name),
        optional(field('arguments', $.arguments)),
      ),

    include_declaration: ($) => seq(alias($._include, 'include'), field('path', $.string)),

    print_declaration: ($) => seq(alias($._print, 'print'), $._body),

    timed_section: ($) =>
      seq(
        'Timed',
        optional(seq('(', field('duration', $._element), ')')),
        '{',
        repeat($._ended_declaration),
        '}',
      ),

    // ---- Assertions

    assertion: ($) =>
      seq(
        'assert',
        optional(alias($._not_assertion, 'not')),
        choice(
          $.refinement,
          $.property_check,
          $.trace_check,
          $.symmetry_check,
          $._never_assertion,
        ),
        repeat(
          choice(
            $.tau_priority_option,
            $.partial_order_option,
            $.symmetry_option,
            $.for_all_option,
          ),
        ),
      ),

    refinement: ($) =>
      seq(
        field('specification', $.expression),
        field('operator', $.refinement_operator),
        field('implementation', $._last),
      ),

    refinement_operator: () => choice('[T=', '[F=', '[FD=', '[V=', '[VD=', '[R=', '[RD='),

    property_check: ($) =>
      seq(
        field('process', $.expression),
        ':[',
        field('property', choice($.deadlock_free, $.divergence_free, $.deterministic)),
        optional(field('model', $.model)),
        ']',
        optional(':'),
      ),

    trace_check: ($) =>
      seq(
        field('process', $.expression),
        ':[',
        $.has_trace,
        optional(field('model', $.model)),
        ']',
        optional(':'),
        field('trace', $._last),
      ),

    symmetry_check: ($) =>
      seq(
        field('subject', $.expression),
        ':[',
        $.symmetric,
        optional(field('model', $.model)),
        ']',
        optional(':'),
        comma0(field('type', $._last)),
      ),

    tau_priority_option: ($) =>
      seq(':[', $.tau_priority, ']', optional(':'), field('events', $._last)),

    partial_order_option: ($) =>
      seq(
        ':[',
        $.partial_order_reduce,
        optional($.reduction_word),
        ']',
        optional(':'),
      ),

    symmetry_option: ($) =>
      seq(':[', $.symmetry_reduce, ']', optional(':'), comma0(field('type', $._last))),

    for_all_option: ($) =>
      seq(
        ':[',
        $.for_all,
        ']',
        optional(':'),
        field('constant', $._name),
        optional(seq('>=', field('least', $.integer))),
      ),

    // One token each, so that no state has to tell `]` and `]` from `]]`.
    model: () => /\[[ \t]*(T|F|FD|V|VD|R|RD)[ \t]*\]/,
    reduction_word: () => /\[[^\[\]\n]*\]/,
    deadlock_free: () => token(seq('deadlock', GAP, 'free')),
    divergence_free: () => token(seq(choice('livelock', 'divergence'), GAP, 'free')),
    deterministic: () => token('deterministic'),
    has_trace: () => token(seq('has', GAP, 'trace')),
    symmetric: () => token('symmetric'),
    tau_priority: () => token(seq('tau', GAP, 'priority', optional(seq(GAP, 'over')))),
    partial_order_reduce: () => token(seq('partial', GAP, 'order', GAP, 'reduce')),
    symmetry_reduce: () => token(seq('symmetry', GAP, 'reduce')),
    for_all: () => token(seq('for', GAP, 'all')),

    // ---- Expressions

    expression: ($) =>
      choice(
        $._operand,
        $.unary_expression,
        $.binary_expression,
        $.length,
        $.concatenation,
        $.dotted,
        $.communication,
        $.double_pattern,
        $.prefix,
        $.guarded,
        $.sequential_composition,
        $.sliding_choice,
        $.interrupt,
        $.synchronising_interrupt,
        $.external_choice,
        $.synchronising_external_choice,
        $.internal_choice,
        $.generalised_parallel,
        $.exception,
        $.alphabetised_parallel,
        $.linked_parallel,
        $.interleave,
        $.hiding,
        $.projection,
        $.conditional,
        $.let_expression,
        $.lambda,
        $.replicated_external_choice,
        $.replicated_internal_choice,
        $.replicated_sequential_composition,
        $.replicated_interleave,
        $.replicated_generalised_parallel,
        $.replicated_alphabetised_parallel,
        $.replicated_linked_parallel,
        $.replicated_synchronising_external_choice,
      ),

    _operand: ($) =>
      choice(
        $._name,
        $.integer,
        $.boolean,
        $.character,
        $.string,
        $.wildcard,
        $.parenthesised,
        $.tuple,
        $.sequence,
        $.set,
        $.production_set,
        $.map,
        $.call,
        $.renaming,
      ),

    _name: ($) => choice($.identifier, $.qualified_name),

    qualified_name: ($) =>
      seq(field('module', $._name), alias($._scope, '::'), field('name', $.identifier)),

    parenthesised: ($) => seq('(', $._element, ')'),

    tuple: ($) => seq('(', $._element, repeat1(seq(',', $._element)), ')'),

    sequence: ($) =>
      choice(
        // One token, as in cspsym, so that the `=` in `s=<>==t` is no part of it.
        alias(token(seq('<', /[ \t\r\n]*/, '>')), '<>'),
        seq('<', optional($._items), alias($._close_sequence, '>')),
      ),

    set: ($) => seq('{', optional($._items), '}'),

    production_set: ($) => seq('{|', comma0($._element), optional($._guards), '|}'),

    // A sequence or a set may have guards without items, as in `{ | x <- S }`.
    _items: ($) =>
      choice(seq(choice(comma1($._element), $.range), optional($._guards)), $._guards),

    range: ($) => seq(field('from', $._element), '..', optional(field('to', $._element))),

    _guards: ($) => seq('|', $.statements),

    statements: ($) => comma1($._element),

    generator: ($) =>
      seq(field('pattern', $._element), choice('<-', ':'), field('source', $.expression)),

    map: ($) => seq(alias($._open_map, '(|'), comma0($.map_entry), '|)'),

    map_entry: ($) => seq(field('key', $._element), '=>', field('value', $._element)),

    call: ($) =>
      prec('postfix', seq(field('function', $._operand), field('arguments', $.arguments))),

    arguments: ($) => seq('(', comma0($._element), ')'),

    renaming: ($) =>
      prec(
        'postfix',
        seq(field('process', $._operand), '[[', comma0($.renaming_pair), optional($._guards), ']]'),
      ),

    renaming_pair: ($) => seq(field('from', $._element), '<-', field('to', $.expression)),

    unary_expression: ($) =>
      choice(
        prec.left('not', seq(field('operator', 'not'), field('operand', $.expression))),
        prec.left('plus', seq(field('operator', '-'), field('operand', $.expression))),
      ),

    length: ($) => prec.left('length', seq('#', $.expression)),

    binary_expression: ($) => {
      const level = (name, ...operators) =>
        prec.left(
          name,
          seq(
            field('left', $.expression),
            field('operator', operators.length > 1 ? choice(...operators) : operators[0]),
            field('right', $.expression),
          ),
        );
      return choice(
        level('or', 'or'),
        level('and', 'and'),
        level('comparison', '==', '!=', '<', '<=', '>', '>='),
        level('plus', '+', '-'),
        level('times', '*', '/', '%'),
      );
    },

    concatenation: ($) =>
      prec.left(
        'concatenation',
        seq(field('left', $.expression), '^', field('right', $.expression)),
      ),

    dotted: ($) =>
      prec.right('dot', seq($.expression, repeat1(prec.left('dot', seq('.', $.expression))))),

    double_pattern: ($) => prec.left('double', seq($.expression, '@@', $.expression)),

    conditional: ($) =>
      prec.left(
        'weak',
        seq(
          'if',
          field('condition', $._element),
          'then',
          field('consequence', $._element),
          'else',
          field('alternative', $.expression),
        ),
      ),

    let_expression: ($) =>
      prec.left(
        'weak',
        seq('let', repeat1($._ended_declaration), 'within', field('body', $.expression)),
      ),

    lambda: ($) =>
      prec.left(
        'weak',
        seq('\\', field('parameters', $.parameters), '@', field('body', $.expression)),
      ),

    parameters: ($) => comma1($._element),

    // ---- Where an expression ends

    // After `P [] Q` there is one state for each set of tokens that may come next, and so it is for
    // all operators. Tree-sitter makes one state of several only where these sets hardly differ.
    // The rules below make them alike, so that three sets are left: in brackets, in sequences, and
    // where an expression ends with its line. To that end some of them allow more than CSPm does,
    // and the hidden ones named `_never` allow texts with a stray `+\\`, which nobody writes.
    // Without them the tables are three times as large.

    // What stands in brackets. The program tells which of it may stand in which brackets.
    _element: ($) => choice($.expression, $.generator, $.link, $._never_element),

    // The scanner never gives `_unclosed`. Where the token is valid, something in brackets is
    // complete: a line that could begin a declaration then does. So a bracket that is not closed
    // spoils one declaration, and not the rest of the script.
    _never_element: ($) => seq($._element, choice('||', '+\\', $._unclosed), '+\\'),

    // What ends a declaration.
    _body: ($) => choice($.expression, $._never_body),

    _never_body: ($) => seq($.expression, choice(':[', ':', $.refinement_operator), '+\\'),

    // What ends an assertion, if no option follows.
    _last: ($) => choice($.expression, $._never_last),

    _never_last: ($) => seq($.expression, choice(':', $.refinement_operator), '+\\'),

    // What begins an assertion, as all checks do.
    _never_assertion: ($) => seq($.expression, choice($._newline, ':'), '+\\'),

    // ---- Processes

    prefix: ($) =>
      prec.right('arrow', seq(field('event', $.expression), '->', field('process', $.expression))),

    guarded: ($) =>
      prec.right(
        'arrow',
        seq(field('condition', $.expression), '&', field('process', $.expression)),
      ),

    communication: ($) =>
      prec.right('field', seq(field('channel', $.expression), repeat1($.field))),

    field: ($) => choice($.input, $.output, $.nondeterministic_input),

    input: ($) => fieldOf($, '?'),

    nondeterministic_input: ($) => fieldOf($, '$'),

    output: ($) => prec.left('field', seq('!', field('value', $.expression))),

    sequential_composition: ($) => infix($, 'sequential', ';'),
    sliding_choice: ($) => infix($, 'sliding', '[>'),
    interrupt: ($) => infix($, 'interrupt', '/\\'),
    external_choice: ($) => infix($, 'external', '[]'),
    internal_choice: ($) => infix($, 'internal', '|~|'),
    interleave: ($) => infix($, 'interleave', '|||'),

    synchronising_interrupt: ($) => over($, 'interrupt', '/+', '+\\'),
    synchronising_external_choice: ($) => over($, 'external', '[+', '+]'),
    generalised_parallel: ($) => over($, 'parallel', '[|', '|]'),
    exception: ($) => over($, 'parallel', '[|', '|>'),

    alphabetised_parallel: ($) =>
      prec.left(
        'parallel',
        seq(
          field('left', $.expression),
          '[',
          field('left_alphabet', $._element),
          '||',
          field('right_alphabet', $._element),
          ']',
          field('right', $.expression),
        ),
      ),

    linked_parallel: ($) =>
      prec.left(
        'parallel',
        seq(field('left', $.expression), '[', $._links, ']', field('right', $.expression)),
      ),

    _links: ($) => seq(comma1($.link), optional($._guards)),

    link: ($) => seq(field('left', $._element), '<->', field('right', $.expression)),

    hiding: ($) =>
      prec.left('hiding', seq(field('process', $.expression), '\\', field('events', $.expression))),

    projection: ($) =>
      prec.left(
        'hiding',
        seq(field('process', $.expression), '|\\', field('events', $.expression)),
      ),

    replicated_external_choice: ($) => replicated($, '[]'),
    replicated_internal_choice: ($) => replicated($, '|~|'),
    replicated_sequential_composition: ($) => replicated($, ';'),
    replicated_interleave: ($) => replicated($, '|||'),
    replicated_generalised_parallel: ($) =>
      replicated($, '[|', field('events', $._element), '|]'),
    replicated_synchronising_external_choice: ($) =>
      replicated($, '[+', field('events', $._element), '+]'),
    replicated_linked_parallel: ($) => replicated($, '[', $._links, ']'),

    replicated_alphabetised_parallel: ($) =>
      prec.left(
        'parallel',
        seq(
          '||',
          $.statements,
          '@',
          '[',
          field('alphabet', $._element),
          ']',
          field('process', $.expression),
        ),
      ),

    // ---- Types

    _scheme: ($) => choice($.type, $.constrained_type),

    constrained_type: ($) =>
      seq(choice($.constraint, seq('(', comma1($.constraint), ')')), '=>', $.type),

    constraint: ($) => seq(field('class', $.identifier), field('variable', $.identifier)),

    type: ($) => choice($.function_type, $._dotable_type),

    function_type: ($) =>
      seq(field('parameters', $.type_group), '->', field('result', $.type)),

    _dotable_type: ($) => choice($._dotted_type, $.dotable_type, $.extendable_type),

    dotable_type: ($) => seq($._dotted_type, '=>', $._dotable_type),

    extendable_type: ($) => seq($._dotted_type, '=>*', $._dotable_type),

    _dotted_type: ($) => choice($._type_atom, $.dotted_type),

    dotted_type: ($) => seq($._type_atom, '.', $._dotted_type),

    _type_atom: ($) =>
      choice($.type_name, $.set_type, $.sequence_type, $.map_type, $.type_group),

    type_name: ($) => $._name,

    set_type: ($) => seq('{', $.type, '}'),

    sequence_type: ($) => seq('<', $.type, alias($._close_sequence, '>')),

    map_type: ($) => seq(alias($._open_map, '(|'), $._dotted_type, '=>', $.type, '|)'),

    type_group: ($) => seq('(', comma0($.type), ')'),

    // ---- Words

    identifier: () => /[A-Za-z][A-Za-z0-9_]*'*/,
    integer: () => /[0-9]+/,
    boolean: () => choice('true', 'false'),
    character: () => /'(\\[^\n]|[^\n'\\])'/,
    // One token, so that nothing in a string is taken for a comment.
    string: () => token(seq('"', repeat(choice(/[^"\\\n]/, /\\[^\n]/)), '"')),
    wildcard: () => '_',
    line_comment: () => token(seq('--', /[^\n]*/)),
  },
});

/** An operator between two processes. */
function infix($, level, operator) {
  return prec.left(
    level,
    seq(field('left', $.expression), operator, field('right', $.expression)),
  );
}

/** An operator between two processes that has a set of events in brackets. */
function over($, level, open, close) {
  return prec.left(
    level,
    seq(
      field('left', $.expression),
      open,
      field('events', $._element),
      close,
      field('right', $.expression),
    ),
  );
}

function replicated($, ...operator) {
  return prec.left('weak', seq(...operator, $.statements, '@', field('process', $.expression)));
}

/** `?x` or `?x:S`, and the same with `$`. */
function fieldOf($, mark) {
  return choice(
    prec.left('field', seq(mark, field('pattern', $.expression))),
    prec.left(
      'restricted',
      seq(mark, field('pattern', $.expression), ':', field('source', $.expression)),
    ),
  );
}
