const reference = /\$(?:\$|\(([^)]*)\))/g;

/**
 * Replaces `$(NAME)` in a text. A name without a value stays as it is, and `$$` is a dollar sign
 * (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/).
 *
 * @param note called for each name without a value, or with an empty one
 */
export function expand(
  text: string,
  values: Pick<ReadonlyMap<string, string>, 'get'>,
  note: (name: string) => void = () => {},
): string {
  return text.replace(reference, (match, name?: string) => {
    if (name === undefined) return '$';
    const value = values.get(name);
    if (!value) note(name);
    return value ?? match;
  });
}
