// The arguments of a call, name by name, from the JSON that the model wrote.

export type Argument = { readonly name: string; readonly value: string };

/** Returns the arguments, or `undefined` where the text is no JSON object. */
export function readArguments(text: string): readonly Argument[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  return Object.entries(parsed).map(([name, value]) => ({
    name,
    value: typeof value === "string" ? value : JSON.stringify(value, null, 2),
  }));
}
