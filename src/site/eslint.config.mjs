// What the linter holds against the code.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      "max-lines": ["error", 300],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
    },
  },
];
