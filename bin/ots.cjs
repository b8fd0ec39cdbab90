#!/usr/bin/env node
const { enableCompileCache } = require('node:module');

// Node 20 has none.
(enableCompileCache ?? require('./compile-cache.cjs'))();
const { main } = require('../dist/cli.cjs');

const { env } = process;

/** Opening the streams takes a while, and a command may need none: each opens on first use. */
const stream = (name, onError) => {
  let opened;
  return () => (opened ??= process[name].on('error', onError));
};
/** A closed pipe, or a terminal that is gone. */
const isClosed = ({ code }) => code === 'EPIPE' || code === 'EIO';
let onClosed = (signal) => process.exit(signal === 'SIGHUP' ? 129 : 0);
// A terminal that closes may refuse reads before it sends its signal.
const stdin = stream('stdin', (error) => {
  if (!isClosed(error)) throw error;
  onClosed('SIGHUP');
});
// A reader that closes the pipe early (`ots init | head`) is not an error.
const stdout = stream('stdout', (error) => {
  if (!isClosed(error)) throw error;
  onClosed('SIGPIPE');
});
const stderr = stream('stderr', (error) => {
  if (!isClosed(error)) throw error;
});

const context = {
  get stdin() {
    return stdin();
  },
  get stdout() {
    return stdout();
  },
  get stderr() {
    return stderr();
  },
  get interactive() {
    return process.stdin.isTTY && process.stderr.isTTY && !env.CI;
  },
  env,
  cwd: process.cwd(),
  now: () => new Date(),
  // A second Ctrl-C ends the process whatever it is doing. Of a terminal that closes, both the shell and the kernel tell.
  untilSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
      process.on('SIGHUP', resolve);
      onClosed = resolve;
    }),
};
void main(process.argv.slice(2), context).then((code) => (process.exitCode = code));
