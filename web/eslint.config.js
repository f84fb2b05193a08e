/** What the linter asks for, beyond the compiler. */
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "generated"] },
  eslint.configs.recommended,
  tseslint.configs.recommended,
  { files: ["tools/**"], languageOptions: { globals: { console: "readonly", document: "readonly", process: "readonly", URL: "readonly" } } },
);
