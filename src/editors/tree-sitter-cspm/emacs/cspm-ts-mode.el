;;; cspm-ts-mode.el --- CSPm with Tree-sitter  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Colours, an index of names, and movement by declarations for scripts of FDR and cspsym.  The
;; colours are those of queries/highlights.scm, which Emacs itself cannot read.

;;; Code:

(require 'treesit)

(defvar cspm-ts-mode--syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?- ". 123" table)
    (modify-syntax-entry ?\{ "(}1nb" table)
    (modify-syntax-entry ?\} "){4nb" table)
    (modify-syntax-entry ?\n ">" table)
    table)
  "The syntax of CSPm: `--' to the end of a line, and `{- -}', which nests.")

(defvar cspm-ts-mode--font-lock
  (treesit-font-lock-rules
   :language 'cspm
   :feature 'comment
   '([(line_comment) (block_comment)] @font-lock-comment-face)

   :language 'cspm
   :feature 'keyword
   '(["channel" "datatype" "subtype" "nametype" "external" "transparent" "module" "exports"
      "endmodule" "instance" "Timed" "print" "include" "assert" "let" "within" "if" "then" "else"
      "and" "or" "not"]
     @font-lock-keyword-face)

   :language 'cspm
   :feature 'literal
   '((string) @font-lock-string-face
     (character) @font-lock-string-face
     (integer) @font-lock-number-face
     (boolean) @font-lock-constant-face)

   :language 'cspm
   :feature 'definition
   '((constant_definition name: (identifier) @font-lock-function-name-face)
     (function_definition
      head: (call function: (identifier) @font-lock-function-name-face))
     (function_definition
      head: (call function: (call function: (identifier) @font-lock-function-name-face)))
     (channel_declaration name: (identifier) @font-lock-variable-name-face)
     (datatype_declaration name: (identifier) @font-lock-type-face)
     (subtype_declaration name: (identifier) @font-lock-type-face)
     (nametype_declaration name: (identifier) @font-lock-type-face)
     (constructor name: (identifier) @font-lock-constant-face)
     (module_declaration name: (identifier) @font-lock-type-face)
     (instance_declaration name: (identifier) @font-lock-type-face)
     (type_annotation name: (identifier) @font-lock-function-name-face))

   :language 'cspm
   :feature 'property
   '([(deadlock_free) (divergence_free) (deterministic) (has_trace) (symmetric) (tau_priority)
      (partial_order_reduce) (symmetry_reduce) (for_all) (model) (reduction_word)]
     @font-lock-preprocessor-face
     (refinement_operator) @font-lock-operator-face)

   :language 'cspm
   :feature 'builtin
   '(((identifier) @font-lock-builtin-face
      (:match "\\`\\(?:STOP\\|SKIP\\|DIV\\|RUN\\|CHAOS\\|WAIT\\|Events\\|Int\\|Bool\\|Char\\|Proc\\)\\'"
              @font-lock-builtin-face)))

   :language 'cspm
   :feature 'type
   '((type_name (identifier) @font-lock-type-face)
     (qualified_name module: (identifier) @font-lock-type-face))

   :language 'cspm
   :feature 'variable
   '((communication channel: (identifier) @font-lock-property-use-face)
     (communication channel: (dotted :anchor (identifier) @font-lock-property-use-face))
     (prefix event: (identifier) @font-lock-property-use-face)
     (prefix event: (dotted :anchor (identifier) @font-lock-property-use-face))
     (input pattern: (identifier) @font-lock-variable-name-face)
     (generator pattern: (identifier) @font-lock-variable-name-face))

   :language 'cspm
   :feature 'operator
   '(["->" "=" "<-" "?" "!" "$" "&" "@" "[]" "|~|" "|||" "||" "[|" "|]" "|>" "[>" "/\\" "\\" ";"
      "[[" "]]"]
     @font-lock-operator-face))
  "The colours of CSPm.")

(defconst cspm-ts-mode--declarations
  (regexp-opt '("constant_definition" "function_definition" "pattern_definition"
                "channel_declaration" "datatype_declaration" "subtype_declaration"
                "nametype_declaration" "module_declaration" "instance_declaration"
                "timed_section" "assertion")
              'symbols)
  "The types of the nodes that are declarations.")

(defun cspm-ts-mode--name (node)
  "The name that NODE, a declaration, introduces."
  (let ((part (or (treesit-node-child-by-field-name node "name")
                  (treesit-node-child-by-field-name node "head"))))
    ;; A function of several groups of arguments is a call of a call.
    (while (and part (equal (treesit-node-type part) "call"))
      (setq part (treesit-node-child-by-field-name part "function")))
    (and part (treesit-node-text part t))))

;;;###autoload
(define-derived-mode cspm-ts-mode prog-mode "CSPm"
  "A mode for CSPm, the language of FDR and cspsym."
  :syntax-table cspm-ts-mode--syntax-table
  (unless (treesit-ready-p 'cspm)
    (error "The grammar of CSPm is not installed: M-x treesit-install-language-grammar"))
  (treesit-parser-create 'cspm)
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "--+[ \t]*")
  (setq-local treesit-font-lock-settings cspm-ts-mode--font-lock)
  (setq-local treesit-font-lock-feature-list
              '((comment definition) (keyword literal) (builtin property type) (variable operator)))
  (setq-local treesit-defun-type-regexp cspm-ts-mode--declarations)
  (setq-local treesit-defun-name-function #'cspm-ts-mode--name)
  (setq-local treesit-simple-imenu-settings
              '(("Definition" "\\`\\(?:constant\\|function\\)_definition\\'" nil nil)
                ("Channel" "\\`channel_declaration\\'" nil nil)
                ("Type" "\\`\\(?:datatype\\|subtype\\|nametype\\)_declaration\\'" nil nil)
                ("Module" "\\`\\(?:module\\|instance\\)_declaration\\'" nil nil)))
  (treesit-major-mode-setup))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:csp\\|cspm\\|fdr\\)\\'" . cspm-ts-mode))

(provide 'cspm-ts-mode)
;;; cspm-ts-mode.el ends here
