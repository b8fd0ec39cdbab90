/**
 * The priority of what can wait for changes that come in meanwhile: the objects of an initial list, and those that a
 * resync reports although they did not change.
 */
export const lowPriority = -100;
