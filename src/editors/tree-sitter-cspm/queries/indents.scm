; Names of captures as in Helix and Neovim: what goes on in another line is indented once.

[
  (constant_definition)
  (function_definition)
  (pattern_definition)
  (channel_declaration)
  (datatype_declaration)
  (subtype_declaration)
  (nametype_declaration)
  (assertion)
  (let_expression)
  (timed_section)
  (set)
  (sequence)
  (production_set)
  (map)
  (tuple)
  (parenthesised)
  (arguments)
] @indent @indent.begin

[
  "within"
  "exports"
  "endmodule"
  ")"
  "}"
  "|}"
  "|)"
] @outdent @indent.branch
