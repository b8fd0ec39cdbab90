/**
 * How deep a function that walks a JSON value may recurse: well within Node's stack. Bodies may be nested far
 * deeper (see {@link maxDepth}); the walk defers those parts until the stack is free again.
 */
export const maxRecursion = 400;

/** The maximum nesting depth of bodies and objects: kube-apiserver's limit for JSON and YAML. */
export const maxDepth = 10_000;
