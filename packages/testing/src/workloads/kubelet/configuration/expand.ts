const reference = /\$(?:\$|\(([^)]*)\))/g;

/**
 * Replaces `$(NAME)` in a text. A name without a value stays as it is, and `$$` is a dollar sign
 * (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/).
 */
export function expand(text: string, values: Pick<ReadonlyMap<string, string>, 'get'>): string {
  return text.replace(reference, (match, name?: string) => {
    if (name === undefined) return '$';
    return values.get(name) ?? match;
  });
}
