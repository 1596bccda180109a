; Captures have no kind behind `local.definition`: the tools of Tree-sitter know none.
;
; Patterns are looked into one level deep. The first part of a dotted pattern is a constructor.

; Scopes

[
  (source_file)
  (module_declaration)
  (timed_section)
  (function_definition)
  (let_expression)
  (lambda)
  (prefix)
  (set)
  (sequence)
  (production_set)
  (renaming)
  (linked_parallel)
  (replicated_external_choice)
  (replicated_internal_choice)
  (replicated_sequential_composition)
  (replicated_interleave)
  (replicated_generalised_parallel)
  (replicated_alphabetised_parallel)
  (replicated_linked_parallel)
  (replicated_synchronising_external_choice)
] @local.scope

; Declarations
(constant_definition name: (identifier) @local.definition)
(channel_declaration name: (identifier) @local.definition)
(datatype_declaration name: (identifier) @local.definition)
(subtype_declaration name: (identifier) @local.definition)
(nametype_declaration name: (identifier) @local.definition)
(constructor name: (identifier) @local.definition)
(module_declaration name: (identifier) @local.definition)
(instance_declaration name: (identifier) @local.definition)
(external_declaration name: (identifier) @local.definition)
(transparent_declaration name: (identifier) @local.definition)
(pattern_definition pattern: (tuple (identifier) @local.definition))
(pattern_definition pattern: (sequence (identifier) @local.definition))

(function_definition head: (call function: (identifier) @local.definition))
(function_definition head: (call function: (call function: (identifier) @local.definition)))

; Parameters
(function_definition
  head: (call arguments: (arguments [
    (identifier) @local.definition
    (tuple (identifier) @local.definition)
    (sequence (identifier) @local.definition)
    (concatenation (identifier) @local.definition)
    (concatenation (sequence (identifier) @local.definition))
    (double_pattern (identifier) @local.definition)
    (dotted (_) (identifier) @local.definition)
  ])))
(function_definition
  head: (call function: (call arguments: (arguments [
    (identifier) @local.definition
    (tuple (identifier) @local.definition)
    (sequence (identifier) @local.definition)
    (concatenation (identifier) @local.definition)
    (concatenation (sequence (identifier) @local.definition))
    (double_pattern (identifier) @local.definition)
    (dotted (_) (identifier) @local.definition)
  ]))))
(module_declaration parameters: (arguments (identifier) @local.definition))
(lambda
  parameters: (parameters [
    (identifier) @local.definition
    (tuple (identifier) @local.definition)
    (sequence (identifier) @local.definition)
    (concatenation (identifier) @local.definition)
    (concatenation (sequence (identifier) @local.definition))
    (double_pattern (identifier) @local.definition)
    (dotted (_) (identifier) @local.definition)
  ]))

; Variables of fields and of generators
(input pattern: [
  (identifier) @local.definition
  (tuple (identifier) @local.definition)
  (sequence (identifier) @local.definition)
  (concatenation (identifier) @local.definition)
  (concatenation (sequence (identifier) @local.definition))
  (double_pattern (identifier) @local.definition)
  (dotted (_) (identifier) @local.definition)
])
(nondeterministic_input pattern: (identifier) @local.definition)
(generator pattern: [
  (identifier) @local.definition
  (tuple (identifier) @local.definition)
  (sequence (identifier) @local.definition)
  (concatenation (identifier) @local.definition)
  (concatenation (sequence (identifier) @local.definition))
  (double_pattern (identifier) @local.definition)
  (dotted (_) (identifier) @local.definition)
])

(identifier) @local.reference
