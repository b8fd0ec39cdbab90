import { startTerminal } from '../../../src/dev/terminal/terminal.ts';
import { busyState } from './states.ts';

// The program of pty.test.ts: a session in which a restart is a crash.
const { stdin, stdout, env } = process;
const timer = setInterval(() => {}, 60_000);
const terminal = startTerminal({
  context: { stdin, stdout, env, now: () => new Date() },
  plain: false,
  state: () => busyState(),
  subscribe: () => () => {},
  act: ({ action }) => {
    if (action === 'restart') setImmediate(() => crash());
    return Promise.resolve();
  },
  pageUrl: 'http://127.0.0.1:40124/k3/',
  onQuit: () => {
    terminal.stop();
    stdout.write('ended\n');
    clearInterval(timer);
  },
});

function crash(): never {
  throw new Error('the session crashed');
}
