/** An answer without the messages of the rule compiler, which differ between servers. */
export function withoutCompiler(value: unknown): unknown {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string'
      ? item.replaceAll(/compilation failed: [\s\S]*/g, 'compilation failed: …')
      : item,
  );
  return JSON.parse(text);
}
