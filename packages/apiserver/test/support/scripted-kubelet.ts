import { PassThrough } from 'node:stream';
import type { ContainerStreams, PodStreams } from 'ots-apiserver';

/** What the commands of containers do, by their first word. */
const commands: Readonly<
  Record<string, (streams: ContainerStreams, words: readonly string[]) => Promise<number>>
> = {
  say: async ({ stdout, stderr }, words) => {
    await stdout.write(`${words.join(' ')}\n`);
    await stderr.write('to stderr\n');
    return 0;
  },
  exit: (_, [code]) => Promise.resolve(Number(code)),
  cat: async ({ stdin, stdout }) => {
    for await (const part of stdin ?? []) await stdout.write(part);
    return 0;
  },
  count: async ({ stdin, stdout }) => {
    let bytes = 0;
    for await (const part of stdin ?? []) bytes += part.length;
    await stdout.write(`${bytes}\n`);
    return 0;
  },
  fail: () => Promise.reject(new Error('no such program')),
  sizes: async ({ stdout, resizes, tty }) => {
    await stdout.write(`${tty}`);
    for await (const { width, height } of resizes) {
      await stdout.write(` ${width}x${height}`);
      if (height === 0) break;
    }
    return 0;
  },
};

/**
 * A kubelet whose containers know a few commands: `say`, `exit`, `cat`, `count`, `fail` and `sizes`. Its ports echo what they receive,
 * except 81, which refuses. The container `two` does not run.
 */
export const scriptedKubelet: PodStreams = {
  log: () => undefined,
  exec: (_, container, [name = '', ...words]) => {
    if (container === 'two') throw new Error(`container not found (${JSON.stringify(container)})`);
    return (streams) =>
      commands[name]?.(streams, words) ?? Promise.reject(new Error(`${name} is not a command`));
  },
  attach: (_, container) => {
    if (container === 'two') throw new Error(`container not found (${JSON.stringify(container)})`);
    return async ({ stdin, stdout, stderr }) => {
      await stdout.write('attached\n');
      await stderr.write('to stderr\n');
      for await (const part of stdin ?? []) {
        if (part.toString() === 'fail') throw new Error('the process is gone');
        await stdout.write(part);
      }
    };
  },
  portForward: () => (port) =>
    port === 81 ? Promise.reject(new Error('connection refused')) : Promise.resolve(new PassThrough()),
};
