(constant_definition name: (identifier) @name) @definition.constant

(function_definition head: (call function: (identifier) @name)) @definition.function
(function_definition
  head: (call function: (call function: (identifier) @name))) @definition.function

(channel_declaration name: (identifier) @name) @definition.constant
(datatype_declaration name: (identifier) @name) @definition.type
(subtype_declaration name: (identifier) @name) @definition.type
(nametype_declaration name: (identifier) @name) @definition.type
(constructor name: (identifier) @name) @definition.constant
(module_declaration name: (identifier) @name) @definition.module
(instance_declaration name: (identifier) @name) @definition.module

(call function: (identifier) @name) @reference.call
