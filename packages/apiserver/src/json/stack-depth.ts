/**
 * How deep a function that walks a JSON value may call itself: well within the stack of Node. Bodies may be nested far deeper
 * (see {@link maxDepth}), so what lies deeper has to wait until the stack is free again.
 */
export const stackDepth = 400;

/** How deep bodies and objects may be nested: the limit of a kube-apiserver for JSON and for YAML. */
export const maxDepth = 10_000;
