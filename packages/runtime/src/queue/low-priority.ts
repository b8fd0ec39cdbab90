/** The priority of what can wait for changes that come in meanwhile: the objects that are there when a watch begins. */
export const lowPriority = -100;
