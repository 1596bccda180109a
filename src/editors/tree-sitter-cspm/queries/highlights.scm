; Where two patterns match one node, the later one counts. Helix before 25.07 takes the earlier one,
; so no pattern is there only to be overruled: other names have no colour of their own.

; ---- Words and signs

[
  "channel"
  "datatype"
  "subtype"
  "nametype"
  "external"
  "transparent"
  "module"
  "exports"
  "endmodule"
  "instance"
  "Timed"
  "print"
  "assert"
  "let"
  "within"
] @keyword

"include" @keyword.import

[
  "if"
  "then"
  "else"
] @keyword.conditional

[
  "and"
  "or"
  "not"
] @keyword.operator

[
  "="
  "->"
  "<-"
  "<->"
  "=>"
  "=>*"
  "?"
  "!"
  "$"
  "&"
  "@"
  "@@"
  "+"
  "-"
  "*"
  "/"
  "%"
  "^"
  "#"
  "=="
  "!="
  "<="
  ">="
  ".."
  "\\"
  "|\\"
  ";"
  "[]"
  "|~|"
  "|||"
  "||"
  "/\\"
  "[>"
] @operator

(binary_expression
  [
    "<"
    ">"
  ] @operator)

(refinement_operator) @operator

[
  ","
  "."
  ":"
  "::"
] @punctuation.delimiter

[
  "("
  ")"
  "{"
  "}"
  "["
  "]"
  "(|"
  "|)"
  "{|"
  "|}"
  "[["
  "]]"
  "[|"
  "|]"
  "|>"
  "[+"
  "+]"
  "/+"
  "+\\"
  ":["
  "<>"
] @punctuation.bracket

(sequence
  [
    "<"
    ">"
  ] @punctuation.bracket)

(sequence_type
  [
    "<"
    ">"
  ] @punctuation.bracket)

"|" @punctuation.delimiter

; ---- Literals and comments

[
  (line_comment)
  (block_comment)
] @comment

(integer) @number
(boolean) @boolean
(string) @string
(character) @character
(wildcard) @variable.builtin
(include_declaration path: (string) @string.special.path)

; ---- Assertions

[
  (deadlock_free)
  (divergence_free)
  (deterministic)
  (has_trace)
  (symmetric)
  (tau_priority)
  (partial_order_reduce)
  (symmetry_reduce)
  (for_all)
] @attribute

[
  (model)
  (reduction_word)
] @constant.builtin

; ---- Uses of names

(call function: (identifier) @function.call)
(call function: (call function: (identifier) @function.call))
(call function: (qualified_name name: (identifier) @function.call))
(qualified_name module: (identifier) @module)

; The first part of a communication or of a dotted event is a channel.
(communication channel: (identifier) @constant)
(communication channel: (dotted . (identifier) @constant))
(communication channel: (qualified_name name: (identifier) @constant))
(prefix event: (identifier) @constant)
(prefix event: (dotted . (identifier) @constant))
(production_set (identifier) @constant)
(production_set (dotted . (identifier) @constant))
(renaming_pair (identifier) @constant)
(renaming_pair (dotted . (identifier) @constant))
(link (identifier) @constant)
(link (dotted . (identifier) @constant))

((identifier) @constant.builtin
  (#any-of? @constant.builtin "STOP" "SKIP" "DIV" "True" "False" "Events" "emptyMap"))

((identifier) @type.builtin
  (#any-of? @type.builtin "Int" "Bool" "Char" "Proc"))

((identifier) @function.builtin
  (#any-of? @function.builtin
    "CHAOS" "RUN" "BUFFER" "WEAK_BUFFER" "SIGNAL_BUFFER" "WAIT"
    "union" "inter" "diff" "Union" "Inter" "set" "Set" "Seq" "member" "card" "empty" "seq"
    "length" "null" "head" "tail" "concat" "elem"
    "mapFromList" "mapLookup" "mapMember" "mapDelete" "mapToList" "mapUpdate" "mapUpdateMultiple"
    "Map" "extensions" "productions" "show" "error"
    "timed_priority" "chase" "chase_nocache" "deter" "loop" "aut" "failure_watchdog"
    "trace_watchdog" "prioritise" "prioritise_nocache" "prioritisepo" "mtransclose"
    "relational_image" "relational_inverse_image" "transpose"
    "explicate" "lazyenumerate" "diamond" "normal" "lazynorm" "sbisim" "dbisim" "wbisim"
    "tau_loop_factor" "model_compress"))

; ---- Names where they are introduced

(constant_definition
  name: (identifier) @variable
  body: [
    (integer)
    (boolean)
    (character)
    (string)
    (tuple)
    (sequence)
    (set)
    (production_set)
    (map)
    (unary_expression)
    (binary_expression)
    (length)
    (concatenation)
    (dotted)
  ])

(constant_definition
  name: (identifier) @function
  body: [
    (prefix)
    (guarded)
    (external_choice)
    (internal_choice)
    (sliding_choice)
    (sequential_composition)
    (interleave)
    (interrupt)
    (synchronising_interrupt)
    (synchronising_external_choice)
    (generalised_parallel)
    (alphabetised_parallel)
    (linked_parallel)
    (exception)
    (hiding)
    (projection)
    (renaming)
    (replicated_external_choice)
    (replicated_internal_choice)
    (replicated_sequential_composition)
    (replicated_interleave)
    (replicated_generalised_parallel)
    (replicated_alphabetised_parallel)
    (replicated_linked_parallel)
    (replicated_synchronising_external_choice)
  ])

(function_definition head: (call function: (identifier) @function))
(function_definition head: (call function: (call function: (identifier) @function)))
(function_definition
  head: (call function: (call function: (call function: (identifier) @function))))

(function_definition
  head: (call arguments: (arguments (identifier) @variable.parameter)))
(function_definition
  head: (call function: (call arguments: (arguments (identifier) @variable.parameter))))
(module_declaration parameters: (arguments (identifier) @variable.parameter))
(lambda parameters: (parameters (identifier) @variable.parameter))
(input pattern: (identifier) @variable.parameter)
(nondeterministic_input pattern: (identifier) @variable.parameter)
(generator pattern: (identifier) @variable.parameter)

(channel_declaration name: (identifier) @constant)
(datatype_declaration name: (identifier) @type)
(subtype_declaration name: (identifier) @type)
(nametype_declaration name: (identifier) @type)
(constructor name: (identifier) @constructor)
(module_declaration name: (identifier) @module)
(instance_declaration name: (identifier) @module)
(instance_declaration module: (identifier) @module)
(external_declaration name: (identifier) @function.builtin)
(transparent_declaration name: (identifier) @function.builtin)
(type_annotation name: (identifier) @variable)

(type_name (identifier) @type)
((type_name (identifier) @type.builtin)
  (#any-of? @type.builtin "Int" "Bool" "Char" "Proc" "Event"))
(constraint class: (identifier) @type)
(constraint variable: (identifier) @type)
