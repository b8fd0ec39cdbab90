import { currentWork } from './work-context.ts';

const event = 'unhandledRejection';

/** `process` is one for all controllers, and so is the listener. */
let users = 0;

/**
 * Until it is disposed of, a rejected promise without a handler does not end the process when a piece of work with an
 * `onStrayRejection` started it. All other rejections keep the behavior that they have in Node.
 */
export function containRejections(): Disposable {
  users += 1;
  if (users === 1) process.on(event, contain);
  let isDisposed = false;
  return {
    [Symbol.dispose]() {
      if (isDisposed) return;
      isDisposed = true;
      users -= 1;
      if (users === 0) process.off(event, contain);
    },
  };
}

/** Node calls it in the asynchronous context of the rejected promise. */
function contain(reason: unknown): void {
  const handle = currentWork()?.onStrayRejection;
  if (handle) handle(reason);
  // If other listeners exist, they decide, as they would without this one.
  else if (process.listenerCount(event) === 1) standAside(reason);
}

/** Node's default applies only without a listener: rejects once more without one. */
function standAside(reason: unknown): void {
  process.off(event, contain);
  void Promise.reject(reason);
  setImmediate(() => {
    if (users > 0 && !process.listeners(event).includes(contain)) process.on(event, contain);
  });
}
