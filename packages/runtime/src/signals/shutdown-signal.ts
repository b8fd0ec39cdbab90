const names = ['SIGINT', 'SIGTERM'] as const;

/**
 * A signal that aborts at the first SIGINT or SIGTERM, for `manager.start`. The second one ends the process the hard
 * way, as if nobody listened. Call it once, at the start of the program.
 */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    for (const each of names) process.off(each, stop);
    controller.abort(new DOMException(`received ${name}`, 'AbortError'));
  };
  for (const name of names) process.on(name, stop);
  return controller.signal;
}
