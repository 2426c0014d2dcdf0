// The languages that are coloured, and how files and fences name them.

export const languages = [
  "c",
  "cpp",
  "csharp",
  "css",
  "dart",
  "diff",
  "dockerfile",
  "go",
  "html",
  "ini",
  "java",
  "javascript",
  "json",
  "kotlin",
  "lua",
  "make",
  "markdown",
  "php",
  "powershell",
  "proto",
  "python",
  "ruby",
  "rust",
  "scala",
  "scss",
  "shellscript",
  "sql",
  "svelte",
  "swift",
  "toml",
  "tsx",
  "typescript",
  "vue",
  "xml",
  "yaml",
  "zig",
] as const;

export type Language = (typeof languages)[number];

/** What files end in, and what fences say, where it is not the language's own name. */
const otherNames: Record<string, Language> = {
  bash: "shellscript",
  cc: "cpp",
  cjs: "javascript",
  cs: "csharp",
  cxx: "cpp",
  docker: "dockerfile",
  golang: "go",
  gradle: "java",
  h: "c",
  hpp: "cpp",
  htm: "html",
  js: "javascript",
  jsonc: "json",
  jsonl: "json",
  jsx: "tsx",
  kt: "kotlin",
  kts: "kotlin",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  mk: "make",
  mts: "typescript",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
  zsh: "shellscript",
};

/** Returns the language that a name stands for; `undefined` for one that is not coloured. */
export function languageNamed(name: string): Language | undefined {
  const wanted = name.toLowerCase();
  const own = languages.find((language) => language === wanted);
  if (own !== undefined) return own;
  return Object.hasOwn(otherNames, wanted) ? otherNames[wanted] : undefined;
}

/** Returns the language of a file, by its name alone. */
export function languageOfPath(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return languageNamed(dot > 0 ? name.slice(dot + 1) : name);
}
