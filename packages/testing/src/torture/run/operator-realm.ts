import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { dateOf, timersOf } from 'ots-apimachinery/clock/globals';

/** Whose time and chance the code of an operator has. */
export interface Realm {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Receives each rejection that no code handled. */
  readonly onRejection: (reason: unknown) => void;
}

/**
 * Lets all code of this process live in the time and the chance of a cluster: `Date`, timers, `Math.random`, and random bytes and
 * UUIDs of `crypto`. Keys that OpenSSL generates remain as they are.
 *
 * @returns what ends that
 */
export function enterRealm({ clock, random, onRejection }: Realm): () => void {
  const { globals, wait } = timersOf(clock);
  const leave = [
    replace(globalThis, { ...globals, Date: dateOf(clock) }),
    replace(Math, { random }),
    replace(crypto, chanceOf(random)),
    replace(crypto.webcrypto, webChanceOf(random)),
    replace(timers, { setTimeout: wait }),
    listen(onRejection),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const undo of leave.toReversed()) undo();
    syncBuiltinESMExports();
  };
}

function replace<T extends object>(target: T, replacements: Partial<Record<keyof T, unknown>>): () => void {
  const before = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(replacements))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      // What was inherited is inherited again.
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  };
}

function chanceOf(random: () => number): Partial<Record<keyof typeof crypto, unknown>> {
  const bytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  return {
    randomUUID: () => uuid(bytes(16)),
    randomBytes: (size: number, callback?: (error: null, bytes: Buffer) => void) => {
      const chosen = bytes(size);
      if (!callback) return chosen;
      queueMicrotask(() => callback(null, chosen));
      return undefined;
    },
  };
}

function webChanceOf(random: () => number): Partial<Record<keyof typeof crypto.webcrypto, unknown>> {
  const { randomUUID } = chanceOf(random);
  return { randomUUID, getRandomValues: filled(random) };
}

function filled(random: () => number): <T extends NodeJS.ArrayBufferView>(view: T) => T {
  return (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(random() * 256);
    return view;
  };
}

/** Version 4 of RFC 9562. */
function uuid(bytes: Buffer): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** In place of those who listened before, who would end the process or the test. */
function listen(onRejection: (reason: unknown) => void): () => void {
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('unhandledRejection', onRejection);
    for (const listener of before) process.on('unhandledRejection', listener);
  };
}
