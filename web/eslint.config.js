/** What the linter asks for, beyond the compiler. */
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "generated"] },
  eslint.configs.recommended,
  tseslint.configs.recommended,
  // The tools run partly in Node and partly in a page: names are the compiler's business there.
  { files: ["tools/**"], rules: { "no-undef": "off" } },
);
