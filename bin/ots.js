#!/usr/bin/env node
import module from 'node:module';

// Node 22 and newer keep compiled code between runs.
module.enableCompileCache?.();
const { main } = await import('../dist/cli.js');

const { stdin, stdout, stderr, env } = process;

// A reader that closes the pipe early (`ots init | head`) is not an error.
stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
stderr.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});

const interactive = stdin.isTTY && stderr.isTTY && !env.CI;
const now = () => new Date();
// The second signal ends the process whatever it is doing.
const untilSignal = () =>
  new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, resolve)));
const context = { stdin, stdout, stderr, env, cwd: process.cwd(), interactive, now, untilSignal };
process.exitCode = await main(process.argv.slice(2), context);
